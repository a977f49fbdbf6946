//! Numbers as text, and lines of text: written, wrapped, shortened and edited.

use std::borrow::Cow;
use std::iter;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use textwrap::{WordSeparator, WordSplitter};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::escape_control;
use crate::picture::{ResolvedTheme, UnicodeWidthStr};

/// Writes `text` left-aligned and returns the rest of the line. Text that is too long ends in `…`.
pub fn left(buffer: &mut Buffer, line: Rect, text: &str, style: Style) -> Rect {
    if line.is_empty() {
        return line;
    }
    // Names and summaries come from files and may hold control characters.
    let text = escape_control(text);
    let width = usize::from(line.width);
    let (mut x, y) = (line.x, line.y);
    if text.width() <= width {
        (x, _) = buffer.set_stringn(x, y, &*text, width, style);
    } else {
        (x, _) = buffer.set_stringn(x, y, &*text, width - 1, style);
        (x, _) = buffer.set_stringn(x, y, "…", 1, style);
    }
    skip(line, x - line.x)
}

/// Writes `text` right-aligned.
pub fn right(buffer: &mut Buffer, line: Rect, text: &str, style: Style) {
    let width = (text.width() as u16).min(line.width);
    left(buffer, Rect { x: line.right() - width, width, ..line }, text, style);
}

/// A line of an area, counted from 0; empty below the area.
pub fn line(area: Rect, number: u16) -> Rect {
    if number < area.height {
        Rect { y: area.y + number, height: 1, ..area }
    } else {
        Rect { y: area.bottom(), height: 0, ..area }
    }
}

/// A line without its first `columns`.
pub fn skip(line: Rect, columns: u16) -> Rect {
    let columns = columns.min(line.width);
    Rect { x: line.x + columns, width: line.width - columns, ..line }
}

/// Wraps text between words at `width` columns.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let lines = textwrap::wrap(text, wrapping(width).break_words(false));
    lines.into_iter().filter(|_| !text.is_empty()).map(Cow::into_owned).collect()
}

/// Wraps text between words at `width` columns, and within words that are wider than a line.
pub fn wrap_anywhere(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, wrapping(width)).into_iter().map(Cow::into_owned).collect()
}

fn wrapping(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width).word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation)
}

/// Shortens text to its last `width` columns, beginning with `…`.
pub fn elide_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept: Vec<&str> = fitting(text.graphemes(true).rev(), width.saturating_sub(1)).collect();
    iter::once("…").chain(kept.into_iter().rev()).collect()
}

/// Shortens text to `width` columns with `…` in the middle.
pub fn elide_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let begin: String = fitting(text.graphemes(true), width / 2).collect();
    let end = elide_start(text, width - begin.width());
    begin + &end
}

/// The first graphemes, as many as fit in `width` columns.
fn fitting<'a>(graphemes: impl Iterator<Item = &'a str>, width: usize) -> impl Iterator<Item = &'a str> {
    let mut used = 0;
    graphemes.take_while(move |grapheme| {
        used += grapheme.width();
        used <= width
    })
}

