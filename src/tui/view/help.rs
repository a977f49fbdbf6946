//! Every key and what it does, read from the table of actions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::text::{left, line, right};
use crate::tui::Action;
use crate::tui::app::App;

/// How wide the keys' column is.
const KEYS: u16 = 16;
/// How wide the whole is at most.
const WIDTH: u16 = 78;

/// Draws the help, from its `first` line on.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) {
    let entries: Vec<(String, &str)> =
        Action::ALL.iter().map(|action| (app.keymap.keys(*action).join(" "), action.sentence())).collect();
    let area = middle(around, WIDTH, entries.len() as u16 + 2);
    Clear.render(area, buffer);
    buffer.set_style(area, app.look.text);
    let block = Block::bordered().border_style(app.look.dim).title(" keys ").title_style(app.look.accent);
    let inner = block.inner(area);
    block.render(area, buffer);

    let room = usize::from(inner.height);
    let first = first.min(entries.len().saturating_sub(room));
    for (number, (keys, sentence)) in (0..).zip(entries.iter().skip(first).take(room)) {
        let place = line(inner, number);
        let keys_end = Rect { width: KEYS.min(place.width), ..place };
        right(buffer, keys_end, keys, app.look.accent);
        let text = Rect { x: keys_end.right(), width: place.width - keys_end.width, ..place };
        left(buffer, text, &format!("  {sentence}"), app.look.text);
    }
    if first + room < entries.len() {
        let more = format!(" {} more ↓ ", entries.len() - first - room);
        right(
            buffer,
            Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area },
            &more,
            app.look.dim,
        );
    }
}

/// An area of at most this size in the middle of another.
pub fn middle(around: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(around.width), height.min(around.height));
    Rect { x: around.x + (around.width - width) / 2, y: around.y + (around.height - height) / 2, width, height }
}
