//! What the screen should show, what the terminal shows, and the bytes between the two.

use ratatui::buffer::Cell;

use super::Tolerance;
use super::byte_buffer::ByteBuffer;
use super::cell_row::CellRow;
use super::color_distance::ColorDistance;
use super::cursor::Cursor;
use super::dirty_cells::DirtyCells;
use super::packed_cell::{GraphemeTable, PackedCell};
use super::pen::Pen;
use super::row_plan::RowPlan;
use super::row_writer::{CELL, RowWriter};
use crate::terminal::Charset;

/// The terminal's screen, twice.
#[derive(Debug)]
pub(crate) struct ScreenDiff {
    columns: usize,
    rows: usize,
    wanted: Vec<PackedCell>,
    shown: Vec<PackedCell>,
    /// The cells in which the two may differ.
    changes: DirtyCells,
    /// CellAttrs far colors were off when the two were last compared.
    tolerance: Tolerance,
    /// The terminal is to be cleared first.
    clear: bool,
    /// The row with which the next frame goes on.
    next: usize,
    /// The row that was put right last, and how many are left until all have been since something else was written.
    righted: usize,
    unrighted: usize,
    clusters: GraphemeTable,
    distance: ColorDistance,
    /// The columns of a row that may have changed, as bits.
    words: Vec<u64>,
    plan: RowPlan,
    pen: Pen,
    cursor: Cursor,
}

impl ScreenDiff {
    /// A screen of which nobody knows what it shows.
    pub(crate) fn new(columns: u16, rows: u16, charset: Charset) -> Self {
        let mut screen = Self {
            columns: 0,
            rows: 0,
            wanted: Vec::new(),
            shown: Vec::new(),
            changes: DirtyCells::default(),
            tolerance: Tolerance::UNSEEN,
            clear: true,
            next: 0,
            righted: 0,
            unrighted: 0,
            clusters: GraphemeTable::new(charset),
            distance: ColorDistance::default(),
            words: Vec::new(),
            plan: RowPlan::default(),
            pen: Pen::PLAIN,
            cursor: Cursor::LOST,
        };
        screen.resize(columns, rows);
        screen
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        (self.columns, self.rows) = (columns.into(), rows.into());
        self.clear();
    }

    /// Wants an empty screen, whatever the terminal shows.
    pub(crate) fn clear(&mut self) {
        let cells = self.columns * self.rows;
        self.wanted.clear();
        self.wanted.resize(cells, PackedCell::BLANK);
        self.shown.clone_from(&self.wanted);
        self.changes.clear(self.columns, self.rows);
        (self.clear, self.next, self.unrighted) = (true, 0, 0);
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        (self.columns as u16, self.rows as u16)
    }

    /// Wants a cell to show this.
    #[inline]
    pub(crate) fn want(&mut self, column: u16, row: u16, cell: &Cell) {
        let ink = self.clusters.ink(cell);
        if ink.width() == 1 {
            self.put_row(column, row, &[ink]);
        } else if usize::from(column) + 1 < self.columns {
            // As ratatui has it: what a wide character covers is blank, and not drawn.
            self.put_row(column, row, &[ink, PackedCell::BLANK]);
        } else {
            self.put_row(column, row, &[PackedCell::BLANK]);
        }
    }

    /// Wants cells side by side to show these, from a column on.
    #[inline]
    pub(crate) fn put_row(&mut self, column: u16, row: u16, inks: &[PackedCell]) {
        let (column, row) = (usize::from(column), usize::from(row));
        if column < self.columns && row < self.rows {
            let line = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
            self.changes.write(line, column, row, inks);
        }
    }

    /// Wants a row to show a line, from a column on.
    #[inline]
    pub(crate) fn lay(&mut self, column: u16, row: u16, line: &CellRow) {
        let (column, row) = (usize::from(column), usize::from(row));
        if column < self.columns && row < self.rows {
            let cells = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
            self.changes.lay(cells, column, row, line);
        }
    }

    /// Whether there is anything to be written; where the ground is to be `exact`, also what is a little off.
    pub(crate) fn is_dirty(&self, exact: bool) -> bool {
        self.clear || self.changes.is_any() || exact && self.unrighted > 0
    }

    /// Writes what is missing, at most `budget` bytes of it; a row that finds no more room goes out
    /// next time. Where the ground is to be `exact`, another row's is each time, whatever the tolerance: on a large ground
    /// what is a little off in one cell is seen. Says whether the last row has been passed: bands of rows make one frame.
    pub(crate) fn encode(&mut self, page: &mut ByteBuffer, budget: usize, tolerance: Tolerance, exact: bool) -> bool {
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
        let begun = page.len();
        for turn in 0..self.rows {
            let row = (self.next + turn) % self.rows;
            if self.changes.is_in(row) {
                let rest = if righted == Some(row) { 0.0 } else { tolerance.rest };
                let tolerance = Tolerance { rest, ..tolerance };
                let before = page.len();
                if !self.encode_row(row, page, most, tolerance) {
                    // One that has had all the room there is may want more than that each time: others come first.
                    let next = self.next + turn + usize::from(before == begun);
                    self.next = next % self.rows;
                    return next >= self.rows;
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
    fn encode_row(&mut self, row: usize, page: &mut ByteBuffer, most: usize, tolerance: Tolerance) -> bool {
        let Self { columns, pen, cursor, ref clusters, .. } = *self;
        let wide = self.changes.is_wide(row);
        let cells = row * columns..(row + 1) * columns;
        let (wanted, shown) = (&self.wanted[cells.clone()], &mut self.shown[cells]);
        let tail = self.changes.tail(row, wanted, shown);
        self.changes.words(row, tail, wanted, &mut self.words);
        self.plan.clear(pen, &mut self.distance, tolerance);
        self.plan.lay_out(&self.words, (wanted, shown), &mut self.distance, tolerance);
        self.plan.settle();
        let last = most.saturating_sub(CELL);
        let mut hand = RowWriter { row, pen, cursor, shown, wide, clusters, page, last, is_full: false };
        hand.write(&self.plan, wanted);
        if tail < columns && hand.has_room() {
            hand.erase(tail);
        }
        (self.cursor, self.pen) = (hand.cursor, hand.pen);
        !hand.is_full
    }

    /// Sends the cursor to the start of a row, whatever it costs.
    pub(crate) fn park(&mut self, row: u16, page: &mut ByteBuffer) {
        self.cursor = Cursor::LOST.go(0, row.into(), &[], self.pen, page);
    }
}
