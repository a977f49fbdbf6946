//! A screen on which text is laid out as a terminal would show it.
//!
//! It implements the part of a terminal that changes cells. The other control sequences have no method here, so they have no effect:
//! titles, the clipboard, queries, links, the mouse, the alternate screen, scroll regions.

use ratatui::buffer::Cell;
use ratatui::style::{self, Modifier};
use vte::ansi::{
    Attr, CharsetIndex, ClearMode, Color, Handler, LineClearMode, NamedPrivateMode, PrivateMode, StandardCharset,
};

use crate::error::is_unprintable;
use crate::picture::{UnicodeWidthChar, symbol_width};

/// The columns between tab stops.
const TAB: usize = 8;
/// The most bytes of a character with its marks. Terminals cut off more, too, and the encoder counts on few.
const MAX_GRAPHEME: usize = 20;
/// The most cells that a text may change, since three bytes can erase a whole screen or repeat a character many times.
const MAX_CHANGES: usize = 16_000_000;

/// The symbol of the right half of a wide character.
const RIGHT_HALF: &str = "";
/// The symbol of a cell without a character.
const BLANK: &str = " ";

/// Cells, a cursor, and the style of the next character.
#[derive(Debug)]
pub(super) struct TextScreen {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
    cursor: TextCursor,
    saved: TextCursor,
    /// Whether text continues on the next row.
    wraps: bool,
    changes: usize,
    is_full: bool,
}

/// Where the next character goes, and its style.
#[derive(Clone, Debug)]
struct TextCursor {
    /// Up to one row below the screen.
    row: usize,
    /// Behind the last column after a character in it: only another character moves to the next row.
    column: usize,
    /// A blank cell.
    pen: Cell,
    is_concealed: bool,
    charsets: [StandardCharset; 4],
    charset: usize,
}

impl TextCursor {
    fn new() -> Self {
        Self { row: 0, column: 0, pen: Cell::EMPTY, is_concealed: false, charsets: Default::default(), charset: 0 }
    }
}

impl TextScreen {
    pub(super) fn new(columns: u16, rows: u16) -> Self {
        let (columns, rows) = (usize::from(columns.max(1)), usize::from(rows.max(1)));
        let cursor = TextCursor::new();
        let cells = vec![cursor.pen.clone(); columns * rows];
        Self { columns, rows, cells, saved: cursor.clone(), cursor, wraps: true, changes: 0, is_full: false }
    }

    pub(super) fn columns(&self) -> u16 {
        self.columns as u16
    }

    pub(super) fn rows(&self) -> u16 {
        self.rows as u16
    }

    /// The row of the cursor; the number of rows if it is below the screen or the screen is full.
    pub(super) fn cursor_row(&self) -> u16 {
        if self.is_full { self.rows() } else { self.cursor.row as u16 }
    }

    /// Whether text went beyond the last row. Further text is ignored.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The cells that differ from an empty screen, in reading order, with row and column.
    pub(super) fn into_glyphs(self) -> impl Iterator<Item = (u16, u16, Cell)> {
        let columns = self.columns;
        self.cells.into_iter().enumerate().filter_map(move |(index, cell)| {
            let glyph = visible(cell)?;
            Some(((index / columns) as u16, (index % columns) as u16, glyph))
        })
    }

    /// Counts changed cells. Returns whether the text may change them.
    fn may_change(&mut self, cells: usize) -> bool {
        self.changes += cells;
        self.is_full |= self.changes > MAX_CHANGES;
        !self.is_full
    }

    /// The row of the cursor as indices of its cells; `None` below the screen.
    fn row_start(&self) -> Option<usize> {
        (self.cursor.row < self.rows).then_some(self.cursor.row * self.columns)
    }

    /// The column of the cursor, or the last one if the cursor is behind it.
    fn column(&self) -> usize {
        self.cursor.column.min(self.columns - 1)
    }

