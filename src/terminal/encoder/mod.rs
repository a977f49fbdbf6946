//! From cells to bytes: makes the terminal show the wanted screen with as few bytes as possible.
//!
//! [`ScreenEncoder`] keeps two screens, the wanted one and the one that the terminal shows. For each row that differs:
//!
//! 1. `dirty_cells` knows which cells may have changed.
//! 2. `row_plan` drops those whose difference cannot be seen, and groups the rest by pen: changing colors costs more bytes than
//!    moving the cursor. `color_cache` compares colors, and maps those of braille dots to a small palette.
//! 3. `row_writer` writes the groups with the cheapest cursor movements (`cursor`) and pen changes (`pen`).
//!
//! `encode_lines` writes a buffer without moving the cursor, for a terminal that shows no screen of the program.

mod color_cache;
mod cursor;
mod dirty_cells;
mod graphemes;
mod pen;
mod row_plan;
mod row_writer;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Rect, Size};

pub use color_cache::Tolerance;
pub(crate) use row_writer::encode_lines;

use crate::picture::{CellRow, Charset, PackedCell, Surface};
use color_cache::ColorCache;
use cursor::Cursor;
use dirty_cells::DirtyCells;
use graphemes::GraphemeTable;
use pen::Pen;
use row_plan::RowPlan;
use row_writer::{MAX_CELL_BYTES, RowWriter};

/// Begins and ends a synchronized update (mode 2026): the terminal shows the frame only when it is complete.
const BEGIN_UPDATE: &[u8] = b"\x1b[?2026h";
const END_UPDATE: &[u8] = b"\x1b[?2026l";
/// Requests the cursor position (DSR 6).
const REQUEST_POSITION: &[u8] = b"\x1b[6n";
/// Resets the pen, since erasing uses its background, and erases the screen.
const CLEAR_SCREEN: &[u8] = b"\x1b[m\x1b[H\x1b[2J";
/// The most bytes around the rows of a frame.
const FRAME_OVERHEAD: usize = 40;

/// How to write a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameOptions {
    /// The most bytes.
    pub budget: usize,
    /// How far colors may be off.
    pub tolerance: Tolerance,
    /// Whether to correct one row's background in each frame, however little it is off. On an area as large as a sky or a glow
    /// small differences between cells are visible.
    pub exact_background: bool,
    /// Whether to write first the rows in which [`ScreenEncoder::draw_buffer`] changed cells.
    pub chrome_first: bool,
    /// Whether to use synchronized updates.
    pub synchronized: bool,
    /// The row in which to request the cursor position, as acknowledgement of the frame.
    pub ack_row: Option<u16>,
}

impl FrameOptions {
    /// The whole frame in one synchronized update, with the finest colors and without acknowledgement.
    pub const WHOLE: Self = Self {
        budget: usize::MAX,
        tolerance: Tolerance::FINE,
        exact_background: true,
        chrome_first: false,
        synchronized: true,
        ack_row: None,
    };
}

/// Encodes a screen as the difference from what the terminal shows.
#[derive(Debug, Default)]
pub struct ScreenEncoder {
    columns: usize,
    rows: usize,
    wanted: Vec<PackedCell>,
    shown: Vec<PackedCell>,
    /// The cells in which the two may differ.
    dirty: DirtyCells,
    /// The areas that rows leave out.
    covers: Vec<Rect>,
    /// The tolerance of the last frame.
    tolerance: Tolerance,
    /// Whether the terminal's screen is unknown and has to be cleared first.
    clear: bool,
    /// The row with which the next frame continues.
    next_row: usize,
    /// The last row whose background was corrected.
    corrected_row: usize,
    /// How many rows remain until all have been corrected since the last change.
    rows_to_correct: usize,
    graphemes: GraphemeTable,
    colors: ColorCache,
    /// The dirty cells of a row as bits.
    dirty_words: Vec<u64>,
    plan: RowPlan,
    pen: Pen,
    cursor: Cursor,
}

