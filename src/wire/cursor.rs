//! Where the terminal writes next, and the shortest way there (ECMA-48).

use super::ink::{Ink, length, put_char};
use super::pen::{Pen, number};

/// Where the next character goes, as far as anybody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Column and row; unknown after a character in the last column.
    at: Option<(u16, u16)>,
    /// The row, which is known then too.
    row: Option<u16>,
}

/// The longest gap that is written over rather than jumped.
const GAP: usize = 4;

impl Cursor {
    /// Nobody knows where.
    pub(super) const LOST: Self = Self { at: None, row: None };

    /// At a column of a row.
    pub(super) const fn at(column: u16, row: u16) -> Self {
        Self { at: Some((column, row)), row: Some(row) }
    }

    /// A character of this width has been written; the screen has so many columns.
    #[inline]
    pub(super) fn advance(&mut self, width: u16, columns: u16) {
        self.at = self.at.and_then(|(column, row)| {
            let next = column + width;
            // In the last column terminals wait, each in its own way.
            (next < columns).then_some((next, row))
        });
    }

    /// Goes to a column of a row. `line` is what the terminal shows of that row, `pen` what it writes with.
    #[inline]
    pub(super) fn go(&mut self, column: u16, row: u16, line: &[Ink], pen: Pen, out: &mut Vec<u8>) {
        match (self.at, self.row) {
            (Some(here), _) if here == (column, row) => return,
            (Some((from, same)), _) if same == row && from < column => forward(from, column, line, pen, out),
            (_, Some(above)) if above < row && row - above <= 2 && (column < 10 || row - above == 1) => {
                // The start of the next row, whatever became of the column.
                for _ in above..row {
                    out.extend_from_slice(b"\r\n");
                }
                forward(0, column, line, pen, out);
            }
            (_, Some(same)) if same == row && column == 0 => out.push(b'\r'),
            (_, Some(same)) if same == row => {
                out.extend_from_slice(b"\x1b[");
                number(column + 1, out);
                out.push(b'G');
            }
            _ => absolute(column, row, out),
        }
        *self = Self::at(column, row);
    }
}

/// Goes right: over what stands there already, where that is shorter than a jump.
#[inline]
fn forward(from: u16, to: u16, line: &[Ink], pen: Pen, out: &mut Vec<u8>) {
    let gap = &line[usize::from(from)..usize::from(to)];
    if gap.is_empty() {
        return;
    }
    let jump = match gap.len() {
        1 => 3,
        2..10 => 4,
        10..100 => 5,
        _ => 6,
    };
    if gap.len() <= GAP && gap.iter().map(|ink| rewriting(ink, pen)).fold(0, usize::saturating_add) <= jump {
        for ink in gap {
            put_char(ink.glyph, out);
        }
        return;
    }
    out.extend_from_slice(b"\x1b[");
    if gap.len() > 1 {
        number(to - from, out);
    }
    out.push(b'C');
}

/// What it costs to write a cell again; more than any jump where the pen would have to change.
#[inline]
fn rewriting(ink: &Ink, pen: Pen) -> usize {
    let fits = ink.width == 1 && ink.bg == pen.bg && ink.modifier == pen.modifier;
    if fits && (ink.fg == pen.fg || ink.is_blank()) { length(ink.glyph) } else { usize::MAX }
}

fn absolute(column: u16, row: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[");
    if row > 0 || column > 0 {
        number(row + 1, out);
    }
    if column > 0 {
        out.push(b';');
        number(column + 1, out);
    }
    out.push(b'H');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(from: Cursor, column: u16, row: u16) -> String {
        let (mut cursor, mut out) = (from, Vec::new());
        cursor.go(column, row, &[Ink::BLANK; 80], Pen::PLAIN, &mut out);
        assert_eq!(cursor, Cursor::at(column, row));
        String::from_utf8(out).unwrap().replace('\x1b', "^")
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
        cursor.advance(1, 80);
        assert_eq!(way(cursor, 0, 4), "\r\n");
        assert_eq!(way(cursor, 0, 9), "^[10H");
    }
}
