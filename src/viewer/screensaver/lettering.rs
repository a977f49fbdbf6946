//! The program's name drawn with strokes, as dots at any size.

use std::collections::HashSet;
use std::f32::consts::TAU;

/// The gap between letters. All lengths are in x-heights.
const GAP: f32 = 0.3;
/// The ascender height of an l and the descender depth of a p.
const ASCENDER: f32 = 1.6;
const DESCENDER: f32 = 0.55;
/// The x-height in dots from which strokes are two dots wide.
const BOLD: f32 = 10.0;

/// A stroke of a letter. The baseline is at y = 0, and y points down.
#[derive(Clone, Copy)]
enum Stroke {
    /// A line between two points.
    Line([f32; 2], [f32; 2]),
    /// An arc by center, radii, and the two angles in turns: 0 is right, 0.25 down.
    Arc([f32; 2], [f32; 2], [f32; 2]),
}

use Stroke::{Arc, Line};

/// The width and the strokes of a letter.
type Letter = (f32, &'static [Stroke]);

const BOWL: [f32; 2] = [0.5, -0.5];
const ROUND: [f32; 2] = [0.5, 0.5];

const F: Letter = (
    0.62,
    &[Line([0.26, 0.0], [0.26, -1.26]), Arc([0.6, -1.26], [0.34, 0.34], [0.5, 0.78]), Line([0.0, -0.96], [0.6, -0.96])],
);
const L: Letter = (0.0, &[Line([0.0, 0.0], [0.0, -ASCENDER])]);
const O: Letter = (1.0, &[Arc(BOWL, ROUND, [0.0, 1.0])]);
const C: Letter = (0.88, &[Arc(BOWL, ROUND, [0.86, 0.14])]);
const K: Letter =
    (0.74, &[Line([0.0, 0.0], [0.0, -ASCENDER]), Line([0.68, -1.0], [0.0, -0.4]), Line([0.22, -0.6], [0.74, 0.0])]);
const S: Letter =
    (0.7, &[Arc([0.36, -0.75], [0.3, 0.25], [0.92, 0.25]), Arc([0.35, -0.25], [0.35, 0.25], [0.75, 1.42])]);
const P: Letter = (1.0, &[Line([0.0, -1.0], [0.0, DESCENDER]), Arc(BOWL, ROUND, [0.0, 1.0])]);
const E: Letter = (1.0, &[Line([0.0, -0.5], [1.0, -0.5]), Arc(BOWL, ROUND, [1.0, 0.13])]);

const NAME: [Letter; 10] = [F, L, O, C, K, S, C, O, P, E];

/// The ratio of the name's width to its height.
#[must_use]
pub fn shape() -> f32 {
    width() / (ASCENDER + DESCENDER)
}

fn width() -> f32 {
    NAME.iter().map(|(width, _)| width + GAP).sum::<f32>() - GAP
}

/// The distinct dots of the name at a width of `wide` dots: the index of the letter, and the offset from the upper left
/// corner.
#[must_use]
pub fn dots(wide: f32) -> Vec<(usize, [f32; 2])> {
    let scale = wide / width();
    let pen: &[[f32; 2]] = if scale < BOLD { &[[0.0, 0.0]] } else { &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] };
    let (mut dots, mut taken) = (Vec::new(), HashSet::new());
    let mut left = 0.0;
    for (letter, (width, strokes)) in NAME.iter().enumerate() {
        for point in strokes.iter().flat_map(|stroke| stroke.points(scale)) {
            let corner = [((left + point[0]) * scale).round(), ((ASCENDER + point[1]) * scale).round()];
            for dot in pen.iter().map(|aside| [corner[0] + aside[0], corner[1] + aside[1]]) {
                if taken.insert(dot.map(|axis| axis as i32)) {
                    dots.push((letter, dot));
                }
            }
        }
        left += width + GAP;
    }
    dots
}

impl Stroke {
    /// Points along the stroke, at most a dot apart.
    fn points(&self, scale: f32) -> impl Iterator<Item = [f32; 2]> {
        let count = (self.length() * scale).ceil().max(1.0) as u32;
        let stroke = *self;
        (0..=count).map(move |step| stroke.at(step as f32 / count as f32))
    }

    /// Its approximate length.
    fn length(&self) -> f32 {
        match *self {
            Line([x, y], [to_x, to_y]) => (to_x - x).hypot(to_y - y),
            Arc(_, [a, b], [from, to]) => (to - from).abs() * TAU * a.max(b),
        }
    }

    /// The point at a share of its length.
    fn at(&self, share: f32) -> [f32; 2] {
        match *self {
            Line([x, y], [to_x, to_y]) => [x + (to_x - x) * share, y + (to_y - y) * share],
            Arc([x, y], [a, b], [from, to]) => {
                let (sin, cos) = ((from + (to - from) * share) * TAU).sin_cos();
                [x + a * cos, y + b * sin]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(wide: f32) -> String {
        let dots = dots(wide);
        let rows = (wide / shape()).ceil() as usize + 1;
        let mut lines = vec![vec![' '; wide as usize + 2]; rows];
        for (_, [x, y]) in dots {
            lines[y as usize][x as usize] = '#';
        }
        lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_name_is_legible() {
        let name = [
            "   ### #                    #",
            "   #   #                    #",
            "  #    #                    #",
            "  #    #                    #",
            "  #    #                    #",
            "###### #   #####     #####  #    #   ####    ######    ####    ######     #####",
            "  #    #  #     #   #       #   #    #   #   #       ##    ##  ##    ##  ##    #",
            "  #    # #       # ##       # ##     #      #        #      #  #      #  #      #",
            "  #    # #       # #        ###      ####   #        #      #  #      # #########",
            "  #    # #       # #        #  #        ##  #        #      #  #      #  #",
            "  #    #  #     #   #       #   #        #  #        #      #  #      #  #",
            "  #    #  #     #   #    #  #    #  #    #   #    #   #    #   ##    #   #     #",
            "  #    #   #####     #####  #    ##  ####    #####     ####    ######     #####",
            "                                                               #",
            "                                                               #",
            "                                                               #",
            "                                                               #",
        ];
        assert_eq!(written(80.0).trim_end(), name.join("\n"));
    }

    #[test]
    fn dots_are_distinct_and_every_letter_has_some() {
        for wide in [40.0, 77.0, 160.0, 300.0] {
            let dots = dots(wide);
            assert!((0..NAME.len()).all(|letter| dots.iter().any(|(index, _)| *index == letter)));
            assert!(dots.iter().all(|(_, [x, y])| (0.0..=wide.round() + 1.0).contains(x) && *y >= 0.0));
            for (index, (_, dot)) in dots.iter().enumerate() {
                assert!(dots[..index].iter().all(|(_, other)| other != dot), "{wide}: {dot:?}");
            }
        }
    }
}
