use super::*;
use ratatui::style::{Color, Modifier};

use crate::picture::{Charset, ColorDepth, symbol_width};

/// A text on a screen of 12 × 4.
fn read(bytes: &[u8]) -> PipedText {
    read_on(12, 4, bytes)
}

fn read_on(columns: u16, rows: u16, bytes: &[u8]) -> PipedText {
    let mut reader = TextReader::new(columns, rows);
    reader.feed(bytes).unwrap();
    reader.finish()
}

/// The rows of a text, without blanks at their ends.
fn rows(text: &PipedText) -> Vec<String> {
    let mut rows = vec![String::new(); text.rows.into()];
    let mut columns = vec![0; text.rows.into()];
    for TextCell { row, column, glyph } in &text.cells {
        let (line, end) = (&mut rows[usize::from(*row)], &mut columns[usize::from(*row)]);
        line.push_str(&" ".repeat(usize::from(*column) - *end));
        line.push_str(glyph.symbol());
        *end = usize::from(column + symbol_width(glyph.symbol()));
    }
    let used = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    rows.truncate(used);
    rows
}

fn shown(bytes: impl AsRef<[u8]>) -> Vec<String> {
    rows(&read(bytes.as_ref()))
}

/// The only glyph of a text.
fn glyph(bytes: &[u8]) -> Cell {
    let text = read(bytes);
    let [cell] = &text.cells[..] else { panic!("{:?}", text.cells) };
    cell.glyph.clone()
}

fn plain(text: &str) -> Cell {
    let mut cell = Cell::EMPTY;
    cell.set_symbol(text);
    cell
}

fn printed(text: &PipedText, depth: ColorDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    text.print(depth, Charset::Unicode, &mut bytes).unwrap();
    bytes
}

#[test]
fn lines_and_tabs_are_laid_out() {
    assert_eq!(shown("one\ntwo\r\n\tx\ty"), ["one", "two", "        x  y"]);
    assert_eq!(shown("over\rO"), ["Over"]);
    assert_eq!(shown("ab\x08c"), ["ac"]);
    assert_eq!(read(b"one\ntwo").cursor_row, 1);
}

#[test]
fn long_lines_wrap_unless_wrapping_is_off() {
    assert_eq!(shown("0123456789abcd"), ["0123456789ab", "cd"]);
    assert_eq!(shown("0123456789ab\nc"), ["0123456789ab", "c"]);
    assert_eq!(shown("\x1b[?7l0123456789abcd"), ["0123456789ad"]);
    assert_eq!(shown("\x1b[?7l\x1b[?7h0123456789abcd"), ["0123456789ab", "cd"]);
}

#[test]
fn the_cursor_moves() {
    assert_eq!(shown("\x1b[2;3Hx\x1b[2Dy\x1b[Az\x1b[Bw"), ["  z", " yxw"]);
    assert_eq!(shown("a\x1b[s\x1b[3;3Hb\x1b[uc"), ["ac", "", "  b"]);
    assert_eq!(shown("logo\nlogo\n\x1b[2A\x1b[6Cuser\n\x1b[6Chost"), ["logo  user", "logo  host"]);
    assert_eq!(shown("abcdef\x1b[3G\x1b[2P"), ["abef"]);
    assert_eq!(shown("abcdef\x1b[3G\x1b[2@"), ["ab  cdef"]);
    assert_eq!(shown("abcdef\x1b[3G\x1b[2X"), ["ab  ef"]);
    assert_eq!(shown("abc\ndef\x1b[A\x1b[2G\x1b[K"), ["a", "def"]);
    assert_eq!(shown("abc\ndef\x1b[2Jx"), ["", "   x"]);
    assert_eq!(shown("a\nb\nc\x1b[H\x1b[M"), ["b", "c"]);
    assert_eq!(shown("a\nb\x1b[H\x1b[L"), ["", "a", "b"]);
    assert_eq!(shown("\x1b(0lqk\x1b(B|"), ["┌─┐|"]);
}

#[test]
fn huge_cursor_movements_stay_on_the_screen() {
    for way in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "Z", "d", "L", "M", "P", "@", "X", "S", "T", "a", "e"] {
        for number in [0_u64, 65_535, 99_999_999_999] {
            let text = read(format!("x\x1b[{number};{number}{way}y").as_bytes());
            assert!(text.cells.iter().all(|cell| cell.row < 4 && cell.column < 12), "{way}");
        }
    }
    assert_eq!(shown("\x1b[999;999Hx"), ["", "", "", "           x"]);
    assert!(!read(b"\x1b[999Bx").truncated);
}