impl ScreenEncoder {
    /// An encoder for a screen of this size with unknown content.
    pub fn new(size: Size, charset: Charset) -> Self {
        let mut encoder = Self { graphemes: GraphemeTable::new(charset), ..Self::default() };
        encoder.resize(size);
        encoder
    }

    /// Starts with an empty screen of this size; what the terminal shows is unknown.
    pub fn resize(&mut self, size: Size) {
        (self.columns, self.rows) = (size.width.into(), size.height.into());
        self.wanted = vec![PackedCell::BLANK; self.columns * self.rows];
        self.shown.clone_from(&self.wanted);
        self.dirty = DirtyCells::new(self.columns, self.rows);
        (self.clear, self.next_row, self.rows_to_correct) = (true, 0, 0);
    }

    /// Sets the areas that buffers are drawn into after rows: rows leave them out from now on. A cell that was drawn twice would never
    /// be settled.
    pub fn cover(&mut self, areas: &[Rect]) {
        self.covers.clear();
        self.covers.extend_from_slice(areas);
    }

    /// Draws part of a buffer.
    pub fn draw_buffer(&mut self, buffer: &Buffer, part: Rect) {
        let part = part.intersection(buffer.area);
        if part.is_empty() {
            return;
        }
        for row in part.top()..part.bottom() {
            let first = buffer.index_of(part.x, row);
            let cells = &buffer.content[first..first + usize::from(part.width)];
            for (column, cell) in (part.left()..).zip(cells) {
                self.draw_cell(column.into(), row.into(), cell);
            }
        }
    }

    fn draw_cell(&mut self, column: usize, row: usize, cell: &Cell) {
        if column >= self.columns || row >= self.rows {
            return;
        }
        let packed = self.graphemes.pack(cell);
        let wanted = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
        let cells = match (packed.width(), wanted.len()) {
            (1, _) => &[packed][..],
            // As in ratatui, the cell that a wide character covers is blank.
            (_, 2..) => &[packed, PackedCell::BLANK],
            _ => &[PackedCell::BLANK],
        };
        self.dirty.draw_cells(wanted, column, row, cells);
    }

    /// Whether the next frame has anything to write; with `exact_background` also if only a background is off.
    pub fn is_dirty(&self, exact_background: bool) -> bool {
        self.clear || self.dirty.any() || exact_background && self.rows_to_correct > 0
    }

    /// Appends a frame to `out`, or nothing if there is nothing to write. Rows that exceed the budget follow in the next frames.
    /// Returns whether this call reached the last row, and thus completed a frame.
    pub fn encode(&mut self, options: FrameOptions, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        if options.synchronized {
            out.extend_from_slice(BEGIN_UPDATE);
        }
        let begun = out.len();
        let end = begun.saturating_add(options.budget.saturating_sub(FRAME_OVERHEAD));
        let is_complete = self.encode_rows(out, end, options);
        if out.len() == begun {
            out.truncate(start);
            return is_complete;
        }
        if options.synchronized {
            out.extend_from_slice(END_UPDATE);
        }
        if let Some(row) = options.ack_row {
            self.cursor = Cursor::default().go(0, row.into(), &[], self.pen, out);
            out.extend_from_slice(REQUEST_POSITION);
        }
        is_complete
    }

    /// Writes dirty rows until `out` holds `end` bytes. Returns whether the last row was reached.
    fn encode_rows(&mut self, out: &mut Vec<u8>, end: usize, options: FrameOptions) -> bool {
        if self.clear {
            out.extend_from_slice(CLEAR_SCREEN);
            (self.pen, self.cursor, self.clear) = (Pen::PLAIN, Cursor::at(0, 0), false);
        }
        let tolerance = options.tolerance;
        if self.tolerance != tolerance {
            // Cells that were within the old tolerance may be outside the new one.
            self.tolerance = tolerance;
            self.dirty.bits.fill(u64::MAX);
        }
        let corrected = self.next_correction(options.exact_background);
        let exact = Tolerance { rest: 0.0, blank: 0.0, ..tolerance };
        let tolerance_of = |row| if corrected == Some(row) { exact } else { tolerance };
        let begun = out.len();
        // What a key has changed must not wait for a flock that exceeds the budget.
        if options.chrome_first {
            for row in 0..self.rows {
                if self.dirty.chrome[row] && !self.encode_row(row, out, end, tolerance_of(row)) {
                    return false;
                }
            }
        }
        for offset in 0..self.rows {
            let row = (self.next_row + offset) % self.rows;
            let row_begun = out.len();
            if self.dirty.any_in(row) && !self.encode_row(row, out, end, tolerance_of(row)) {
                // If one row exceeds the whole budget, the next frame begins with the next row, or the others would starve.
                let next_row = self.next_row + offset + usize::from(row_begun == begun);
                self.next_row = next_row % self.rows;
                return next_row >= self.rows;
            }
        }
        self.next_row = 0;
        true
    }

