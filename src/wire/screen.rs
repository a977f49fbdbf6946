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
use super::page::Page;
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
    /// The row that was put right last, and how many are left until all have been since something else was written.
    righted: usize,
    unrighted: usize,
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
            righted: 0,
            unrighted: 0,
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
        (self.clear, self.next, self.unrighted) = (true, 0, 0);
    }

    pub(super) fn size(&self) -> (u16, u16) {
        (self.columns as u16, self.rows as u16)
    }

    /// Wants a cell to show this.
    #[inline]
    pub(super) fn want(&mut self, column: u16, row: u16, cell: &Cell) {
        let ink = self.clusters.ink(cell);
        if ink.width() == 1 {
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

    /// Whether there is anything to be written; where the ground is to be `exact`, also what is a little off.
    pub(super) fn is_dirty(&self, exact: bool) -> bool {
        self.clear || self.changes.is_any() || exact && self.unrighted > 0
    }

    /// Writes what is missing, at most `budget` bytes of it; a row that finds no more room goes out
    /// next time. Where the ground is to be `exact`, another row's is each time, whatever the tolerance: on a large ground
    /// what is a little off in one cell is seen. Says whether the last row has been passed: bands of rows make one frame.
    pub(super) fn encode(&mut self, page: &mut Page, budget: usize, tolerance: Tolerance, exact: bool) -> bool {
        let most = page.len().saturating_add(budget);
        if self.clear {
            // Erased with the pen of now: first it is plain.
            page.write(b"\x1b[m\x1b[H\x1b[2J");
            (self.pen, self.cursor, self.clear) = (Pen::PLAIN, Cursor::at(0, 0), false);
        }
        if self.tolerance != tolerance {
            // What was near enough may not be any more.
            self.tolerance = tolerance;
            self.changes.doubt();
        }
        let righted = self.right(exact);
        for turn in 0..self.rows {
            let row = (self.next + turn) % self.rows;
            if self.changes.is_in(row) {
                let rest = if righted == Some(row) { 0.0 } else { tolerance.rest };
                let tolerance = Tolerance { rest, ..tolerance };
                if !self.encode_row(row, page, most, tolerance) {
                    let is_passed = self.next + turn >= self.rows;
                    self.next = row;
                    return is_passed;
                }
                self.changes.settle(row);
            }
        }
        self.next = 0;
        true
    }

    /// The row that is put right this time, where any is.
    fn right(&mut self, exact: bool) -> Option<usize> {
        if self.changes.is_any() {
            self.unrighted = self.rows;
        }
        if !exact || self.unrighted == 0 {
            return None;
        }
        self.righted = (self.righted + 1) % self.rows;
        self.unrighted -= 1;
        self.changes.doubt_row(self.righted);
        Some(self.righted)
    }

    /// Writes a row, and erases its tail. Says whether there was room for all of it.
    fn encode_row(&mut self, row: usize, page: &mut Page, most: usize, tolerance: Tolerance) -> bool {
        let (columns, wide) = (self.columns, self.changes.is_wide(row));
        let cells = row * columns..(row + 1) * columns;
        let (wanted, shown) = (&self.wanted[cells.clone()], &mut self.shown[cells]);
        let tail = self.changes.tail(row, wanted, shown);
        self.changes.words(row, tail, wanted, &mut self.words);
        let mut hand = Hand {
            row,
            pen: self.pen,
            cursor: self.cursor,
            shown,
            wide,
            clusters: &self.clusters,
            page,
            last: most.saturating_sub(CELL),
            is_full: false,
        };
        let changed = set(self.words.iter().copied());
        // What the pen at hand writes comes first in any order.
        let (mut other, mut changed) = hand.write_ahead(changed, wanted, &mut self.likeness, tolerance);
        if other.is_some() {
            self.plan.clear(hand.pen, &mut self.likeness, tolerance);
            let (wanted, mut group) = (&wanted[..hand.shown.len()], 0);
            while let Some(column) = other {
                let (show, want) = (hand.shown[column], wanted[column]);
                if want != show && !is_alike(want, show, &mut self.likeness, tolerance) {
                    group = self.plan.add(column, want, group, &mut self.likeness, tolerance);
                }
                other = changed.next();
            }
            self.plan.settle();
            hand.write_planned(&self.plan, wanted);
        }
        if tail < columns && hand.has_room() {
            hand.erase(tail);
        }
        (self.cursor, self.pen) = (hand.cursor, hand.pen);
        !hand.is_full
    }

    /// Sends the cursor to the start of a row, whatever it costs.
    pub(super) fn park(&mut self, row: u16, page: &mut Page) {
        self.cursor = Cursor::LOST.go(0, row.into(), &[], self.pen, page);
    }
}

/// What writes a row.
struct Hand<'a> {
    row: usize,
    pen: Pen,
    cursor: Cursor,
    shown: &'a mut [Ink],
    /// Whether there are or were wide characters in the row.
    wide: bool,
    clusters: &'a Clusters,
    page: &'a mut Page,
    /// How many bytes there may be on the page before another cell.
    last: usize,
    /// Whether there was no room for a cell.
    is_full: bool,
}

