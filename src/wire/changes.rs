//! Which cells may show something else than they should: of thousands, most stay as they are.

use super::ink::Ink;

/// From so many blanks on a row's end is erased rather than written over.
const TAIL: usize = 4;
/// How many cells a word of bits stands for.
const WORD: usize = u64::BITS as usize;

/// A bit for each cell that has been wanted otherwise since its row was written.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// How many words a row has.
    words: usize,
    bits: Vec<u64>,
    /// Rows in which a wide character is or was wanted: what it covers takes more care.
    wide: Vec<bool>,
}

impl Changes {
    /// Nothing has changed, on a screen of this size without a wide character.
    pub(super) fn clear(&mut self, columns: usize, rows: usize) {
        self.words = columns.div_ceil(WORD);
        self.bits.clear();
        self.bits.resize(self.words * rows, 0);
        self.wide.clear();
        self.wide.resize(rows, false);
    }

    /// Writes inks over a row's cells, which stand from a column on, and notes which become others.
    #[inline]
    pub(super) fn write(&mut self, cells: &mut [Ink], column: usize, row: usize, inks: &[Ink]) {
        let many = cells.len().min(inks.len());
        let (mut cells, mut inks) = (&mut cells[..many], &inks[..many]);
        let mut widest = 1;
        let mut at = column;
        while !inks.is_empty() {
            let run = inks.len().min(WORD - at % WORD);
            let (now, later) = inks.split_at(run);
            let (into, rest) = cells.split_at_mut(run);
            let mut word = 0;
            for (cell, ink) in into.iter().zip(now).rev() {
                word = (word << 1) | u64::from(cell != ink);
                widest |= ink.width;
            }
            into.copy_from_slice(now);
            self.bits[row * self.words + at / WORD] |= word << (at % WORD);
            (inks, cells, at) = (later, rest, at + run);
        }
        self.wide[row] |= widest > 1;
    }

    /// Whether anything has changed.
    pub(super) fn is_any(&self) -> bool {
        self.bits.iter().any(|word| *word != 0)
    }

    /// Whether anything has changed in a row.
    #[inline]
    pub(super) fn is_in(&self, row: usize) -> bool {
        self.of(row).iter().any(|word| *word != 0)
    }

    /// A row has been written as it is wanted.
    pub(super) fn settle(&mut self, row: usize) {
        self.bits[row * self.words..(row + 1) * self.words].fill(0);
    }

    /// Any cell may have changed.
    pub(super) fn doubt(&mut self) {
        self.bits.fill(u64::MAX);
    }

    fn of(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    /// Calls `see` with the columns before `end` that may have changed and are not covered by a wide
    /// character, from left to right.
    #[inline]
    pub(super) fn each(&self, row: usize, end: usize, wanted: &[Ink], mut see: impl FnMut(usize)) {
        if self.wide[row] {
            let mut column = 0;
            while column < end {
                see(column);
                column += usize::from(wanted[column].width);
            }
            return;
        }
        for (first, word) in (0..).step_by(WORD).zip(self.of(row)) {
            let mut word = *word;
            while word != 0 {
                let column = first + word.trailing_zeros() as usize;
                if column >= end {
                    return;
                }
                see(column);
                word &= word - 1;
            }
        }
    }

    /// The column from which a row is to be erased, its end where it is not: behind it nothing is wanted,
    /// and enough is shown.
    pub(super) fn tail(&self, row: usize, wanted: &[Ink], shown: &[Ink]) -> usize {
        // Behind the last change nothing is shown that is not wanted.
        let last = self
            .of(row)
            .iter()
            .rposition(|word| *word != 0)
            .map_or(0, |at| (at + 1) * WORD - 1 - self.of(row)[at].leading_zeros() as usize);
        if !self.wide[row] && wanted.get(last).is_some_and(|ink| *ink != Ink::BLANK) {
            return wanted.len();
        }
        let last = wanted.iter().rposition(|ink| *ink != Ink::BLANK);
        let tail = last.map_or(0, |last| (last + usize::from(wanted[last].width)).min(wanted.len()));
        let changed = shown[tail..].iter().filter(|ink| **ink != Ink::BLANK).count();
        if changed >= TAIL { tail } else { wanted.len() }
    }
}
