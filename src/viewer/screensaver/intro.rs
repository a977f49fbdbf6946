//! The intro: particles gather into the program's name, hold it, and fly off.
//!
//! The path of each particle is a pure function of seed and time.

use std::collections::HashSet;
use std::f32::consts::TAU;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::canvas::{DOTS_HIGH, DOTS_WIDE, bit};
use Stroke::{Arc, Line};

/// The times in seconds at which the last particle arrives and the first one leaves.
const GATHERED: f32 = 0.95;
const LEAVES: f32 = 1.75;
/// The duration of the intro.
pub const INTRO_LENGTH: Duration = Duration::from_millis(2400);
/// The delay of the last letter behind the first, in seconds.
const WAVE: f32 = 0.2;
/// The name's share of the canvas's width, and its maximum share of the height.
const WIDTH: f32 = 0.76;
const HEIGHT: f32 = 0.4;
/// The maximum width of the name, in dots.
const WIDEST: f32 = 240.0;
/// The minimum size of the canvas, in cells.
const SMALLEST: (usize, usize) = (44, 11);
/// How much of the flock fades out behind the name.
const HIDES: f32 = 0.9;
/// The speed in dots per second from which a particle's color shows only its heading.
const SWIFT: f32 = 60.0;
/// The fade from which a particle is invisible.
const GONE: f32 = 0.995;
/// The fade below which a particle counts as settled.
const SETTLED: f32 = 0.02;
/// The share of the heading colors that the name runs through.
const ARC: f32 = 0.6;

/// A dot of the name and its path.
#[derive(Clone, Copy, Debug)]
struct Particle {
    /// Its position in the name.
    home: [f32; 2],
    /// The offset it starts from, and how far its path turns, in radians.
    from: [f32; 2],
    turns: f32,
    /// The offset it flies off to.
    away: [f32; 2],
    /// Its position along the name, 0 … 1.
    along: f32,
}

/// The particles in one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntroCell {
    /// The cell's row.
    pub row: u16,
    /// The cell's column.
    pub column: u16,
    /// The dots, as the low byte of the braille block.
    pub dots: u8,
    /// The heading that gives their color: their direction in flight, their position in the name.
    pub heading: u8,
    /// Their depth: 0 nearest, 255 farthest.
    pub depth: u8,
    /// Whether they are in place.
    pub settled: bool,
}

/// The state of the intro.
#[derive(Debug)]
pub struct Intro {
    canvas: (usize, usize),
    particles: Vec<Particle>,
    /// The name's center, and half its width and height, in cells.
    center: [f32; 2],
    reach: [f32; 2],
    time: f32,
    cells: Vec<IntroCell>,
}

impl Intro {
    /// Lays the name out on a canvas; `None` if the canvas is too small.
    #[must_use]
    pub fn new(seed: u64, canvas: (usize, usize)) -> Option<Self> {
        let (columns, rows) = canvas;
        if columns < SMALLEST.0 || rows < SMALLEST.1 {
            return None;
        }
        let (wide, high) = ((columns * DOTS_WIDE) as f32, (rows * DOTS_HIGH) as f32);
        let width = (WIDTH * wide).min(HEIGHT * high * shape()).min(WIDEST);
        let height = width / shape();
        let corner = [((wide - width) / 2.0).round(), ((high - height) / 2.0).round()];
        let mut intro = Self {
            canvas,
            particles: particles(seed, corner, width, wide),
            center: [columns as f32 / 2.0, rows as f32 / 2.0],
            reach: [width / (2 * DOTS_WIDE) as f32, height / (2 * DOTS_HIGH) as f32],
            time: 0.0,
            cells: Vec::new(),
        };
        intro.seek(Duration::ZERO);
        Some(intro)
    }

    /// The size of the canvas in cells.
    #[must_use]
    pub fn canvas(&self) -> (usize, usize) {
        self.canvas
    }

    /// Moves the particles to a time since the start.
    pub fn seek(&mut self, time: Duration) {
        self.time = time.as_secs_f32();
        self.cells.clear();
        self.cells.extend(self.particles.iter().filter_map(|particle| particle.cell(self.time, self.canvas)));
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
        self.cells.dedup_by(|next, first| {
            let same = (next.row, next.column) == (first.row, first.column);
            if same {
                first.dots |= next.dots;
                first.depth = first.depth.min(next.depth);
            }
            same
        });
    }

