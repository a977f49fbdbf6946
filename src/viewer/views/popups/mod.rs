//! Popups over the flock.

pub(crate) mod command;
pub mod help;
pub(crate) mod palette;
pub(crate) mod presets;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::text::{left, line, right, wrap};
use crate::viewer::theme::ResolvedTheme;

/// The height of a list's footer: a rule and two lines.
pub const FOOTER_HEIGHT: u16 = 3;
/// The minimum number of entries above a footer.
const ENTRIES: u16 = 4;

/// Centers a popup with `(width, height)` inside its border, shrunk to fit. Returns its area and its inside.
#[must_use]
pub fn place(around: Rect, (width, height): (u16, u16)) -> (Rect, Rect) {
    let (width, height) = ((width + 2).min(around.width), (height + 2).min(around.height));
    let area =
        Rect { x: around.x + (around.width - width) / 2, y: around.y + (around.height - height) / 2, width, height };
    (area, Block::bordered().inner(area))
}

/// Draws an empty popup of a size with a title. Returns its area and its inside.
pub fn open(buffer: &mut Buffer, around: Rect, size: (u16, u16), title: &str, theme: &ResolvedTheme) -> (Rect, Rect) {
    let (area, inner) = place(around, size);
    frame(buffer, area, title, theme);
    (area, inner)
}

/// Draws an empty popup.
pub fn frame(buffer: &mut Buffer, area: Rect, title: &str, theme: &ResolvedTheme) {
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    let block = Block::bordered().border_style(theme.dim).title(format!(" {title} ")).title_style(theme.accent);
    block.render(area, buffer);
}

/// Divides the inside of a list into its entries and a footer. The footer describes the selected entry in lists
/// narrower than `wide`, which have no space for descriptions next to the names.
#[must_use]
pub fn divide(inside: Rect, wide: u16) -> (Rect, Rect) {
    let foot = if inside.width < wide && inside.height >= ENTRIES + FOOTER_HEIGHT { FOOTER_HEIGHT } else { 0 };
    let entries = Rect { height: inside.height - foot, ..inside };
    (entries, Rect { y: entries.bottom(), height: foot, ..inside })
}

/// The first visible entry of a list, so that the selected one is visible.
#[must_use]
pub fn first_visible(entries: Rect, selected: usize) -> usize {
    (selected + 1).saturating_sub(usize::from(entries.height))
}

/// Draws a list's footer.
pub fn draw_footer(buffer: &mut Buffer, foot: Rect, sentence: &str, theme: &ResolvedTheme) {
    rule(buffer, line(foot, 0), theme);
    for (number, text) in (1..foot.height).zip(wrap(sentence, usize::from(foot.width.saturating_sub(1)))) {
        left(buffer, line(foot, number), &format!(" {text}"), theme.text);
    }
}

/// Draws a horizontal rule.
pub fn rule(buffer: &mut Buffer, row: Rect, theme: &ResolvedTheme) {
    left(buffer, row, &"─".repeat(usize::from(row.width)), theme.dim);
}

/// Shows the number of lines below on the lower border.
pub fn draw_more(buffer: &mut Buffer, area: Rect, below: usize, theme: &ResolvedTheme) {
    if below > 0 {
        let foot = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
        right(buffer, foot, &format!(" {below} more ↓ "), theme.dim);
    }
}
