//! A list to choose from, filtered by typed text: the presets and the themes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::config::NamedFile;
use crate::error::escape_control;
use crate::picture::{ResolvedTheme, UnicodeWidthStr};
use crate::viewer::context::Context;
use crate::viewer::layout::{FOOTER_HEIGHT, Popup, place};
use crate::viewer::text::{LineEdit, elide_start, left, line, right, skip, wrap};

/// The appearance of a list.
#[derive(Debug, PartialEq)]
struct ListShape {
    title: &'static str,
    /// The maximum width.
    width: u16,
    /// The width of the name column.
    names: u16,
    /// The minimum width for a column of summaries. In a list that is not as wide as it can be, a footer has the whole summary of the
    /// selected entry.
    wide: u16,
    /// The height of the footer.
    foot: u16,
    is_numbered: bool,
    /// Whether the list is at the left border instead of in the middle, so that the flock stays visible.
    is_at_left: bool,
}

const PRESETS: ListShape = ListShape {
    title: "presets",
    width: 106,
    names: 20,
    wide: 56,
    foot: FOOTER_HEIGHT,
    is_numbered: true,
    is_at_left: false,
};

const THEMES: ListShape = ListShape {
    title: "themes",
    width: 24,
    names: 12,
    wide: u16::MAX,
    foot: FOOTER_HEIGHT + 1,
    is_numbered: false,
    is_at_left: true,
};

/// An entry of a list.
#[derive(Clone, Debug, PartialEq)]
struct ListEntry {
    name: String,
    summary: String,
    heading: &'static str,
    from_user: bool,
}

/// A line of a list.
enum ListLine {
    Heading(&'static str),
    /// The entry with this index.
    Entry(usize),
}

/// A list of which one entry is selected, unless none matches.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterList {
    shape: &'static ListShape,
    entries: Vec<ListEntry>,
    filter: Filter,
    /// The indices of the matching entries.
    found: Vec<usize>,
    /// The position of the selected entry in `found`.
    selected: usize,
}

impl FilterList {
    /// The presets; the current one is selected.
    pub fn of_presets(context: &Context) -> Self {
        let presets = context.presets.all.iter().map(|preset| ListEntry {
            name: preset.name.clone(),
            summary: preset.summary.clone(),
            heading: preset.heading(),
            from_user: preset.from_user,
        });
        Self::new(&PRESETS, presets.collect(), context.presets.index().unwrap_or(0))
    }

    /// The themes; the active one is selected.
    pub fn of_themes(context: &Context) -> Self {
        let themes = context.theme.themes().iter().map(|theme| ListEntry {
            name: theme.name.clone(),
            summary: theme.colors.summary.clone(),
            heading: "",
            from_user: theme.from_user,
        });
        Self::new(&THEMES, themes.collect(), context.theme.active().0)
    }

    fn new(shape: &'static ListShape, entries: Vec<ListEntry>, selected: usize) -> Self {
        Self { shape, found: (0..entries.len()).collect(), entries, filter: Filter::default(), selected }
    }

    /// The typed text.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The index of the selected entry among all entries.
    pub fn selected(&self) -> Option<usize> {
        self.found.get(self.selected).copied()
    }

    /// Edits the filter. The selected entry stays selected unless another one matches better.
    pub fn edit(&mut self, edit: LineEdit) {
        let last = self.selected();
        self.filter.edit(edit);
        let rank = |index: usize| {
            let ListEntry { name, summary, heading, .. } = &self.entries[index];
            self.filter.rank(name, &format!("{summary} {heading}"))
        };
        self.found = (0..self.entries.len()).filter(|index| rank(*index).is_some()).collect();
        let best = self.found.iter().map(|index| rank(*index)).max().flatten();
        let is_best = |index: &usize| rank(*index) == best;
        let chosen = last.filter(is_best).or_else(|| self.found.iter().copied().find(is_best));
        self.selected = self.found.iter().position(|index| Some(*index) == chosen).unwrap_or(0);
    }

    /// The position of the selected entry, and the last one.
    pub fn cursor(&mut self) -> (&mut usize, usize) {
        (&mut self.selected, self.found.len().saturating_sub(1))
    }

    /// Selects the entry on a line. Returns whether there is one.
    pub fn select_line(&mut self, number: usize) -> bool {
        let entry = match self.lines().get(number) {
            Some(ListLine::Entry(index)) => self.found.iter().position(|found| found == index),
            _ => None,
        };
        self.selected = entry.unwrap_or(self.selected);
        entry.is_some()
    }

    /// The matching entries below their headings.
    fn lines(&self) -> Vec<ListLine> {
        Self::with_headings(&self.entries, self.found.iter().copied())
    }

    fn with_headings(entries: &[ListEntry], found: impl Iterator<Item = usize>) -> Vec<ListLine> {
        let (mut lines, mut last) = (Vec::new(), "");
        for index in found {
            let heading = entries[index].heading;
            if heading != last {
                lines.push(ListLine::Heading(heading));
                last = heading;
            }
            lines.push(ListLine::Entry(index));
        }
        lines
    }

    /// The layout. Its height does not depend on the filter.
    pub fn popup(&self, around: Rect) -> Popup {
        let ListShape { width, wide, foot, is_at_left, .. } = *self.shape;
        let foot = if around.width < wide.max(width).saturating_add(2) { foot } else { 0 };
        let height = Self::with_headings(&self.entries, 0..self.entries.len()).len() as u16 + foot;
        let (mut area, mut inner) = place(around, width, height);
        if is_at_left {
            (area.x, inner.x) = (around.x, around.x + (inner.x - area.x));
        }
        let lines = self.lines();
        let selected =
            lines.iter().position(|line| matches!(line, ListLine::Entry(index) if Some(*index) == self.selected()));
        Popup::list(area, inner, foot, lines.len(), selected.unwrap_or(0))
    }