    /// The cells of a row, from left to right.
    #[must_use]
    pub fn row(&self, row: u16) -> &[IntroCell] {
        let start = self.cells.partition_point(|cell| cell.row < row);
        let end = self.cells.partition_point(|cell| cell.row <= row);
        &self.cells[start..end]
    }

    /// The row of the keys below the name.
    #[must_use]
    pub fn keys_row(&self) -> u16 {
        (self.center[1] + self.reach[1] + 2.0).min(self.canvas.1 as f32 - 1.0) as u16
    }

    /// The opacity of the keys, 0 … 1.
    #[must_use]
    pub fn keys_opacity(&self) -> f32 {
        smooth((self.time - 0.7) / 0.4) * (1.0 - smooth((self.time - LEAVES) / 0.4))
    }

    /// How much of the flock is faded out in a cell, to keep the name legible.
    #[must_use]
    pub fn flock_fade(&self, column: u16, row: u16) -> f32 {
        /// The number of fade levels: runs of equal cells save bandwidth.
        const STEPS: f32 = 8.0;
        let there = smooth(self.time / GATHERED) * (1.0 - smooth((self.time - LEAVES) / 0.55));
        let x = (f32::from(column) + 0.5 - self.center[0]) / (1.25 * self.reach[0] + 3.0);
        let y = (f32::from(row) + 0.5 - self.center[1]) / (2.2 * self.reach[1] + 3.0);
        let share = HIDES * there * smooth(2.2 * (1.0 - x.hypot(y)));
        (share * STEPS).round() / STEPS
    }
}

/// The particles: each letter arrives as its own flock, and all leave as one.
fn particles(seed: u64, corner: [f32; 2], width: f32, wide: f32) -> Vec<Particle> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut between = |least: f32, most: f32| rng.random_range(least..most);
    let (lead, phase) = (between(0.0, TAU), between(0.0, TAU));
    let letters: [(f32, f32, f32); 10] = std::array::from_fn(|_| {
        let turns = between(0.9, 1.9) * if between(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        (between(0.0, TAU), between(0.25, 0.5), turns)
    });
    let particle = |(letter, [x, y]): (usize, [f32; 2])| {
        let (angle, far, turns) = letters[letter];
        let along = x / width;
        let leaves = lead + 0.7 * (5.0 * along + phase).sin() + between(-0.3, 0.3);
        Particle {
            home: [corner[0] + x, corner[1] + y],
            from: toward(angle + between(-0.45, 0.45), wide * far * between(0.6, 1.3)),
            turns,
            away: toward(leaves, wide * between(0.35, 0.7)),
            along,
        }
    };
    dots(width).into_iter().map(particle).collect()
}

impl Particle {
    /// Its position in dots at a time, and its fade, 0 … 1.
    fn at(&self, time: f32) -> ([f32; 2], f32) {
        let late = WAVE * self.along;
        let left = 1.0 - ((time - late) / (GATHERED - WAVE)).clamp(0.0, 1.0);
        let out = left.powi(3);
        let (sin, cos) = (self.turns * out).sin_cos();
        let [x, y] = self.from;
        let gone = ((time - LEAVES - late) / (INTRO_LENGTH.as_secs_f32() - LEAVES - WAVE)).clamp(0.0, 1.0);
        let place = [
            self.home[0] + (x * cos - y * sin) * out + self.away[0] * gone * gone,
            self.home[1] + (x * sin + y * cos) * out + self.away[1] * gone * gone,
        ];
        (place, out.max(gone))
    }

    /// Its cell, unless it is invisible or outside the canvas.
    fn cell(&self, time: f32, (columns, rows): (usize, usize)) -> Option<IntroCell> {
        const BLINK: f32 = 0.02;
        let ([x, y], faded) = self.at(time);
        let inside = x >= 0.0 && y >= 0.0 && x < (columns * DOTS_WIDE) as f32 && y < (rows * DOTS_HIGH) as f32;
        if !inside || faded >= GONE {
            return None;
        }
        let ([next_x, next_y], _) = self.at(time + BLINK);
        let (dx, dy) = ((next_x - x) / BLINK, (next_y - y) / BLINK);
        let settled = 256.0 * ARC * self.along;
        // The nearer way round the ring from where it settled in the name to where it flies.
        let aside = (dy.atan2(dx) / TAU * 256.0 - settled + 128.0).rem_euclid(256.0) - 128.0;
        let heading = settled + aside * (dx.hypot(dy) / SWIFT).min(1.0);
        let (column, row) = (x as usize / DOTS_WIDE, y as usize / DOTS_HIGH);
        Some(IntroCell {
            row: row as u16,
            column: column as u16,
            dots: bit(x as usize, y as usize),
            heading: heading.rem_euclid(256.0) as u8,
            depth: (255.0 * faded) as u8,
            settled: faded < SETTLED,
        })
    }
}

