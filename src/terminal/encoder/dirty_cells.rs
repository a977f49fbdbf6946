//! Which cells may differ from what the terminal shows. Of thousands most stay the same.

use crate::picture::{CellRow, PackedCell, WORD, set_bits};

/// This many blanks at the end of a row are erased rather than written.
const MIN_ERASED: usize = 4;

/// A bit for each cell that changed since its row was last encoded.
#[derive(Debug, Default)]
pub(super) struct DirtyCells {
    words_per_row: usize,
    pub(super) bits: Vec<u64>,
    /// Rows in which a wide character is or was wanted.
    pub(super) wide: Vec<bool>,
    /// Rows in which other cells than those of a [`CellRow`] changed: widgets around and over the flock.
    pub(super) chrome: Vec<bool>,
    /// The [`CellRow`] that each row consists of, if nothing was drawn over it since.
    placed: Vec<Option<PlacedRow>>,
    /// The drawn cells of those, counted from the first; as many words to a row as in `bits`.
    drawn: Vec<u64>,
}

/// Where a [`CellRow`] was drawn, on which background, and which columns were left out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PlacedRow {
    column: usize,
    width: usize,
    background: PackedCell,
    covered: [usize; 2],
}

impl PlacedRow {
    /// Whether cells from `column` to before `end` are beside the row or in the columns left out.
    fn is_apart(&self, column: usize, end: usize) -> bool {
        let [first, covered_end] = self.covered;
        end <= self.column || self.column + self.width <= column || (first <= column && end <= covered_end)
    }
}

impl DirtyCells {
    /// No dirty cell on a screen of this size.
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let words_per_row = columns.div_ceil(WORD);
        let bits = vec![0; words_per_row * rows];
        Self {
            words_per_row,
            drawn: bits.clone(),
            bits,
            wide: vec![false; rows],
            chrome: vec![false; rows],
            placed: vec![None; rows],
        }
    }

    /// Copies a [`CellRow`] into `wanted`, the row's cells from a column on but for the covered ones, and marks those that change.
    /// If a row with the same background was there before, only cells drawn then or now are compared.
    #[inline]
    pub(super) fn draw_row(
        &mut self,
        wanted: &mut [PackedCell],
        column: usize,
        row: usize,
        cells: &CellRow,
        covered: [usize; 2],
    ) {
        let count = wanted.len().min(cells.width());
        let wanted = &mut wanted[..count];
        let placed = Some(PlacedRow { column, width: cells.width(), background: cells.background, covered });
        let was_placed = self.placed[row] == placed;
        self.placed[row] = placed;
        let words = row * self.words_per_row..(row + 1) * self.words_per_row;
        let (bits, drawn) = (&mut self.bits[words.clone()], &mut self.drawn[words]);
        for ((index, wanted), (cells, now)) in (0..).zip(wanted.chunks_mut(WORD)).zip(cells.words()) {
            debug_assert!(cells.iter().all(|cell| cell.width() == 1) || self.wide[row], "the row is marked as wide");
            let before = std::mem::replace(&mut drawn[index], now);
            let all = u64::MAX >> (WORD - wanted.len());
            let visible = all & !bits_between(column + index * WORD, covered);
            let compared = (if was_placed { now | before } else { u64::MAX }) & visible;
            let cells = &cells[..wanted.len()];
            let changed = if now & visible == all {
                overwrite(wanted, cells)
            } else {
                set_bits([compared]).fold(0, |changed, at| {
                    let before = std::mem::replace(&mut wanted[at], cells[at]);
                    changed | (u64::from(before != cells[at]) << at)
                })
            };
            let (word, shift) = ((column + index * WORD) / WORD, column % WORD);
            bits[word] |= changed << shift;
            if let Some(next) = bits.get_mut(word + 1) {
                // Shifted twice, since a shift by 64 is not defined.
                *next |= changed >> 1 >> (WORD - 1 - shift);
            }
        }
    }

    /// Copies cells into `wanted`, the row's cells from a column on, and marks those that change.
    #[inline]
    pub(super) fn draw_cells(&mut self, wanted: &mut [PackedCell], column: usize, row: usize, cells: &[PackedCell]) {
        for ((at, wanted), cell) in (column..).zip(wanted).zip(cells) {
            self.bits[row * self.words_per_row + at / WORD] |= u64::from(wanted != cell) << (at % WORD);
            self.chrome[row] |= wanted != cell;
            self.wide[row] |= cell.width() > 1;
            *wanted = *cell;
        }
        let end = column + cells.len();
        self.placed[row] = self.placed[row].filter(|line| line.is_apart(column, end));
    }

    pub(super) fn any(&self) -> bool {
        self.bits.iter().any(|word| *word != 0)
    }

    #[inline]
    pub(super) fn any_in(&self, row: usize) -> bool {
        self.row(row).iter().any(|word| *word != 0)
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words_per_row..(row + 1) * self.words_per_row]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.words_per_row..(row + 1) * self.words_per_row]
    }

    /// The dirty cells before column `end`, except those that a wide character covers.
    #[inline]
    pub(super) fn words(&self, row: usize, end: usize, wanted: &[PackedCell], into: &mut Vec<u64>) {
        into.clear();
        if self.wide[row] {
            into.resize(self.words_per_row, 0);
            let mut column = 0;
            while column < end {
                into[column / WORD] |= 1 << (column % WORD);
                column += wanted[column].width();
            }
        } else {
            into.extend_from_slice(self.row(row));
            for (word, first) in into.iter_mut().zip((0..).step_by(WORD)) {
                if end < first + WORD {
                    *word &= (1 << end.saturating_sub(first)) - 1;
                }
            }
        }
    }

    /// The column from which the row should be erased: no cell behind it is wanted, and enough are shown. The row's width if
    /// erasing does not pay.
    pub(super) fn blank_end(&self, row: usize, wanted: &[PackedCell], shown: &[PackedCell]) -> usize {
        // Cells behind the last dirty one are shown as wanted.
        let bits = self.row(row);
        let last = bits.iter().rposition(|word| *word != 0);
        let last = last.map_or(0, |at| (at + 1) * WORD - 1 - bits[at].leading_zeros() as usize);
        if !self.wide[row] && wanted.get(last).is_some_and(|cell| *cell != PackedCell::BLANK) {
            return wanted.len();
        }
        let last = wanted.iter().rposition(|cell| *cell != PackedCell::BLANK);
        let end = last.map_or(0, |last| (last + wanted[last].width()).min(wanted.len()));
        let erased = shown[end..].iter().filter(|cell| **cell != PackedCell::BLANK).count();
        if erased >= MIN_ERASED { end } else { wanted.len() }
    }
}

/// The bits of a word that starts at a column for the columns from the first to before the end.
#[inline]
fn bits_between(column: usize, [first, end]: [usize; 2]) -> u64 {
    let below = |limit: usize| match limit.saturating_sub(column) {
        bits @ 0..WORD => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(end) & !below(first)
}

/// Copies at most 64 cells. Returns a bit for each that changes.
#[inline]
fn overwrite(wanted: &mut [PackedCell], cells: &[PackedCell]) -> u64 {
    let cells = &cells[..wanted.len()];
    let changed =
        wanted.iter().zip(cells).rev().fold(0, |bits, (before, cell)| (bits << 1) | u64::from(before != cell));
    wanted.copy_from_slice(cells);
    changed
}
