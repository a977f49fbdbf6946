//! The palette: a line that is typed, and what fits it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::viewer::app::App;
use crate::viewer::input::palette::{Palette, PaletteEntry};
use crate::viewer::theme::ResolvedTheme;
use crate::viewer::views::popups;
use crate::viewer::views::text::{elide_start, left, line, wrap};

/// How wide it is at most.
const WIDTH: u16 = 96;
/// How many entries are seen at most.
const LINES: u16 = 14;
/// The least lines for them: where there is none, a complaint takes as many.
const LEAST: usize = 2;
/// How wide the names' column is.
const NAMES: u16 = 28;
/// How wide the keys' column is.
const KEYS: u16 = 14;
/// From so many columns on sentences stand beside names and keys.
const WIDE: u16 = NAMES + KEYS + 24;

/// Where the palette lies, and its entries inside.
#[must_use]
pub fn place(around: Rect, palette: &Palette) -> (Rect, Rect) {
    let (area, inner) = fit(around, palette);
    (area, entries(inner).0)
}

/// The box and the room inside: from where the longest list begins down to the end of this one, so that a theme that is
/// tried on is seen. A narrow one stays as it is, for what it tells of the marked entry.
fn fit(around: Rect, palette: &Palette) -> (Rect, Rect) {
    let (area, inner) = popups::place(around, (WIDTH, LINES + 2));
    let lines = palette.found.len().clamp(LEAST, LINES.into()) as u16;
    let spare = if inner.width < WIDE { 0 } else { inner.height.saturating_sub(2 + lines) };
    let shorter = |room: Rect| Rect { height: room.height - spare, ..room };
    (shorter(area), shorter(inner))
}

/// The room for entries, below the line that is typed and a rule, and for what is told of the marked one.
fn entries(inner: Rect) -> (Rect, Rect) {
    let head = 2.min(inner.height);
    popups::part(Rect { y: inner.y + head, height: inner.height - head, ..inner }, WIDE)
}

/// The first entry that is shown, so that the marked one is among them.
#[must_use]
pub fn first(entries: Rect, marked: usize) -> usize {
    (marked + 1).saturating_sub(usize::from(entries.height))
}

/// Draws the palette. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, palette: &Palette) -> Rect {
    let look = app.theme.resolved();
    let (area, inner) = fit(around, palette);
    popups::frame(buffer, area, "actions, parameters, presets, themes", look);
    let head = line(inner, 0);
    let x = left(buffer, head, ":", look.accent);
    // Of a long line the end is seen, where the next letter comes.
    let typed = elide_start(&palette.text, usize::from(head.width).saturating_sub(2));
    let x = left(buffer, Rect { x, width: head.right() - x, ..head }, &typed, look.text);
    left(buffer, Rect { x, width: head.right() - x, ..head }, "▏", look.accent);
    if palette.text.is_empty() {
        let x = x + 2;
        let rest = Rect { x, width: head.right().saturating_sub(x), ..head };
        left(buffer, rest, "a few letters · separation.weight 1.4 sets it", look.dim);
    }
    popups::rule(buffer, line(inner, 1), look);
    let (room, foot) = entries(inner);
    if let Some(complaint) = palette.error() {
        for (number, text) in (0..room.height).zip(wrap(complaint, usize::from(room.width.saturating_sub(1)))) {
            left(buffer, line(room, number), &format!(" {text}"), look.accent);
        }
    }
    let first = first(room, palette.marked);
    let shown = palette.found.iter().enumerate().skip(first);
    for (number, (place, entry)) in (0..room.height).zip(shown) {
        draw_entry(buffer, line(room, number), entry, place == palette.marked, look);
    }
    if let Some(entry) = palette.found.get(palette.marked) {
        popups::tell(buffer, foot, &entry.summary, look);
    }
    popups::more(buffer, area, palette.found.len().saturating_sub(first + usize::from(room.height)), look);
    area
}

fn draw_entry(buffer: &mut Buffer, row: Rect, entry: &PaletteEntry, marked: bool, look: &ResolvedTheme) {
    let (mark, name, sentence) = if marked { ("▸", look.accent, look.text) } else { (" ", look.text, look.dim) };
    let column = |from: u16, width: u16| Rect {
        x: (row.x + from).min(row.right()),
        width: width.min(row.width.saturating_sub(from)),
        ..row
    };
    let names = NAMES.min(row.width.saturating_sub(KEYS));
    let whole = if entry.keys.is_empty() { names + KEYS } else { names };
    left(buffer, column(0, whole), &format!("{mark}{}", entry.name), name);
    left(buffer, column(names, KEYS - 1), &entry.keys, look.accent);
    if row.width >= WIDE {
        left(buffer, column(names + KEYS, row.width), &entry.summary, sentence);
    }
}
