//! What writes a row: strokes become bytes.

use ratatui::style::Modifier;

use super::byte_buffer::ByteBuffer;
use super::cursor::{Cursor, ONE, rewriting};
use super::packed_cell::{Glyph, GraphemeTable, PackedCell, PackedColor};
use super::pen::Pen;
use super::row_plan::RowPlan;
use crate::bits::set_bits;

/// No cell takes more bytes than this, with all that comes before it.
pub(crate) const CELL: usize = 96;
/// No character takes more bytes than this.
const SIGN: usize = 4;

/// The pen over a row.
pub(crate) struct RowWriter<'a> {
    pub(crate) row: usize,
    pub(crate) pen: Pen,
    pub(crate) cursor: Cursor,
    /// What the terminal shows of the row.
    pub(crate) shown: &'a mut [PackedCell],
    /// Whether there are or were wide characters in the row.
    pub(crate) wide: bool,
    pub(crate) clusters: &'a GraphemeTable,
    pub(crate) page: &'a mut ByteBuffer,
    /// CellAttrs many bytes there may be on the page before another cell.
    pub(crate) last: usize,
    /// Whether there was no room for a cell.
    pub(crate) is_full: bool,
}

impl RowWriter<'_> {
    /// Whether the page has room for another cell.
    #[inline]
    pub(crate) fn has_room(&mut self) -> bool {
        let fits = self.page.len() <= self.last;
        if !fits {
            self.is_full = true;
        }
        fits
    }

    /// Writes what is planned for as long as there is room.
    #[inline(never)]
    pub(crate) fn write(&mut self, plan: &RowPlan, wanted: &[PackedCell]) {
        for stroke in plan.strokes() {
            let pen = plan.pen(stroke.group());
            let mut bits = self.joined(stroke.bits(), stroke.start(), pen, wanted);
            while bits != 0 {
                if !self.has_room() {
                    return;
                }
                let first = bits.trailing_zeros();
                let run = (bits >> first).trailing_ones() as usize;
                let column = stroke.start() + first as usize;
                // As it stands, gaps are passed over with the pen of before.
                self.go(column);
                self.take(pen);
                let written = self.write_run(column, run, wanted);
                // Shifted twice: by a whole word's width at once there is no shift.
                bits &= u64::MAX << first << (written - 1) << 1;
            }
        }
    }

    /// Erases the row from a column on.
    pub(crate) fn erase(&mut self, from: usize) {
        self.go(from);
        self.take(Pen::new(self.pen.fg(), PackedColor::DEFAULT, Modifier::empty()));
        self.page.write(b"\x1b[K");
        self.shown[from..].fill(PackedCell::BLANK);
    }

    /// The cells of a stroke, and those single ones between them that are sooner written again than jumped over.
    #[inline]
    fn joined(&self, bits: u64, start: usize, pen: Pen, wanted: &[PackedCell]) -> u64 {
        let gaps = bits << 1 & bits >> 1 & !bits;
        if gaps == 0 || self.wide {
            return bits;
        }
        set_bits([gaps]).fold(bits, |bits, at| {
            let (show, want) = (self.shown[start + at], wanted[start + at]);
            let is_short = show.glyph() == want.glyph() && rewriting(show, pen) < ONE;
            bits | u64::from(is_short) << at
        })
    }

    /// Writes cells side by side in the colors of the pen, as many of them as there is room for, and at least one.
    /// Returns how many those were.
    #[inline]
    fn write_run(&mut self, first: usize, run: usize, wanted: &[PackedCell]) -> usize {
        if self.wide || wanted[first].glyph().is_other() {
            self.write_alone(first, self.pen.ink(wanted[first]));
            return 1;
        }
        let room = 1 + self.last.saturating_sub(self.page.len()) / SIGN;
        let cells = first..first + run.min(room);
        let page = self.page.open(cells.len() * SIGN);
        let (mut written, mut len) = (0, 0);
        for (want, show) in wanted[cells.clone()].iter().zip(&mut self.shown[cells]) {
            let ink = self.pen.ink(*want);
            let glyph = ink.glyph();
            if glyph.is_other() {
                break;
            }
            page[len..len + SIGN].copy_from_slice(&glyph.bytes());
            len += glyph.len();
            *show = ink;
            written += 1;
        }
        self.page.close(len);
        self.cursor.pass(first + written - 1, 1, self.shown.len());
        written
    }

    /// Writes a cell that may take two columns, or show more than one character.
    #[inline(never)]
    fn write_alone(&mut self, column: usize, ink: PackedCell) {
        let glyph = ink.glyph();
        if glyph.is_other() {
            self.page.write(self.clusters.symbol(glyph).as_bytes());
            // CellAttrs wide terminals make those they do not agree.
            self.cursor.lose_column();
        } else {
            self.page.write(&glyph.bytes()[..glyph.len()]);
            self.cursor.pass(column, ink.width(), self.shown.len());
        }
        if self.wide { note(self.shown, column, ink) } else { self.shown[column] = ink }
    }

    /// Goes to a column.
    #[inline]
    fn go(&mut self, column: usize) {
        self.cursor = self.cursor.go(column, self.row, self.shown, self.pen, self.page);
    }

    /// Takes up another pen.
    #[inline]
    fn take(&mut self, pen: Pen) {
        self.pen.change(pen, self.page);
        self.pen = pen;
    }
}

/// Notes what a cell shows now, and what that has done to its neighbors: half of a wide character
/// takes the other half with it.
#[inline]
fn note(shown: &mut [PackedCell], column: usize, ink: PackedCell) {
    let before = shown[column];
    if before.glyph() == Glyph::HALF && column > 0 {
        shown[column - 1] = PackedCell::UNKNOWN;
    }
    let end = column + ink.width();
    let covers_half = shown.get(end).is_some_and(|ink| ink.glyph() == Glyph::HALF);
    if covers_half && (before.width() == 2 || ink.width() == 2) {
        shown[end] = PackedCell::UNKNOWN;
    }
    shown[column] = ink;
    if ink.width() == 2 {
        shown[column + 1] = PackedCell::HALF;
    }
}
