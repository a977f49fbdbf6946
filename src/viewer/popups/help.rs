//! The help: all keys, generated from the action table, and the mouse bindings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::input::keymap::Keymap;
use crate::viewer::input::mouse::MOUSE_BINDINGS;
use crate::viewer::layout::Popup;
use crate::viewer::text::{left, right, skip, wrap};

/// The minimum and maximum width of the key column.
const KEYS: (usize, usize) = (16, 26);
/// The maximum width.
const WIDTH: u16 = 92;

/// The maximum share of the key column in a narrow popup.
const SHARE: (u16, u16) = (2, 5);
/// The gap between keys and descriptions.
const GAP: u16 = 2;

/// Keys and what they do, a heading, or a blank line.
#[derive(Default)]
struct HelpLine {
    keys: String,
    text: String,
    heading: bool,
}

impl HelpLine {
    fn new(keys: String, text: &str) -> Self {
        Self { keys, text: text.to_owned(), heading: false }
    }

    /// Wraps the line to the widths of the two columns.
    fn wrapped(&self, keys: u16, text: u16) -> impl Iterator<Item = Self> + use<> {
        let heading = self.heading;
        let [mut keys, mut text] = [wrap(&self.keys, keys.into()), wrap(&self.text, text.into())];
        let lines = keys.len().max(text.len()).max(1);
        keys.resize(lines, String::new());
        text.resize(lines, String::new());
        keys.into_iter().zip(text).map(move |(keys, text)| Self { keys, text, heading })
    }
}

/// The help, laid out for a width.
pub struct HelpPage {
    /// The width of the key column.
    keys: u16,
    lines: Vec<HelpLine>,
}

impl HelpPage {
    /// Lays the help out for a screen of `columns`.
    pub fn new(columns: u16, keymap: &Keymap) -> Self {
        let width = columns.saturating_sub(2).min(WIDTH);
        let entries = entries(keymap);
        let widest = entries.iter().map(|entry| entry.keys.width()).max().unwrap_or(0);
        let keys = (widest.clamp(KEYS.0, KEYS.1) as u16).min(width * SHARE.0 / SHARE.1);
        let text = width.saturating_sub(keys + GAP);
        Self { keys, lines: entries.iter().flat_map(|entry| entry.wrapped(keys, text)).collect() }
    }

    /// The popup, scrolled to its `first` line.
    pub fn popup(&self, around: Rect, first: usize) -> Popup {
        Popup::text(around, WIDTH, self.lines.len(), first)
    }
}

fn entries(keymap: &Keymap) -> Vec<HelpLine> {
    let heading = |text: &str| HelpLine { text: text.to_owned(), heading: true, ..HelpLine::default() };
    let mut lines = Vec::new();
    for (group, actions) in Action::GROUPS {
        let (numbered, named): (Vec<Action>, Vec<Action>) =
            actions.iter().partition(|action| action.preset().is_some());
        lines.push(heading(group));
        lines.extend(named.iter().map(|action| HelpLine::new(bindings(keymap, *action), action.summary())));
        let keys: Vec<String> = numbered.iter().flat_map(|action| keymap.keys(*action)).collect();
        if !keys.is_empty() {
            lines.push(HelpLine::new(keys.join(" "), "Load the first preset, the second, and so on."));
        }
        lines.push(HelpLine::default());
    }
    lines.push(heading("Mouse"));
    lines.extend(MOUSE_BINDINGS.iter().map(|(_, button, summary)| HelpLine::new((*button).to_owned(), summary)));
    lines
}

/// The keys of an action, or how to run it from the palette if it has none.
fn bindings(keymap: &Keymap, action: Action) -> String {
    let keys = keymap.keys(action).join(" ");
    match keymap.keys(Action::Palette).first() {
        Some(palette) if keys.is_empty() => format!("{palette} {}", action.id()),
        _ => keys,
    }
}

/// Draws the help from its `first` line on. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, context: &Context, first: usize) -> Rect {
    let (theme, page) = (context.theme.resolved(), HelpPage::new(around.width, &context.keymap));
    let popup = page.popup(around, first);
    popup.draw_frame(buffer, "keys", theme);
    for (row, HelpLine { keys, text, heading }, _) in popup.visible(&page.lines) {
        right(buffer, Rect { width: page.keys.min(row.width), ..row }, keys, theme.accent);
        let style = if *heading { theme.dim.add_modifier(Modifier::BOLD) } else { theme.text };
        left(buffer, skip(row, page.keys + GAP), text, style);
    }
    popup.area
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
        let rows = || entries.iter().filter(|entry| !entry.heading);
        let (keys, sentences) =
            (words(rows().map(|row| row.keys.as_str())), words(rows().map(|row| row.text.as_str())));
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
