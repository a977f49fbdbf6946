//! The list of presets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::views::popups;
use crate::viewer::views::text::{left, line};

/// The width of the name column.
const NAMES: u16 = 16;
/// The minimum width for a column of summaries.
const WIDE: u16 = NAMES + 36;
/// The maximum width.
const WIDTH: u16 = 84;

/// The popup's area and the area of its entries.
#[must_use]
pub fn place(around: Rect, app: &App) -> (Rect, Rect) {
    let (area, inner) = popups::place(around, size(around, app));
    (area, popups::divide(inner, WIDE).0)
}

fn size(around: Rect, app: &App) -> (u16, u16) {
    let foot = if around.width < WIDE + 2 { popups::FOOTER_HEIGHT } else { 0 };
    (WIDTH, app.presets.len() as u16 + foot)
}

/// Draws the list with one preset selected. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, chosen: usize) -> Rect {
    let theme = app.theme.resolved();
    let (area, inner) = popups::open(buffer, around, size(around, app), "presets", theme);
    let (list, foot) = popups::divide(inner, WIDE);
    let first = popups::first_visible(list, chosen);
    for (number, (place, preset)) in (0..list.height).zip(app.presets.iter().enumerate().skip(first)) {
        let row = line(list, number);
        let style = if place == chosen { theme.accent } else { theme.text };
        let mark = if place == chosen { "▸" } else { " " };
        let x = left(buffer, row, &format!("{mark}{:>2} {}", place + 1, preset.name), style);
        let x = x.max(row.x + NAMES - 1) + 1;
        let rest = Rect { x: x.min(row.right()), width: row.right().saturating_sub(x), ..row };
        let x = left(buffer, rest, if preset.from_user { "yours " } else { "" }, theme.accent);
        if list.width >= WIDE {
            let rest = Rect { x, width: row.right().saturating_sub(x), ..rest };
            left(buffer, rest, &preset.summary, if place == chosen { theme.text } else { theme.dim });
        }
    }
    if let Some(preset) = app.presets.get(chosen) {
        popups::draw_footer(buffer, foot, &preset.summary, theme);
    }
    popups::draw_more(buffer, area, app.presets.len().saturating_sub(first + usize::from(list.height)), theme);
    area
}
