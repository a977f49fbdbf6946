//! A text as words of signs, before it has a size.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::font::{Letter, letter};

/// A grapheme that is shown.
#[derive(Clone, Debug)]
pub(super) struct Sign {
    /// Its index in the text, counted in graphemes.
    pub(super) index: usize,
    /// Whether it is one of the digits, which all have the same width.
    pub(super) digit: bool,
    pub(super) shape: Shape,
}

/// How a grapheme is shown.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// With the strokes of the font.
    Strokes(Letter),
    /// As a character of the terminal, this many cells wide.
    Cells(String, u8),
}

/// Signs without a place to break between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) signs: Vec<Sign>,
    /// Whether a space follows.
    pub(super) spaced: bool,
}

/// A text as paragraphs of words.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) paragraphs: Vec<Vec<Word>>,
}

impl Text {
    /// Reads a text. A paragraph ends at `\n`; a word ends at whitespace, and before and after a grapheme without
    /// strokes.
    pub(super) fn new(text: &str) -> Self {
        let mut paragraphs: Vec<Vec<Word>> = vec![Vec::new()];
        let mut continues = false;
        for (index, grapheme) in text.trim_end().graphemes(true).enumerate() {
            if grapheme.ends_with('\n') {
                paragraphs.push(Vec::new());
                continues = false;
                continue;
            }
            let words = paragraphs.last_mut().expect("a text has a paragraph");
            if grapheme.chars().all(|character| character.is_whitespace() || character.is_control()) {
                if let Some(word) = words.last_mut() {
                    word.spaced = true;
                }
                continues = false;
            } else if let Some(letter) = letter(grapheme) {
                if !continues {
                    words.push(Word::default());
                }
                let digit = grapheme.starts_with(|character: char| character.is_ascii_digit());
                let word = words.last_mut().expect("a word is open");
                word.signs.push(Sign { index, digit, shape: Shape::Strokes(letter) });
                continues = true;
            } else if grapheme.width() > 0 {
                let shape = Shape::Cells(grapheme.to_owned(), grapheme.width().min(2) as u8);
                words.push(Word { signs: vec![Sign { index, digit: false, shape }], spaced: false });
                continues = false;
            }
        }
        Self { paragraphs }
    }

    /// Its signs, in their order.
    pub(super) fn signs(&self) -> impl Iterator<Item = &Sign> {
        self.paragraphs.iter().flatten().flat_map(|word| &word.signs)
    }
}
