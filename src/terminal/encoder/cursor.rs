//! Where the terminal writes next, and the shortest way to another cell (ECMA-48).

use super::pen::{Pen, push_word, write_csi};
use crate::picture::PackedCell;

/// The cursor's position as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) column: Option<usize>,
    row: Option<usize>,
}

/// The longest gap that is written over instead of jumped.
const MAX_REWRITTEN: usize = 4;
/// Bytes to jump over one column.
pub(super) const SHORT_JUMP: usize = 3;

impl Cursor {
    pub(super) const fn at(column: usize, row: usize) -> Self {
        Self { column: Some(column), row: Some(row) }
    }

    /// Moves behind a character that was written at a column of a screen with `columns`.
    #[inline]
    pub(super) fn advance(&mut self, column: usize, width: usize, columns: usize) {
        // Behind the last column, terminals differ in where the cursor is.
        self.column = Some(column + width).filter(|next| *next < columns);
    }

    /// Writes the way to a cell. `shown` is what the terminal shows of that row.
    #[inline(never)]
    pub(super) fn go(self, column: usize, row: usize, shown: &[PackedCell], pen: Pen, bytes: &mut Vec<u8>) -> Self {
        let target = Self::at(column, row);
        if self != target {
            self.write_move(column, row, shown, pen, bytes);
        }
        target
    }

    #[inline]
    fn write_move(self, column: usize, row: usize, shown: &[PackedCell], pen: Pen, bytes: &mut Vec<u8>) {
        let down = self.row.and_then(|from| row.checked_sub(from));
        match (down, self.column) {
            (Some(0), Some(from)) if from < column => forward(from, column, shown, pen, bytes),
            (Some(0), _) if column == 0 => bytes.extend_from_slice(b"\r"),
            (Some(0), _) => write_csi(column + 1, b'G', bytes),
            // In raw mode a line feed alone would keep the column.
            (Some(down @ 1..=2), _) if column < 10 || down == 1 => {
                bytes.extend_from_slice(&b"\r\n\r\n"[..2 * down]);
                forward(0, column, shown, pen, bytes);
            }
            _ if (column, row) == (0, 0) => bytes.extend_from_slice(b"\x1b[H"),
            _ if column == 0 => write_csi(row + 1, b'H', bytes),
            _ => bytes.extend_from_slice(format!("\x1b[{};{}H", row + 1, column + 1).as_bytes()),
        }
    }
}

/// Moves right: writes the cells in between again if that is shorter than a jump.
#[inline]
fn forward(from: usize, to: usize, shown: &[PackedCell], pen: Pen, bytes: &mut Vec<u8>) {
    let gap = &shown[from..to];
    if gap.is_empty() {
        return;
    }
    if gap.len() <= MAX_REWRITTEN {
        let jump = if gap.len() == 1 { SHORT_JUMP } else { SHORT_JUMP + 1 };
        if gap.iter().map(|cell| rewrite_cost(*cell, pen)).fold(0, usize::saturating_add) <= jump {
            for cell in gap {
                push_word(bytes, cell.glyph().word(), cell.glyph().bytes());
            }
            return;
        }
    }
    if gap.len() > 1 {
        write_csi(gap.len(), b'C', bytes);
    } else {
        bytes.extend_from_slice(b"\x1b[C");
    }
}

/// Bytes to write a cell again; `usize::MAX` if the pen would have to change.
#[inline]
pub(super) fn rewrite_cost(cell: PackedCell, pen: Pen) -> usize {
    if pen.is_exact_for(cell) { cell.glyph().rewrite_cost() } else { usize::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(from: Cursor, column: usize, row: usize) -> String {
        let mut bytes = Vec::new();
        assert_eq!(from.go(column, row, &[PackedCell::BLANK; 80], Pen::PLAIN, &mut bytes), Cursor::at(column, row));
        std::str::from_utf8(&bytes).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn the_shortest_way_is_chosen() {
        assert_eq!(way(Cursor::default(), 0, 0), "^[H");
        assert_eq!(way(Cursor::default(), 6, 9), "^[10;7H");
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
    fn behind_the_last_column_only_the_row_is_known() {
        let mut cursor = Cursor::at(79, 3);
        cursor.advance(79, 1, 80);
        assert_eq!(way(cursor, 0, 3), "\r");
        assert_eq!(way(cursor, 1, 3), "^[2G");
        assert_eq!(way(cursor, 0, 4), "\r\n");
        assert_eq!(way(cursor, 0, 9), "^[10H");
    }
}
