//! A text as words of signs, and at one size: their widths, and the lines that they make.

use textwrap::core::Fragment;
use textwrap::wrap_algorithms::wrap_first_fit;
use unicode_segmentation::UnicodeSegmentation;

use super::font::{Letter, letter};
use super::ink::{Ink, LetterPen};
use crate::picture::{DOTS_HIGH, DOTS_WIDE, UnicodeWidthStr};

/// The gap between letters, the width of a space, and the gap between lines, in x-heights.
const TRACKING: f32 = 0.24;
const SPACE: f32 = 0.4;
const LEADING: f32 = 0.5;

/// A sign at a size.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) sign: &'a Sign,
    /// Its dots; none for a character of the terminal.
    pub(super) ink: Ink,
    pub(super) width: i32,
}

/// A word at a size.
#[derive(Debug)]
struct SetWord<'a> {
    pieces: Vec<Piece<'a>>,
    width: i32,
    /// The distance to the next word on the line.
    gap: i32,
}

impl Fragment for SetWord<'_> {
    fn width(&self) -> f64 {
        self.width.into()
    }

    fn whitespace_width(&self) -> f64 {
        self.gap.into()
    }

    fn penalty_width(&self) -> f64 {
        0.0
    }
}

/// A text at a size. All lengths are in dots.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pen: LetterPen,
    paragraphs: Vec<Vec<SetWord<'a>>>,
    /// The first and the last row of a line, below its baseline.
    rows: [i32; 2],
}

/// A piece on a page of lines.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    pub(super) piece: &'a Piece<'a>,
    /// The column of its left edge.
    pub(super) left: i32,
    /// The row of its baseline.
    pub(super) baseline: i32,
}

impl<'a> Setting<'a> {
    pub(super) fn new(text: &'a Text, pen: LetterPen) -> Self {
        let mut setting = Self { pen, paragraphs: Vec::new(), rows: [-i32::from(pen.x_height), 0] };
        for words in &text.paragraphs {
            let words = words.iter().map(|word| setting.word(word)).collect();
            setting.paragraphs.push(words);
        }
        setting
    }

    fn word(&mut self, word: &'a Word) -> SetWord<'a> {
        let pieces: Vec<Piece> = word.signs.iter().map(|sign| self.piece(sign)).collect();
        let width = pieces.iter().map(|piece| piece.width + self.tracking()).sum::<i32>() - self.tracking();
        let space = if word.spaced { self.dots(SPACE) + self.tracking() } else { 0 };
        SetWord { pieces, width, gap: space + self.tracking() }
    }

    fn piece(&mut self, sign: &'a Sign) -> Piece<'a> {
        let (ink, width, rows) = match &sign.shape {
            Shape::Strokes(letter) => {
                let ink = Ink::new(letter, self.pen);
                let ([left, right], rows) = (ink.columns, ink.rows);
                (ink, right + 1 - left, rows)
            }
            Shape::Cells(_, cells) => {
                // With the room for moving it to a whole cell.
                let width = i32::from(*cells) * DOTS_WIDE as i32 + DOTS_WIDE as i32 - 1;
                let reach = DOTS_HIGH as i32 - 1;
                (Ink::default(), width, [self.middle() - reach, self.middle() + reach])
            }
        };
        self.rows = [self.rows[0].min(rows[0]), self.rows[1].max(rows[1])];
        Piece { sign, ink, width }
    }

    fn dots(&self, length: f32) -> i32 {
        (length * f32::from(self.pen.x_height)).round() as i32
    }

    /// The empty columns between letters.
    fn tracking(&self) -> i32 {
        self.dots(TRACKING).max(1)
    }

    /// The rows from one baseline to the next.
    fn line_height(&self) -> i32 {
        self.rows[1] + 1 - self.rows[0] + self.dots(LEADING).max(1)
    }

    /// The row in the middle of an x, below the baseline.
    pub(super) fn middle(&self) -> i32 {
        -i32::from(self.pen.x_height / 2)
    }

    /// The number of dots, if each digit is the one with the most. So a clock keeps its pen at all times.
    pub(super) fn cost(&self) -> usize {
        let digit = ('0'..='9')
            .filter_map(|digit| letter(digit.encode_utf8(&mut [0; 4])))
            .map(|digit| Ink::new(&digit, self.pen).count())
            .max()
            .unwrap_or_default();
        let pieces = self.paragraphs.iter().flatten().flat_map(|word| &word.pieces);
        pieces.map(|piece| if piece.sign.digit { digit } else { piece.ink.count().max(1) }).sum()
    }

    /// Whether the text fits a width and a height.
    pub(super) fn fits(&self, [width, height]: [i32; 2]) -> bool {
        let lines = self.lines(width);
        self.height(lines.len()) <= height && lines.iter().all(|line| line_width(line) <= width)
    }

    /// The smallest width and height that the text needs.
    pub(super) fn least_size(&self) -> [i32; 2] {
        let widths = self.paragraphs.iter().flatten().map(|word| word.width);
        [widths.max().unwrap_or_default(), self.height(self.paragraphs.len())]
    }

    /// Places the pieces in centered lines of similar widths. Returns them with the width and height that they take,
    /// from the corner of a page that is as wide as given.
    pub(super) fn place(&self, width: i32) -> (Vec<Placed<'_>>, [i32; 2]) {
        let lines = self.lines(self.even_width(width));
        let mut placed = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let baseline = number as i32 * self.line_height() - self.rows[0];
            let mut left = (width - line_width(line)) / 2;
            for word in *line {
                let start = left;
                for piece in &word.pieces {
                    placed.push(Placed { piece, left, baseline });
                    left += piece.width + self.tracking();
                }
                left = start + word.width + word.gap;
            }
        }
        let widest = lines.iter().map(|line| line_width(line)).max().unwrap_or_default();
        (placed, [widest, self.height(lines.len())])
    }

    fn lines(&self, width: i32) -> Vec<&[SetWord<'a>]> {
        self.paragraphs.iter().flat_map(|words| wrap_first_fit(words, &[width.into()])).collect()
    }

    fn height(&self, lines: usize) -> i32 {
        (lines as i32 - 1) * self.line_height() + self.rows[1] + 1 - self.rows[0]
    }

    /// The least width that needs no more lines than `width`.
    fn even_width(&self, width: i32) -> i32 {
        let count = self.lines(width).len();
        let widths: Vec<i32> = (0..width).collect();
        widths.partition_point(|&narrow| {
            let lines = self.lines(narrow);
            lines.len() > count || lines.iter().any(|line| line_width(line) > width)
        }) as i32
    }
}

fn line_width(line: &[SetWord]) -> i32 {
    let last = line.last().map_or(0, |word| word.gap);
    line.iter().map(|word| word.width + word.gap).sum::<i32>() - last
}

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
