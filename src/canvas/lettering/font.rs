//! The letters and digits of the font: a light geometric sans of lines and arcs, and their lookup.
//!
//! All lengths are in x-heights. The baseline is at y = 0, and y points down. Caps and digits are 1.5 high, ascenders 1.6.

use Stroke::{Arc, Dot, Line};

use super::accents::accented;
use super::punctuation::punctuation;

/// A part of a letter that the pen draws without lifting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stroke {
    /// Straight lines from point to point.
    Line(&'static [[f32; 2]]),
    /// An arc by center, radii, and the two angles in turns: 0 is right, 0.25 down.
    Arc([f32; 2], [f32; 2], [f32; 2]),
    /// A round dot by the middle of its lower edge.
    Dot([f32; 2]),
}

/// A letter, digit or mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) width: f32,
    /// The width in dots is a multiple of this, which keeps a letter with a stem in its middle symmetric.
    pub(super) multiple: u8,
    pub(super) strokes: &'static [Stroke],
    /// An accent above or below.
    pub(super) accent: Option<Accent>,
}

/// An accent. Its x = 0 is the middle of the letter; its y = 0 is above the letter, or the baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accent {
    pub(super) above: bool,
    pub(super) strokes: &'static [Stroke],
}

/// A letter whose width may be any number of dots.
pub(super) const fn plain(width: f32, strokes: &'static [Stroke]) -> Letter {
    Letter { width, multiple: 1, strokes, accent: None }
}

/// A letter with a stem in its middle.
pub(super) const fn centered(width: f32, strokes: &'static [Stroke]) -> Letter {
    Letter { width, multiple: 2, strokes, accent: None }
}

/// A letter with stems at its quarters.
pub(super) const fn quartered(width: f32, strokes: &'static [Stroke]) -> Letter {
    Letter { width, multiple: 4, strokes, accent: None }
}

/// The letter of a grapheme; `None` if the font has no strokes for it.
pub(super) fn letter(grapheme: &str) -> Option<Letter> {
    let mut characters = grapheme.chars();
    let first = characters.next()?;
    if let Some(mark) = characters.next() {
        return characters.next().is_none().then(|| accented(first, mark)).flatten();
    }
    capital(first).or_else(|| small(first)).or_else(|| digit(first)).or_else(|| punctuation(first)).or_else(|| {
        let (base, mark) = super::accents::decompose(first)?;
        accented(base, mark)
    })
}

const BOWL: Stroke = Arc([0.5, -0.5], [0.5, 0.5], [0.0, 1.0]);
const STEM: Stroke = Line(&[[0.0, 0.0], [0.0, -1.0]]);
const ASCENDER: Stroke = Line(&[[0.0, 0.0], [0.0, -1.6]]);
const TALL: Stroke = Line(&[[0.0, 0.0], [0.0, -1.5]]);
const ROUND: Stroke = Arc([0.65, -0.75], [0.65, 0.75], [0.0, 1.0]);