#[test]
fn colors_and_attributes_apply() {
    assert_eq!(glyph(b"\x1b[31mx").fg, Color::Indexed(1));
    assert_eq!(glyph(b"\x1b[97;104mx").fg, Color::Indexed(15));
    assert_eq!(glyph(b"\x1b[97;104mx").bg, Color::Indexed(12));
    assert_eq!(glyph(b"\x1b[38;5;200mx").fg, Color::Indexed(200));
    for rgb in ["38;2;1;2;3", "38:2:1:2:3", "38:2::1:2:3"] {
        assert_eq!(glyph(format!("\x1b[{rgb}mx").as_bytes()).fg, Color::Rgb(1, 2, 3), "{rgb}");
    }
    // The color of a line is not an attribute.
    assert_eq!(glyph(b"\x1b[58;5;1mx"), plain("x"));
    assert_eq!(glyph(b"\x1b[1;2;3;4;5;7;9mx").modifier, Modifier::from_bits_retain(0b100_1111));
    assert_eq!(glyph(b"\x1b[4:3mx").modifier, Modifier::UNDERLINED);
    assert_eq!(glyph(b"\x1b[1;2;3;4;7m\x1b[22;23;24;27mx").modifier, Modifier::empty());
    assert_eq!(glyph(b"\x1b[31;44;1mx\x1b[H\x1b[my"), plain("y"));
}

#[test]
fn blanks_count_if_they_can_be_seen() {
    assert_eq!(read(b" \xc2\xa0\xe3\x80\x80\xe2\xa0\x80\x1b[1;31m ").cells, []);
    assert_eq!(glyph(b"\x1b[44m "), *plain(" ").set_bg(Color::Indexed(4)));
    assert_eq!(glyph(b"\x1b[1;4m "), *plain(" ").set_style(Modifier::UNDERLINED));
    assert_eq!(glyph(b"\x1b[7m "), *plain(" ").set_style(Modifier::REVERSED));
    // Erasing uses the background.
    assert_eq!(read(b"\x1b[41m\x1b[K").cells.len(), 12);
    assert_eq!(shown("\x1b[8mhidden\x1b[28mseen"), ["      seen"]);
}

#[test]
fn everything_else_is_ignored() {
    for sequence in [
        "\x1b]0;title\x07",
        "\x1b]2;title\x1b\\",
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b]52;c;?\x07",
        "\x1b]8;;https://example.org\x07",
        "\x1b]4;1;#ffffff\x07",
        "\x1b]11;?\x07",
        "\x1b[c",
        "\x1b[>c",
        "\x1b[6n",
        "\x1b[5n",
        "\x1b[?2026$p",
        "\x1b[?1000h",
        "\x1b[?1049h",
        "\x1b[?2026h",
        "\x1b[?25l",
        "\x1b[4h",
        "\x1b[2;3r",
        "\x1b[8;50;200t",
        "\x1b[>4;2m",
        "\x1b[5 q",
        "\x1bPq#0;2;0;0;0~-\x1b\\",
        "\x1b_Gf=32;AAAA\x1b\\",
        "\x1b^private\x1b\\",
        "\x07",
        "\x05",
        "\u{9b}",
    ] {
        assert_eq!(read(format!("a{sequence}b").as_bytes()), read(b"ab"), "{sequence:?}");
    }
}

#[test]
fn wide_characters_take_two_columns() {
    let text = read("鳥x".as_bytes());
    assert_eq!(text.cells[0].glyph, plain("鳥"));
    assert_eq!(text.cells[1].column, 2);
    // At the last column it wraps, or stays within the row.
    assert_eq!(shown("0123456789a鳥"), ["0123456789a", "鳥"]);
    assert_eq!(shown("\x1b[?7l0123456789a鳥"), ["0123456789鳥"]);
    assert_eq!(rows(&read_on(1, 2, "鳥x".as_bytes())), ["x"]);
    // Overwriting one half blanks the other.
    assert_eq!(shown("鳥\x1b[2Gx"), [" x"]);
    assert_eq!(shown("鳥y\x1b[Gx"), ["x y"]);
    assert_eq!(shown("鳥鳥\x1b[2G鳥"), [" 鳥"]);
    assert_eq!(shown("a鳥b\x1b[3G\x1b[P"), ["a b"]);
    assert_eq!(shown("a鳥b\x1b[3G\x1b[@"), ["a   b"]);
    assert_eq!(shown("a鳥b\x1b[2G\x1b[X"), ["a  b"]);
    // A variation selector makes an emoji of a symbol.
    assert_eq!(glyph("\u{2764}\u{fe0f}".as_bytes()), plain("\u{2764}\u{fe0f}"));
    assert_eq!(shown("\u{2764}\u{fe0f}x"), ["\u{2764}\u{fe0f}x"]);
    assert_eq!(read("0123456789a\u{2764}\u{fe0f}".as_bytes()).cells[11].glyph, plain("\u{2764}"));
}

