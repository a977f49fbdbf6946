//! The command that reproduces the flock, for reading and copying.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::views::popups;
use crate::viewer::views::text::{left, line, wrap_anywhere};

/// The maximum width.
const WIDTH: u16 = 76;

/// The popup's area and its inside.
#[must_use]
pub fn place(around: Rect, app: &App) -> (Rect, Rect) {
    popups::place(around, size(around.width, length(around.width, app)))
}

/// The number of lines on a screen of `columns`.
#[must_use]
pub fn length(columns: u16, app: &App) -> usize {
    text(columns, app).len()
}

/// Draws the command from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let (theme, lines) = (app.theme.resolved(), text(around.width, app));
    let size = size(around.width, lines.len());
    let (area, inner) = popups::open(buffer, around, size, "command for this flock", theme);
    let height = usize::from(inner.height);
    let first = first.min(lines.len().saturating_sub(height));
    for (number, text) in (0..inner.height).zip(lines.iter().skip(first)) {
        left(buffer, line(inner, number), text, theme.text);
    }
    popups::draw_more(buffer, area, lines.len().saturating_sub(first + height), theme);
    area
}

/// The command and its comments, wrapped for a screen of `columns`.
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
