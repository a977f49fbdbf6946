//! What the screen should show, what the terminal shows, and the bytes between the two.

use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use super::Charset;
use super::changes::Changes;
use super::cursor::Cursor;
use super::ink::{Clusters, Glyph, Ink, Tint};
use super::ladder::Tolerance;
use super::likeness::Likeness;
use super::line::Line;
use super::pen::Pen;
use super::plan::Plan;
use crate::bits::set;

/// No cell takes more bytes than this, with all that comes before it.
const CELL: usize = 96;

/// The terminal's screen, twice.
#[derive(Debug)]
pub(super) struct Screen {
    columns: usize,
    rows: usize,
    wanted: Vec<Ink>,
    shown: Vec<Ink>,
    /// The cells in which the two may differ.
    changes: Changes,
    /// How far colours were off when the two were last compared.
    tolerance: Tolerance,
    /// The terminal is to be cleared first.
    clear: bool,
    /// The row with which the next frame goes on.
    next: usize,
    clusters: Clusters,
    likeness: Likeness,
    /// The columns of a row that may have changed, as bits.
    words: Vec<u64>,
    plan: Plan,
    pen: Pen,
    cursor: Cursor,
}

impl Screen {
    /// A screen of which nobody knows what it shows.
    pub(super) fn new(columns: u16, rows: u16, charset: Charset) -> Self {
        let mut screen = Self {
            columns: 0,
            rows: 0,
            wanted: Vec::new(),
            shown: Vec::new(),
            changes: Changes::default(),
            tolerance: Tolerance::UNSEEN,
            clear: true,
            next: 0,
            clusters: Clusters::new(charset),
            likeness: Likeness::default(),
            words: Vec::new(),
            plan: Plan::default(),
            pen: Pen::PLAIN,
            cursor: Cursor::LOST,
        };
        screen.resize(columns, rows);
        screen
    }

    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        (self.columns, self.rows) = (columns.into(), rows.into());
        self.clear();
    }

    /// Wants an empty screen, whatever the terminal shows.
    pub(super) fn clear(&mut self) {
        let cells = self.columns * self.rows;
        self.wanted.clear();
        self.wanted.resize(cells, Ink::BLANK);
        self.shown.clone_from(&self.wanted);
        self.changes.clear(self.columns, self.rows);
        (self.clear, self.next) = (true, 0);
    }

    pub(super) fn size(&self) -> (u16, u16) {
        (self.columns as u16, self.rows as u16)
    }

    /// Wants a cell to show this.
    #[inline]
    pub(super) fn want(&mut self, column: u16, row: u16, cell: &Cell) {
        let ink = self.clusters.ink(cell);
        if ink.width == 1 {
            self.put_row(column, row, &[ink]);
        } else if usize::from(column) + 1 < self.columns {
            // As ratatui has it: what a wide character covers is blank, and not drawn.
            self.put_row(column, row, &[ink, Ink::BLANK]);
        } else {
            self.put_row(column, row, &[Ink::BLANK]);
        }
    }

    /// Wants cells side by side to show these, from a column on.
    #[inline]
    pub(super) fn put_row(&mut self, column: u16, row: u16, inks: &[Ink]) {
        let (column, row) = (usize::from(column), usize::from(row));
        if column < self.columns && row < self.rows {
            let line = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
            self.changes.write(line, column, row, inks);
        }
    }

    /// Wants a row to show a line, from a column on.
    #[inline]
    pub(super) fn lay(&mut self, column: u16, row: u16, line: &Line) {
        let (column, row) = (usize::from(column), usize::from(row));
        if column < self.columns && row < self.rows {
            let cells = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
            self.changes.lay(cells, column, row, line);
        }
    }

    /// Whether there is anything to be written.
    pub(super) fn is_dirty(&self) -> bool {
        self.clear || self.changes.is_any()
    }

    /// Writes what is missing, at most `budget` bytes of it; a row that finds no more room goes out
    /// next time.
    pub(super) fn encode(&mut self, out: &mut Vec<u8>, budget: usize, tolerance: Tolerance) {
        let most = out.len().saturating_add(budget);
        if self.clear {
            // Erased with the pen of now: first it is plain.
            out.extend_from_slice(b"\x1b[m\x1b[H\x1b[2J");
            (self.pen, self.cursor, self.clear) = (Pen::PLAIN, Cursor::at(0, 0), false);
        }
        if self.tolerance != tolerance {
            // What was near enough may not be any more.
            self.tolerance = tolerance;
            self.changes.doubt();
        }
        for turn in 0..self.rows {
            let row = (self.next + turn) % self.rows;
            if self.changes.is_in(row) {
                if !self.encode_row(row, out, most, tolerance) {
                    self.next = row;
                    return;
                }
                self.changes.settle(row);
            }
        }
        self.next = 0;
    }

    /// Writes a row. Says whether there was room for all of it.
    fn encode_row(&mut self, row: usize, out: &mut Vec<u8>, most: usize, tolerance: Tolerance) -> bool {
        let cells = row * self.columns..(row + 1) * self.columns;
        let (wanted, shown) = (&self.wanted[cells.clone()], &mut self.shown[cells]);
        let tail = self.changes.tail(row, wanted, shown);
        self.changes.words(row, tail, wanted, &mut self.words);
        self.plan.clear(self.pen, &mut self.likeness);
        let mut group = 0;
        for column in set(self.words.iter().copied()) {
            let (want, show) = (&wanted[column], &shown[column]);
            if want != show && !is_alike(want, show, &mut self.likeness, tolerance) {
                group = self.plan.add(column, want, group, &mut self.likeness, tolerance);
            }
        }
        self.plan.settle();
        self.write_row(row, tail, out, most)
    }

    /// Writes the strokes of a row, and erases its tail. Says whether there was room for all of it.
    fn write_row(&mut self, row: usize, tail: usize, out: &mut Vec<u8>, most: usize) -> bool {
        let cells = row * self.columns..(row + 1) * self.columns;
        let (wanted, shown) = (&self.wanted[cells.clone()], &mut self.shown[cells]);
        let (wide, columns) = (self.changes.is_wide(row), self.columns);
        let (mut cursor, mut pen, mut group) = (self.cursor, self.pen, 0);
        let mut fits = true;
        for (column, next) in self.plan.strokes() {
            if out.len() + CELL > most {
                fits = false;
                break;
            }
            let want = &wanted[column];
            cursor.go(column, row, shown, pen, out);
            if group != next {
                let to = self.plan.pen(next);
                pen.change(to, out);
                (pen, group) = (to, next);
            }
            self.clusters.write(want.glyph, out);
            cursor.advance(want.width, columns);
            let fg = if want.is_blank() { want.fg } else { pen.fg };
            let ink = Ink { fg, bg: pen.bg, ..*want };
            if wide { note(shown, column, ink) } else { shown[column] = ink }
        }
        if fits && tail < columns {
            fits = out.len() + CELL <= most;
            if fits {
                cursor.go(tail, row, shown, pen, out);
                let to = Pen { bg: Tint::OWN, modifier: Modifier::empty(), ..pen };
                pen.change(to, out);
                pen = to;
                out.extend_from_slice(b"\x1b[K");
                shown[tail..].fill(Ink::BLANK);
            }
        }
        (self.cursor, self.pen) = (cursor, pen);
        fits
    }

    /// Sends the cursor to the start of a row, whatever it costs.
    pub(super) fn park(&mut self, row: u16, out: &mut Vec<u8>) {
        self.cursor = Cursor::LOST;
        self.cursor.go(0, row.into(), &[], self.pen, out);
    }
}

/// Whether nobody sees a difference.
#[inline]
fn is_alike(want: &Ink, show: &Ink, likeness: &mut Likeness, tolerance: Tolerance) -> bool {
    want.glyph == show.glyph
        && want.modifier == show.modifier
        && likeness.alike(want.bg, show.bg, tolerance.rest)
        && likeness.alike(want.fg, show.fg, want.leeway(tolerance))
}

/// Notes what a cell shows now, and what that has done to its neighbours: half of a wide character
/// takes the other half with it.
#[inline]
fn note(shown: &mut [Ink], column: usize, ink: Ink) {
    let before = shown[column];
    if before.glyph == Glyph::HALF && column > 0 {
        shown[column - 1] = Ink::UNKNOWN;
    }
    let end = column + usize::from(ink.width);
    let covers_half = shown.get(end).is_some_and(|ink| ink.glyph == Glyph::HALF);
    if covers_half && (before.width == 2 || ink.width == 2) {
        shown[end] = Ink::UNKNOWN;
    }
    shown[column] = ink;
    if ink.width == 2 {
        shown[column + 1] = Ink::HALF;
    }
}
