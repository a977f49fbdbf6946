//! Writes the cells of a row as its plan says.

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::cursor::{Cursor, SHORT_JUMP, rewrite_cost};
use super::graphemes::GraphemeTable;
use super::pen::{Pen, push_word};
use super::row_plan::RowPlan;
use crate::picture::{Charset, PackedCell, PackedColor, PackedGlyph, set_bits};

/// The most bytes that a cell takes, with the movement and the pen change before it.
pub(super) const MAX_CELL_BYTES: usize = 96;
/// The most bytes of a character.
const MAX_CHAR_BYTES: usize = 4;

/// Writes a row of cells, and notes what the terminal shows.
pub(super) struct RowWriter<'a> {
    pub(super) row: usize,
    pub(super) pen: Pen,
    pub(super) cursor: Cursor,
    /// What the terminal shows of the row.
    pub(super) shown: &'a mut [PackedCell],
    /// Whether there are or were wide characters in the row.
    pub(super) has_wide: bool,
    pub(super) graphemes: &'a GraphemeTable,
    pub(super) bytes: &'a mut Vec<u8>,
    /// The length of `bytes` up to which another cell fits.
    pub(super) limit: usize,
    /// Whether a cell did not fit.
    pub(super) is_full: bool,
}

impl RowWriter<'_> {
    /// Whether another cell fits.
    #[inline]
    pub(super) fn has_capacity(&mut self) -> bool {
        let has_capacity = self.bytes.len() <= self.limit;
        self.is_full |= !has_capacity;
        has_capacity
    }

    /// Writes the plan until the buffer is full.
    #[inline(never)]
    pub(super) fn write(&mut self, plan: &RowPlan, wanted: &[PackedCell]) {
        for (start, bits, pen) in plan.runs() {
            let mut bits = self.bridge_gaps(bits, start, pen, wanted);
            while bits != 0 {
                if !self.has_capacity() {
                    return;
                }
                let first = bits.trailing_zeros();
                let count = (bits >> first).trailing_ones() as usize;
                let column = start + first as usize;
                // Gaps on the way are rewritten with the old pen, so move before the pen changes.
                self.go(column);
                self.set_pen(pen);
                let written = self.write_adjacent(column, count, wanted);
                // Shifted twice, since a shift by 64 is not defined.
                bits &= u64::MAX << first << (written - 1) << 1;
            }
        }
    }

    /// Erases the row from a column on.
    pub(super) fn erase(&mut self, from: usize) {
        self.go(from);
        self.set_pen(Pen::new(self.pen.fg, PackedColor::DEFAULT, Modifier::empty()));
        self.bytes.extend_from_slice(b"\x1b[K");
        self.shown[from..].fill(PackedCell::BLANK);
    }

    /// Adds single cells between those of a run, where writing them again is shorter than a jump.
    #[inline]
    fn bridge_gaps(&self, bits: u64, start: usize, pen: Pen, wanted: &[PackedCell]) -> u64 {
        let gaps = bits << 1 & bits >> 1 & !bits;
        if gaps == 0 || self.has_wide {
            return bits;
        }
        set_bits([gaps]).fold(bits, |bits, at| {
            let (shown, wanted) = (self.shown[start + at], wanted[start + at]);
            let is_shorter = shown.glyph() == wanted.glyph() && rewrite_cost(shown, pen) < SHORT_JUMP;
            bits | u64::from(is_shorter) << at
        })
    }

    /// Writes adjacent cells with the current pen: as many as fit, but at least one. Returns their number.
    #[inline]
    fn write_adjacent(&mut self, first: usize, count: usize, wanted: &[PackedCell]) -> usize {
        if self.has_wide || wanted[first].glyph().is_special() {
            self.write_one(first, self.pen.paint(wanted[first]));
            return 1;
        }
        let most = 1 + self.limit.saturating_sub(self.bytes.len()) / MAX_CHAR_BYTES;
        let cells = first..first + count.min(most);
        let mut written = 0;
        for (wanted, shown) in wanted[cells.clone()].iter().zip(&mut self.shown[cells]) {
            let painted = self.pen.paint(*wanted);
            let glyph = painted.glyph();
            if glyph.is_special() {
                break;
            }
            push_word(self.bytes, glyph.word(), glyph.bytes());
            *shown = painted;
            written += 1;
        }
        self.cursor.advance(first + written - 1, 1, self.shown.len());
        written
    }

    /// Writes a cell that may be wide or hold several characters.
    #[inline(never)]
    fn write_one(&mut self, column: usize, cell: PackedCell) {
        let glyph = cell.glyph();
        if glyph.is_special() {
            self.bytes.extend_from_slice(self.graphemes.symbol(glyph).as_bytes());
            // Terminals disagree about the width of these.
            self.cursor.column = None;
        } else {
            push_word(self.bytes, glyph.word(), glyph.bytes());
            self.cursor.advance(column, cell.width(), self.shown.len());
        }
        if self.has_wide {
            note_shown(self.shown, column, cell);
        } else {
            self.shown[column] = cell;
        }
    }

    #[inline]
    fn go(&mut self, column: usize) {
        self.cursor = self.cursor.go(column, self.row, self.shown, self.pen, self.bytes);
    }

    #[inline]
    fn set_pen(&mut self, pen: Pen) {
        self.pen.change(pen, self.bytes);
        self.pen = pen;
    }
}

