//! The command palette: an input line and the matching entries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Block;

use super::{Palette, PaletteEntry};
use crate::viewer::popup::{Popup, draw_rule, place};
use crate::viewer::text::{elide_start, left, line, skip, wrap};
use crate::viewer::theme::ResolvedTheme;

/// The maximum width.
const WIDTH: u16 = 96;
/// The maximum number of visible entries.
const LINES: u16 = 14;
/// The minimum number of lines for entries, or for the error if nothing matches.
const LEAST: usize = 2;
/// The width of the name column.
const NAMES: u16 = 28;
/// The width of the key column.
const KEYS: u16 = 14;
/// The minimum width for a column of descriptions.
const WIDE: u16 = NAMES + KEYS + 24;

/// The list of entries, below the input line and a rule. A short list shrinks the popup from below, so that a theme
/// preview stays visible; a narrow popup keeps its height for the footer.
pub fn popup(around: Rect, palette: &Palette) -> Popup {
    let (area, inner) = place(around, WIDTH, LINES + 2);
    let lines = palette.found.len().clamp(LEAST, LINES.into()) as u16;
    let spare = if inner.width < WIDE { 0 } else { inner.height.saturating_sub(2 + lines) };
    let head = 2.min(inner.height);
    let area = Rect { height: area.height - spare, ..area };
    let list = Rect { y: inner.y + head, height: inner.height - head - spare, ..inner };
    Popup::list(area, list, WIDE, palette.found.len(), palette.marked)
}

/// Draws the palette. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, palette: &Palette, theme: &ResolvedTheme) -> Rect {
    let popup = popup(around, palette);
    popup.draw_frame(buffer, "actions, parameters, presets, themes", theme);
    let inner = Block::bordered().inner(popup.area);
    let rest = left(buffer, line(inner, 0), ":", theme.accent);
    // The end of a long line, where the cursor is.
    let typed = elide_start(&palette.text, usize::from(rest.width).saturating_sub(1));
    let rest = left(buffer, rest, &typed, theme.text);
    let rest = left(buffer, rest, "▏", theme.accent);
    if palette.text.is_empty() {
        left(buffer, skip(rest, 1), "type a few letters, or a value: separation.weight 1.4", theme.dim);
    }
    draw_rule(buffer, line(inner, 1), theme);
    if let Some(error) = palette.error() {
        let lines = wrap(error, usize::from(popup.inner.width.saturating_sub(1)));
        for (row, text) in popup.inner.rows().zip(lines) {
            left(buffer, row, &format!(" {text}"), theme.accent);
        }
    }
    for (row, entry, selected) in popup.visible(&palette.found) {
        draw_entry(buffer, row, entry, selected, theme);
    }
    popup.draw_footer(buffer, palette.found.get(palette.marked).map(|entry| entry.summary.as_str()), theme);
    popup.area
}

fn draw_entry(buffer: &mut Buffer, row: Rect, entry: &PaletteEntry, selected: bool, theme: &ResolvedTheme) {
    let (mark, name, summary) = if selected { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
    let names = NAMES.min(row.width.saturating_sub(KEYS));
    let keys = skip(row, names);
    let name_width = if entry.keys.is_empty() { names + KEYS } else { names };
    left(buffer, Rect { width: name_width.min(row.width), ..row }, &format!("{mark}{}", entry.name), name);
    left(buffer, Rect { width: keys.width.min(KEYS - 1), ..keys }, &entry.keys, theme.accent);
    if row.width >= WIDE {
        left(buffer, skip(keys, KEYS), &entry.summary, summary);
    }
}
