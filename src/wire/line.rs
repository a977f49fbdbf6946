//! A row of cells on its way to the screen, of which most may be empty.

use super::ink::{Ink, Tint};
use crate::bits::WORD;

/// Cells side by side, of one column each: those that have been drawn on, and ground.
#[derive(Clone, Debug)]
pub struct Line {
    ground: Ink,
    /// What cells show; of those that have not been drawn on this says nothing.
    inks: Vec<Ink>,
    /// A bit for each cell that has been drawn on.
    drawn: Vec<u64>,
}

impl Line {
    /// So many cells of the terminal's own ground.
    #[must_use]
    pub fn new(width: u16) -> Self {
        let width = usize::from(width);
        Self { ground: Ink::BLANK, inks: vec![Ink::BLANK; width], drawn: vec![0; width.div_ceil(WORD)] }
    }

    /// Becomes nothing but ground.
    #[inline]
    pub fn clear(&mut self, ground: Tint) {
        self.ground = Ink::ground(ground);
        self.drawn.fill(0);
    }

    /// How many cells it has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.inks.len()
    }

    /// A cell to be drawn on, as it is.
    ///
    /// # Panics
    ///
    /// Where the line has no such column.
    #[inline]
    pub fn draw(&mut self, column: usize) -> &mut Ink {
        let ink = &mut self.inks[column];
        let (word, bit) = (&mut self.drawn[column / WORD], 1 << (column % WORD));
        if *word & bit == 0 {
            *word |= bit;
            *ink = self.ground;
        }
        ink
    }

    /// All cells to be drawn on.
    pub fn draw_all(&mut self) -> &mut [Ink] {
        for column in 0..self.inks.len() {
            self.draw(column);
        }
        &mut self.inks
    }

    /// What the cells show, from left to right.
    pub fn inks(&self) -> impl Iterator<Item = Ink> {
        let is_drawn = |column: usize| self.drawn[column / WORD] >> (column % WORD) & 1 == 1;
        self.inks.iter().enumerate().map(move |(column, ink)| if is_drawn(column) { *ink } else { self.ground })
    }

    pub(super) fn ground(&self) -> Ink {
        self.ground
    }

    /// Its cells, a word of bits at a time with the bits of those that have been drawn on.
    pub(super) fn words(&self) -> impl Iterator<Item = (&[Ink], u64)> {
        self.inks.chunks(WORD).zip(self.drawn.iter().copied())
    }
}