/// A key and what it does.
pub type Hint = (String, &'static str);

/// Draws as many hints as fit.
pub fn draw_hints(buffer: &mut Buffer, mut rest: Rect, hints: &[Hint], theme: &ResolvedTheme) {
    for (key, word) in hints {
        if hint_width(key, word) > rest.width {
            break;
        }
        rest = left(buffer, skip(rest, 2), key, theme.accent);
        rest = left(buffer, skip(rest, 1), word, theme.dim);
    }
}

/// The width of a hint including its gaps.
pub fn hint_width(key: &str, word: &str) -> u16 {
    (2 + key.width() + 1 + word.width()) as u16
}

/// Formats a number with three significant digits.
pub fn format_number(number: f32) -> String {
    if number.is_infinite() {
        return "inf".into();
    }
    let size = number.abs();
    if number == 0.0 {
        "0".into()
    } else if !(1e-5..1e5).contains(&size) {
        format!("{number:.1e}")
    } else {
        // A whole number keeps all its digits.
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{number:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{} {:03}", grouped(number / 1000), number % 1000) }
}

/// An edit at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEdit {
    /// Appends a character.
    Insert(char),
    /// Deletes the last character.
    DeleteChar,
    /// Deletes the last word.
    DeleteWord,
    /// Deletes everything.
    Clear,
}

impl LineEdit {
    /// The edit that a key makes, as in common shells.
    pub fn of(key: KeyEvent) -> Option<Self> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('u') if control => Some(Self::Clear),
            KeyCode::Char('w') if control => Some(Self::DeleteWord),
            // Some terminals send Ctrl-H for Backspace.
            KeyCode::Char('h') if control => Some(Self::DeleteChar),
            KeyCode::Char(symbol) if !control && !alt => Some(Self::Insert(symbol)),
            KeyCode::Backspace if control || alt => Some(Self::DeleteWord),
            KeyCode::Backspace => Some(Self::DeleteChar),
            _ => None,
        }
    }

    /// Edits a line of at most `max_length` characters.
    pub fn apply(self, line: &mut String, max_length: usize) {
        match self {
            Self::Insert(symbol) if line.chars().count() < max_length && !symbol.is_control() => line.push(symbol),
            Self::Insert(_) => {}
            Self::DeleteChar => {
                line.pop();
            }
            Self::DeleteWord => {
                let kept = line.trim_end().trim_end_matches(|symbol: char| !symbol.is_whitespace()).len();
                line.truncate(kept);
            }
            Self::Clear => line.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_between_words() {
        assert_eq!(wrap("How strongly boids keep apart.", 14), ["How strongly", "boids keep", "apart."]);
        assert_eq!(wrap("", 5), [""; 0]);
    }

    #[test]
    fn wraps_within_long_words() {
        assert_eq!(
            wrap_anywhere("-p ./my/presets/geese.toml -s 7", 10),
            ["-p", "./my/prese", "ts/geese.t", "oml -s 7"]
        );
        assert_eq!(wrap_anywhere("-p 'my  geese.toml' -s 7", 20), ["-p 'my  geese.toml'", "-s 7"]);
        assert_eq!(wrap_anywhere("世界の鳥", 5), ["世界", "の鳥"]);
        assert_eq!(wrap_anywhere("世a", 0), ["世", "a"]);
    }

    #[test]
    fn escapes_control_characters() {
        let line = Rect::new(0, 0, 20, 1);
        let mut buffer = Buffer::empty(line);
        left(&mut buffer, line, "a\u{202e}\u{1b}[2Jb", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["a\\u{202e}\\u{1b}[2Jb "]));
        left(&mut buffer, line, "the name \u{9b} is longer", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["the name \\u{9b} is …"]));
    }

    #[test]
    fn long_text_is_elided() {
        assert_eq!(elide_start("speed.max = 4", 13), "speed.max = 4");
        assert_eq!(elide_start("speed.max = 4", 6), "…x = 4");
        assert_eq!(elide_start("世界の鳥", 5), "…の鳥");
        assert_eq!(elide_middle("drones: a loose flock", 21), "drones: a loose flock");
        assert_eq!(elide_middle("drones: a loose flock", 12), "drones…flock");
        assert_eq!(elide_middle("世界の鳥", 5), "世…鳥");
        assert_eq!(elide_middle("drones", 1), "…");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }

    #[test]
    fn numbers_have_three_digits() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (0.00005, "0.00005"),
            (12.345, "12.3"),
            (1234.0, "1234"),
            (-0.125, "-0.125"),
            (1e-9, "1.0e-9"),
            (f32::INFINITY, "inf"),
            (100_000.0, "1.0e5"),
            (99.96, "100"),
        ] {
            assert_eq!(format_number(number), text);
        }
    }
}
