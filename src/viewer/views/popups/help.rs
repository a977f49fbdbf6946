//! The help: all keys, generated from the action table, and the mouse bindings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use crate::viewer::app::App;
use crate::viewer::input::mouse::MOUSE_BINDINGS;
use crate::viewer::views::popups;
use crate::viewer::views::text::{left, line, right, wrap};
use crate::viewer::{Action, Keymap};

/// The minimum and maximum width of the key column.
const KEYS: (usize, usize) = (16, 26);
/// The maximum width.
const WIDTH: u16 = 92;

/// The maximum share of the key column in a narrow popup.
const SHARE: (u16, u16) = (2, 5);
/// The gap between keys and descriptions.
const GAP: u16 = 2;

enum HelpEntry {
    Gap,
    Heading(&'static str),
    Row(String, &'static str),
}

impl HelpEntry {
    /// The lines of the entry, wrapped to the widths of the two columns.
    fn lines(&self, keys: u16, text: u16) -> Vec<HelpLine> {
        match self {
            Self::Gap => vec![HelpLine::default()],
            Self::Heading(heading) => {
                vec![HelpLine { heading: true, text: (*heading).to_owned(), ..HelpLine::default() }]
            }
            Self::Row(bound, sentence) => {
                let [mut keys, mut text] = [wrap(bound, keys.into()), wrap(sentence, text.into())];
                let lines = keys.len().max(text.len());
                keys.resize(lines, String::new());
                text.resize(lines, String::new());
                keys.into_iter().zip(text).map(|(keys, text)| HelpLine { keys, text, heading: false }).collect()
            }
        }
    }

    fn keys_width(&self) -> usize {
        match self {
            Self::Row(keys, _) => keys.width(),
            Self::Gap | Self::Heading(_) => 0,
        }
    }
}

#[derive(Default)]
struct HelpLine {
    keys: String,
    text: String,
    heading: bool,
}

/// The help, laid out for a width.
struct HelpPage {
    /// The width of the key column.
    keys: u16,
    lines: Vec<HelpLine>,
}

impl HelpPage {
    /// Lays the help out for a screen of `columns`.
    fn new(columns: u16, keymap: &Keymap) -> Self {
        let height = columns.saturating_sub(2).min(WIDTH);
        let entries = entries(keymap);
        let widest = entries.iter().map(HelpEntry::keys_width).max().unwrap_or(0);
        let keys = (widest.clamp(KEYS.0, KEYS.1) as u16).min(height * SHARE.0 / SHARE.1);
        let text = height.saturating_sub(keys + GAP);
        Self { keys, lines: entries.iter().flat_map(|entry| entry.lines(keys, text)).collect() }
    }
}

/// The number of lines on a screen of `columns`.
#[must_use]
pub fn length(columns: u16, keymap: &Keymap) -> usize {
    HelpPage::new(columns, keymap).lines.len()
}

fn entries(keymap: &Keymap) -> Vec<HelpEntry> {
    let keys = |heading, rows: Vec<HelpEntry>| [HelpEntry::Gap, HelpEntry::Heading(heading)].into_iter().chain(rows);
    let actions = Action::GROUPS.iter().flat_map(|(heading, actions)| {
        let rows = actions.iter().filter(|action| action.preset().is_none());
        let rows = rows.map(|action| HelpEntry::Row(bindings(keymap, *action), action.summary()));
        let numbered: Vec<String> =
            actions.iter().filter(|action| action.preset().is_some()).flat_map(|action| keymap.keys(*action)).collect();
        let numbered = (!numbered.is_empty())
            .then(|| HelpEntry::Row(numbered.join(" "), "Load the first preset, the second, and so on."));
        keys(heading, rows.chain(numbered).collect())
    });
    let mouse = MOUSE_BINDINGS.iter().map(|(_, button, sentence)| HelpEntry::Row((*button).to_owned(), sentence));
    actions.chain(keys("Mouse", mouse.collect())).skip(1).collect()
}

/// The keys of an action, or how to run it from the palette if it has none.
fn bindings(keymap: &Keymap, action: Action) -> String {
    let keys = keymap.keys(action).join(" ");
    match keymap.keys(Action::Palette).first() {
        Some(palette) if keys.is_empty() => format!("{palette} {}", action.id()),
        _ => keys,
    }
}

/// The popup's area and its inside.
#[must_use]
pub fn place(around: Rect, keymap: &Keymap) -> (Rect, Rect) {
    popups::place(around, (WIDTH, length(around.width, keymap) as u16))
}

/// Draws the help from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, app: &App, first: usize) -> Rect {
    let (theme, page) = (app.theme.resolved(), HelpPage::new(around.width, &app.keymap));
    let (area, inner) = popups::open(buffer, around, (WIDTH, page.lines.len() as u16), "keys", theme);
    let height = usize::from(inner.height);
    let first = first.min(page.lines.len().saturating_sub(height));
    for (number, HelpLine { keys, text, heading }) in (0..).zip(page.lines.iter().skip(first).take(height)) {
        let place = line(inner, number);
        let keys_end = Rect { width: page.keys.min(place.width), ..place };
        let gone = (page.keys + GAP).min(place.width);
        right(buffer, keys_end, keys, theme.accent);
        let style = if *heading { theme.dim.add_modifier(Modifier::BOLD) } else { theme.text };
        left(buffer, Rect { x: place.x + gone, width: place.width - gone, ..place }, text, style);
    }
    popups::draw_more(buffer, area, page.lines.len().saturating_sub(first + height), theme);
    area
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_every_word_and_key() {
        fn words<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
            texts.flat_map(str::split_whitespace).collect()
        }
        let keymap = Keymap::default();
        let entries = entries(&keymap);
        let rows = || {
            entries
                .iter()
                .filter_map(|entry| if let HelpEntry::Row(keys, text) = entry { Some((keys, text)) } else { None })
        };
        let (keys, sentences) = (words(rows().map(|row| row.0.as_str())), words(rows().map(|row| *row.1)));
        for columns in [10, 24, 30, 40, 50, 79, 80, 120] {
            let page = HelpPage::new(columns, &keymap);
            let lines = || page.lines.iter().filter(|line| !line.heading);
            assert_eq!(words(lines().map(|line| line.keys.as_str())), keys, "{columns}");
            assert_eq!(words(lines().map(|line| line.text.as_str())), sentences, "{columns}");
            let height = usize::from(columns.min(WIDTH + 2) - 2 - GAP - page.keys);
            assert!(lines().all(|line| line.text.width() <= height || !line.text.contains(' ')), "{columns}");
            let fits =
                |line: &HelpLine| columns < 30 || line.text.width() <= height && line.keys.width() <= page.keys.into();
            assert!(lines().all(fits), "{columns}");
        }
    }
}
