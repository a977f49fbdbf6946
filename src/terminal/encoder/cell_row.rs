//! A row of cells on its way to the screen, of which most may be empty.

use super::packed_cell::{PackedCell, PackedColor};
use crate::bits::WORD;

/// Cells side by side, of one column each: those that have been drawn on, and ground.
#[derive(Clone, Debug)]
pub struct CellRow {
    /// A line of nothing but ground.
    ground: Vec<PackedCell>,
    /// What cells show.
    inks: Vec<PackedCell>,
    /// A bit for each cell that has been drawn on.
    drawn: Vec<u64>,
}

impl CellRow {
    /// So many cells of the terminal's own ground.
    #[must_use]
    pub fn new(width: u16) -> Self {
        let width = usize::from(width);
        Self {
            ground: vec![PackedCell::BLANK; width],
            inks: vec![PackedCell::BLANK; width],
            drawn: vec![0; width.div_ceil(WORD)],
        }
    }

    /// Becomes nothing but ground.
    #[inline]
    pub fn clear(&mut self, ground: PackedColor) {
        let ground = PackedCell::ground(ground);
        if self.ground() != ground {
            self.ground.fill(ground);
        }
        // A copy is as quick as to look for what has been drawn on.
        self.inks.copy_from_slice(&self.ground);
        self.drawn.fill(0);
    }

    /// CellAttrs many cells it has.
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
    pub fn draw(&mut self, column: usize) -> &mut PackedCell {
        self.drawn[column / WORD] |= 1 << (column % WORD);
        &mut self.inks[column]
    }

    /// All cells to be drawn on.
    pub fn draw_all_mut(&mut self) -> &mut [PackedCell] {
        for (word, inks) in self.drawn.iter_mut().zip(self.inks.chunks(WORD)) {
            *word = u64::MAX >> (WORD - inks.len());
        }
        &mut self.inks
    }

    /// All cells, of which those are to be drawn on that have a bit set.
    #[inline]
    pub(crate) fn mark_drawn(&mut self, words: impl Iterator<Item = u64>) -> &mut [PackedCell] {
        self.drawn.iter_mut().zip(words).for_each(|(drawn, word)| *drawn |= word);
        &mut self.inks
    }

    /// What the cells show, from left to right.
    #[must_use]
    pub fn inks(&self) -> &[PackedCell] {
        &self.inks
    }

    pub(crate) fn ground(&self) -> PackedCell {
        self.ground.first().copied().unwrap_or(PackedCell::BLANK)
    }

    /// Its cells, a word of bits at a time with the bits of those that have been drawn on.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&[PackedCell], u64)> {
        self.inks.chunks(WORD).zip(self.drawn.iter().copied())
    }
}
