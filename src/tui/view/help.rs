//! Every key and what it does, read from the table of actions; and what the mouse does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::overlay;
use super::text::{left, line, right};
use crate::tui::Action;
use crate::tui::app::App;

/// What the mouse does, which no key file says otherwise.
const MOUSE: [(&str, &str); 5] = [
    ("hold left", "Attract the flock with the mouse."),
    ("hold right", "Repel it."),
    ("middle", "Put an obstacle there, drag it, or take it away."),
    ("wheel", "Zoom about the mouse; over the panel, choose a parameter."),
    ("drag", "A gauge: set it."),
];

/// How wide the keys' column is at least and at most.
const KEYS: (usize, usize) = (16, 26);
/// How wide the whole is at most.
const WIDTH: u16 = 78;

/// How many lines it has.
#[must_use]
pub fn length() -> usize {
    Action::ALL.len() + MOUSE.len()
}

/// Where the help lies.
#[must_use]
pub fn place(around: Rect) -> Rect {
    overlay::place(around, (WIDTH, length() as u16)).0
}

/// Draws the help, from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let keys = Action::ALL.iter().map(|action| (app.keymap.keys(*action).join(" "), action.sentence()));
    let mouse = MOUSE.into_iter().map(|(button, sentence)| (button.to_owned(), sentence));
    let entries: Vec<(String, &str)> = keys.chain(mouse).collect();
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
