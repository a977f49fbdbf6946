//! The list of presets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::context::Context;
use crate::viewer::layout::{FOOTER_HEIGHT, Popup, place};
use crate::viewer::text::{left, skip};

/// The width of the name column.
const NAMES: u16 = 16;
/// The minimum width for a column of summaries.
const WIDE: u16 = NAMES + 36;
/// The maximum width.
const WIDTH: u16 = 84;

/// The list with one preset selected.
pub fn popup(around: Rect, context: &Context, selected: usize) -> Popup {
    let foot = if around.width < WIDE + 2 { FOOTER_HEIGHT } else { 0 };
    let (area, inner) = place(around, WIDTH, context.presets.all.len() as u16 + foot);
    Popup::list(area, inner, WIDE, context.presets.all.len(), selected)
}

/// Draws the list. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, context: &Context, selected: usize) -> Rect {
    let theme = context.theme.resolved();
    let popup = popup(around, context, selected);
    popup.draw_frame(buffer, "presets", theme);
    for (number, (row, preset, chosen)) in (popup.first + 1..).zip(popup.visible(&context.presets.all)) {
        let (mark, name, summary) =
            if chosen { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
        let used = row.width - left(buffer, row, &format!("{mark}{number:>2} {}", preset.name), name).width;
        let rest = skip(row, used.max(NAMES - 1) + 1);
        let rest = left(buffer, rest, if preset.from_user { "yours " } else { "" }, theme.accent);
        if row.width >= WIDE {
            left(buffer, rest, &preset.summary, summary);
        }
    }
    popup.draw_footer(buffer, context.presets.all.get(selected).map(|preset| preset.summary.as_str()), theme);
    popup.area
}
