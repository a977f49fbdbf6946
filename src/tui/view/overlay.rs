//! Boxes that lie over the flock.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::look::Look;

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
pub fn open(buffer: &mut Buffer, around: Rect, size: (u16, u16), title: &str, look: &Look) -> (Rect, Rect) {
    let (area, inner) = place(around, size);
    Clear.render(area, buffer);
    buffer.set_style(area, look.text);
    let block = Block::bordered().border_style(look.dim).title(format!(" {title} ")).title_style(look.accent);
    block.render(area, buffer);
    (area, inner)
}
