//! The command that reproduces the flock, for reading and copying.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Popup;
use crate::viewer::app::App;
use crate::viewer::views::text::{left, wrap_anywhere};

/// The maximum width.
const WIDTH: u16 = 76;

/// The command and its comments, wrapped for a screen of `columns`.
pub fn text(columns: u16, app: &App) -> Vec<String> {
    let width = usize::from(width(columns));
    app.reproduce_command().text().lines().flat_map(|line| wrap_anywhere(line, width)).collect()
}

/// The popup with these lines, scrolled to the `first` one.
pub fn popup(around: Rect, lines: &[String], first: usize) -> Popup {
    Popup::text(around, width(around.width), lines.len(), first)
}

/// Draws the command from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let (theme, lines) = (app.theme.resolved(), text(around.width, app));
    let popup = popup(around, &lines, first);
    popup.draw_frame(buffer, "command for this flock", theme);
    for (row, text, _) in popup.visible(&lines) {
        left(buffer, row, text, theme.text);
    }
    popup.area
}

fn width(columns: u16) -> u16 {
    WIDTH.min(columns.saturating_sub(2))
}
