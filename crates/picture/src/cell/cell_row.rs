//! A row of cells to draw, most of which may be empty.

use ratatui_core::buffer::Cell;

use super::PackedColor;
use super::packed_cell::PackedCell;
use crate::bits::WORD;

/// Adjacent cells, each one column wide but for symbols. It knows which were drawn on, so that the others need no comparison.
#[derive(Clone, Debug)]
pub struct CellRow {
    /// Cells with nothing drawn on them.
    pub background: PackedCell,
    cells: Vec<PackedCell>,
    /// A bit for each cell that was drawn on.
    drawn: Vec<u64>,
    /// Cells with their columns that may be wide or hold several characters, which only an encoder can pack.
    symbols: Vec<(usize, Cell)>,
}

impl CellRow {
    /// A row of this many cells with the default background.
    pub fn new(width: u16) -> Self {
        let background = PackedCell::BLANK;
        let (cells, drawn) = (vec![background; width.into()], vec![0; usize::from(width).div_ceil(WORD)]);
        Self { background, cells, drawn, symbols: Vec::new() }
    }

    /// The cells from a column on, without symbols.
    #[must_use]
    pub fn part(&self, from: usize, width: u16) -> Self {
        let mut part = Self { background: self.background, ..Self::new(width) };
        part.cells_mut().copy_from_slice(&self.cells[from..from + usize::from(width)]);
        part
    }

    /// Clears all cells to this background.
    #[inline]
    pub fn clear(&mut self, background: PackedColor) {
        self.background = PackedCell::blank(background);
        // Filling all is as fast as looking for drawn cells.
        self.cells.fill(self.background);
        self.drawn.fill(0);
        self.symbols.clear();
    }

    /// Draws a cell of ratatui over the others, whenever they are drawn. If it is wide, it covers the next one, too; it becomes blank
    /// if that is outside the row.
    ///
    /// # Panics
    ///
    /// If the row has no such column.
    pub fn set_symbol(&mut self, column: usize, cell: Cell) {
        self.cell_mut(column).clear();
        self.symbols.push((column, cell));
    }

    /// The symbols with their columns, in the order in which they were drawn.
    pub fn symbols(&self) -> &[(usize, Cell)] {
        &self.symbols
    }

    /// The row with its symbols among its cells; `None` if it has none. A wide one that crosses a border becomes blank.
    pub fn resolve(
        &self,
        mut pack: impl FnMut(&Cell) -> PackedCell,
        is_border: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        if self.symbols.is_empty() {
            return None;
        }
        let mut row = self.clone();
        for (column, symbol) in row.symbols.split_off(0) {
            let packed = pack(&symbol);
            let is_wide = packed.width() > 1;
            let is_cut = is_wide && is_border(column + 1);
            *row.cell_mut(column) = if is_cut { PackedCell::blank(packed.bg()) } else { packed };
            if is_wide && !is_cut {
                // As in ratatui, the cell that a wide character covers is blank.
                *row.cell_mut(column + 1) = PackedCell::BLANK;
            }
        }
        Some(row)
    }

    /// Whether a character is two columns wide.
    pub fn has_wide(&self) -> bool {
        self.cells.iter().any(|cell| cell.width() > 1)
    }

    /// Number of cells.
    #[inline]
    pub fn width(&self) -> usize {
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
    pub fn mark_drawn(&mut self, words: impl Iterator<Item = u64>) -> &mut [PackedCell] {
        self.drawn.iter_mut().zip(words).for_each(|(drawn, word)| *drawn |= word);
        &mut self.cells
    }

    /// The cells from left to right.
    #[inline]
    pub fn cells(&self) -> &[PackedCell] {
        &self.cells
    }

    /// The cells in chunks of a word, with a bit for each that was drawn on.
    #[inline]
    pub fn words(&self) -> impl Iterator<Item = (&[PackedCell], u64)> {
        self.cells.chunks(WORD).zip(self.drawn.iter().copied())
    }
}
