//! The cells of a picture, and which of them show anybody: most do not.

use super::Cell;
use crate::bits::{WORD, set_bits};

/// CellGrid row by row, with a bit for each that has been drawn on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellGrid {
    columns: usize,
    all: Vec<Cell>,
    drawn: Vec<u64>,
}

impl CellGrid {
    /// Becomes so many cells, all empty.
    pub(crate) fn clear(&mut self, columns: usize, rows: usize) {
        let cells = columns * rows;
        self.columns = columns;
        if self.all.len() == cells {
            self.each_drawn(|_, cell| *cell = Cell::default());
        } else {
            self.all.clear();
            self.all.resize(cells, Cell::default());
        }
        self.drawn.clear();
        self.drawn.resize(cells.div_ceil(WORD), 0);
    }

    /// All of them, row by row.
    #[must_use]
    pub fn all(&self) -> &[Cell] {
        &self.all
    }

    /// A cell to draw on.
    #[inline]
    pub(crate) fn draw(&mut self, at: usize) -> &mut Cell {
        self.drawn[at / WORD] |= 1 << (at % WORD);
        &mut self.all[at]
    }

    /// Of cells of which none has been drawn on, those are to be that have a bit set.
    #[inline]
    pub(crate) fn mark(&mut self, words: impl Iterator<Item = u64>) {
        self.drawn.iter_mut().zip(words).for_each(|(drawn, word)| *drawn = word);
    }

    /// All cells to be drawn on, and the numbers of those that are marked or have been drawn on.
    #[inline]
    pub(crate) fn marked(&mut self) -> (&mut [Cell], impl Iterator<Item = usize>) {
        (&mut self.all, set_bits(self.drawn.iter().copied()))
    }

    /// Calls `see` with each cell that has been drawn on, and its number.
    pub(crate) fn each_drawn(&mut self, mut see: impl FnMut(usize, &mut Cell)) {
        let (cells, numbers) = self.marked();
        numbers.for_each(|at| see(at, &mut cells[at]));
    }

    /// Those of the first `many` cells of a row that have been drawn on, with their columns.
    #[inline]
    pub fn drawn_in(&self, row: usize, many: usize) -> impl Iterator<Item = (usize, &Cell)> {
        let first = row * self.columns;
        set_bits(self.words_in(row, many)).map(move |column| (column, &self.all[first + column]))
    }

    /// A bit for each of the first `many` cells of a row, set where it has been drawn on.
    #[inline]
    pub(crate) fn words_in(&self, row: usize, many: usize) -> impl Iterator<Item = u64> {
        let first = row * self.columns;
        let cells = self.all.len().saturating_sub(first).min(many).min(self.columns);
        (0..cells).step_by(WORD).map(move |column| {
            let beyond = WORD.saturating_sub(cells - column);
            self.word(first + column) & (u64::MAX >> beyond)
        })
    }

    /// The bits of a word's worth of cells, from one on.
    #[inline]
    fn word(&self, from: usize) -> u64 {
        let part = |at: usize| self.drawn.get(at).copied().unwrap_or(0);
        let (at, shift) = (from / WORD, from % WORD);
        // Shifted twice: by a whole word's width at once there is no shift.
        (part(at) >> shift) | (part(at + 1) << 1 << (WORD - 1 - shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_been_drawn_on_is_found_in_its_row_and_gone_when_cleared() {
        for columns in [1, 7, 63, 64, 65, 130, 200] {
            let (mut cells, rows) = (CellGrid::default(), 5);
            cells.clear(columns, rows);
            let is_drawn = |at: usize| at.is_multiple_of(3) || at % 7 == 1;
            for at in (0..columns * rows).filter(|at| is_drawn(*at)) {
                cells.draw(at).count = 1 + at as u16;
            }
            for row in 0..=rows {
                for many in [0, 1, columns / 2, columns, columns + 9] {
                    let found: Vec<(usize, u16)> =
                        cells.drawn_in(row, many).map(|(at, cell)| (at, cell.count)).collect();
                    let there = (0..many.min(columns)).filter(|_| row < rows).map(|at| (at, row * columns + at));
                    let expected: Vec<(usize, u16)> =
                        there.filter(|(_, at)| is_drawn(*at)).map(|(column, at)| (column, 1 + at as u16)).collect();
                    assert_eq!(found, expected, "{columns} {row} {many}");
                }
            }
            // The same shape, as many cells in another, more of them, fewer.
            for (columns, rows) in [(columns, rows), (rows, columns), (columns, rows + 1), (1, 1)] {
                cells.draw(0).count = 1;
                cells.clear(columns, rows);
                assert_eq!(cells.all(), vec![Cell::default(); columns * rows]);
                assert!((0..rows).all(|row| cells.drawn_in(row, columns).count() == 0));
            }
        }
    }
}
