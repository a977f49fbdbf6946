//! A row of cells to draw, most of which may be empty.

use super::PackedColor;
use super::packed_cell::PackedCell;
use crate::bits::WORD;

/// Adjacent cells, each one column wide. It knows which were drawn on, so that the others need no comparison.
#[derive(Clone, Debug)]
pub struct CellRow {
    /// Cells with nothing drawn on them.
    background: PackedCell,
    cells: Vec<PackedCell>,
    /// A bit for each cell that was drawn on.
    drawn: Vec<u64>,
}

impl CellRow {
    /// A row of this many cells with the default background.
    #[must_use]
    pub fn new(width: u16) -> Self {
        let background = PackedCell::BLANK;
        let (cells, drawn) = (vec![background; width.into()], vec![0; usize::from(width).div_ceil(WORD)]);
        Self { background, cells, drawn }
    }

    /// Clears all cells to this background.
    #[inline]
    pub fn clear(&mut self, background: PackedColor) {
        self.background = PackedCell::blank(background);
        // Filling all is as fast as looking for drawn cells.
        self.cells.fill(self.background);
        self.drawn.fill(0);
    }

    /// Number of cells.
    pub(crate) fn width(&self) -> usize {
        self.cells.len()
    }

    /// A cell to draw on.
    ///
    /// # Panics
    ///
    /// If the row has no such column.
    #[inline]
    pub fn cell_mut(&mut self, column: usize) -> &mut PackedCell {
        self.drawn[column / WORD] |= 1 << (column % WORD);
        &mut self.cells[column]
    }

    /// All cells to draw on.
    pub fn cells_mut(&mut self) -> &mut [PackedCell] {
        for (word, cells) in self.drawn.iter_mut().zip(self.cells.chunks(WORD)) {
            *word = u64::MAX >> (WORD - cells.len());
        }
        &mut self.cells
    }

    /// All cells, of which only those with a bit set may be drawn on.
    #[inline]
    pub(crate) fn mark_drawn(&mut self, words: impl Iterator<Item = u64>) -> &mut [PackedCell] {
        self.drawn.iter_mut().zip(words).for_each(|(drawn, word)| *drawn |= word);
        &mut self.cells
    }

    /// The cells from left to right.
    pub(crate) fn cells(&self) -> &[PackedCell] {
        &self.cells
    }

    pub(super) fn background(&self) -> PackedCell {
        self.background
    }

    /// The cells in chunks of a word, with a bit for each that was drawn on.
    pub(super) fn words(&self) -> impl Iterator<Item = (&[PackedCell], u64)> {
        self.cells.chunks(WORD).zip(self.drawn.iter().copied())
    }
}
