//! The command palette: an input line and the matching entries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::input::palette::{Palette, PaletteEntry};
use crate::viewer::theme::ResolvedTheme;
use crate::viewer::views::popups;
use crate::viewer::views::text::{elide_start, left, line, wrap};

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

/// The popup's area and the area of its entries.
#[must_use]
pub fn place(around: Rect, palette: &Palette) -> (Rect, Rect) {
    let (area, inner) = fit(around, palette);
    (area, entries(inner).0)
}

/// The popup's area and its inside. A short list shrinks it from below, so that a theme preview stays visible; a narrow
/// popup keeps its height for the footer.
fn fit(around: Rect, palette: &Palette) -> (Rect, Rect) {
    let (area, inner) = popups::place(around, (WIDTH, LINES + 2));
    let lines = palette.found.len().clamp(LEAST, LINES.into()) as u16;
    let spare = if inner.width < WIDE { 0 } else { inner.height.saturating_sub(2 + lines) };
    let shorter = |list: Rect| Rect { height: list.height - spare, ..list };
    (shorter(area), shorter(inner))
}

/// The areas of the entries, below the input line and a rule, and of the footer.
fn entries(inner: Rect) -> (Rect, Rect) {
    let head = 2.min(inner.height);
    popups::divide(Rect { y: inner.y + head, height: inner.height - head, ..inner }, WIDE)
}

/// Draws the palette. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, palette: &Palette) -> Rect {
    let theme = app.theme.resolved();
    let (area, inner) = fit(around, palette);
    popups::frame(buffer, area, "actions, parameters, presets, themes", theme);
    let head = line(inner, 0);
    let x = left(buffer, head, ":", theme.accent);
    // The end of a long line, where the cursor is.
    let typed = elide_start(&palette.text, usize::from(head.width).saturating_sub(2));
    let x = left(buffer, Rect { x, width: head.right() - x, ..head }, &typed, theme.text);
    left(buffer, Rect { x, width: head.right() - x, ..head }, "▏", theme.accent);
    if palette.text.is_empty() {
        let x = x + 2;
        let rest = Rect { x, width: head.right().saturating_sub(x), ..head };
        left(buffer, rest, "type a few letters, or a value: separation.weight 1.4", theme.dim);
    }
    popups::rule(buffer, line(inner, 1), theme);
    let (list, foot) = entries(inner);
    if let Some(complaint) = palette.error() {
        for (number, text) in (0..list.height).zip(wrap(complaint, usize::from(list.width.saturating_sub(1)))) {
            left(buffer, line(list, number), &format!(" {text}"), theme.accent);
        }
    }
    let first = popups::first_visible(list, palette.marked);
    let shown = palette.found.iter().enumerate().skip(first);
    for (number, (place, entry)) in (0..list.height).zip(shown) {
        draw_entry(buffer, line(list, number), entry, place == palette.marked, theme);
    }
    if let Some(entry) = palette.found.get(palette.marked) {
        popups::draw_footer(buffer, foot, &entry.summary, theme);
    }
    popups::draw_more(buffer, area, palette.found.len().saturating_sub(first + usize::from(list.height)), theme);
    area
}

fn draw_entry(buffer: &mut Buffer, row: Rect, entry: &PaletteEntry, marked: bool, theme: &ResolvedTheme) {
    let (mark, name, sentence) = if marked { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
    let column = |from: u16, width: u16| Rect {
        x: (row.x + from).min(row.right()),
        width: width.min(row.width.saturating_sub(from)),
        ..row
    };
    let names = NAMES.min(row.width.saturating_sub(KEYS));
    let whole = if entry.keys.is_empty() { names + KEYS } else { names };
    left(buffer, column(0, whole), &format!("{mark}{}", entry.name), name);
    left(buffer, column(names, KEYS - 1), &entry.keys, theme.accent);
    if row.width >= WIDE {
        left(buffer, column(names + KEYS, row.width), &entry.summary, sentence);
    }
}