fn capital(character: char) -> Option<Letter> {
    Some(match character {
        'A' => centered(1.2, &[Line(&[[0.0, 0.0], [0.6, -1.5], [1.2, 0.0]]), Line(&[[0.2, -0.5], [1.0, -0.5]])]),
        'B' => plain(
            0.9,
            &[
                TALL,
                Line(&[[0.0, -1.5], [0.48, -1.5]]),
                Arc([0.48, -1.125], [0.37, 0.375], [0.75, 1.25]),
                Line(&[[0.0, -0.75], [0.5, -0.75]]),
                Arc([0.5, -0.375], [0.4, 0.375], [0.75, 1.25]),
                Line(&[[0.5, 0.0], [0.0, 0.0]]),
            ],
        ),
        'C' => plain(1.1, &[Arc([0.62, -0.75], [0.62, 0.75], [0.87, 0.13])]),
        'D' => plain(
            1.1,
            &[
                TALL,
                Line(&[[0.0, -1.5], [0.45, -1.5]]),
                Arc([0.45, -0.75], [0.65, 0.75], [0.75, 1.25]),
                Line(&[[0.45, 0.0], [0.0, 0.0]]),
            ],
        ),
        'E' => plain(
            0.8,
            &[Line(&[[0.8, -1.5], [0.0, -1.5], [0.0, 0.0], [0.8, 0.0]]), Line(&[[0.0, -0.75], [0.7, -0.75]])],
        ),
        'F' => plain(0.75, &[Line(&[[0.75, -1.5], [0.0, -1.5], [0.0, 0.0]]), Line(&[[0.0, -0.75], [0.65, -0.75]])]),
        'G' => plain(1.24, &[Arc([0.62, -0.75], [0.62, 0.75], [0.87, 0.0]), Line(&[[1.24, -0.75], [0.7, -0.75]])]),
        'H' => plain(1.05, &[TALL, Line(&[[1.05, 0.0], [1.05, -1.5]]), Line(&[[0.0, -0.75], [1.05, -0.75]])]),
        'I' => centered(
            0.5,
            &[Line(&[[0.25, 0.0], [0.25, -1.5]]), Line(&[[0.0, -1.5], [0.5, -1.5]]), Line(&[[0.0, 0.0], [0.5, 0.0]])],
        ),
        'J' => plain(0.7, &[Line(&[[0.7, -1.5], [0.7, -0.35]]), Arc([0.35, -0.35], [0.35, 0.35], [0.0, 0.48])]),
        'K' => plain(0.95, &[TALL, Line(&[[0.9, -1.5], [0.0, -0.55]]), Line(&[[0.3, -0.85], [0.95, 0.0]])]),
        'L' => plain(0.75, &[Line(&[[0.0, -1.5], [0.0, 0.0], [0.75, 0.0]])]),
        'M' => centered(1.3, &[Line(&[[0.0, 0.0], [0.0, -1.5], [0.65, -0.45], [1.3, -1.5], [1.3, 0.0]])]),
        'N' => plain(1.1, &[Line(&[[0.0, 0.0], [0.0, -1.5], [1.1, 0.0], [1.1, -1.5]])]),
        'O' => plain(1.3, &[ROUND]),
        'P' => plain(
            0.85,
            &[
                TALL,
                Line(&[[0.0, -1.5], [0.45, -1.5]]),
                Arc([0.45, -1.1], [0.4, 0.4], [0.75, 1.25]),
                Line(&[[0.45, -0.7], [0.0, -0.7]]),
            ],
        ),
        'Q' => plain(1.3, &[ROUND, Line(&[[0.75, -0.5], [1.3, 0.1]])]),
        'R' => plain(
            0.9,
            &[
                TALL,
                Line(&[[0.0, -1.5], [0.48, -1.5]]),
                Arc([0.48, -1.1], [0.4, 0.4], [0.75, 1.25]),
                Line(&[[0.48, -0.7], [0.0, -0.7]]),
                Line(&[[0.4, -0.7], [0.9, 0.0]]),
            ],
        ),
        'S' => plain(
            0.9,
            &[Arc([0.45, -1.125], [0.4, 0.375], [0.94, 0.25]), Arc([0.45, -0.375], [0.45, 0.375], [0.75, 1.42])],
        ),
        'T' => centered(1.1, &[Line(&[[0.55, 0.0], [0.55, -1.5]]), Line(&[[0.0, -1.5], [1.1, -1.5]])]),
        'U' => plain(
            1.05,
            &[
                Line(&[[0.0, -1.5], [0.0, -0.5]]),
                Arc([0.525, -0.5], [0.525, 0.5], [0.5, 0.0]),
                Line(&[[1.05, -0.5], [1.05, -1.5]]),
            ],
        ),
        'V' => centered(1.15, &[Line(&[[0.0, -1.5], [0.575, 0.0], [1.15, -1.5]])]),
        'W' => quartered(1.7, &[Line(&[[0.0, -1.5], [0.425, 0.0], [0.85, -1.2], [1.275, 0.0], [1.7, -1.5]])]),
        'X' => plain(1.05, &[Line(&[[0.0, -1.5], [1.05, 0.0]]), Line(&[[1.05, -1.5], [0.0, 0.0]])]),
        'Y' => centered(1.1, &[Line(&[[0.0, -1.5], [0.55, -0.7], [1.1, -1.5]]), Line(&[[0.55, -0.7], [0.55, 0.0]])]),
        'Z' => plain(0.95, &[Line(&[[0.0, -1.5], [0.95, -1.5], [0.0, 0.0], [0.95, 0.0]])]),
        'Æ' => plain(
            1.55,
            &[
                Line(&[[0.0, 0.0], [0.75, -1.5], [1.55, -1.5]]),
                Line(&[[0.75, -1.5], [0.75, 0.0], [1.55, 0.0]]),
                Line(&[[0.75, -0.75], [1.4, -0.75]]),
                Line(&[[0.25, -0.5], [0.75, -0.5]]),
            ],
        ),
        'Œ' => plain(
            1.55,
            &[
                Arc([0.8, -0.75], [0.8, 0.75], [0.75, 0.25]),
                Line(&[[0.8, 0.0], [0.8, -1.5], [1.55, -1.5]]),
                Line(&[[0.8, -0.75], [1.4, -0.75]]),
                Line(&[[0.8, 0.0], [1.55, 0.0]]),
            ],
        ),
        'Ø' => plain(1.3, &[ROUND, Line(&[[0.1, 0.1], [1.2, -1.6]])]),
        'Ł' => plain(0.85, &[Line(&[[0.1, -1.5], [0.1, 0.0], [0.85, 0.0]]), Line(&[[-0.1, -0.5], [0.5, -1.0]])]),
        _ => return None,
    })
}

