//! Boxes that lie over the flock.

pub(crate) mod command;
pub mod help;
pub(crate) mod palette;
pub(crate) mod presets;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::text::{left, line, right, wrap};
use crate::viewer::theme::ResolvedTheme;

/// How many lines a sentence below a list takes, and the rule above it.
pub const FOOTER_HEIGHT: u16 = 3;
/// How many entries a list must have room for besides.
const ENTRIES: u16 = 4;

/// A box with room for `(width, height)` in the middle of an area, or less where there is less: the box, and
/// the room inside its border.
#[must_use]
pub fn place(around: Rect, (width, height): (u16, u16)) -> (Rect, Rect) {
    let (width, height) = ((width + 2).min(around.width), (height + 2).min(around.height));
    let area =
        Rect { x: around.x + (around.width - width) / 2, y: around.y + (around.height - height) / 2, width, height };
    (area, Block::bordered().inner(area))
}

/// Opens such a box, with a title.
pub fn open(buffer: &mut Buffer, around: Rect, size: (u16, u16), title: &str, look: &ResolvedTheme) -> (Rect, Rect) {
    let (area, inner) = place(around, size);
    frame(buffer, area, title, look);
    (area, inner)
}

/// Draws an empty box.
pub fn frame(buffer: &mut Buffer, area: Rect, title: &str, look: &ResolvedTheme) {
    Clear.render(area, buffer);
    buffer.set_style(area, look.text);
    let block = Block::bordered().border_style(look.dim).title(format!(" {title} ")).title_style(look.accent);
    block.render(area, buffer);
}

/// Parts the room for a list: its entries, and below them, where it is narrower than `wide`, what the marked one's
/// sentence takes; beside its name hardly a word of that would be seen.
#[must_use]
pub fn part(room: Rect, wide: u16) -> (Rect, Rect) {
    let foot = if room.width < wide && room.height >= ENTRIES + FOOTER_HEIGHT { FOOTER_HEIGHT } else { 0 };
    let entries = Rect { height: room.height - foot, ..room };
    (entries, Rect { y: entries.bottom(), height: foot, ..room })
}

/// Says below a list what its marked entry is about.
pub fn tell(buffer: &mut Buffer, foot: Rect, sentence: &str, look: &ResolvedTheme) {
    rule(buffer, line(foot, 0), look);
    for (number, text) in (1..foot.height).zip(wrap(sentence, usize::from(foot.width.saturating_sub(1)))) {
        left(buffer, line(foot, number), &format!(" {text}"), look.text);
    }
}

/// Draws a rule.
pub fn rule(buffer: &mut Buffer, row: Rect, look: &ResolvedTheme) {
    left(buffer, row, &"─".repeat(usize::from(row.width)), look.dim);
}

/// Says on the lower border of a box how many lines there are below.
pub fn more(buffer: &mut Buffer, area: Rect, below: usize, look: &ResolvedTheme) {
    if below > 0 {
        let foot = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
        right(buffer, foot, &format!(" {below} more ↓ "), look.dim);
    }
}
