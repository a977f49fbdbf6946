//! A place in a text as a person looks for it: the line itself, with a mark below.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// How many columns of a line are shown at most.
const MAX_COLUMNS: usize = 96;
/// How many of them stand before the place where the line's beginning is cut off.
const MAX_BEFORE: usize = 40;
/// How many characters of a sentence are shown at most, but for the mark of what is left out.
const MAX_MESSAGE: usize = 500;
/// What stands for what was cut off.
const CUT: char = '…';

/// Text of which nothing can move a cursor, change a color or turn what follows around.
#[must_use]
pub fn escape_control(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unprintable(character) { plain.extend(character.escape_default()) } else { plain.push(character) }
    }
    Cow::Owned(plain)
}

/// A sentence that fits a screen: of one that quotes a book, the beginning and the end.
#[must_use]
pub fn shorten(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_MESSAGE {
        return text.to_owned();
    }
    let end = text.chars().skip(length - MAX_MESSAGE / 2);
    text.chars().take(MAX_MESSAGE / 2).chain([CUT]).chain(end).collect()
}

/// Whether a terminal does something else with it than to show it: control characters, and those that
/// change the direction of text or have no width.
pub(crate) fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// Where in a text a byte is: line and column in characters, both counted from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Two lines: the one in which a span begins, under its number, and a mark below the part that is meant.
pub(crate) fn excerpt(text: &str, span: Range<usize>) -> String {
    let (number, column) = place(text, span.start);
    let line = text.split('\n').nth(number - 1).unwrap_or_default().trim_end();
    let length = text.get(span).map_or(1, |meant| meant.lines().next().unwrap_or_default().chars().count()).max(1);
    let (shown, before, marked) = window(line, column - 1, length);
    let gutter = number.to_string();
    let blank = " ".repeat(gutter.len());
    let mut lines = String::new();
    // Writing to a string cannot fail.
    let _ = write!(lines, "  {gutter} | {shown}\n  {blank} | {}{}", " ".repeat(before), "^".repeat(marked.max(1)));
    lines
}

/// As much of a line as is shown, how many columns of it stand before the mark, and how wide the mark is.
fn window(line: &str, start: usize, length: usize) -> (String, usize, usize) {
    let pieces: Vec<String> =
        line.chars().map(|character| if character == '\t' { " ".into() } else { escaped_sign(character) }).collect();
    let width = |piece: &String| piece.chars().map(|character| character.width().unwrap_or(0)).sum::<usize>();
    let whole: usize = pieces.iter().map(width).sum();
    // A long line is cut before the place, and behind what fits.
    let mut first = 0;
    let mut before: usize = pieces.iter().take(start).map(width).sum();
    while whole > MAX_COLUMNS && before > MAX_BEFORE {
        before -= width(&pieces[first]);
        first += 1;
    }
    let (mut shown, mut room) = (String::new(), MAX_COLUMNS);
    if first > 0 {
        shown.push(CUT);
        before += 1;
    }
    let mut marked = 0;
    for (index, piece) in pieces.iter().enumerate().skip(first) {
        let Some(left) = room.checked_sub(width(piece)) else {
            shown.push(CUT);
            break;
        };
        room = left;
        shown.push_str(piece);
        if (start..start + length).contains(&index) {
            marked += width(piece);
        }
    }
    (shown, before, marked)
}

fn escaped_sign(character: char) -> String {
    if is_unprintable(character) { character.escape_default().collect() } else { character.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, word: &str) -> String {
        let at = text.find(word).unwrap();
        excerpt(text, at..at + word.len())
    }

    #[test]
    fn the_mark_stands_below_what_is_meant() {
        assert_eq!(marked("a = 1\nfps = 500\n", "500"), "  2 | fps = 500\n    |       ^^^");
        assert_eq!(marked("\tfps = 500", "500"), "  1 |  fps = 500\n    |        ^^^");
        // Wide characters take two columns, and the end of a text is a place too.
        assert_eq!(marked("k = \"鳥\" # x", "x"), "  1 | k = \"鳥\" # x\n    |            ^");
        assert_eq!(excerpt("fps =", 5..5), "  1 | fps =\n    |      ^");
        assert_eq!(excerpt("", 0..0), "  1 | \n    | ^");
        assert_eq!(marked("x = \"\"\"a\nb\"\"\"", "\"\"\"a\nb\"\"\""), "  1 | x = \"\"\"a\n    |     ^^^^");
    }

    #[test]
    fn nothing_in_a_line_reaches_the_terminal_as_it_is() {
        let text = "k = \"\u{1b}[2J\u{202e}\" # here";
        let lines = marked(text, "here");
        assert!(lines.contains("\\u{1b}[2J\\u{202e}") && !lines.contains('\u{1b}'), "{lines}");
        let columns: Vec<usize> =
            ["here", "^"].map(|word| lines.lines().find_map(|line| line.find(word)).unwrap()).into();
        assert_eq!(columns[0], columns[1]);
    }

    #[test]
    fn a_sentence_that_quotes_a_book_keeps_both_its_ends() {
        let short = "ü".repeat(MAX_MESSAGE);
        assert_eq!(shorten(&short), short);
        let long = shorten(&format!("boids = {} is no number", "9".repeat(100_000)));
        assert!(long.starts_with("boids = 999") && long.ends_with("999 is no number") && long.contains("9…9"));
        assert_eq!(long.chars().count(), MAX_MESSAGE + 1);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let lines = marked(&text, "HERE");
        let (line, mark) = lines.split_once('\n').unwrap();
        assert!(line.chars().count() < 110 && line.contains("…a") && line.ends_with("b…"), "{lines}");
        let column = |line: &str, word: &str| line[..line.find(word).unwrap()].chars().count();
        assert_eq!(column(line, "HERE"), column(mark, "^^^^"));
    }
}
