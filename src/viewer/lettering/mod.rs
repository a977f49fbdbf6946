//! Lettering: a text as points on the canvas, which boids can fly to.
//!
//! The letters are as large as fits, in a font of strokes. A grapheme for which the font has no strokes is one point, at
//! which the terminal shows the grapheme itself.
#![allow(clippy::cast_possible_wrap, reason = "a canvas has far fewer dots than an i32 can count")]

mod font;
mod ink;
mod setting;

use unicode_segmentation::UnicodeSegmentation;

use self::ink::LetterPen;
use self::setting::{Placed, Setting, Shape, Text};
use crate::picture::{DOTS_HIGH, DOTS_WIDE};

/// The smallest legible x-height, in dots.
const SMALLEST: u16 = 3;
/// The share of the canvas that stays free at each side.
const MARGIN: f32 = 0.12;
/// The largest distance of the dots of a stroke, unless even the smallest letters need a larger one: in dots, and in
/// x-heights.
const SPARSE: f32 = 3.0;
const SPARSE_LETTER: f32 = 0.25;

/// A rectangle of dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LetteringArea {
    /// The column and row of its upper left dot.
    pub(crate) corner: [i32; 2],
    /// Its width and height.
    pub(crate) size: [i32; 2],
}

impl LetteringArea {
    /// A canvas of this many columns and rows of cells, without its margins.
    pub(crate) fn within_margins(columns: usize, rows: usize) -> Self {
        let size = [(columns * DOTS_WIDE) as i32, (rows * DOTS_HIGH) as i32];
        let corner = size.map(|side| (side as f32 * MARGIN).round() as i32);
        Self { corner, size: [size[0] - 2 * corner[0], size[1] - 2 * corner[1]] }
    }

    /// The middle of the area, at most this wide and high.
    pub(crate) fn limited(self, size: [i32; 2]) -> Self {
        let size = [self.size[0].min(size[0]), self.size[1].min(size[1])];
        let corner = [0, 1].map(|axis| self.corner[axis] + (self.size[axis] - size[axis]) / 2);
        Self { corner, size }
    }
}

/// A point of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LetteringPoint {
    /// The center of a dot, in dots of the canvas. For a grapheme, the center of a cell: the left one, if it takes two.
    pub(crate) at: [f32; 2],
    /// Which grapheme of the text it belongs to, counted from 0.
    pub(crate) letter: usize,
    /// What the terminal shows there instead of a dot.
    pub(crate) grapheme: Option<String>,
}

/// A text that is laid out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lettering {
    /// The points. The first ones, however many, show the text best. No two are at the same dot.
    pub(crate) points: Vec<LetteringPoint>,
    /// The dots that the text takes.
    pub(crate) area: LetteringArea,
}

/// Why a text cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LetteringError {
    /// The text is too long.
    #[error("the text does not fit: it has {characters} characters, and there is room for the first {fit}")]
    TooLong {
        /// How many characters it has.
        characters: usize,
        /// How many of them fit, from the first.
        fit: usize,
    },
    /// Not even its first letter fits.
    #[error(
        "{}×{} dots are too few for a letter: expected at least {}×{}",
        available[0], available[1], expected[0], expected[1]
    )]
    TooSmall {
        /// The width and height that there are, in dots.
        available: [i32; 2],
        /// The width and height of the letter at the smallest size, in dots.
        expected: [i32; 2],
    },
}

/// Lays a text out in the middle of an area, as large as fits, with at most `most` points.
///
/// Lines break at `\n`, and between words where this makes the letters largest. With few points the dots of a stroke
/// have equal gaps, and with very few the letters are smaller.
///
/// # Errors
///
/// If the text does not fit even at the smallest legible size.
pub(crate) fn lay_out(text: &str, area: LetteringArea, most: usize) -> Result<Lettering, LetteringError> {
    let words = Text::new(text);
    if !fits(&words, SMALLEST, area) {
        return Err(misfit(text, area));
    }
    let pen = pen(&words, largest(&words, area, most), most);
    let setting = Setting::new(&words, pen);
    let (placed, size) = setting.place(area.size[0]);
    let corner = [0, 1].map(|axis| area.corner[axis] + (area.size[axis] - size[axis]) / 2);
    let mut ranked: Vec<_> =
        placed.iter().flat_map(|placed| points(placed, [area.corner[0], corner[1]], setting.middle())).collect();
    ranked.sort_by(|(rank, _), (other, _)| rank.total_cmp(other));
    ranked.truncate(most);
    let points = ranked.into_iter().map(|(_, point)| point).collect();
    Ok(Lettering { points, area: LetteringArea { corner, size } })
}