#[test]
fn combining_marks_belong_to_their_character() {
    assert_eq!(glyph("e\u{301}".as_bytes()), plain("e\u{301}"));
    assert_eq!(glyph("鳥\u{301}".as_bytes()), plain("鳥\u{301}"));
    assert_eq!(read("\u{301}".as_bytes()).cells, []);
    assert_eq!(read(" \u{301}".as_bytes()).cells, []);
    let zalgo = glyph(format!("x{}", "\u{301}".repeat(1000)).as_bytes());
    assert!(zalgo.symbol().starts_with("x\u{301}") && zalgo.symbol().len() <= 20, "{zalgo:?}");
}

#[test]
fn invisible_characters_are_left_out() {
    for hidden in ['\u{200b}', '\u{200d}', '\u{200e}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
        assert_eq!(shown(format!("a{hidden}b")), ["ab"], "{hidden:?}");
    }
}

#[test]
fn text_from_right_to_left_keeps_its_order() {
    assert_eq!(shown("\u{5d0}\u{5d1}\u{5d2} abc"), ["\u{5d0}\u{5d1}\u{5d2} abc"]);
    let text = read("\u{5d0}\u{5d1}".as_bytes());
    assert_eq!([text.cells[0].column, text.cells[1].column], [0, 1]);
}

#[test]
fn invalid_utf8_becomes_replacement_characters() {
    assert_eq!(shown(b"a\xffb\xe2\x82c\xc0\x80d"), ["a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}d"]);
    assert_eq!(shown(b"a\xe2\x82"), ["a\u{fffd}"]);
    let mut reader = TextReader::new(12, 4);
    "é鳥🐦".bytes().for_each(|byte| reader.feed(&[byte]).unwrap());
    assert_eq!(rows(&reader.finish()), ["é鳥🐦"]);
}

#[test]
fn binary_data_is_refused() {
    let mut reader = TextReader::new(12, 4);
    assert_eq!(reader.feed(b"\x7fELF"), Ok(()));
    let error = reader.feed(b"\x02\0").unwrap_err();
    assert_eq!(error, NotText { offset: 5 });
    assert_eq!(
        error.to_string(),
        "cannot show standard input as text: byte 5 is zero, as in binary data; UTF-8 text would be valid"
    );
    assert_eq!(TextReader::new(12, 4).feed(&vec![0; 1 << 21]), Err(NotText { offset: 0 }));
}

#[test]
fn the_first_screenful_of_a_long_text_is_shown() {
    let text = read(b"1\n2\n3\n4\n5\n6\n");
    assert_eq!(rows(&text), ["1", "2", "3", "4"]);
    assert_eq!((text.truncated, text.cursor_row), (true, 4));
    assert_eq!(text.notice().unwrap(), "the text is longer than the screen: showing the first 4 lines");
    // Only what can be seen counts.
    let text = read(b"1\n2\n3\n4\n\n \n");
    assert_eq!((rows(&text).len(), text.truncated, text.cursor_row, text.notice()), (4, false, 4, None));
    assert_eq!(shown("1\n2\n3\n4\n\x1b[2Ax"), ["1", "2", "x", "4"]);
    assert!(read(&b"0123456789ab".repeat(5)).truncated);
    let text = read_on(600, 100, &b"a".repeat(60_000));
    assert_eq!((text.cells.len(), text.truncated), (MAX_PERCHES, true));
    assert!(text.notice().unwrap().ends_with("showing the first 50000 characters"));
}

#[test]
fn ten_megabytes_and_endless_input_end_early() {
    let mut reader = TextReader::new(80, 24);
    let mut blocks = 0;
    while !reader.is_full() {
        reader.feed(&b"y\n".repeat(2048)).unwrap();
        blocks += 1;
    }
    assert_eq!(blocks, 1);
    let text = reader.finish();
    assert_eq!((text.truncated, text.cells.len()), (true, 24));
    // Input that never fills the screen.
    for line in ["spinner\r", "\x1b[2J", "x\x1b[H", "x\x1b[65535b\x1b[H", "\x1b]0;", "\x1b[99999L", " "] {
        let mut reader = TextReader::new(80, 24);
        let block = line.repeat(4096 / line.len());
        let blocks = (0..2560).take_while(|_| !reader.is_full() && reader.feed(block.as_bytes()) == Ok(())).count();
        assert!(blocks < 300, "{line:?}");
        assert!(reader.finish().truncated, "{line:?}");
    }
}

#[test]
fn print_shows_the_same_text_again() {
    let text = read("\x1b[31mred\x1b[1;3;4;7mall\x1b[0m\n\n鳥e\u{301}\x1b[48;2;9;8;7m \x1b[38;5;200mx\n".as_bytes());
    assert_eq!(read(&printed(&text, ColorDepth::Truecolor)), text);
    let mono = String::from_utf8(printed(&text, ColorDepth::Mono)).unwrap();
    assert_eq!(mono, "red\x1b[1;3;4;7mall\x1b[m\n\n鳥e\u{301} x\n");
    let few = String::from_utf8(printed(&text, ColorDepth::Colors16)).unwrap();
    assert!(few.starts_with("\x1b[31mred") && !few.contains(";5;") && !few.contains(";2;"), "{few:?}");
}