    fn print(&mut self, char: char, width: usize) {
        if width > self.columns {
            return;
        }
        if self.cursor.column + width > self.columns {
            if self.wraps {
                self.linefeed();
            } else {
                self.cursor.column = self.columns - width;
            }
        }
        let is_blank = char.is_whitespace() || char == '\u{2800}' || self.cursor.is_concealed;
        let Some(start) = self.row_start() else {
            self.is_full |= !is_blank;
            return;
        };
        let first = start + self.cursor.column;
        self.split_wide(first, first + width);
        self.cells[first..first + width].fill(self.cursor.pen.clone());
        if !is_blank {
            self.cells[first].set_char(char);
            self.cells[first + 1..first + width].iter_mut().for_each(|cell| _ = cell.set_symbol(RIGHT_HALF));
        }
        self.cursor.column += width;
    }

    /// Adds a mark to the character before the cursor, unless that becomes too long.
    fn combine(&mut self, mark: char) {
        let Some(start) = self.row_start() else { return };
        let Some(mut at) = (start + self.cursor.column).checked_sub(1).filter(|at| *at >= start) else { return };
        if self.cells[at].symbol() == RIGHT_HALF {
            at -= 1;
        }
        let symbol = self.cells[at].symbol();
        if symbol == BLANK || symbol.len() + mark.len_utf8() > MAX_GRAPHEME {
            return;
        }
        let combined = format!("{symbol}{mark}");
        let (width, new_width) = (symbol_width(symbol), symbol_width(&combined));
        let end = at + usize::from(new_width);
        if width == new_width {
            self.cells[at].set_symbol(&combined);
        } else if width == 1 && end <= start + self.columns && self.cursor.column == at + 1 - start {
            // A variation selector widens a symbol to an emoji.
            self.split_wide(at + 1, end);
            self.cells[at + 1] = self.cells[at].clone();
            self.cells[at + 1].set_symbol(RIGHT_HALF);
            self.cells[at].set_symbol(&combined);
            self.cursor.column += 1;
        }
    }

    /// Blanks the other halves of wide characters before some cells of a row are overwritten.
    fn split_wide(&mut self, first: usize, end: usize) {
        if self.cells[first].symbol() == RIGHT_HALF {
            self.cells[first - 1].set_symbol(BLANK);
        }
        // The next row begins with no right half.
        if let Some(cell) = self.cells.get_mut(end)
            && cell.symbol() == RIGHT_HALF
        {
            cell.set_symbol(BLANK);
        }
    }

    /// Erases cells, given as indices within one row or as whole rows. They keep the background of the pen, as in xterm.
    fn erase(&mut self, first: usize, end: usize) {
        if first < end && self.may_change(end - first) {
            self.split_wide(first, end);
            self.cells[first..end].fill(Cell::EMPTY);
            self.cells[first..end].iter_mut().for_each(|cell| cell.bg = self.cursor.pen.bg);
        }
    }

    /// Moves the cells from one index up to the end of the row right by `count`, or left if not `right`, and erases those that
    /// become free.
    fn shift_row(&mut self, count: usize, right: bool) {
        let Some(start) = self.row_start() else { return };
        let (first, end) = (start + self.column(), start + self.columns);
        let count = count.min(end - first);
        if !self.may_change(end - first) {
            return;
        }
        self.split_wide(first, if right { end } else { first + count });
        // What was a right half behind a split character is now the first of the moved cells.
        if self.cells[first].symbol() == RIGHT_HALF {
            self.cells[first].set_symbol(BLANK);
        }
        if right {
            self.split_wide(end - count, end);
            self.cells[first..end].rotate_right(count);
            self.erase(first, first + count);
        } else {
            self.cells[first..end].rotate_left(count);
            self.erase(end - count, end);
        }
    }

    /// Moves the rows from `first` on down by `count`, or up if not `down`, and erases those that become free.
    fn shift_rows(&mut self, first: usize, count: usize, down: bool) {
        let count = count.min(self.rows.saturating_sub(first)) * self.columns;
        let (first, end) = (first * self.columns, self.cells.len());
        if count == 0 || !self.may_change(end - first) {
            return;
        }
        if down {
            self.cells[first..].rotate_right(count);
            self.erase(first, first + count);
        } else {
            self.cells[first..].rotate_left(count);
            self.erase(end - count, end);
        }
    }
}

