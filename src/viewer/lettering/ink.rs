//! The dots of a letter at a size.

use std::collections::HashSet;
use std::f32::consts::TAU;

use super::font::Stroke::{self, Arc, Dot, Line};
use super::font::{Accent, Letter};

/// A dot: right of the left edge of the letter, and below the baseline.
pub(super) type InkDot = [i32; 2];

/// What decides between two dots that are equally near, in dots.
const NUDGE: f32 = 0.01;

/// How a letter is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LetterPen {
    /// The x-height, in dots.
    pub(super) x_height: u16,
    /// The width of strokes, in dots.
    pub(super) width: i32,
    /// The distance between the dots of a stroke, in dots: 1 without gaps.
    pub(super) spacing: f32,
}

impl LetterPen {
    /// The pen that draws complete strokes.
    pub(super) fn full(x_height: u16) -> Self {
        let width = match x_height {
            ..7 => 1,
            7..20 => 2,
            20.. => 3,
        };
        Self { x_height, width, spacing: 1.0 }
    }

    /// A length in dots.
    fn dots(self, length: f32) -> f32 {
        length * f32::from(self.x_height)
    }
}

/// A drawn letter. No dot is there twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    /// The dots along the middle of the strokes, in their order.
    pub(super) line: Vec<InkDot>,
    /// The dots that make the strokes wide.
    pub(super) rest: Vec<InkDot>,
    /// The first and the last column. Also a narrow digit takes the width of a digit.
    pub(super) columns: [i32; 2],
    /// The first and the last row, of at least an x.
    pub(super) rows: [i32; 2],
}

impl Ink {
    pub(super) fn new(letter: &Letter, pen: LetterPen) -> Self {
        let Letter { base, accent } = letter;
        let width = (pen.dots(base.width) / base.multiple).round() * base.multiple;
        let stretch = if base.width > 0.0 { width / base.width } else { 0.0 };
        let grid = |[x, y]: [f32; 2]| {
            // A letter without width may have parts beside its stem.
            [if stretch > 0.0 { x * stretch } else { pen.dots(x) }.round(), pen.dots(y).round()]
        };
        let mut drawing = Drawing { pen, taken: HashSet::new(), line: Vec::new(), round: Vec::new() };
        for stroke in &base.strokes {
            drawing.stroke(stroke, grid);
        }
        if let Some(accent) = accent {
            drawing.accent(accent, width);
        }
        drawing.finish(width as i32)
    }

    /// How many dots there are.
    pub(super) fn count(&self) -> usize {
        self.line.len() + self.rest.len()
    }
}

/// A letter while it is drawn.
struct Drawing {
    pen: LetterPen,
    taken: HashSet<InkDot>,
    line: Vec<InkDot>,
    /// The round dots, which have their full width.
    round: Vec<InkDot>,
}

impl Drawing {
    /// Draws a stroke whose points `grid` moves to whole dots, so that stems and bows are equally sharp everywhere.
    fn stroke(&mut self, stroke: &Stroke, grid: impl Fn([f32; 2]) -> [f32; 2]) {
        match stroke {
            Line(points) => {
                for ends in points.windows(2) {
                    self.line(grid(ends[0]), grid(ends[1]));
                }
            }
            Arc([x, y], [a, b], turns) => self.arc(grid([x - a, y - b]), grid([x + a, y + b]), *turns),
            Dot(at) => self.dot(grid(*at)),
        }
    }

    /// Draws a round dot, two dots wider than the strokes of a large letter.
    fn dot(&mut self, [x, y]: [f32; 2]) {
        let extra = i32::from(self.pen.x_height >= 16);
        let width = self.pen.width + 2 * extra;
        let middle = (width - 1) as f32 / 2.0;
        for row in 0..width {
            for column in 0..width {
                let aside = (column as f32 - middle).hypot(row as f32 - middle);
                if width < 3 || aside < width as f32 / 2.0 - 0.1 {
                    // The pen of a stroke reaches to the right and down, the lower edge of the dot to the baseline.
                    let dot = [x as i32 + column - extra, y as i32 + row - 2 * extra];
                    if self.taken.insert(dot) {
                        self.round.push(dot);
                    }
                }
            }
        }
    }

    /// Draws an accent over the middle of the letter, at least a dot above it.
    fn accent(&mut self, accent: &Accent, width: f32) {
        let pen = self.pen;
        let middle = (width / 2.0).floor();
        let top = self.line.iter().map(|[_, y]| *y).min().unwrap_or(0) as f32;
        let gap = (pen.width + 1) as f32;
        let base = if accent.above { top - pen.dots(0.25).round().max(gap) } else { 0.0 };
        for stroke in &accent.strokes {
            self.stroke(stroke, |[x, y]| [middle + pen.dots(x).round(), base + pen.dots(y).round()]);
        }
    }