/// A vector by angle and length.
fn toward(angle: f32, far: f32) -> [f32; 2] {
    [angle.cos() * far, angle.sin() * far]
}

/// The `smoothstep` function.
fn smooth(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

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
fn shape() -> f32 {
    width() / (ASCENDER + DESCENDER)
}

fn width() -> f32 {
    NAME.iter().map(|(width, _)| width + GAP).sum::<f32>() - GAP
}

/// The distinct dots of the name at a width of `wide` dots: the index of the letter, and the offset from the upper left
/// corner.
fn dots(wide: f32) -> Vec<(usize, [f32; 2])> {
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

    fn shown(seed: u64, canvas: (usize, usize), time: f32) -> Vec<IntroCell> {
        let mut intro = Intro::new(seed, canvas).unwrap();
        intro.seek(Duration::from_secs_f32(time));
        intro.cells
    }

    #[test]
    fn the_name_is_complete_and_then_gone() {
        for canvas in [(48, 23), (88, 39), (180, 60), (44, 11), (300, 12)] {
            let intro = Intro::new(7, canvas).unwrap();
            for particle in &intro.particles {
                for time in [GATHERED + WAVE, 1.4, LEAVES] {
                    assert_eq!(particle.at(time), (particle.home, 0.0), "{canvas:?} {time}");
                }
            }
            let standing = shown(7, canvas, 1.4);
            assert!(standing.len() > 40 && standing.iter().all(|cell| cell.depth == 0));
            let dots: u32 = standing.iter().map(|cell| cell.dots.count_ones()).sum();
            assert_eq!(dots as usize, intro.particles.len(), "no dot outside, none over another");
            assert_eq!(shown(7, canvas, INTRO_LENGTH.as_secs_f32()), []);
            assert!(usize::from(intro.keys_row()) < canvas.1);
        }
    }

    #[test]
    fn particles_fade_in_and_fly() {
        let (first, later) = (shown(7, (88, 39), 0.0), shown(7, (88, 39), 0.4));
        assert!(first.iter().all(|cell| cell.depth > 200) && later.iter().any(|cell| cell.depth < 200));
        let headings: std::collections::HashSet<u8> = later.iter().map(|cell| cell.heading / 32).collect();
        assert!(headings.len() > 4, "{headings:?}");
    }

    #[test]
    fn paths_depend_on_the_seed() {
        let at = |seed| shown(seed, (88, 39), 0.3);
        assert_eq!(at(7), at(7));
        assert_ne!(at(7), at(8));
    }

    #[test]
    fn a_small_canvas_has_no_intro() {
        assert!(Intro::new(7, (43, 20)).is_none() && Intro::new(7, (80, 10)).is_none());
    }

    #[test]
    fn rows_hold_all_cells() {
        let mut intro = Intro::new(7, (88, 39)).unwrap();
        for time in [0.0, 0.5, 1.3, 2.0] {
            intro.seek(Duration::from_secs_f32(time));
            let rows: usize = (0..39).map(|row| intro.row(row).len()).sum();
            assert_eq!(rows, intro.cells.len());
            assert!(intro.row(20).is_sorted_by_key(|cell| cell.column));
        }
    }

    #[test]
    fn the_flock_fades_only_behind_the_name() {
        let veil = |time, column, row| {
            let mut intro = Intro::new(7, (88, 39)).unwrap();
            intro.seek(Duration::from_secs_f32(time));
            intro.flock_fade(column, row)
        };
        assert!(veil(1.3, 44, 19) > 0.7 && veil(1.3, 0, 0) == 0.0 && veil(1.3, 44, 38) == 0.0);
        assert_eq!((veil(0.0, 44, 19), veil(2.4, 44, 19)), (0.0, 0.0));
    }

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
