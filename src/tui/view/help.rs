//! Every key and what it does, read from the table of actions.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::overlay;
use super::text::{left, line, right};
use crate::tui::Action;
use crate::tui::app::App;

/// How wide the keys' column is at least and at most.
const KEYS: (usize, usize) = (16, 26);
/// How wide the whole is at most.
const WIDTH: u16 = 78;

/// Where the help lies.
#[must_use]
pub fn place(around: Rect) -> Rect {
    overlay::place(around, (WIDTH, Action::ALL.len() as u16)).0
}

/// Draws the help, from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let entries: Vec<(String, &str)> =
        Action::ALL.iter().map(|action| (app.keymap.keys(*action).join(" "), action.sentence())).collect();
    let (area, inner) = overlay::open(buffer, around, (WIDTH, entries.len() as u16), "keys", &app.dress.look);

    let widest = entries.iter().map(|(keys, _)| keys.width()).max().unwrap_or(0);
    let column = widest.clamp(KEYS.0, KEYS.1) as u16;
    let room = usize::from(inner.height);
    let first = first.min(entries.len().saturating_sub(room));
    for (number, (keys, sentence)) in (0..).zip(entries.iter().skip(first).take(room)) {
        let place = line(inner, number);
        let keys_end = Rect { width: column.min(place.width), ..place };
        right(buffer, keys_end, keys, app.dress.look.accent);
        let text = Rect { x: keys_end.right(), width: place.width - keys_end.width, ..place };
        left(buffer, text, &format!("  {sentence}"), app.dress.look.text);
    }
    if first + room < entries.len() {
        let more = format!(" {} more ↓ ", entries.len() - first - room);
        right(
            buffer,
            Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area },
            &more,
            app.dress.look.dim,
        );
    }
    area
}