    fn line(&mut self, from: [f32; 2], to: [f32; 2]) {
        let [across, down] = [to[0] - from[0], to[1] - from[1]];
        // Halves are rounded toward the upper end, or the right one, so that both legs of a V or a < are equal.
        let aside = if down.abs() > across.abs() {
            [-(across * down.signum()).clamp(-NUDGE, NUDGE), 0.0]
        } else {
            [0.0, (down * across.signum()).clamp(-NUDGE, NUDGE)]
        };
        self.path(across.hypot(down), |share| [from[0] + across * share + aside[0], from[1] + down * share + aside[1]]);
    }

    /// Draws an arc by the corners of the rectangle around its ellipse, and its two angles.
    fn arc(&mut self, [left, top]: [f32; 2], [right, bottom]: [f32; 2], [from, to]: [f32; 2]) {
        let (x, y) = (f32::midpoint(left, right), f32::midpoint(top, bottom));
        // Halves are rounded away from the center.
        let (a, b) = ((right - left) / 2.0 + NUDGE, (bottom - top) / 2.0 + NUDGE);
        self.path((to - from).abs() * TAU * a.max(b), |share| {
            let (sin, cos) = ((from + (to - from) * share) * TAU).sin_cos();
            [x + a * cos, y + b * sin]
        });
    }

    /// Draws a path by its approximate length in dots and its points by their share of the length.
    ///
    /// Where it is rather upright it has a dot in each row, where it is rather level a dot in each column.
    fn path(&mut self, length: f32, at: impl Fn(f32) -> [f32; 2]) {
        /// Points per dot, which are so close that the path is straight between them.
        const FINE: f32 = 4.0;
        let count = (length * FINE).ceil().max(1.0);
        let mut last = at(0.0);
        let mut dots = vec![nearest(last)];
        for step in 1..=count as u32 {
            let next = at(step as f32 / count);
            let level = (next[0] - last[0]).abs() >= (next[1] - last[1]).abs();
            let (along, across) = if level { (0, 1) } else { (1, 0) };
            let whole = last[along].max(next[along]).floor();
            if whole >= last[along].min(next[along]) {
                let share = (whole - last[along]) / (next[along] - last[along]);
                let mut crossing = [whole; 2];
                crossing[across] = last[across] + share.clamp(0.0, 1.0) * (next[across] - last[across]);
                dots.push(nearest(crossing));
            }
            last = next;
        }
        dots.push(nearest(last));
        dots.dedup();
        self.spaced(&dots);
    }

    /// Adds the dots of a path at the distance that the pen asks for, with both ends.
    fn spaced(&mut self, dots: &[InkDot]) {
        let spacing = self.pen.spacing;
        if spacing <= 1.0 {
            for dot in dots {
                self.add(*dot);
            }
            return;
        }
        let length: f32 = dots.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        let steps = (length / spacing).round().max(1.0);
        for step in 0..=steps as usize {
            let dot = dots[(step as f32 / steps * (dots.len() - 1) as f32).round() as usize];
            // Where strokes meet, one dot is enough.
            if self.line.iter().all(|other| distance(*other, dot) >= 0.6 * spacing) {
                self.add(dot);
            }
        }
    }

    fn add(&mut self, dot: InkDot) {
        if self.taken.insert(dot) {
            self.line.push(dot);
        }
    }

    /// Widens the strokes, and measures the letter.
    fn finish(mut self, width: i32) -> Ink {
        let reach = self.pen.width;
        let mut rest = Vec::new();
        for [x, y] in &self.line {
            for aside in 1..reach * reach {
                let dot = [x + aside % reach, y + aside / reach];
                if self.taken.insert(dot) {
                    rest.push(dot);
                }
            }
        }
        self.line.append(&mut self.round);
        let rows = [-i32::from(self.pen.x_height), reach - 1];
        let mut ink = Ink { line: self.line, rest, columns: [0, width + reach - 1], rows };
        for [x, y] in ink.line.iter().chain(&ink.rest) {
            ink.columns = [ink.columns[0].min(*x), ink.columns[1].max(*x)];
            ink.rows = [ink.rows[0].min(*y), ink.rows[1].max(*y)];
        }
        ink
    }
}

fn nearest(point: [f32; 2]) -> InkDot {
    point.map(|axis| axis.round() as i32)
}

fn distance([x, y]: InkDot, [other_x, other_y]: InkDot) -> f32 {
    ((x - other_x) as f32).hypot((y - other_y) as f32)
}
