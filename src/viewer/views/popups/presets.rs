//! The list of presets to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::views::popups;
use crate::viewer::views::text::{left, line};

/// How wide the names' column is.
const NAMES: u16 = 16;
/// From so many columns on summaries stand beside the names.
const WIDE: u16 = NAMES + 36;
/// How wide the whole is at most.
const WIDTH: u16 = 84;

/// Where the list lies, and its lines inside.
#[must_use]
pub fn place(around: Rect, app: &App) -> (Rect, Rect) {
    let (area, inner) = popups::place(around, size(around, app));
    (area, popups::part(inner, WIDE).0)
}

fn size(around: Rect, app: &App) -> (u16, u16) {
    let foot = if around.width < WIDE + 2 { popups::FOOTER_HEIGHT } else { 0 };
    (WIDTH, app.presets().len() as u16 + foot)
}

/// The first preset that is shown, so that the chosen one is among them.
#[must_use]
pub fn first(inner: Rect, chosen: usize) -> usize {
    (chosen + 1).saturating_sub(usize::from(inner.height))
}

/// Draws the list, one preset marked. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, chosen: usize) -> Rect {
    let look = app.theme.resolved();
    let (area, inner) = popups::open(buffer, around, size(around, app), "presets", look);
    let (room, foot) = popups::part(inner, WIDE);
    let first = first(room, chosen);
    for (number, (place, preset)) in (0..room.height).zip(app.presets().iter().enumerate().skip(first)) {
        let row = line(room, number);
        let style = if place == chosen { look.accent } else { look.text };
        let mark = if place == chosen { "▸" } else { " " };
        let x = left(buffer, row, &format!("{mark}{:>2} {}", place + 1, preset.name), style);
        let x = x.max(row.x + NAMES - 1) + 1;
        let rest = Rect { x: x.min(row.right()), width: row.right().saturating_sub(x), ..row };
        let x = left(buffer, rest, if preset.from_user { "yours " } else { "" }, look.accent);
        if room.width >= WIDE {
            let rest = Rect { x, width: row.right().saturating_sub(x), ..rest };
            left(buffer, rest, &preset.summary, if place == chosen { look.text } else { look.dim });
        }
    }
    if let Some(preset) = app.presets().get(chosen) {
        popups::tell(buffer, foot, &preset.summary, look);
    }
    popups::more(buffer, area, app.presets().len().saturating_sub(first + usize::from(room.height)), look);
    area
}
