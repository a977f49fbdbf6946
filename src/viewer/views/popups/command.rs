//! The command that brings the flock back, whole, to be read and copied.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::views::popups;
use crate::viewer::views::text::{left, line, wrap_anywhere};

/// How wide it is at most.
const WIDTH: u16 = 76;

/// Where it lies, and the room inside.
#[must_use]
pub fn place(around: Rect, app: &App) -> (Rect, Rect) {
    popups::place(around, size(around.width, length(around.width, app)))
}

/// How many lines it has over a screen of so many columns.
#[must_use]
pub fn length(columns: u16, app: &App) -> usize {
    text(columns, app).len()
}

/// Draws the command, from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let (look, lines) = (app.theme.resolved(), text(around.width, app));
    let size = size(around.width, lines.len());
    let (area, inner) = popups::open(buffer, around, size, "this very flock again", look);
    let room = usize::from(inner.height);
    let first = first.min(lines.len().saturating_sub(room));
    for (number, text) in (0..inner.height).zip(lines.iter().skip(first)) {
        left(buffer, line(inner, number), text, look.text);
    }
    popups::more(buffer, area, lines.len().saturating_sub(first + room), look);
    area
}

/// The command, and what it cannot say below, in lines for a screen of so many columns.
fn text(columns: u16, app: &App) -> Vec<String> {
    let width = usize::from(width(columns));
    app.session.reproduce_command().text().lines().flat_map(|line| wrap_anywhere(line, width)).collect()
}

fn size(columns: u16, lines: usize) -> (u16, u16) {
    (width(columns), lines as u16)
}

fn width(columns: u16) -> u16 {
    WIDTH.min(columns.saturating_sub(2))
}
