//! Turns sums into cells.
#![allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]

use super::sums::{CellSums, most_frequent};
use crate::bits::nonzero_bits;
use crate::canvas::picture::Picture;
use crate::canvas::picture::cells::{Cell, Content};
use crate::canvas::picture::quantize::{coarse_heading, coarse_level, heading_byte, truncate, unit_byte};
use crate::sim::{Flock, VectorLoop, run_vectorized};

/// Cells that are quantized together, without branches.
const BATCH: usize = 16;

/// The sums of a batch of cells.
#[derive(Default)]
struct SumBatch {
    heading: [[f32; BATCH]; 2],
    speed: [f32; BATCH],
    count: [f32; BATCH],
}

/// The fields of [`Cell`] for a batch of cells.
#[derive(Default)]
struct CellBatch {
    heading: [u8; BATCH],
    speed: [u8; BATCH],
    count: [u16; BATCH],
}

/// Quantizes a batch. Speeds from `min_speed` on are scaled by `speed_scale` to 0 … 1.
struct Quantize<'a> {
    sums: &'a SumBatch,
    min_speed: f32,
    speed_scale: f32,
}

impl VectorLoop for Quantize<'_> {
    type Output = CellBatch;

    #[inline(always)]
    fn run(self) -> CellBatch {
        let SumBatch { heading: [x, y], speed, count } = self.sums;
        let mut cells = CellBatch::default();
        for at in 0..BATCH {
            cells.heading[at] = coarse_heading(heading_byte(x[at], y[at]));
        }
        for at in 0..BATCH {
            let speed = (speed[at] / count[at] - self.min_speed) * self.speed_scale;
            cells.speed[at] = coarse_level(unit_byte(speed));
            cells.count[at] = truncate(count[at].min(f32::from(u16::MAX))) as u16;
        }
        cells
    }
}

/// Draws the cells from the sums.
pub(crate) fn resolve(sums: &CellSums, flock: &Flock, picture: &mut Picture) {
    let limits = flock.params().speed;
    let speed_scale = 1.0 / (limits.max - limits.min).max(1e-6);
    picture.cells.set_drawn(nonzero_bits(&sums.dots[..picture.cells.all().len()]));
    let (cells, mut occupied) = picture.cells.drawn_mut();
    let mut batch = SumBatch::default();
    loop {
        let (mut indices, mut len) = ([0; BATCH], 0);
        for index in occupied.by_ref().take(BATCH) {
            let sum = sums.cells[index];
            (indices[len], batch.speed[len], batch.count[len]) = (index, sum.speed, sum.count);
            [batch.heading[0][len], batch.heading[1][len]] = sum.heading;
            len += 1;
        }
        if len == 0 {
            return;
        }
        let resolved = run_vectorized(Quantize { sums: &batch, min_speed: limits.min, speed_scale });
        for (at, &index) in indices[..len].iter().enumerate() {
            let cell = &mut cells[index];
            *cell = Cell {
                dots: sums.dots[index],
                content: Content::Prey,
                count: resolved.count[at],
                heading: resolved.heading[at],
                speed: resolved.speed[at],
                ..Cell::default()
            };
            if let Some(depth) = sums.depths.get(index) {
                cell.depth = unit_byte(depth / batch.count[at]);
            }
            if let Some(counts) = sums.species.get(index) {
                cell.species = most_frequent(counts);
            }
            if let Some(alarm) = sums.alarms.get(index) {
                cell.alarm = Cell::alarm_level(*alarm);
            }
        }
    }
}
