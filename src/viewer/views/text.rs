//! Lines of text.

use std::iter;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::config::escape_control;

/// Writes `text` at the left of a line, and returns the column after it. What is too long ends in `…`.
pub fn left(buffer: &mut Buffer, line: Rect, text: &str, style: Style) -> u16 {
    if line.is_empty() {
        return line.x;
    }
    // Names and summaries come from files.
    let text = escape_control(text);
    let width = usize::from(line.width);
    if text.width() <= width {
        return buffer.set_stringn(line.x, line.y, &*text, width, style).0;
    }
    let (x, y) = buffer.set_stringn(line.x, line.y, &*text, width - 1, style);
    buffer.set_stringn(x, y, "…", 1, style).0
}

/// Writes `text` at the right of a line.
pub fn right(buffer: &mut Buffer, line: Rect, text: &str, style: Style) {
    let width = (text.width() as u16).min(line.width);
    left(buffer, Rect { x: line.right() - width, width, ..line }, text, style);
}

/// The n-th line of an area; an empty one below it.
pub fn line(area: Rect, number: u16) -> Rect {
    if number < area.height {
        Rect { y: area.y + number, height: 1, ..area }
    } else {
        Rect { y: area.bottom(), height: 0, ..area }
    }
}

/// Breaks a sentence into lines of at most `width` columns, between words.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_terminator(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The same, and breaks words too that are wider than a line.
pub fn wrap_anywhere(text: &str, width: usize) -> Vec<String> {
    // A name may have several spaces in a row.
    let parts: Vec<String> = text.split(' ').flat_map(|word| parts(word, width)).collect();
    wrap(&parts.join(" "), width)
}

/// A word in parts of at most `width` columns.
fn parts(word: &str, width: usize) -> Vec<String> {
    let mut parts: Vec<String> = if word.is_empty() { vec![String::new()] } else { Vec::new() };
    for grapheme in word.graphemes(true) {
        match parts.last_mut() {
            Some(part) if part.width() + grapheme.width() <= width => part.push_str(grapheme),
            _ => parts.push(grapheme.to_owned()),
        }
    }
    parts
}

/// As much of the end of a text as fits into `width` columns. What is too long begins with `…`.
pub fn elide_start(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 1;
    for grapheme in text.graphemes(true).rev() {
        used += grapheme.width();
        if used > width {
            break;
        }
        kept.push(grapheme);
    }
    iter::once("…").chain(kept.into_iter().rev()).collect()
}

/// As much of both ends of a text as fits into `width` columns, with `…` for what is between.
pub fn elide_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let fits = |grapheme: &&str| {
        used += grapheme.width();
        used <= width / 2
    };
    let begin: String = text.graphemes(true).take_while(fits).collect();
    let end = elide_start(text, width - begin.width());
    begin + &end
}

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("How strongly boids keep apart.", 14), ["How strongly", "boids keep", "apart."]);
        assert_eq!(wrap("", 5), [""; 0]);
    }

    #[test]
    fn words_wider_than_a_line_break_where_nothing_may_be_lost() {
        assert_eq!(
            wrap_anywhere("-p ./my/presets/geese.toml -s 7", 10),
            ["-p", "./my/prese", "ts/geese.t", "oml -s 7"]
        );
        assert_eq!(wrap_anywhere("-p 'my  geese.toml' -s 7", 20), ["-p 'my  geese.toml'", "-s 7"]);
        assert_eq!(wrap_anywhere("世界の鳥", 5), ["世界", "の鳥"]);
        assert_eq!(wrap_anywhere("世a", 0), ["世", "a"]);
    }

    #[test]
    fn what_a_file_says_is_written_out_and_obeyed_by_nobody() {
        let line = Rect::new(0, 0, 20, 1);
        let mut buffer = Buffer::empty(line);
        left(&mut buffer, line, "a\u{202e}\u{1b}[2Jb", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["a\\u{202e}\\u{1b}[2Jb "]));
        left(&mut buffer, line, "the name \u{9b} is longer", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["the name \\u{9b} is …"]));
    }

    #[test]
    fn of_what_is_too_long_the_end_says_so() {
        assert_eq!(elide_start("speed.max = 4", 13), "speed.max = 4");
        assert_eq!(elide_start("speed.max = 4", 6), "…x = 4");
        assert_eq!(elide_start("世界の鳥", 5), "…の鳥");
        assert_eq!(elide_middle("drones: a loose flock", 21), "drones: a loose flock");
        assert_eq!(elide_middle("drones: a loose flock", 12), "drones…flock");
        assert_eq!(elide_middle("世界の鳥", 5), "世…鳥");
        assert_eq!(elide_middle("drones", 1), "…");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