fn fits(text: &Text, x_height: u16, area: LetteringArea) -> bool {
    Setting::new(text, LetterPen::full(x_height)).fits(area.size)
}

fn misfit(text: &str, area: LetteringArea) -> LetteringError {
    let text = text.trim();
    let ends: Vec<usize> = text.grapheme_indices(true).map(|(start, grapheme)| start + grapheme.len()).collect();
    let fit = ends.partition_point(|&end| fits(&Text::new(&text[..end]), SMALLEST, area));
    if fit > 0 {
        return LetteringError::TooLong { characters: ends.len(), fit };
    }
    let first = Text::new(&text[..ends.first().copied().unwrap_or_default()]);
    LetteringError::TooSmall {
        available: area.size,
        expected: Setting::new(&first, LetterPen::full(SMALLEST)).least_size(),
    }
}

/// The largest x-height at which a text fits, and is legible with so many points.
fn largest(text: &Text, area: LetteringArea, most: usize) -> u16 {
    if !text.signs().any(|sign| matches!(sign.shape, Shape::Strokes(_))) {
        return SMALLEST;
    }
    let heights: Vec<u16> = (SMALLEST + 1..=area.size[1] as u16).collect();
    let larger = heights
        .partition_point(|&height| fits(text, height, area) && Setting::new(text, sparsest(height)).cost() <= most);
    SMALLEST + larger as u16
}

fn sparsest(x_height: u16) -> LetterPen {
    let spacing = SPARSE.min(SPARSE_LETTER * f32::from(x_height)).max(1.0);
    LetterPen { width: 1, spacing, ..LetterPen::full(x_height) }
}

/// The pen that draws the best strokes with so many points.
fn pen(text: &Text, x_height: u16, most: usize) -> LetterPen {
    /// The step of the spacing, in dots.
    const FINE: f32 = 0.125;
    let full = LetterPen::full(x_height);
    let widths = (1..=full.width).rev().map(|width| LetterPen { width, ..full });
    let spacings = (1..=64).map(|step| LetterPen { width: 1, spacing: 1.0 + FINE * step as f32, ..full });
    let widest = sparsest(x_height);
    widths.chain(spacings).find(|&pen| Setting::new(text, pen).cost() <= most).unwrap_or(widest)
}

/// The points of a letter with their ranks: graphemes first, then the middles of strokes, then what makes them wide.
fn points(placed: &Placed, [left, top]: [i32; 2], middle: i32) -> Vec<(f32, LetteringPoint)> {
    let (x, y) = (left + placed.left, top + placed.baseline);
    let letter = placed.piece.sign.index;
    let ink = &placed.piece.ink;
    match &placed.piece.sign.shape {
        Shape::Cells(grapheme, _) => {
            let (wide, high) = (DOTS_WIDE as i32, DOTS_HIGH as i32);
            let (column, row) = ((x + wide - 1).div_euclid(wide), (y + middle).div_euclid(high));
            let at = [(column * wide + wide / 2) as f32, (row * high + high / 2) as f32];
            vec![(-1.0, LetteringPoint { at, letter, grapheme: Some(grapheme.clone()) })]
        }
        Shape::Strokes(_) => [&ink.line, &ink.rest]
            .into_iter()
            .enumerate()
            .flat_map(|(layer, dots)| spread(dots).map(move |(share, dot)| (layer as f32 + share, dot)))
            .map(|(rank, dot)| {
                let at = [x + dot[0] - ink.columns[0], y + dot[1]].map(|axis| axis as f32 + 0.5);
                (rank, LetteringPoint { at, letter, grapheme: None })
            })
            .collect(),
    }
}

/// Dots with ranks of 0 … 1, so that the first ones are spread evenly over all: in van der Corput's order.
fn spread<T>(dots: &[T]) -> impl Iterator<Item = (f32, &T)> {
    let mut order: Vec<usize> = (0..dots.len()).collect();
    order.sort_by_key(|index| (*index as u32).reverse_bits());
    let count = dots.len() as f32;
    order.into_iter().enumerate().map(move |(rank, index)| ((rank as f32 + 0.5) / count, &dots[index]))
}

#[cfg(test)]
mod tests;
