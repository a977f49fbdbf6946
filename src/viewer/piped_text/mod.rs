//! Text from standard input, which takes off as a flock: read as a terminal would show it, and printed again.

mod source;
mod virtual_screen;

use std::io::{self, Write};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use vte::ansi::{Processor, Timeout};

use crate::picture::{Charset, ColorDepth, draw_glyph};
use crate::sim::MAX_PERCHES;
use crate::terminal::encode_lines;
pub use source::{PipedTextError, read_piped_text};
use virtual_screen::TextScreen;

/// The most bytes of a text: more than any screen shows, even with a color for each cell.
const MAX_BYTES: usize = 1 << 20;

/// Text as cells of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipedText {
    /// The width of the screen.
    pub columns: u16,
    /// The height of the screen.
    pub rows: u16,
    /// The cells that differ from an empty screen, in reading order.
    pub cells: Vec<TextCell>,
    /// The row of the cursor at the end, where a prompt would follow; `rows` if it is below the screen.
    pub cursor_row: u16,
    /// Whether only the first screenful is here, or its first [`MAX_PERCHES`] cells, as the text has more. Terminals show the last one.
    pub truncated: bool,
}

/// A character of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextCell {
    /// The row, counted from 0.
    pub row: u16,
    /// The column, counted from 0, of the left half if it is wide.
    pub column: u16,
    /// The character. It is a space if only its background or a line can be seen.
    pub glyph: Cell,
}

impl PipedText {
    /// The message for a text that does not fit.
    pub fn notice(&self) -> Option<String> {
        let count = self.cells.len();
        let limit = match self.rows {
            _ if count == MAX_PERCHES => format!("{count} characters"),
            1 => "line".to_owned(),
            rows => format!("{rows} lines"),
        };
        self.truncated.then(|| format!("the text is longer than the screen: showing the first {limit}"))
    }

    /// Writes the text to a terminal that shows no viewer, with at most these colors and characters. Each line ends in a line feed.
    /// No byte of the input is copied: the cells are encoded again.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn print(&self, depth: ColorDepth, charset: Charset, out: &mut impl Write) -> io::Result<()> {
        let height = self.cells.last().map_or(0, |cell| cell.row + 1);
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.columns, height));
        for cell in &self.cells {
            draw_glyph(&mut buffer, Position::new(cell.column, cell.row), &cell.glyph, depth);
        }
        out.write_all(&encode_lines(&buffer, charset))?;
        out.flush()
    }
}

/// Bytes that are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot show standard input as text: byte {offset} is zero, as in binary data; UTF-8 text would be valid")]
pub struct NotText {
    /// The position of the first zero byte, counted from 0.
    pub offset: usize,
}

/// Reads text in pieces.
///
/// Colors, attributes and cursor movements apply. All other control sequences are ignored, including the alternate screen. A line
/// feed also returns to the first column. Invalid UTF-8 becomes replacement characters, concealed text blank, and invisible
/// characters, such as direction marks and joiners, are left out.
pub struct TextReader {
    parser: Processor<Unsynchronized>,
    screen: TextScreen,
    /// The start of a character whose other bytes are missing.
    partial: Vec<u8>,
    read: usize,
}

impl TextReader {
    /// A reader for a screen of this size.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self { parser: Processor::new(), screen: TextScreen::new(columns, rows), partial: Vec::new(), read: 0 }
    }

    /// Reads the next bytes; none once the reader [is full](Self::is_full).
    ///
    /// # Errors
    ///
    /// [`NotText`] if they have a zero byte, as no text does.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), NotText> {
        if self.is_full() {
            return Ok(());
        }
        let bytes = &bytes[..bytes.len().min(MAX_BYTES - self.read)];
        let text = bytes.iter().position(|byte| *byte == 0).map_or(bytes, |end| &bytes[..end]);
        let offset = self.read + text.len();
        self.read += bytes.len();
        self.decode(text);
        if text.len() < bytes.len() && !self.screen.is_full() { Err(NotText { offset }) } else { Ok(()) }
    }

    /// Whether the screen or the memory is full. What follows is not needed.
    pub fn is_full(&self) -> bool {
        self.screen.is_full() || self.read >= MAX_BYTES
    }

    /// The text.
    pub fn finish(mut self) -> PipedText {
        if !self.partial.is_empty() {
            self.show(char::REPLACEMENT_CHARACTER.encode_utf8(&mut [0; 3]));
        }
        let (columns, rows, cursor_row) = (self.screen.columns(), self.screen.rows(), self.screen.cursor_row());
        let is_full = self.is_full();
        let glyphs = self.screen.into_glyphs();
        let mut cells: Vec<TextCell> = glyphs.map(|(row, column, glyph)| TextCell { row, column, glyph }).collect();
        let truncated = is_full || cells.len() > MAX_PERCHES;
        cells.truncate(MAX_PERCHES);
        PipedText { columns, rows, cells, cursor_row, truncated }
    }

    /// Shows bytes with replacement characters for invalid ones, whatever the pieces in which they arrive.
    fn decode(&mut self, bytes: &[u8]) {
        let mut all = std::mem::take(&mut self.partial);
        all.extend_from_slice(bytes);
        let mut rest = &all[..];
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, invalid) = rest.split_at(error.valid_up_to());
            self.show(&String::from_utf8_lossy(valid));
            let Some(length) = error.error_len() else {
                self.partial = invalid.to_vec();
                return;
            };
            self.show(char::REPLACEMENT_CHARACTER.encode_utf8(&mut [0; 3]));
            rest = &invalid[length..];
        }
        self.show(&String::from_utf8_lossy(rest));
    }

    fn show(&mut self, text: &str) {
        self.parser.advance(&mut self.screen, text.as_bytes());
    }
}

/// Ignores synchronized updates, which only delay what a terminal shows.
#[derive(Default)]
struct Unsynchronized;

impl Timeout for Unsynchronized {
    fn set_timeout(&mut self, _: std::time::Duration) {}

    fn clear_timeout(&mut self) {}

    fn pending_timeout(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