impl Hand<'_> {
    /// Whether the page has room for another cell.
    #[inline]
    fn has_room(&mut self) -> bool {
        let fits = self.page.len() <= self.last;
        if !fits {
            self.is_full = true;
        }
        fits
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

    /// Writes changed cells for as long as the pen at hand is theirs and there is room. Returns the column of the first
    /// that is left, and the others.
    #[inline(never)]
    fn write_ahead<C: Iterator<Item = usize>>(
        &mut self,
        mut changed: C,
        wanted: &[Ink],
        likeness: &mut Likeness,
        tolerance: Tolerance,
    ) -> (Option<usize>, C) {
        let wanted = &wanted[..self.shown.len()];
        while let Some(column) = changed.next() {
            let (show, want) = (self.shown[column], wanted[column]);
            if want == show {
                continue;
            }
            if !self.pen.is_of(want) || !self.has_room() {
                return (Some(column), changed);
            }
            if !is_alike(want, show, likeness, tolerance) {
                self.write(column, want);
            }
        }
        (None, changed)
    }

    /// Writes the cells of a plan for as long as there is room.
    #[inline(never)]
    fn write_planned(&mut self, plan: &Plan, wanted: &[Ink]) {
        let mut group = 0;
        for (column, next) in plan.strokes() {
            if !self.has_room() {
                return;
            }
            if group != next {
                // As it stands, gaps are passed over with the pen of before.
                self.go(column);
                self.take(plan.pen(next));
                group = next;
            }
            self.write(column, self.pen.ink(wanted[column]));
        }
    }

    /// Writes a cell, in the colours of the pen.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a call costs a fifth as much again, and a frame has thousands")]
    fn write(&mut self, column: usize, ink: Ink) {
        let (step, many) = self.cursor.step(column, self.row, self.shown, self.pen).unwrap_or_else(|| {
            self.go(column);
            (0, 0)
        });
        let glyph = ink.glyph();
        if glyph.is_other() {
            self.page.add(step, many);
            self.page.write(self.clusters.symbol(glyph).as_bytes());
            // How wide terminals make those they do not agree.
            self.cursor.lose_column();
        } else {
            self.page.add(step | glyph.word() << (8 * many), many + glyph.len());
            self.cursor.pass(column, ink.width(), self.shown.len());
        }
        if self.wide { note(self.shown, column, ink) } else { self.shown[column] = ink }
    }

    /// Erases the row from a column on.
    fn erase(&mut self, from: usize) {
        self.go(from);
        self.take(Pen::new(self.pen.fg(), Tint::OWN, Modifier::empty()));
        self.page.write(b"\x1b[K");
        self.shown[from..].fill(Ink::BLANK);
    }
}

/// Whether nobody sees a difference.
#[inline]
fn is_alike(want: Ink, show: Ink, likeness: &mut Likeness, tolerance: Tolerance) -> bool {
    want.glyph() == show.glyph() && looks_alike(want, show, likeness, tolerance)
}

/// The same of two that show one character, which few do.
#[inline(never)]
fn looks_alike(want: Ink, show: Ink, likeness: &mut Likeness, tolerance: Tolerance) -> bool {
    want.modifier() == show.modifier()
        && likeness.alike(want.bg(), show.bg(), tolerance.rest)
        && likeness.alike(want.fg(), show.fg(), want.leeway(tolerance))
}

/// Notes what a cell shows now, and what that has done to its neighbours: half of a wide character
/// takes the other half with it.
#[inline]
fn note(shown: &mut [Ink], column: usize, ink: Ink) {
    let before = shown[column];
    if before.glyph() == Glyph::HALF && column > 0 {
        shown[column - 1] = Ink::UNKNOWN;
    }
    let end = column + ink.width();
    let covers_half = shown.get(end).is_some_and(|ink| ink.glyph() == Glyph::HALF);
    if covers_half && (before.width() == 2 || ink.width() == 2) {
        shown[end] = Ink::UNKNOWN;
    }
    shown[column] = ink;
    if ink.width() == 2 {
        shown[column + 1] = Ink::HALF;
    }
}
