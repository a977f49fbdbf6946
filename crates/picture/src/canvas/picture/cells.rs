//! The cells of a picture, and a bitmap of those that were drawn on: most stay empty.

use crate::bits::{WORD, set_bits};
use crate::canvas::refill;

/// The kind of agent that a cell shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    #[default]
    Empty,
    /// Boids.
    Prey,
    /// A predator. It hides the boids behind it.
    Predator,
}

/// One cell of a picture. `heading`, `speed`, `density` and `depth` index a ramp of 256 entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The dots that are set, as the low byte of the braille block (U+2800).
    pub dots: u8,
    /// The kind of agent shown.
    pub content: Content,
    /// How many of the agents shown have their heads in the cell.
    pub count: u16,
    /// Mean heading on screen: 0 right, 64 down, 128 left, 192 up.
    pub heading: u8,
    /// Mean speed, from the slowest (0) to the fastest (255) allowed.
    pub speed: u8,
    /// Density around the cell; 255 from the 95th percentile of occupied cells on.
    pub density: u8,
    /// How pale it is: the mean distance from the camera, 0 nearest, 255 farthest; of bodies, the share of the background
    /// that shows between them. 0 in two dimensions.
    pub depth: u8,
    /// The most frequent species, counted from 0.
    pub species: u8,
    /// Whether a leader is in the cell.
    pub leads: bool,
    /// The highest alarm level in the cell: 0 is calm, [`ALARMS`](Self::ALARMS) the maximum.
    pub alarm: u8,
}

impl Cell {
    /// The highest alarm level.
    pub const ALARMS: u8 = 3;

    /// The level of an alarm of 0 … 1. Values too small to notice become 0.
    pub(crate) fn alarm_level(alarm: f32) -> u8 {
        (alarm * f32::from(Self::ALARMS) + 0.6) as u8
    }
}

/// Cells row by row, with one bit per cell that was drawn on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellGrid {
    columns: usize,
    all: Vec<Cell>,
    drawn: Vec<u64>,
}

impl CellGrid {
    /// Resizes to this many cells, all empty.
    pub fn clear(&mut self, columns: usize, rows: usize) {
        let cells = columns * rows;
        self.columns = columns;
        if self.all.len() == cells {
            self.for_each_drawn(|_, cell| *cell = Cell::default());
        } else {
            refill(&mut self.all, cells, Cell::default());
        }
        refill(&mut self.drawn, cells.div_ceil(WORD), 0);
    }

    /// All cells, row by row.
    pub fn all(&self) -> &[Cell] {
        &self.all
    }

    /// A cell to draw on.
    #[inline]
    pub fn draw(&mut self, index: usize) -> &mut Cell {
        self.drawn[index / WORD] |= 1 << (index % WORD);
        &mut self.all[index]
    }

    /// Replaces the bitmap of drawn cells. The caller fills in the cells with [`drawn_mut`](Self::drawn_mut).
    #[inline]
    pub(crate) fn set_drawn(&mut self, words: impl Iterator<Item = u64>) {
        self.drawn.iter_mut().zip(words).for_each(|(drawn, word)| *drawn = word);
    }

    /// All cells, and the indices of the drawn ones.
    #[inline]
    pub(crate) fn drawn_mut(&mut self) -> (&mut [Cell], impl Iterator<Item = usize>) {
        (&mut self.all, set_bits(self.drawn.iter().copied()))
    }

    /// Calls `change` with the index of each drawn cell and the cell.
    pub(crate) fn for_each_drawn(&mut self, mut change: impl FnMut(usize, &mut Cell)) {
        let (cells, indices) = self.drawn_mut();
        indices.for_each(|index| change(index, &mut cells[index]));
    }

    /// The drawn cells among the first `limit` of a row, with their columns.
    #[inline]
    pub fn drawn_in(&self, row: usize, limit: usize) -> impl Iterator<Item = (usize, &Cell)> {
        let first = row * self.columns;
        set_bits(self.words_in(row, limit)).map(move |column| (column, &self.all[first + column]))
    }

    /// The bitmap of the first `limit` cells of a row.
    #[inline]
    pub(crate) fn words_in(&self, row: usize, limit: usize) -> impl Iterator<Item = u64> {
        let first = row * self.columns;
        let cells = self.all.len().saturating_sub(first).min(limit).min(self.columns);
        (0..cells).step_by(WORD).map(move |column| {
            let beyond = WORD.saturating_sub(cells - column);
            self.word(first + column) & (u64::MAX >> beyond)
        })
    }

    /// The bits of [`WORD`] cells, starting at any cell.
    #[inline]
    fn word(&self, from: usize) -> u64 {
        let part = |at: usize| self.drawn.get(at).copied().unwrap_or(0);
        let (at, shift) = (from / WORD, from % WORD);
        // Two shifts: a single one by the full width would overflow.
        (part(at) >> shift) | (part(at + 1) << 1 << (WORD - 1 - shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_drawn_cells_by_row_and_clears_them() {
        for columns in [1, 7, 63, 64, 65, 130, 200] {
            let (mut cells, rows) = (CellGrid::default(), 5);
            cells.clear(columns, rows);
            let is_drawn = |at: &usize| at.is_multiple_of(3) || at % 7 == 1;
            (0..columns * rows).filter(is_drawn).for_each(|at| cells.draw(at).count = 1 + at as u16);
            for row in 0..=rows {
                for limit in [0, 1, columns / 2, columns, columns + 9] {
                    let found = cells.drawn_in(row, limit).map(|(column, cell)| (column, cell.count));
                    let in_row = (0..limit.min(columns)).filter(|_| row < rows);
                    let expected = in_row.map(|column| (column, row * columns + column));
                    let expected = expected.filter(|(_, at)| is_drawn(at)).map(|(column, at)| (column, 1 + at as u16));
                    assert!(found.eq(expected), "{columns} {row} {limit}");
                }
            }
            // The same shape; as many cells in another shape; more; fewer.
            for (columns, rows) in [(columns, rows), (rows, columns), (columns, rows + 1), (1, 1)] {
                cells.draw(0).count = 1;
                cells.clear(columns, rows);
                assert_eq!(cells.all(), vec![Cell::default(); columns * rows]);
                assert!((0..rows).all(|row| cells.drawn_in(row, columns).count() == 0));
            }
        }
    }
}