fn small(character: char) -> Option<Letter> {
    Some(match character {
        'a' => plain(1.0, &[BOWL, Line(&[[1.0, -1.0], [1.0, 0.0]])]),
        'b' => plain(1.0, &[ASCENDER, BOWL]),
        'c' => plain(0.88, &[Arc([0.5, -0.5], [0.5, 0.5], [0.86, 0.14])]),
        'd' => plain(1.0, &[BOWL, Line(&[[1.0, -1.6], [1.0, 0.0]])]),
        'e' => plain(1.0, &[Line(&[[0.0, -0.5], [1.0, -0.5]]), Arc([0.5, -0.5], [0.5, 0.5], [1.0, 0.13])]),
        'f' => plain(
            0.62,
            &[
                Line(&[[0.24, 0.0], [0.24, -1.26]]),
                Arc([0.58, -1.26], [0.34, 0.34], [0.5, 0.78]),
                Line(&[[0.0, -1.0], [0.58, -1.0]]),
            ],
        ),
        'g' => plain(1.0, &[BOWL, Line(&[[1.0, -1.0], [1.0, 0.1]]), Arc([0.5, 0.1], [0.5, 0.45], [0.0, 0.42])]),
        'h' => plain(0.9, &[ASCENDER, Arc([0.45, -0.55], [0.45, 0.45], [0.5, 1.0]), Line(&[[0.9, -0.55], [0.9, 0.0]])]),
        'i' => plain(0.0, &[STEM, Dot([0.0, -1.45])]),
        'j' => plain(
            0.3,
            &[Line(&[[0.3, -1.0], [0.3, 0.25]]), Arc([0.0, 0.25], [0.3, 0.3], [0.0, 0.25]), Dot([0.3, -1.45])],
        ),
        'k' => plain(0.74, &[ASCENDER, Line(&[[0.68, -1.0], [0.0, -0.4]]), Line(&[[0.22, -0.6], [0.74, 0.0]])]),
        'l' => plain(0.0, &[ASCENDER]),
        'm' => centered(
            1.5,
            &[
                STEM,
                Arc([0.375, -0.6], [0.375, 0.4], [0.5, 1.0]),
                Line(&[[0.75, -0.6], [0.75, 0.0]]),
                Arc([1.125, -0.6], [0.375, 0.4], [0.5, 1.0]),
                Line(&[[1.5, -0.6], [1.5, 0.0]]),
            ],
        ),
        'n' => plain(0.9, &[STEM, Arc([0.45, -0.55], [0.45, 0.45], [0.5, 1.0]), Line(&[[0.9, -0.55], [0.9, 0.0]])]),
        'o' => plain(1.0, &[BOWL]),
        'p' => plain(1.0, &[Line(&[[0.0, -1.0], [0.0, 0.55]]), BOWL]),
        'q' => plain(1.0, &[BOWL, Line(&[[1.0, -1.0], [1.0, 0.55]])]),
        'r' => plain(0.55, &[STEM, Arc([0.45, -0.5], [0.45, 0.5], [0.5, 0.8])]),
        's' => {
            plain(0.7, &[Arc([0.36, -0.75], [0.3, 0.25], [0.92, 0.25]), Arc([0.35, -0.25], [0.35, 0.25], [0.75, 1.42])])
        }
        't' => plain(
            0.56,
            &[
                Line(&[[0.22, -1.4], [0.22, -0.3]]),
                Arc([0.52, -0.3], [0.3, 0.3], [0.5, 0.25]),
                Line(&[[0.0, -1.0], [0.52, -1.0]]),
            ],
        ),
        'u' => plain(
            0.9,
            &[
                Line(&[[0.0, -1.0], [0.0, -0.45]]),
                Arc([0.45, -0.45], [0.45, 0.45], [0.5, 0.0]),
                Line(&[[0.9, -1.0], [0.9, 0.0]]),
            ],
        ),
        'v' => centered(0.9, &[Line(&[[0.0, -1.0], [0.45, 0.0], [0.9, -1.0]])]),
        'w' => quartered(1.4, &[Line(&[[0.0, -1.0], [0.35, 0.0], [0.7, -1.0], [1.05, 0.0], [1.4, -1.0]])]),
        'x' => plain(0.85, &[Line(&[[0.0, -1.0], [0.85, 0.0]]), Line(&[[0.85, -1.0], [0.0, 0.0]])]),
        'y' => centered(0.9, &[Line(&[[0.0, -1.0], [0.45, 0.0]]), Line(&[[0.9, -1.0], [0.45, 0.0], [0.2, 0.55]])]),
        'z' => plain(0.8, &[Line(&[[0.0, -1.0], [0.8, -1.0], [0.0, 0.0], [0.8, 0.0]])]),
        'ß' => plain(
            0.9,
            &[
                Line(&[[0.0, 0.0], [0.0, -1.2]]),
                Arc([0.38, -1.2], [0.38, 0.4], [0.5, 1.25]),
                Arc([0.4, -0.4], [0.5, 0.4], [0.75, 1.3]),
            ],
        ),
        'æ' => plain(
            1.8,
            &[
                Arc([0.45, -0.5], [0.45, 0.5], [0.0, 1.0]),
                Line(&[[0.9, -1.0], [0.9, 0.0]]),
                Line(&[[0.9, -0.5], [1.8, -0.5]]),
                Arc([1.35, -0.5], [0.45, 0.5], [1.0, 0.13]),
            ],
        ),
        'œ' => plain(
            1.8,
            &[
                Arc([0.45, -0.5], [0.45, 0.5], [0.0, 1.0]),
                Line(&[[0.9, -0.5], [1.8, -0.5]]),
                Arc([1.35, -0.5], [0.45, 0.5], [1.0, 0.13]),
            ],
        ),
        'ø' => plain(1.0, &[BOWL, Line(&[[0.0, 0.1], [1.0, -1.1]])]),
        'ı' => plain(0.0, &[STEM]),
        'ł' => plain(0.4, &[Line(&[[0.2, 0.0], [0.2, -1.6]]), Line(&[[0.0, -0.65], [0.4, -1.0]])]),
        _ => return None,
    })
}

