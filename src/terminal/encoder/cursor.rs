//! Where the terminal writes next, and the shortest way there (ECMA-48).

use super::byte_buffer::ByteBuffer;
use super::packed_cell::{PackedCell, length};
use super::pen::{Pen, number, order};

/// Where the next character goes, as far as anybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// [`NOWHERE`](Self::NOWHERE) after a character in the last column.
    column: usize,
    /// Which is known then too.
    row: usize,
}

/// The longest gap that is written over rather than jumped.
const GAP: usize = 4;
/// What it costs to jump over a gap of one column.
pub(crate) const ONE: usize = 3;

impl Cursor {
    /// Far from every column and row.
    const NOWHERE: usize = usize::MAX / 2;
    /// Nobody knows where.
    pub(crate) const LOST: Self = Self { column: Self::NOWHERE, row: Self::NOWHERE };

    /// At a column of a row.
    pub(crate) const fn at(column: usize, row: usize) -> Self {
        Self { column, row }
    }

    /// A character of this width has been written at a column; the screen has so many.
    #[inline]
    pub(crate) fn pass(&mut self, column: usize, width: usize, columns: usize) {
        let next = column + width;
        // In the last column terminals wait, each in its own way.
        self.column = if next < columns { next } else { Self::NOWHERE };
    }

    /// Nobody knows in which column it is by now.
    pub(crate) fn lose_column(&mut self) {
        self.column = Self::NOWHERE;
    }

    /// Goes to a column of a row. `line` is what the terminal shows of that row, `pen` what it writes with.
    #[inline(never)]
    pub(crate) fn go(self, column: usize, row: usize, line: &[PackedCell], pen: Pen, page: &mut ByteBuffer) -> Self {
        let there = Self::at(column, row);
        if self != there {
            self.jump(column, row, line, pen, page);
        }
        there
    }

    /// Writes how to get there, where it is farther.
    #[inline]
    fn jump(self, column: usize, row: usize, line: &[PackedCell], pen: Pen, page: &mut ByteBuffer) {
        if self.row == row && self.column < column {
            forward(self.column, column, line, pen, page);
        } else if self.row < row && row - self.row <= 2 && (column < 10 || row - self.row == 1) {
            // The start of the next row, whatever became of the column.
            for _ in self.row..row {
                page.write(b"\r\n");
            }
            forward(0, column, line, pen, page);
        } else if self.row == row && column == 0 {
            page.write(b"\r");
        } else if self.row == row {
            order(column + 1, b'G', page);
        } else {
            absolute(column, row, page);
        }
    }
}

/// Goes right: over what stands there already, where that is shorter than a jump.
#[inline]
fn forward(from: usize, to: usize, line: &[PackedCell], pen: Pen, page: &mut ByteBuffer) {
    let gap = &line[from..to];
    if gap.is_empty() {
        return;
    }
    if gap.len() <= GAP {
        let jump = if gap.len() == 1 { ONE } else { ONE + 1 };
        if gap.iter().map(|ink| rewriting(*ink, pen)).fold(0, usize::saturating_add) <= jump {
            for ink in gap {
                page.add(ink.glyph().word(), length(ink.glyph()));
            }
            return;
        }
    }
    if gap.len() > 1 {
        order(gap.len(), b'C', page);
    } else {
        page.write(b"\x1b[C");
    }
}

/// What it costs to write a cell again; more than any jump where the pen would have to change.
#[inline]
pub(crate) fn rewriting(ink: PackedCell, pen: Pen) -> usize {
    if pen.is_of(ink) { length(ink.glyph()) } else { usize::MAX }
}

fn absolute(column: usize, row: usize, page: &mut ByteBuffer) {
    page.write(b"\x1b[");
    if row > 0 || column > 0 {
        number(row + 1, page);
    }
    if column > 0 {
        page.write(b";");
        number(column + 1, page);
    }
    page.write(b"H");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(from: Cursor, column: usize, row: usize) -> String {
        let mut page = ByteBuffer::default();
        assert_eq!(from.go(column, row, &[PackedCell::BLANK; 80], Pen::PLAIN, &mut page), Cursor::at(column, row));
        std::str::from_utf8(page.text()).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn the_cheapest_way_is_taken() {
        assert_eq!(way(Cursor::LOST, 0, 0), "^[H");
        assert_eq!(way(Cursor::LOST, 6, 9), "^[10;7H");
        assert_eq!(way(Cursor::at(5, 5), 5, 5), "");
        assert_eq!(way(Cursor::at(5, 5), 8, 5), "   ");
        assert_eq!(way(Cursor::at(5, 5), 30, 5), "^[25C");
        assert_eq!(way(Cursor::at(5, 5), 2, 6), "\r\n  ");
        assert_eq!(way(Cursor::at(5, 5), 70, 6), "\r\n^[70C");
        assert_eq!(way(Cursor::at(5, 5), 2, 5), "^[3G");
        assert_eq!(way(Cursor::at(5, 5), 0, 5), "\r");
        assert_eq!(way(Cursor::at(5, 5), 20, 2), "^[3;21H");
    }

    #[test]
    fn after_the_last_column_only_the_row_is_known() {
        let mut cursor = Cursor::at(79, 3);
        cursor.pass(79, 1, 80);
        assert_eq!(way(cursor, 0, 3), "\r");
        assert_eq!(way(cursor, 1, 3), "^[2G");
        assert_eq!(way(cursor, 0, 4), "\r\n");
        assert_eq!(way(cursor, 0, 9), "^[10H");
    }
}
