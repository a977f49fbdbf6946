//! What the screen should show goes in, by lines, by parts of a buffer, or as from any `Terminal` of ratatui's; the bytes
//! that make the terminal show it come out.

use std::convert::Infallible;

use ratatui::backend::{self, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};

use super::Tolerance;
use super::byte_buffer::ByteBuffer;
use super::cell_row::CellRow;
use super::screen_diff::ScreenDiff;
use crate::terminal::Charset;

/// A backend that writes nothing by itself: [`encode`](Self::encode) takes the bytes when it is time.
#[derive(Debug)]
pub struct Backend {
    screen: ScreenDiff,
    page: ByteBuffer,
}

/// The terminal shows nothing of a frame until it is whole (synchronized output, mode 2026).
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
/// Asks where the cursor is: the answer says that all before it has been shown.
const ASK: &[u8] = b"\x1b[6n";
/// What stands round a frame, at most.
const AROUND: usize = 40;

/// CellAttrs a frame is written.
#[derive(Clone, Copy, Debug)]
pub struct FrameOptions {
    /// At most so many bytes in all.
    pub budget: usize,
    /// CellAttrs far colors may be off.
    pub tolerance: Tolerance,
    /// Whether what is behind all else is put right, a row each frame, however little it is off: on a ground as large as
    /// a sky or a glow that is seen.
    pub exact_background: bool,
    /// Whether frames are kept back until they are whole.
    pub synchronized: bool,
    /// The row to which the cursor goes for the other end's answer, where one is asked for.
    pub ack_row: Option<u16>,
}

impl Backend {
    /// For a screen of this size, of which nobody knows what it shows, and with these characters.
    #[must_use]
    pub fn new(size: Size, charset: Charset) -> Self {
        Self { screen: ScreenDiff::new(size.width, size.height, charset), page: ByteBuffer::default() }
    }

    /// The terminal has another size now; what it shows is not known any more.
    pub fn resize(&mut self, size: Size) {
        self.screen.resize(size.width, size.height);
    }

    /// Draws a line, from a column on, past ratatui: a flock has thousands of cells, each frame.
    pub fn lay(&mut self, column: u16, row: u16, line: &CellRow) {
        self.screen.lay(column, row, line);
    }

    /// Draws part of a buffer of ratatui's.
    pub fn paste(&mut self, buffer: &Buffer, part: Rect) {
        let part = part.intersection(buffer.area);
        if part.is_empty() {
            return;
        }
        for row in part.top()..part.bottom() {
            let first = buffer.index_of(part.x, row);
            let cells = &buffer.content[first..first + usize::from(part.width)];
            for (column, cell) in (part.left()..).zip(cells) {
                self.screen.want(column, row, cell);
            }
        }
    }

    /// Whether the terminal shows anything else than it should; where the ground is to be exact, however little else.
    #[must_use]
    pub fn is_dirty(&self, exact_background: bool) -> bool {
        self.screen.is_dirty(exact_background)
    }

    /// Writes a frame, or as much of it as the budget holds; nothing, where there is nothing to be said. Says whether that
    /// was its end: where the budget is small it goes out in bands of rows.
    pub fn encode(&mut self, framing: FrameOptions, out: &mut Vec<u8>) -> bool {
        let page = &mut self.page;
        page.clear();
        if framing.synchronized {
            page.write(BEGIN);
        }
        let body = page.len();
        let room = framing.budget.saturating_sub(AROUND);
        let is_whole = self.screen.encode(page, room, framing.tolerance, framing.exact_background);
        if page.len() == body {
            return is_whole;
        }
        if framing.synchronized {
            page.write(END);
        }
        if let Some(row) = framing.ack_row {
            self.screen.park(row, page);
            page.write(ASK);
        }
        out.extend_from_slice(page.text());
        is_whole
    }
}

impl backend::Backend for Backend {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (column, row, cell) in content {
            self.screen.want(column, row, cell);
        }
        Ok(())
    }

    /// The cursor is hidden for as long as the terminal is ours.
    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.screen.clear();
        Ok(())
    }

    /// The whole screen, whichever part was meant: ratatui clears parts only of inline viewports.
    fn clear_region(&mut self, _: ClearType) -> Result<(), Infallible> {
        self.screen.clear();
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.screen.size().into())
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize { columns_rows: self.screen.size().into(), pixels: Size::ZERO })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
