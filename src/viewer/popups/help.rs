//! The help: the most important keys, then all keys, generated from the action table, and the mouse bindings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::list::Filter;
use crate::picture::UnicodeWidthStr;
use crate::viewer::actions::{Action, Mode};
use crate::viewer::context::Context;
use crate::viewer::input::keymap::{Keymap, MOUSE_BINDINGS};
use crate::viewer::layout::Popup;
use crate::viewer::text::{left, right, skip, wrap};

/// The minimum and maximum width of the key column.
const KEYS: (usize, usize) = (16, 20);
/// The maximum width.
const WIDTH: u16 = 92;

/// The maximum share of the key column in a narrow popup.
const SHARE: (u16, u16) = (1, 2);
/// The gap between keys and descriptions.
const GAP: u16 = 2;

/// What words and units of the screen mean.
const WORDS: [&str; 5] = [
    "polarization is 0 if boids fly all ways, 1 if they fly one way.",
    "nearest neighbor is the mean distance to the nearest other boid.",
    "u is the unit of length, in which radii and the world are given.",
    "t/s is ticks per second, as reached and as set.",
    "fps is frames per second on the screen.",
];

/// An open help.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Help {
    /// The first visible line.
    pub first: usize,
    /// The typed text.
    pub filter: Filter,
}

/// Keys and what they do, a heading, or a blank line.
#[derive(Default)]
struct HelpLine {
    keys: String,
    text: String,
    heading: bool,
    /// What a filter finds besides the keys and the text.
    search_terms: String,
}

impl HelpLine {
    fn new(keys: String, text: &str, search_terms: String) -> Self {
        Self { keys, text: text.to_owned(), heading: false, search_terms }
    }

    fn heading(text: &str) -> Self {
        Self { text: text.to_owned(), heading: true, ..Self::default() }
    }

    fn of_action(keymap: &Keymap, action: Action) -> Self {
        let search_terms = format!("{} {}", action.id(), action.search_terms());
        Self::new(bindings(keymap, action), action.summary(), search_terms)
    }

    /// Whether the filter finds it: by one of its keys, or by the beginnings of words.
    fn matches(&self, filter: &Filter) -> bool {
        let typed = filter.typed();
        self.keys.split(' ').any(|key| key.to_lowercase() == typed)
            || filter.rank("", &format!("{} {}", self.text, self.search_terms)).is_some()
    }

    /// Wraps the line to the widths of the two columns.
    fn wrapped(&self, keys: u16, text: u16) -> impl Iterator<Item = Self> + use<> {
        let heading = self.heading;
        let [mut keys, mut text] = [wrap(&self.keys, keys.into()), wrap(&self.text, text.into())];
        let lines = keys.len().max(text.len()).max(1);
        keys.resize(lines, String::new());
        text.resize(lines, String::new());
        keys.into_iter().zip(text).map(move |(keys, text)| Self { keys, text, heading, ..Self::default() })
    }
}

/// The help, laid out for a width.
pub struct HelpPage {
    /// The width of the key column.
    keys: u16,
    lines: Vec<HelpLine>,
    /// The number of lines without a filter.
    height: usize,
}

impl HelpPage {
    /// Lays the help out for a screen of `columns`, with what can be done to the flock.
    pub fn of(columns: u16, context: &Context, filter: &Filter) -> Self {
        Self::new(columns, &context.keymap, filter, context.mode())
    }

    /// Lays the help out, with the actions of a mode.
    fn new(columns: u16, keymap: &Keymap, filter: &Filter, mode: Mode) -> Self {
        let width = columns.saturating_sub(2).min(WIDTH);
        let all = entries(keymap, &Filter::default(), mode);
        let widest = all.iter().map(|entry| entry.keys.width()).max().unwrap_or(0);
        let keys = (widest.clamp(KEYS.0, KEYS.1) as u16).min(width * SHARE.0 / SHARE.1);
        let text = width.saturating_sub(keys + GAP);
        let wrapped = |entries: &[HelpLine]| -> Vec<HelpLine> {
            entries.iter().flat_map(|entry| entry.wrapped(keys, text)).collect()
        };
        let lines = wrapped(&all);
        let height = lines.len();
        let lines = if filter.is_empty() { lines } else { wrapped(&entries(keymap, filter, mode)) };
        Self { keys, lines, height }
    }

