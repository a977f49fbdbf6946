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

/// Draws the list, one preset marked. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, chosen: usize) -> Rect {
    let (area, inner) = overlay::open(buffer, around, (WIDTH, app.presets.len() as u16), "presets", &app.dress.look);
    let first = (chosen + 1).saturating_sub(usize::from(inner.height));
    for (number, (place, preset)) in (0..inner.height).zip(app.presets.iter().enumerate().skip(first)) {
        let row = line(inner, number);
        let style = if place == chosen { app.dress.look.accent } else { app.dress.look.text };
        let mark = if place == chosen { "▸" } else { " " };
        left(buffer, row, &format!("{mark}{} {}", place + 1, preset.name), style);
        let rest = Rect { x: (row.x + NAMES).min(row.right()), width: row.width.saturating_sub(NAMES), ..row };
        left(buffer, rest, &preset.summary, if place == chosen { app.dress.look.text } else { app.dress.look.dim });
    }
    area
}
