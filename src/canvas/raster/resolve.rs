//! CellSums become cells.
#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::sums::CellSums;
use crate::bits::nonzero_bits;
use crate::canvas::layers::bodies::alarm_step;
use crate::canvas::picture::quantize::{coarse_heading, coarse_level, compass, level, whole};
use crate::canvas::picture::{Cell, Content, Picture};
use crate::sim::{Flock, VectorLoop, run_vectorized};

/// How many cells are resolved at a time: where they fly is worked out for all of them without a branch.
const TOGETHER: usize = 16;

/// The sums of some cells, number by number.
#[derive(Default)]
struct SumBatch {
    heading: [[f32; TOGETHER]; 2],
    speed: [f32; TOGETHER],
    count: [f32; TOGETHER],
}

/// What becomes of a batch: headings, speeds and counts as a [`Cell`] has them.
#[derive(Default)]
struct ResolvedBatch {
    heading: [u8; TOGETHER],
    speed: [u8; TOGETHER],
    count: [u16; TOGETHER],
}

/// Settles a batch; speeds go from `slowest` on, times `range` to 1.
struct ResolveCells<'a> {
    batch: &'a SumBatch,
    slowest: f32,
    range: f32,
}

impl VectorLoop for ResolveCells<'_> {
    type Output = ResolvedBatch;

    #[inline(always)]
    fn run(self) -> ResolvedBatch {
        let SumBatch { heading: [x, y], speed, count } = self.batch;
        let mut resolved = ResolvedBatch::default();
        for at in 0..TOGETHER {
            resolved.heading[at] = coarse_heading(compass(x[at], y[at]));
        }
        for at in 0..TOGETHER {
            resolved.speed[at] = coarse_level(level((speed[at] / count[at] - self.slowest) * self.range));
            resolved.count[at] = whole(count[at].min(f32::from(u16::MAX))) as u16;
        }
        resolved
    }
}

/// Turns the sums into cells, and leaves none.
pub(crate) fn settle(sums: &mut CellSums, flock: &Flock, picture: &mut Picture) {
    let limits = flock.params().speed;
    let range = 1.0 / (limits.max - limits.min).max(1e-6);
    let is_more = sums.is_more();
    picture.cells.mark(nonzero_bits(&sums.dots[..picture.cells.all().len()]));
    let (cells, mut inhabited) = picture.cells.marked();
    let mut batch = SumBatch::default();
    loop {
        let (mut numbers, mut many) = ([0; TOGETHER], 0);
        for number in inhabited.by_ref().take(TOGETHER) {
            let sum = sums.take(number);
            (numbers[many], batch.speed[many], batch.count[many]) = (number, sum.speed, sum.count);
            [batch.heading[0][many], batch.heading[1][many]] = sum.heading;
            many += 1;
        }
        if many == 0 {
            return;
        }
        let resolved = run_vectorized(ResolveCells { batch: &batch, slowest: limits.min, range });
        for (at, &number) in numbers[..many].iter().enumerate() {
            let cell = &mut cells[number];
            *cell = Cell {
                dots: sums.dots[number],
                content: Content::Prey,
                count: resolved.count[at],
                heading: resolved.heading[at],
                speed: resolved.speed[at],
                ..Cell::default()
            };
            if is_more {
                let more = sums.take_more(number);
                cell.depth = level(more.depth / batch.count[at]);
                (cell.species, cell.alarm) = (more.species, alarm_step(more.alarm));
            }
        }
    }
}