    /// Marks the row whose background is corrected in this frame, if any.
    fn next_correction(&mut self, exact_background: bool) -> Option<usize> {
        if self.dirty.any() {
            self.rows_to_correct = self.rows;
        }
        if !exact_background || self.rows_to_correct == 0 {
            return None;
        }
        self.corrected_row = (self.corrected_row + 1) % self.rows;
        self.rows_to_correct -= 1;
        self.dirty.row_mut(self.corrected_row).fill(u64::MAX);
        Some(self.corrected_row)
    }

    /// Writes a row, and erases its blank end. Returns whether all of it fit.
    fn encode_row(&mut self, row: usize, bytes: &mut Vec<u8>, end: usize, tolerance: Tolerance) -> bool {
        let columns = self.columns;
        let has_wide = self.dirty.wide[row];
        let cells = row * columns..(row + 1) * columns;
        let (wanted, shown) = (&self.wanted[cells.clone()], &mut self.shown[cells]);
        let blank_from = self.dirty.blank_end(row, wanted, shown);
        self.dirty.words(row, blank_from, wanted, &mut self.dirty_words);
        self.colors.set_tolerance(tolerance);
        self.plan.make(self.pen, &self.dirty_words, wanted, shown, &mut self.colors);
        let mut writer = RowWriter {
            row,
            pen: self.pen,
            cursor: self.cursor,
            shown,
            has_wide,
            graphemes: &self.graphemes,
            bytes,
            // A cell is written whole, and its length is known only then.
            limit: end.saturating_sub(MAX_CELL_BYTES),
            is_full: false,
        };
        writer.write(&self.plan, wanted);
        if blank_from < columns && writer.has_capacity() {
            writer.erase(blank_from);
        }
        let is_full = writer.is_full;
        (self.cursor, self.pen) = (writer.cursor, writer.pen);
        if !is_full {
            self.dirty.chrome[row] = false;
            self.dirty.row_mut(row).fill(0);
        }
        !is_full
    }
}

/// Leaves out covered cells. It is faster than a [`Buffer`]: a flock has thousands of cells.
impl Surface for ScreenEncoder {
    fn draw_row(&mut self, column: u16, row: u16, cells: &CellRow) {
        let line = Rect { x: column, y: row, width: cells.width() as u16, height: 1 };
        let cover = self.covers.iter().map(|area| area.intersection(line)).find(|part| !part.is_empty());
        let covered = cover.map_or([0; 2], |part| [part.left(), part.right()].map(usize::from));
        let (column, row) = (usize::from(column), usize::from(row));
        if column >= self.columns || row >= self.rows {
            return;
        }
        let visible = (self.columns - column).min(cells.width());
        let resolved = cells.resolve(
            |symbol| self.graphemes.pack(symbol),
            |right| right >= visible || (covered[0]..covered[1]).contains(&(column + right)),
        );
        let cells = resolved.as_ref().unwrap_or(cells);
        self.dirty.wide[row] |= resolved.as_ref().is_some_and(CellRow::has_wide);
        let wanted = &mut self.wanted[row * self.columns + column..(row + 1) * self.columns];
        self.dirty.draw_row(wanted, column, row, cells, covered);
    }
}