impl Handler for TextScreen {
    fn input(&mut self, char: char) {
        let char = self.cursor.charsets[self.cursor.charset].map(char);
        if is_unprintable(char) || !self.may_change(1) {
            return;
        }
        match char.width() {
            Some(0) => self.combine(char),
            Some(width) => self.print(char, width.min(2)),
            None => {}
        }
    }

    fn goto(&mut self, row: i32, column: usize) {
        self.goto_line(row);
        self.goto_col(column);
    }

    fn goto_line(&mut self, row: i32) {
        self.cursor.row = (row.max(0) as usize).min(self.rows - 1);
    }

    fn goto_col(&mut self, column: usize) {
        self.cursor.column = column.min(self.columns - 1);
    }

    fn move_up(&mut self, count: usize) {
        self.cursor.row = self.cursor.row.saturating_sub(count);
    }

    fn move_down(&mut self, count: usize) {
        // Only a line feed leaves the screen.
        self.cursor.row = (self.cursor.row + count).min(self.cursor.row.max(self.rows - 1));
    }

    fn move_forward(&mut self, count: usize) {
        self.goto_col(self.cursor.column + count);
    }

    fn move_backward(&mut self, count: usize) {
        self.cursor.column = self.column().saturating_sub(count);
    }

    fn move_down_and_cr(&mut self, count: usize) {
        self.move_down(count);
        self.cursor.column = 0;
    }

    fn move_up_and_cr(&mut self, count: usize) {
        self.move_up(count);
        self.cursor.column = 0;
    }

    fn put_tab(&mut self, count: u16) {
        self.move_forward_tabs(count);
    }

    fn move_forward_tabs(&mut self, count: u16) {
        self.goto_col((self.cursor.column / TAB + usize::from(count)) * TAB);
    }

    fn move_backward_tabs(&mut self, count: u16) {
        let stop = self.column().div_ceil(TAB).saturating_sub(count.into());
        self.cursor.column = stop * TAB;
    }

    fn backspace(&mut self) {
        self.move_backward(1);
    }

    fn carriage_return(&mut self) {
        self.cursor.column = 0;
    }

    /// Goes to the start of the next row, as a terminal does for the line feeds that programs write.
    fn linefeed(&mut self) {
        self.cursor.column = 0;
        self.cursor.row = (self.cursor.row + 1).min(self.rows);
    }

    fn reverse_index(&mut self) {
        if self.cursor.row == 0 {
            self.scroll_down(1);
        }
        self.move_up(1);
    }

    fn insert_blank(&mut self, count: usize) {
        self.shift_row(count, true);
    }

    fn delete_chars(&mut self, count: usize) {
        self.shift_row(count, false);
    }

    fn erase_chars(&mut self, count: usize) {
        if let Some(start) = self.row_start() {
            let first = self.column();
            self.erase(start + first, start + (first + count).min(self.columns));
        }
    }

    fn insert_blank_lines(&mut self, count: usize) {
        self.shift_rows(self.cursor.row, count, true);
    }

    fn delete_lines(&mut self, count: usize) {
        self.shift_rows(self.cursor.row, count, false);
    }

    fn scroll_up(&mut self, count: usize) {
        self.shift_rows(0, count, false);
    }

    fn scroll_down(&mut self, count: usize) {
        self.shift_rows(0, count, true);
    }

    fn clear_line(&mut self, mode: LineClearMode) {
        let Some(start) = self.row_start() else { return };
        let (at, end) = (start + self.column(), start + self.columns);
        match mode {
            LineClearMode::Right => self.erase(at, end),
            LineClearMode::Left => self.erase(start, at + 1),
            LineClearMode::All => self.erase(start, end),
        }
    }

