//! Which cells may show something else than they should: of thousands, most stay as they are.

use super::cell_row::CellRow;
use super::packed_cell::PackedCell;
use crate::bits::{WORD, set_bits};

/// From so many blanks on a row's end is erased rather than written over.
const TAIL: usize = 4;

/// A bit for each cell that has been wanted otherwise since its row was written.
#[derive(Debug, Default)]
pub(crate) struct DirtyCells {
    /// CellAttrs many words a row has.
    words: usize,
    bits: Vec<u64>,
    /// Rows in which a wide character is or was wanted: what it covers takes more care.
    wide: Vec<bool>,
    /// The line that stands in each row, where one does.
    lines: Vec<Option<PlacedRow>>,
    /// The cells of those lines that have been drawn on, counted from where the line begins; as many words to a row as
    /// `bits` has.
    drawn: Vec<u64>,
}

/// A line that has been written into a row, and over which nothing else has been.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PlacedRow {
    column: usize,
    width: usize,
    ground: PackedCell,
}

impl DirtyCells {
    /// Nothing has changed, on a screen of this size without a wide character.
    pub(crate) fn clear(&mut self, columns: usize, rows: usize) {
        self.words = columns.div_ceil(WORD);
        self.bits.clear();
        self.bits.resize(self.words * rows, 0);
        self.wide.clear();
        self.wide.resize(rows, false);
        self.lines.clear();
        self.lines.resize(rows, None);
        self.drawn.clear();
        self.drawn.resize(self.words * rows, 0);
    }

    /// Writes a line, as much of it as the row has room for, into a row's cells from a column on, and notes which
    /// become others. Where the same ground was laid before, only what is or was drawn on it is looked at.
    #[inline]
    pub(crate) fn lay(&mut self, cells: &mut [PackedCell], column: usize, row: usize, line: &CellRow) {
        let many = cells.len().min(line.width());
        let cells = &mut cells[..many];
        let standing = Some(PlacedRow { column, width: line.width(), ground: line.ground() });
        let stood = self.lines[row] == standing;
        self.lines[row] = standing;
        let words = row * self.words..(row + 1) * self.words;
        let (bits, drawn) = (&mut self.bits[words.clone()], &mut self.drawn[words]);
        for ((at, cells), (inks, now)) in (0..).zip(cells.chunks_mut(WORD)).zip(line.words()) {
            debug_assert!(inks.iter().all(|ink| ink.width() == 1), "a line has no wide characters");
            let before = std::mem::replace(&mut drawn[at], now);
            let all = u64::MAX >> (WORD - cells.len());
            let concerned = (if stood { now | before } else { u64::MAX }) & all;
            let inks = &inks[..cells.len()];
            let changed = if now & all == all {
                overwrite(cells, inks)
            } else {
                set_bits([concerned]).fold(0, |changed, at| {
                    let (cell, ink) = (&mut cells[at], inks[at]);
                    let before = std::mem::replace(cell, ink);
                    changed | (u64::from(before != ink) << at)
                })
            };
            let (word, shift) = ((column + at * WORD) / WORD, column % WORD);
            bits[word] |= changed << shift;
            if let Some(next) = bits.get_mut(word + 1) {
                // Shifted twice: by a whole word's width at once there is no shift.
                *next |= changed >> 1 >> (WORD - 1 - shift);
            }
        }
    }

    /// Writes inks over a row's cells, which stand from a column on, and notes which become others.
    #[inline]
    pub(crate) fn write(&mut self, cells: &mut [PackedCell], column: usize, row: usize, inks: &[PackedCell]) {
        let many = cells.len().min(inks.len());
        let (mut cells, mut inks) = (&mut cells[..many], &inks[..many]);
        let mut widest = 1;
        let mut at = column;
        while !inks.is_empty() {
            let run = inks.len().min(WORD - at % WORD);
            let (now, later) = inks.split_at(run);
            let (into, rest) = cells.split_at_mut(run);
            widest |= now.iter().fold(0, |widest, ink| widest | ink.width());
            self.bits[row * self.words + at / WORD] |= overwrite(into, now) << (at % WORD);
            (inks, cells, at) = (later, rest, at + run);
        }
        self.wide[row] |= widest > 1;
        self.lines[row] = self.lines[row].filter(|line| at <= line.column || line.column + line.width <= column);
    }

    /// Whether anything has changed.
    pub(crate) fn is_any(&self) -> bool {
        self.bits.iter().any(|word| *word != 0)
    }

    /// Whether anything has changed in a row.
    #[inline]
    pub(crate) fn is_in(&self, row: usize) -> bool {
        self.of(row).iter().any(|word| *word != 0)
    }

    /// A row has been written as it is wanted.
    pub(crate) fn settle(&mut self, row: usize) {
        self.bits[row * self.words..(row + 1) * self.words].fill(0);
    }

    /// Any cell may have changed.
    pub(crate) fn doubt(&mut self) {
        self.bits.fill(u64::MAX);
    }

    /// Any cell of a row may have changed.
    pub(crate) fn doubt_row(&mut self, row: usize) {
        self.bits[row * self.words..(row + 1) * self.words].fill(u64::MAX);
    }

    fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// The columns before `end` that may have changed, from left to right, a word of bits at a time; none that a wide
    /// character covers.
    #[inline]
    pub(crate) fn words(&self, row: usize, end: usize, wanted: &[PackedCell], into: &mut Vec<u64>) {
        into.clear();
        if self.wide[row] {
            into.resize(self.words, 0);
            let mut column = 0;
            while column < end {
                into[column / WORD] |= 1 << (column % WORD);
                column += wanted[column].width();
            }
        } else {
            into.extend_from_slice(self.of(row));
            for (word, first) in into.iter_mut().zip((0..).step_by(WORD)) {
                if end < first + WORD {
                    *word &= (1 << end.saturating_sub(first)) - 1;
                }
            }
        }
    }

    /// Whether a wide character is or was wanted in a row.
    pub(crate) fn is_wide(&self, row: usize) -> bool {
        self.wide[row]
    }

    /// The column from which a row is to be erased, its end where it is not: behind it nothing is wanted,
    /// and enough is shown.
    pub(crate) fn tail(&self, row: usize, wanted: &[PackedCell], shown: &[PackedCell]) -> usize {
        // Behind the last change nothing is shown that is not wanted.
        let last = self
            .of(row)
            .iter()
            .rposition(|word| *word != 0)
            .map_or(0, |at| (at + 1) * WORD - 1 - self.of(row)[at].leading_zeros() as usize);
        if !self.wide[row] && wanted.get(last).is_some_and(|ink| *ink != PackedCell::BLANK) {
            return wanted.len();
        }
        let last = wanted.iter().rposition(|ink| *ink != PackedCell::BLANK);
        let tail = last.map_or(0, |last| (last + wanted[last].width()).min(wanted.len()));
        let changed = shown[tail..].iter().filter(|ink| **ink != PackedCell::BLANK).count();
        if changed >= TAIL { tail } else { wanted.len() }
    }
}

/// Writes inks over at most 64 cells; a bit for each that becomes another.
#[inline]
fn overwrite(cells: &mut [PackedCell], inks: &[PackedCell]) -> u64 {
    let inks = &inks[..cells.len()];
    let changed = cells.iter().zip(inks).rev().fold(0, |bits, (cell, ink)| (bits << 1) | u64::from(cell != ink));
    cells.copy_from_slice(inks);
    changed
}
