//! The intro: particles gather into the program's name, hold it, and fly off.
//!
//! The path of each particle is a pure function of seed and time.

use std::f32::consts::TAU;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use ratatui::layout::{Position, Size};

use crate::picture::{DOTS_HIGH, DOTS_WIDE, bit};
use crate::viewer::lettering::{Lettering, LetteringArea, lay_out};

/// The name of the program.
const NAME: &str = "flockscope";

/// The times in seconds at which the last particle arrives and the first one leaves.
const GATHERED: f32 = 0.95;
const LEAVES: f32 = 1.75;
/// The duration of the intro.
pub const INTRO_LENGTH: Duration = Duration::from_millis(2400);
/// The delay of the last letter behind the first, in seconds.
const WAVE: f32 = 0.2;
/// The name's maximum share of the canvas's height.
const HEIGHT: f32 = 0.4;
/// The maximum width of the name, in dots.
const WIDEST: i32 = 240;
/// The minimum size of the canvas, in cells.
const SMALLEST: Size = Size::new(44, 11);
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
    /// The size of the canvas in cells.
    pub canvas: Size,
    particles: Vec<Particle>,
    /// The name's center, and half its width and height, in cells.
    center: [f32; 2],
    reach: [f32; 2],
    time: f32,
    cells: Vec<IntroCell>,
}

impl Intro {
    /// Lays the name out on a canvas; `None` if the canvas is too small.
    pub fn new(seed: u64, canvas: Size) -> Option<Self> {
        if canvas.width < SMALLEST.width || canvas.height < SMALLEST.height {
            return None;
        }
        let name = name(canvas)?;
        let in_cells = |x: f32, y: f32| [x / DOTS_WIDE as f32, y / DOTS_HIGH as f32];
        let ([left, top], [width, height]) = (name.area.corner, name.area.size);
        let (half_width, half_height) = (width as f32 / 2.0, height as f32 / 2.0);
        let mut intro = Self {
            canvas,
            particles: particles(seed, &name, (usize::from(canvas.width) * DOTS_WIDE) as f32),
            center: in_cells(left as f32 + half_width, top as f32 + half_height),
            reach: in_cells(half_width, half_height),
            time: 0.0,
            cells: Vec::new(),
        };
        intro.seek(Duration::ZERO);
        Some(intro)
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
    pub fn row(&self, row: u16) -> &[IntroCell] {
        let start = self.cells.partition_point(|cell| cell.row < row);
        let end = self.cells.partition_point(|cell| cell.row <= row);
        &self.cells[start..end]
    }

    /// The row of the keys below the name.
    pub fn keys_row(&self) -> u16 {
        (self.center[1] + self.reach[1] + 2.0).min(f32::from(self.canvas.height) - 1.0) as u16
    }

    /// The opacity of the keys, 0 … 1.
    pub fn keys_opacity(&self) -> f32 {
        smooth((self.time - 0.7) / 0.4) * (1.0 - smooth((self.time - LEAVES) / 0.4))
    }

    /// How much of the flock is faded out in a cell, to keep the name legible.
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

/// The name, laid out on a canvas.
fn name(canvas: Size) -> Option<Lettering> {
    let (columns, rows) = (canvas.width.into(), canvas.height.into());
    let height = HEIGHT * (rows * DOTS_HIGH) as f32;
    let area = LetteringArea::within_margins(columns, rows).limited([WIDEST, height as i32]);
    lay_out(NAME, area, usize::MAX).ok()
}

/// The particles: each letter arrives as its own flock, and all leave as one.
fn particles(seed: u64, name: &Lettering, wide: f32) -> Vec<Particle> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut between = |least: f32, most: f32| rng.random_range(least..most);
    let (lead, phase) = (between(0.0, TAU), between(0.0, TAU));
    let letters: [(f32, f32, f32); NAME.len()] = std::array::from_fn(|_| {
        let turns = between(0.9, 1.9) * if between(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        (between(0.0, TAU), between(0.25, 0.5), turns)
    });
    let particles = name.points.iter().map(|point| {
        let (angle, far, turns) = letters[point.letter];
        let along = (point.at[0] - name.area.corner[0] as f32) / name.area.size[0] as f32;
        let leaves = lead + 0.7 * (5.0 * along + phase).sin() + between(-0.3, 0.3);
        Particle {
            home: point.at,
            from: toward(angle + between(-0.45, 0.45), wide * far * between(0.6, 1.3)),
            turns,
            away: toward(leaves, wide * between(0.35, 0.7)),
            along,
        }
    });
    particles.collect()
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
    fn cell(&self, time: f32, canvas: Size) -> Option<IntroCell> {
        const BLINK: f32 = 0.02;
        let ([x, y], faded) = self.at(time);
        let cell = Position::new((x / DOTS_WIDE as f32) as u16, (y / DOTS_HIGH as f32) as u16);
        let is_inside = x >= 0.0 && y >= 0.0 && cell.x < canvas.width && cell.y < canvas.height;
        if !is_inside || faded >= GONE {
            return None;
        }
        let ([next_x, next_y], _) = self.at(time + BLINK);
        let (dx, dy) = ((next_x - x) / BLINK, (next_y - y) / BLINK);
        let settled = 256.0 * ARC * self.along;
        // The nearer way round the ring from where it settled in the name to where it flies.
        let aside = (dy.atan2(dx) / TAU * 256.0 - settled + 128.0).rem_euclid(256.0) - 128.0;
        let heading = settled + aside * (dx.hypot(dy) / SWIFT).min(1.0);
        Some(IntroCell {
            row: cell.y,
            column: cell.x,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(seed: u64, canvas: Size, time: f32) -> Vec<IntroCell> {
        let mut intro = Intro::new(seed, canvas).unwrap();
        intro.seek(Duration::from_secs_f32(time));
        intro.cells
    }

    #[test]
    fn the_name_is_complete_and_then_gone() {
        for canvas in [(48, 23), (88, 39), (180, 60), (44, 11), (300, 12)].map(Size::from) {
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
            assert!(intro.keys_row() < canvas.height);
        }
    }

    #[test]
    fn particles_fade_in_and_fly() {
        let (first, later) = (shown(7, Size::new(88, 39), 0.0), shown(7, Size::new(88, 39), 0.4));
        assert!(first.iter().all(|cell| cell.depth > 200) && later.iter().any(|cell| cell.depth < 200));
        let headings: std::collections::HashSet<u8> = later.iter().map(|cell| cell.heading / 32).collect();
        assert!(headings.len() > 4, "{headings:?}");
    }

    #[test]
    fn paths_depend_on_the_seed() {
        let at = |seed| shown(seed, Size::new(88, 39), 0.3);
        assert_eq!(at(7), at(7));
        assert_ne!(at(7), at(8));
    }

    #[test]
    fn a_small_canvas_has_no_intro() {
        assert!(Intro::new(7, Size::new(43, 20)).is_none() && Intro::new(7, Size::new(80, 10)).is_none());
    }

    #[test]
    fn rows_hold_all_cells() {
        let mut intro = Intro::new(7, Size::new(88, 39)).unwrap();
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
            let mut intro = Intro::new(7, Size::new(88, 39)).unwrap();
            intro.seek(Duration::from_secs_f32(time));
            intro.flock_fade(column, row)
        };
        assert!(veil(1.3, 44, 19) > 0.7 && veil(1.3, 0, 0) == 0.0 && veil(1.3, 44, 38) == 0.0);
        assert_eq!((veil(0.0, 44, 19), veil(2.4, 44, 19)), (0.0, 0.0));
    }
}