/// The digits, which have one width: a clock must not jump.
fn digit(character: char) -> Option<Letter> {
    let strokes: &'static [Stroke] = match character {
        '0' => &[Arc([0.475, -0.75], [0.475, 0.75], [0.0, 1.0])],
        '1' => &[Line(&[[0.15, -1.2], [0.55, -1.5], [0.55, 0.0]])],
        '2' => &[Arc([0.475, -1.05], [0.45, 0.45], [0.52, 1.08]), Line(&[[0.87, -0.83], [0.0, 0.0], [0.95, 0.0]])],
        '3' => &[Arc([0.45, -1.125], [0.4, 0.375], [0.58, 1.25]), Arc([0.45, -0.375], [0.5, 0.375], [0.75, 1.43])],
        '4' => &[Line(&[[0.7, 0.0], [0.7, -1.5], [0.0, -0.4], [0.95, -0.4]])],
        '5' => &[Line(&[[0.85, -1.5], [0.1, -1.5], [0.05, -0.8]]), Arc([0.45, -0.475], [0.5, 0.475], [0.62, 1.42])],
        '6' => &[Arc([0.475, -0.475], [0.475, 0.475], [0.0, 1.0]), Arc([0.7, -0.5], [0.7, 1.0], [0.5, 0.75])],
        '7' => &[Line(&[[0.0, -1.5], [0.95, -1.5], [0.3, 0.0]])],
        '8' => &[Arc([0.475, -1.125], [0.4, 0.375], [0.25, 1.25]), Arc([0.475, -0.375], [0.475, 0.375], [0.75, 1.75])],
        '9' => &[Arc([0.475, -1.025], [0.475, 0.475], [0.0, 1.0]), Arc([0.25, -1.0], [0.7, 1.0], [0.0, 0.25])],
        _ => return None,
    };
    Some(plain(0.95, strokes))
}
