//! Every key and what it does, read from the table of actions; and what the mouse does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::overlay;
use super::text::{left, line, right};
use crate::tui::app::App;
use crate::tui::hands::BUTTONS;
use crate::tui::{Action, Keymap};

/// How wide the keys' column is at least and at most.
const KEYS: (usize, usize) = (16, 26);
/// How wide the whole is at most.
const WIDTH: u16 = 92;

/// A line of the help.
enum Entry {
    Gap,
    Heading(&'static str),
    Row(String, &'static str),
}

impl Entry {
    fn keys_width(&self) -> usize {
        match self {
            Self::Row(keys, _) => keys.width(),
            Self::Gap | Self::Heading(_) => 0,
        }
    }
}

/// How many lines it has.
#[must_use]
pub fn length(keymap: &Keymap) -> usize {
    entries(keymap).len()
}

fn entries(keymap: &Keymap) -> Vec<Entry> {
    let keys = |heading, rows: Vec<Entry>| [Entry::Gap, Entry::Heading(heading)].into_iter().chain(rows);
    let actions = Action::GROUPS.iter().flat_map(|(heading, actions)| {
        let rows = actions.iter().filter(|action| action.preset().is_none());
        let rows = rows.map(|action| Entry::Row(keymap.keys(*action).join(" "), action.sentence()));
        let numbered: Vec<String> =
            actions.iter().filter(|action| action.preset().is_some()).flat_map(|action| keymap.keys(*action)).collect();
        let numbered = (!numbered.is_empty())
            .then(|| Entry::Row(numbered.join(" "), "Fly the first preset, the second and so on."));
        keys(heading, rows.chain(numbered).collect())
    });
    let mouse = BUTTONS.iter().map(|(_, button, sentence)| Entry::Row((*button).to_owned(), sentence));
    actions.chain(keys("Mouse", mouse.collect())).skip(1).collect()
}

/// Where the help lies.
#[must_use]
pub fn place(around: Rect, keymap: &Keymap) -> Rect {
    overlay::place(around, (WIDTH, length(keymap) as u16)).0
}

/// Draws the help, from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let (look, entries) = (&app.dress.look, entries(&app.keymap));
    let (area, inner) = overlay::open(buffer, around, (WIDTH, entries.len() as u16), "keys", look);
    let widest = entries.iter().map(Entry::keys_width).max().unwrap_or(0);
    let column = widest.clamp(KEYS.0, KEYS.1) as u16;
    let room = usize::from(inner.height);
    let first = first.min(entries.len().saturating_sub(room));
    for (number, entry) in (0..).zip(entries.iter().skip(first).take(room)) {
        let place = line(inner, number);
        let keys_end = Rect { width: column.min(place.width), ..place };
        let text = Rect { x: keys_end.right(), width: place.width - keys_end.width, ..place };
        match entry {
            Entry::Gap => {}
            Entry::Heading(heading) => {
                left(buffer, text, &format!("  {heading}"), look.dim.add_modifier(Modifier::BOLD));
            }
            Entry::Row(keys, sentence) => {
                right(buffer, keys_end, keys, look.accent);
                left(buffer, text, &format!("  {sentence}"), look.text);
            }
        }
    }
    if first + room < entries.len() {
        let more = format!(" {} more ↓ ", entries.len() - first - room);
        right(buffer, Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area }, &more, look.dim);
    }
    area
}
