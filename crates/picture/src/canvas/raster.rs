//! The rasterizer: sums up the boids in each cell, and turns the sums into cells.
#![allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]

use super::camera::Camera;
use super::picture::{
    BITS, Cell, Content, DOTS_HIGH, DOTS_WIDE, Picture, coarse_heading, coarse_level, heading_byte, truncate, unit_byte,
};
use super::projection::{ProjectedBlock, visit_blocks};
use super::refill;
use crate::bits::nonzero_bits;
use flockscope_sim::{MAX_SPECIES, Snapshot, VectorLoop, run_vectorized};

/// The most species there can be.
pub(crate) const SPECIES: usize = MAX_SPECIES as usize;
/// Dots per cell.
const DOTS: u32 = BITS.len() as u32;

/// Sums over the boids in a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellSum {
    /// Unit headings.
    pub(crate) heading: [f32; 2],
    /// Speeds, in u/tick.
    pub(crate) speed: f32,
    /// How many boids. An f32 counts up to ten million exactly.
    pub(crate) count: f32,
}

/// The sums of all cells, row by row, with one more entry for boids outside.
#[derive(Debug, Default)]
pub(crate) struct CellSums {
    pub(crate) cells: Vec<CellSum>,
    /// The dots at the boids' heads.
    pub(crate) dots: Vec<u8>,
    /// Sums of depths; empty in two dimensions.
    pub(crate) depths: Vec<f32>,
    /// Counts per species; empty if there is only one.
    pub(crate) species: Vec<[u32; SPECIES]>,
    /// Highest alarms; empty if boids do not raise alarms.
    pub(crate) alarms: Vec<f32>,
}

impl CellSums {
    /// Adds a block of boids; `size` is that of the canvas in dots.
    fn add(&mut self, block: &ProjectedBlock, size: [usize; 2]) {
        let indices = block.dot_indices(size);
        let [x, y] = &block.heading;
        // Neighbors in memory are often in the same cell: keep its sum in registers while they are.
        let mut current = (indices[0] / DOTS) as usize;
        let cells = &mut self.cells[..];
        let dots = &mut self.dots[..cells.len()];
        let (mut sum, mut set) = (cells[current], dots[current]);
        for (((index, x), y), speed) in indices.iter().zip(x).zip(y).zip(&block.speed).take(block.len) {
            let cell = (index / DOTS) as usize;
            if cell != current {
                (cells[current], dots[current]) = (sum, set);
                current = cell;
                (sum, set) = (cells[current], dots[current]);
            }
            sum.heading[0] += x;
            sum.heading[1] += y;
            sum.speed += speed;
            sum.count += 1.0;
            set |= BITS[(index % DOTS) as usize];
        }
        (cells[current], dots[current]) = (sum, set);
        let cells = indices[..block.len].iter().map(|index| (index / DOTS) as usize);
        if !self.depths.is_empty() {
            cells.clone().zip(&block.depth).for_each(|(cell, depth)| self.depths[cell] += depth);
        }
        if !self.species.is_empty() {
            cells.clone().zip(&block.species).for_each(|(cell, of)| self.species[cell][usize::from(*of)] += 1);
        }
        if !self.alarms.is_empty() {
            cells.zip(&block.alarm).for_each(|(cell, alarm)| self.alarms[cell] = self.alarms[cell].max(*alarm));
        }
    }

    /// Adds the sums of another part.
    fn add_part(&mut self, other: &Self) {
        for (sum, other) in self.cells.iter_mut().zip(&other.cells) {
            sum.heading[0] += other.heading[0];
            sum.heading[1] += other.heading[1];
            sum.speed += other.speed;
            sum.count += other.count;
        }
        self.dots.iter_mut().zip(&other.dots).for_each(|(dots, other)| *dots |= other);
        self.depths.iter_mut().zip(&other.depths).for_each(|(depth, other)| *depth += other);
        for (counts, other) in self.species.iter_mut().zip(&other.species) {
            counts.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        self.alarms.iter_mut().zip(&other.alarms).for_each(|(alarm, other)| *alarm = alarm.max(*other));
    }
}

/// Sums up all boids on a canvas of this many cells. `parts` is storage that is reused from picture to picture.
pub(crate) fn sum_cells<'a>(
    parts: &'a mut Vec<CellSums>,
    flock: Snapshot<'_>,
    camera: &Camera,
    columns: usize,
    rows: usize,
) -> &'a CellSums {
    let all = columns * rows + 1;
    let has_alarms = flock.params.has_alarm() && !flock.agents.moods().is_empty();
    let dots = [columns * DOTS_WIDE, rows * DOTS_HIGH];
    let reset = |sums: &mut CellSums| {
        refill(&mut sums.cells, all, CellSum::default());
        refill(&mut sums.dots, all, 0);
        refill(&mut sums.depths, if camera.is_perspective() { all } else { 0 }, 0.0);
        refill(&mut sums.species, if flock.species() > 1 { all } else { 0 }, [0; SPECIES]);
        refill(&mut sums.alarms, if has_alarms { all } else { 0 }, 0.0);
    };
    visit_blocks(flock, camera, true, parts, reset, |part, block| part.add(block, dots));
    let (first, others) = parts.split_at_mut(1);
    for other in others {
        first[0].add_part(other);
    }
    &first[0]
}

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
pub(crate) fn resolve(sums: &CellSums, flock: Snapshot<'_>, picture: &mut Picture) {
    let limits = flock.params.speed;
    let speed_scale = 1.0 / (limits.max - limits.min).max(1e-6);
    // Behind a glow, depth is in its light.
    let depths = if picture.layers.glow { &[] } else { &sums.depths[..] };
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
            if let Some(depth) = depths.get(index) {
                cell.depth = unit_byte(depth / batch.count[at]);
            }
            if let Some(counts) = sums.species.get(index) {
                let most = counts.iter().max();
                cell.species = counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u8;
            }
            if let Some(alarm) = sums.alarms.get(index) {
                cell.alarm = Cell::alarm_level(*alarm);
            }
        }
    }
}
