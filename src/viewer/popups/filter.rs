//! Typed text that filters the lines of a popup.

use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

use crate::config::escape_control;
use crate::viewer::layout::Popup;
use crate::viewer::text::{LineEdit, elide_start, line, right};
use crate::viewer::theme::ResolvedTheme;

/// The longest filter.
const MAX_LENGTH: usize = 32;
/// The hint while nothing is typed.
const HINT: &str = " type to filter ";

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
        edit.apply(&mut self.text, MAX_LENGTH);
    }

    /// How well a line matches, if it does: each typed word is part of its name, or begins a word of its description.
    pub fn rank(&self, name: &str, description: &str) -> Option<FilterRank> {
        let (typed, name, description) = (self.typed(), name.to_lowercase(), description.to_lowercase());
        let in_name = |word: &str| name.contains(word);
        let words = || description.split(|symbol: char| !symbol.is_alphanumeric());
        if name.starts_with(&typed) {
            Some(FilterRank::Start)
        } else if typed.split_whitespace().all(in_name) {
            Some(FilterRank::Name)
        } else {
            let matches = |word: &str| in_name(word) || words().any(|known| known.starts_with(word));
            typed.split_whitespace().all(matches).then_some(FilterRank::Description)
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
            if HINT.width() <= space {
                right(buffer, border, HINT, theme.dim);
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
        let popup = Popup::text(area, (60, 1), 1, 0);
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