    /// Draws the list. Returns its area.
    pub fn draw(&self, buffer: &mut Buffer, around: Rect, theme: &ResolvedTheme) -> Rect {
        let popup = self.popup(around);
        self.filter.draw_frame(buffer, &popup, self.shape.title, theme);
        for (row, line, chosen) in popup.visible(&self.lines()) {
            match line {
                ListLine::Heading(text) => _ = left(buffer, row, text, theme.dim.add_modifier(Modifier::BOLD)),
                ListLine::Entry(index) => self.draw_entry(buffer, row, *index, chosen, theme),
            }
        }
        if self.found.is_empty() {
            for (row, text) in popup.inner.rows().zip(wrap(&self.filter.no_match(), popup.inner.width.into())) {
                left(buffer, row, &text, theme.accent);
            }
        }
        popup.draw_footer(buffer, self.selected().map(|index| self.entries[index].summary.as_str()), theme);
        popup.area
    }

    fn draw_entry(&self, buffer: &mut Buffer, row: Rect, index: usize, chosen: bool, theme: &ResolvedTheme) {
        let (ListShape { names, wide, is_numbered, .. }, entry) = (self.shape, &self.entries[index]);
        let (mark, name, summary) =
            if chosen { ("▸", theme.accent, theme.text) } else { (" ", theme.text, theme.dim) };
        let number = if *is_numbered { format!("{:>2} ", index + 1) } else { String::new() };
        let used = row.width - left(buffer, row, &format!("{mark}{number}{}", entry.name), name).width;
        let rest = skip(row, used.max(names - 1) + 1);
        let rest = left(buffer, rest, if entry.from_user { "yours " } else { "" }, theme.accent);
        if row.width >= *wide {
            left(buffer, rest, &entry.summary, summary);
        }
    }
}

/// The longest filter.
const MAX_FILTER_LENGTH: usize = 32;
/// The hint while nothing is typed.
const FILTER_HINT: &str = " type to filter ";

/// How well a line matches, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FilterRank {
    /// Words of its description start with the typed words.
    Description,
    /// Its name contains the typed words.
    Name,
    /// Its name starts with the typed text.
    Start,
}

/// The text that filters a popup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    text: String,
}

impl Filter {
    /// Whether nothing is typed, so that every line matches.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The typed text in lower case.
    pub fn typed(&self) -> String {
        self.text.trim().to_lowercase()
    }

    /// Edits the text.
    pub fn edit(&mut self, edit: LineEdit) {
        edit.apply(&mut self.text, MAX_FILTER_LENGTH);
    }

    /// How well a line matches, if it does: each typed word is part of its name, or begins a word of its description.
    pub fn rank(&self, name: &str, description: &str) -> Option<FilterRank> {
        let (typed, name, description) = (self.typed(), name.to_lowercase(), description.to_lowercase());
        let in_name = |word: &str| name.contains(word);
        if name.starts_with(&typed) {
            Some(FilterRank::Start)
        } else if typed.split_whitespace().all(in_name) {
            Some(FilterRank::Name)
        } else {
            let words: Vec<&str> = description.split(|symbol: char| !symbol.is_alphanumeric()).collect();
            let mut typed = typed.split_whitespace();
            let matches = typed.all(|word| in_name(word) || words.iter().any(|known| known.starts_with(word)));
            matches.then_some(FilterRank::Description)
        }
    }

    /// The line to show if nothing matches.
    pub fn no_match(&self) -> String {
        format!("nothing matches `{}`", self.text.trim())
    }

    /// Draws an empty popup with the filter on its upper border.
    pub fn draw_frame(&self, buffer: &mut Buffer, popup: &Popup, title: &str, theme: &ResolvedTheme) {
        let space = usize::from(popup.area.width).saturating_sub(title.width() + 7);
        if self.text.is_empty() {
            popup.draw_frame(buffer, title, theme);
            let mut border = line(popup.area, 0);
            border.width = border.width.saturating_sub(1);
            if FILTER_HINT.width() <= space {
                right(buffer, border, FILTER_HINT, theme.dim);
            }
        } else {
            popup.draw_frame(buffer, &format!("{title}: {}▏", elide_start(&escape_control(&self.text), space)), theme);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;
    use ratatui::layout::Rect;

    #[test]
    fn hidden_characters_are_shown_escaped() {
        let mut filter = Filter::default();
        "a\u{202e}\u{e0041}".chars().for_each(|symbol| filter.edit(LineEdit::Insert(symbol)));
        let area = Rect::new(0, 0, 60, 5);
        let mut buffer = Buffer::empty(area);
        let popup = Popup::text(area, 60, 1, 1, 0);
        filter.draw_frame(&mut buffer, &popup, "presets", app(1).context.theme.resolved());
        let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(shown.contains(r"presets: a\u{202e}\u{e0041}"), "{shown}");
    }

    #[test]
    fn words_match_names_anywhere_and_descriptions_from_the_start() {
        let rank = |typed: &str| {
            let mut filter = Filter::default();
            typed.chars().for_each(|symbol| filter.edit(LineEdit::Insert(symbol)));
            filter.rank("baitball", "A dense ball of sardines; three tuna")
        };
        for (typed, expected) in [
            ("", Some(FilterRank::Start)),
            ("Bait", Some(FilterRank::Start)),
            ("ball", Some(FilterRank::Name)),
            ("ball bait", Some(FilterRank::Name)),
            ("tuna ball", Some(FilterRank::Description)),
            ("sard", Some(FilterRank::Description)),
            ("dines", None),
            ("tuna shark", None),
        ] {
            assert_eq!(rank(typed), expected, "{typed}");
        }
    }
}