    fn clear_screen(&mut self, mode: ClearMode) {
        let end = self.cells.len();
        let at = self.row_start().map_or(end, |start| start + self.column());
        match mode {
            ClearMode::Below => self.erase(at, end),
            ClearMode::Above => self.erase(0, (at + 1).min(end)),
            ClearMode::All => self.erase(0, end),
            ClearMode::Saved => {}
        }
    }

    fn save_cursor_position(&mut self) {
        self.saved = self.cursor.clone();
    }

    fn restore_cursor_position(&mut self) {
        self.cursor = self.saved.clone();
    }

    fn reset_state(&mut self) {
        self.cursor = TextCursor::new();
        (self.saved, self.wraps) = (self.cursor.clone(), true);
        self.erase(0, self.cells.len());
    }

    fn set_private_mode(&mut self, mode: PrivateMode) {
        self.wraps |= mode == PrivateMode::Named(NamedPrivateMode::LineWrap);
    }

    fn unset_private_mode(&mut self, mode: PrivateMode) {
        self.wraps &= mode != PrivateMode::Named(NamedPrivateMode::LineWrap);
    }

    fn configure_charset(&mut self, index: CharsetIndex, charset: StandardCharset) {
        self.cursor.charsets[index as usize] = charset;
    }

    fn set_active_charset(&mut self, index: CharsetIndex) {
        self.cursor.charset = index as usize;
    }

    fn terminal_attribute(&mut self, attribute: Attr) {
        let pen = &mut self.cursor.pen;
        match attribute {
            Attr::Reset => (*pen, self.cursor.is_concealed) = (Cell::EMPTY, false),
            Attr::Bold => pen.modifier.insert(Modifier::BOLD),
            Attr::Dim => pen.modifier.insert(Modifier::DIM),
            Attr::Italic => pen.modifier.insert(Modifier::ITALIC),
            Attr::Underline
            | Attr::DoubleUnderline
            | Attr::Undercurl
            | Attr::DottedUnderline
            | Attr::DashedUnderline => pen.modifier.insert(Modifier::UNDERLINED),
            Attr::Reverse => pen.modifier.insert(Modifier::REVERSED),
            Attr::CancelBold => pen.modifier.remove(Modifier::BOLD),
            Attr::CancelBoldDim => pen.modifier.remove(Modifier::BOLD | Modifier::DIM),
            Attr::CancelItalic => pen.modifier.remove(Modifier::ITALIC),
            Attr::CancelUnderline => pen.modifier.remove(Modifier::UNDERLINED),
            Attr::CancelReverse => pen.modifier.remove(Modifier::REVERSED),
            Attr::Hidden => self.cursor.is_concealed = true,
            Attr::CancelHidden => self.cursor.is_concealed = false,
            Attr::Foreground(color) => pen.fg = glyph_color(color),
            Attr::Background(color) => pen.bg = glyph_color(color),
            Attr::BlinkSlow
            | Attr::BlinkFast
            | Attr::CancelBlink
            | Attr::Strike
            | Attr::CancelStrike
            | Attr::UnderlineColor(_) => {}
        }
    }
}

fn glyph_color(color: Color) -> style::Color {
    match color {
        Color::Named(name) => u8::try_from(name as usize).map_or(style::Color::Reset, style::Color::Indexed),
        Color::Indexed(index) => style::Color::Indexed(index),
        Color::Spec(rgb) => style::Color::Rgb(rgb.r, rgb.g, rgb.b),
    }
}

/// A cell without what cannot be seen of it; `None` if it looks like an empty one.
fn visible(mut cell: Cell) -> Option<Cell> {
    if cell.symbol() != BLANK {
        return Some(cell).filter(|cell| cell.symbol() != RIGHT_HALF);
    }
    cell.modifier &= Modifier::UNDERLINED | Modifier::REVERSED;
    if cell.modifier.is_empty() {
        cell.fg = style::Color::Reset;
    }
    (!cell.modifier.is_empty() || cell.bg != style::Color::Reset).then_some(cell)
}