    /// The popup, scrolled to its `first` line.
    pub fn popup(&self, around: Rect, first: usize) -> Popup {
        Popup::text(around, WIDTH, self.height, self.lines.len(), first)
    }
}

/// The lines that the filter finds below their headings; without a filter all of them, and the most important keys first.
fn entries(keymap: &Keymap, filter: &Filter, mode: Mode) -> Vec<HelpLine> {
    let is_useful = |action: &&Action| action.works_in(mode);
    let of_action = |action: &Action| HelpLine::of_action(keymap, *action);
    let essential = Action::ESSENTIAL.iter().filter(|(actions, _)| actions.iter().all(|action| is_useful(&action)));
    let essential = essential.map(|(actions, text)| {
        let keys: Vec<String> = actions.iter().filter_map(|action| keymap.keys(*action).into_iter().next()).collect();
        HelpLine::new(keys.join(" "), text, String::new())
    });
    let essential = ("Essentials", essential.collect());
    let groups = Action::GROUPS.iter().map(|(group, actions)| {
        let (numbered, named): (Vec<Action>, Vec<Action>) =
            actions.iter().filter(is_useful).partition(|action| action.preset().is_some());
        let keys: Vec<String> = numbered.iter().flat_map(|action| keymap.keys(*action)).collect();
        let presets = HelpLine::new(keys.join(" "), "Load the first preset, the second, and so on.", String::new());
        (*group, named.iter().map(of_action).chain((!keys.is_empty()).then_some(presets)).collect())
    });
    let mouse = MOUSE_BINDINGS
        .iter()
        .map(|(name, button, summary)| HelpLine::new((*button).to_owned(), summary, (*name).to_owned()));
    let words = WORDS.iter().map(|text| HelpLine::new(String::new(), text, String::new()));
    let first = Some(essential).filter(|_| filter.is_empty());
    let groups: Vec<(&str, Vec<HelpLine>)> =
        first.into_iter().chain(groups).chain([("Mouse", mouse.collect()), ("Words", words.collect())]).collect();
    let mut lines = Vec::new();
    for (heading, mut entries) in groups {
        entries.retain(|entry| filter.is_empty() || entry.matches(filter));
        if !entries.is_empty() {
            lines.extend((!lines.is_empty()).then(HelpLine::default));
            lines.push(HelpLine::heading(heading));
            lines.append(&mut entries);
        }
    }
    if lines.is_empty() {
        lines.push(HelpLine::new(String::new(), &filter.no_match(), String::new()));
    }
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

/// Draws the help. Returns its area.
pub fn draw(buffer: &mut Buffer, around: Rect, context: &Context, help: &Help) -> Rect {
    let (theme, page) = (context.theme.resolved(), HelpPage::of(around.width, context, &help.filter));
    let popup = page.popup(around, help.first);
    help.filter.draw_frame(buffer, &popup, "keys", theme);
    for (row, HelpLine { keys, text, heading, .. }, _) in popup.visible(&page.lines) {
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
        let entries = entries(&keymap, &Filter::default(), Mode::Flying);
        let rows = || entries.iter().filter(|entry| !entry.heading);
        let (keys, sentences) =
            (words(rows().map(|row| row.keys.as_str())), words(rows().map(|row| row.text.as_str())));
        for columns in [10, 24, 30, 40, 50, 79, 80, 120] {
            let page = HelpPage::new(columns, &keymap, &Filter::default(), Mode::Flying);
            let lines = || page.lines.iter().filter(|line| !line.heading);
            assert_eq!(words(lines().map(|line| line.keys.as_str())), keys, "{columns}");
            assert_eq!(words(lines().map(|line| line.text.as_str())), sentences, "{columns}");
            let height = usize::from(columns.min(WIDTH + 2) - 2 - GAP - page.keys);
            assert!(lines().all(|line| line.text.width() <= height || !line.text.contains(' ')), "{columns}");
            let fits =
                |line: &HelpLine| columns < 30 || line.text.width() <= height && line.keys.width() <= page.keys.into();
            for line in lines() {
                assert!(fits(line), "{columns}: {} {}", line.keys, line.text);
            }
        }
    }
}
