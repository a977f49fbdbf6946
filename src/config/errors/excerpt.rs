//! Text from files and flags, made safe for the terminal, and excerpts of files with a place marked.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Maximum width of an excerpt, in columns.
const MAX_COLUMNS: usize = 100;
/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 500;

/// Escapes characters that control a terminal, change the direction of text or have no width.
#[must_use]
pub fn escape_control(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// Cuts a long message in the middle, so that it fits on a screen.
#[must_use]
pub fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_MESSAGE {
        return text.to_owned();
    }
    let end = text.chars().skip(length - MAX_MESSAGE / 2);
    text.chars().take(MAX_MESSAGE / 2).chain(['…']).chain(end).collect()
}

/// Whether a character is a control character, a direction mark or a character without width.
pub(in crate::config) fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// Line and column, in characters, of a byte offset; both counted from 1.
pub(in crate::config) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The line in which a span begins, with its number, and below it a mark under the span.
pub(in crate::config) fn excerpt(text: &str, span: Range<usize>) -> String {
    let line_start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].split('\n').next().unwrap_or_default().trim_end();
    let column = |at: usize| printable(&line[..(at - line_start).min(line.len())]).len();
    let snippet = Snippet::source(printable(line))
        .line_start(line_and_column(text, line_start).0)
        .annotation(AnnotationKind::Primary.span(column(span.start)..column(span.end.max(span.start))));
    let rendered =
        Renderer::plain().term_width(MAX_COLUMNS).render(&[Group::with_level(Level::ERROR).element(snippet)]);
    // The first line is an empty gutter.
    rendered.split_once('\n').map_or("", |(_, lines)| lines).to_owned()
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c != '\t' && is_unprintable(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, word: &str) -> String {
        let at = text.find(word).unwrap();
        excerpt(text, at..at + word.len())
    }

    #[test]
    fn excerpt_marks_the_span() {
        assert_eq!(marked("a = 1\nfps = 500\r\n", "500"), "2 | fps = 500\n  |       ^^^");
        assert_eq!(marked("\tfps = 500", "500"), "1 |     fps = 500\n  |           ^^^");
        assert_eq!(marked("k = \"鳥\" # x", "x"), "1 | k = \"鳥\" # x\n  |            ^");
        assert_eq!(excerpt("fps =", 5..5), "1 | fps =\n  |      ^");
        assert_eq!(excerpt("", 0..0), "1 |\n  | ^");
        assert_eq!(marked("x = \"\"\"a\nb\"\"\"", "\"\"\"a\nb\"\"\""), "1 | x = \"\"\"a\n  |     ^^^^");
        let long = marked(&format!("{}HERE{}", "a".repeat(500), "b".repeat(500)), "HERE");
        assert!(long.lines().all(|line| line.len() < 110) && long.contains("aHEREb"), "{long}");
    }

    #[test]
    fn excerpt_replaces_control_characters() {
        let lines = marked("k = \"\u{1b}[2J\u{9b}\u{202e}\" # here", "here");
        assert_eq!(lines, "1 | k = \"�[2J��\" # here\n  |                ^^^^");
    }

    #[test]
    fn long_messages_keep_both_ends() {
        let short = "ü".repeat(MAX_MESSAGE);
        assert_eq!(shorten(&short), short);
        let long = shorten(&format!("boids = {} is not a number", "9".repeat(100_000)));
        assert!(long.starts_with("boids = 999") && long.ends_with("999 is not a number") && long.contains("9…9"));
        assert_eq!(long.chars().count(), MAX_MESSAGE + 1);
    }
}
