//! Text from standard input, as a terminal shows it.

use std::collections::BTreeSet;

use flockscope::picture::{Charset, ColorDepth, symbol_width};
use flockscope::viewer::{NotText, PipedText, TextReader};

/// Small, so that texts wrap and go beyond it.
const SIZE: (u16, u16) = (14, 5);
/// More bytes than a character has, with its marks.
const LONGEST: usize = 20;

pub fn body(data: &[u8]) {
    let whole = read(data.chunks(data.len().max(1)));
    assert_eq!(whole, read(data.chunks(1)));
    let Ok(text) = whole else { return };
    check(&text);
    for depth in [ColorDepth::Truecolor, ColorDepth::Mono] {
        let printed = print(&text, depth);
        let again = read([&printed[..]].into_iter()).unwrap();
        if depth == ColorDepth::Truecolor {
            assert_eq!(again.cells, text.cells);
        }
    }
}

fn read<'a>(mut chunks: impl Iterator<Item = &'a [u8]>) -> Result<PipedText, NotText> {
    let mut reader = TextReader::new(SIZE.0, SIZE.1);
    chunks.try_for_each(|chunk| reader.feed(chunk))?;
    Ok(reader.finish())
}

/// The cells are on the screen in reading order, no two in the same place, and none holds a control character.
fn check(text: &PipedText) {
    let mut places = BTreeSet::new();
    let mut last = None;
    for cell in &text.cells {
        let symbol = cell.glyph.symbol();
        assert!(last < Some((cell.row, cell.column)), "{cell:?}");
        last = Some((cell.row, cell.column));
        assert!(cell.row < text.rows, "{cell:?}");
        for column in cell.column..cell.column + symbol_width(symbol) {
            assert!(column < text.columns && places.insert((cell.row, column)), "{cell:?}");
        }
        assert!((1..=LONGEST).contains(&symbol.len()) && !symbol.contains(char::is_control), "{cell:?}");
    }
    assert!(text.cursor_row <= text.rows);
}

/// Prints the text; only colors and line feeds control the terminal.
fn print(text: &PipedText, depth: ColorDepth) -> Vec<u8> {
    let mut bytes = Vec::new();
    text.print(depth, Charset::Unicode, &mut bytes).unwrap();
    let printed = std::str::from_utf8(&bytes).unwrap();
    for (index, part) in printed.split('\x1b').enumerate() {
        let plain = if index == 0 {
            part
        } else {
            let (numbers, plain) = part.strip_prefix('[').and_then(|part| part.split_once('m')).unwrap();
            assert!(numbers.chars().all(|char| char.is_ascii_digit() || char == ';'), "{part:?}");
            plain
        };
        assert!(plain.chars().all(|char| char == '\n' || !char.is_control()), "{part:?}");
    }
    bytes
}