/// Notes a written cell and its effect on its neighbors: overwriting half of a wide character destroys the other half.
#[inline]
fn note_shown(shown: &mut [PackedCell], column: usize, cell: PackedCell) {
    let before = shown[column];
    if before.glyph() == PackedGlyph::RIGHT_HALF && column > 0 {
        shown[column - 1] = PackedCell::UNKNOWN;
    }
    let end = column + cell.width();
    let cuts_next = shown.get(end).is_some_and(|next| next.glyph() == PackedGlyph::RIGHT_HALF);
    if cuts_next && (before.width() == 2 || cell.width() == 2) {
        shown[end] = PackedCell::UNKNOWN;
    }
    shown[column] = cell;
    if cell.width() == 2 {
        shown[column + 1] = PackedCell::RIGHT_HALF;
    }
}

/// The lines of a buffer without the blank cells at their ends, each followed by a line feed. Every line starts and ends with
/// the default colors: a terminal that scrolls fills the new row with the current background.
pub(crate) fn encode_lines(buffer: &Buffer, charset: Charset) -> Vec<u8> {
    let mut graphemes = GraphemeTable::new(charset);
    let mut bytes = Vec::new();
    for line in buffer.content.chunks(usize::from(buffer.area.width).max(1)) {
        let cells: Vec<PackedCell> = line.iter().map(|cell| graphemes.pack(cell)).collect();
        let end = cells.iter().rposition(|cell| *cell != PackedCell::BLANK).map_or(0, |last| last + 1);
        let (mut pen, mut column) = (Pen::PLAIN, 0);
        while column < end {
            let cell = cells[column];
            let glyph = cell.glyph();
            pen.change(Pen::of(cell), &mut bytes);
            pen = Pen::of(cell);
            if glyph.is_special() {
                bytes.extend_from_slice(graphemes.symbol(glyph).as_bytes());
            } else {
                push_word(&mut bytes, glyph.word(), glyph.bytes());
            }
            column += cell.width();
        }
        pen.change(Pen::PLAIN, &mut bytes);
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Style};

    fn lines(buffer: &Buffer, charset: Charset) -> String {
        String::from_utf8(encode_lines(buffer, charset)).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn each_line_ends_with_default_colors_and_without_blanks() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 8, 3));
        buffer.set_string(0, 0, "red", Style::new().fg(Color::Indexed(1)).add_modifier(Modifier::ITALIC));
        buffer.set_string(2, 2, "鳥e\u{301}", Style::new());
        buffer[(7, 2)].set_bg(Color::Rgb(1, 2, 3));
        assert_eq!(lines(&buffer, Charset::Unicode), "^[3;31mred^[m\n\n  鳥e\u{301}  ^[48;2;1;2;3m ^[m\n");
        assert!(lines(&buffer, Charset::Ascii).contains("  ? ?  "));
    }
}
