//! The list of presets to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::overlay;
use super::text::{left, line};
use crate::tui::app::App;

/// How wide the names' column is.
const NAMES: u16 = 14;
/// How wide the whole is at most.
const WIDTH: u16 = 84;

/// Where the list lies, and its lines inside.
#[must_use]
pub fn place(around: Rect, app: &App) -> (Rect, Rect) {
    overlay::place(around, size(app))
}

fn size(app: &App) -> (u16, u16) {
    (WIDTH, app.presets.len() as u16)
}

/// The first preset that is shown, so that the chosen one is among them.
#[must_use]
pub fn first(inner: Rect, chosen: usize) -> usize {
    (chosen + 1).saturating_sub(usize::from(inner.height))
}

/// Draws the list, one preset marked. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, chosen: usize) -> Rect {
    let look = &app.dress.look;
    let (area, inner) = overlay::open(buffer, around, size(app), "presets", look);
    let shown = app.presets.iter().enumerate().skip(first(inner, chosen));
    for (number, (place, preset)) in (0..inner.height).zip(shown) {
        let row = line(inner, number);
        let style = if place == chosen { look.accent } else { look.text };
        let mark = if place == chosen { "▸" } else { " " };
        let x = left(buffer, row, &format!("{mark}{} {}", place + 1, preset.name), style);
        let x = x.max(row.x + NAMES - 1) + 1;
        let rest = Rect { x: x.min(row.right()), width: row.right().saturating_sub(x), ..row };
        let x = left(buffer, rest, if preset.own { "yours " } else { "" }, look.accent);
        let rest = Rect { x, width: row.right().saturating_sub(x), ..rest };
        left(buffer, rest, &preset.summary, if place == chosen { look.text } else { look.dim });
    }
    area
}
