//! Prints text below the prompt, as the screen showed it.

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::PipedText;
use crate::terminal::{Charset, ColorDepth, encode_lines};
use crate::viewer::theme::glyph_cell::draw_glyph;

impl PipedText {
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
            draw_glyph(&mut buffer, (cell.column, cell.row), &cell.glyph, depth);
        }
        out.write_all(&encode_lines(&buffer, charset))?;
        out.flush()
    }
}
