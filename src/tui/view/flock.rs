//! The flock itself.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::canvas::{Content, Picture};
use crate::tui::app::App;

/// Draws a picture, as much of it as fits.
pub fn draw(buffer: &mut Buffer, area: Rect, picture: &Picture, app: &App) {
    let (columns, rows) = (picture.columns.min(usize::from(area.width)), picture.rows.min(usize::from(area.height)));
    let width = usize::from(buffer.area.width);
    let corner = usize::from(area.y) * width + usize::from(area.x);
    for row in 0..rows {
        let from = &picture.cells[row * picture.columns..][..columns];
        let into = &mut buffer.content[corner + row * width..][..columns];
        for (from, into) in from.iter().zip(into).filter(|(from, _)| from.content != Content::Empty) {
            // Behind a boid stays what is there: the ground, or a sky.
            let style = Style { bg: None, ..app.look.cell(*from, app.coloring) };
            into.set_char(braille(from.dots)).set_style(style);
        }
    }
}

/// The braille character with these dots.
fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}
