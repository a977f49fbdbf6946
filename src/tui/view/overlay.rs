//! Boxes that lie over the flock.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::look::Look;

/// Opens a box with room for `(width, height)` in the middle of an area, or less where there is
/// less. Returns the box, and the room inside.
pub fn open(buffer: &mut Buffer, around: Rect, (width, height): (u16, u16), title: &str, look: &Look) -> (Rect, Rect) {
    let (width, height) = ((width + 2).min(around.width), (height + 2).min(around.height));
    let area =
        Rect { x: around.x + (around.width - width) / 2, y: around.y + (around.height - height) / 2, width, height };
    Clear.render(area, buffer);
    buffer.set_style(area, look.text);
    let block = Block::bordered().border_style(look.dim).title(format!(" {title} ")).title_style(look.accent);
    let inner = block.inner(area);
    block.render(area, buffer);
    (area, inner)
}
