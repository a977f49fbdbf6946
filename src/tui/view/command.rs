//! The command that brings the flock back, whole, to be read and copied.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::overlay;
use super::text::{left, line, wrap};
use crate::tui::app::App;

/// How wide it is at most.
const WIDTH: u16 = 76;

/// Draws the command, broken between words. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App) -> Rect {
    let width = WIDTH.min(around.width.saturating_sub(2));
    let lines = text(app, usize::from(width));
    let (area, inner) =
        overlay::open(buffer, around, (width, lines.len() as u16), "this very flock again", &app.dress.look);
    for (number, text) in (0..inner.height).zip(&lines) {
        left(buffer, line(inner, number), text, app.dress.look.text);
    }
    area
}

/// The command, and what it cannot say below.
fn text(app: &App, width: usize) -> Vec<String> {
    app.wishes.revival().text().lines().flat_map(|line| wrap(line, width)).collect()
}
