//! The command that reproduces the flock, for reading and copying.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::context::Context;
use crate::viewer::layout::Popup;
use crate::viewer::text::{left, wrap_anywhere};

/// The maximum width.
const WIDTH: u16 = 76;

/// The command and its comments, wrapped for a screen of `columns`.
pub fn text(columns: u16, context: &Context) -> Vec<String> {
    let width = usize::from(width(columns));
    context
        .presets
        .reproduce_command(&context.client)
        .text()
        .lines()
        .flat_map(|line| wrap_anywhere(line, width))
        .collect()
}

/// The popup with these lines, scrolled to the `first` one.
pub fn popup(around: Rect, lines: &[String], first: usize) -> Popup {
    Popup::text(around, (width(around.width), lines.len()), lines.len(), first)
}

/// Draws the command from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, context: &Context, first: usize) -> Rect {
    let (theme, lines) = (context.theme.resolved(), text(around.width, context));
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
