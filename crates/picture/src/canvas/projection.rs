//! Projects the agents of a flock in blocks, so that loops over a block vectorize.
#![allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]

use std::ops::Range;

use glam::Vec2;
use rayon::prelude::*;

use crate::canvas::camera::Camera;
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE, truncate};
use crate::canvas::refill;
use flockscope_sim::{Agents, Kind, Snapshot, VectorLoop, run_vectorized, should_parallelize};

/// Agents in a block.
pub(crate) const BLOCK: usize = 64;
/// Flocks of this size are split into [`PARTS`], which may run on several threads.
const SPLIT_FROM: usize = 1 << 16;
/// Independent of the number of threads, so that sums are too.
const PARTS: usize = 4;

/// A block of agents as projected on the canvas.
pub(crate) struct ProjectedBlock {
    /// How many entries are in use.
    pub(crate) len: usize,
    /// Dots from the left.
    pub(crate) x: [f32; BLOCK],
    /// Dots from the top.
    pub(crate) y: [f32; BLOCK],
    /// 0 nearest … 1 farthest.
    pub(crate) depth: [f32; BLOCK],
    /// Components of the headings on screen: unit vectors, or 0 without motion.
    pub(crate) heading: [[f32; BLOCK]; 2],
    /// In u/tick.
    pub(crate) speed: [f32; BLOCK],
    /// Alarm, 0 … 1.
    pub(crate) alarm: [f32; BLOCK],
    /// Whether the agent is a boid.
    pub(crate) prey: [bool; BLOCK],
    /// The species; 0 if there is only one.
    pub(crate) species: [u8; BLOCK],
}

impl ProjectedBlock {
    fn new() -> Self {
        let zeros = [0.0; BLOCK];
        Self {
            len: 0,
            x: zeros,
            y: zeros,
            depth: zeros,
            heading: [zeros; 2],
            speed: zeros,
            alarm: zeros,
            prey: [false; BLOCK],
            species: [0; BLOCK],
        }
    }

    /// The index of the box that each agent is in, row by row, with boxes of 2^`shift[0]` × 2^`shift[1]` dots on a
    /// canvas of this size. Predators and agents outside get the index after the last.
    #[inline]
    pub(crate) fn box_indices(&self, dots: [usize; 2], shift: [u32; 2]) -> [u32; BLOCK] {
        run_vectorized(BoxIndices { block: self, dots, shift, result: |index, _, _| index })
    }

    /// The index of the cell that each agent is in, as in [`box_indices`](Self::box_indices), times the dots per
    /// cell, plus the index of the dot in the cell, row by row.
    #[inline]
    pub(crate) fn dot_indices(&self, dots: [usize; 2]) -> [u32; BLOCK] {
        const SHIFT: [u32; 2] = [DOTS_WIDE.ilog2(), DOTS_HIGH.ilog2()];
        let result = |cell: u32, x, y| {
            (cell << (SHIFT[0] + SHIFT[1])) | ((y & ((1 << SHIFT[1]) - 1)) << SHIFT[0]) | (x & ((1 << SHIFT[0]) - 1))
        };
        run_vectorized(BoxIndices { block: self, dots, shift: SHIFT, result })
    }

    /// Apart from [`ProjectBlock::run`] because the compiler knows that `&mut self` does not alias the agents, and so
    /// vectorizes these loops better.
    #[inline(always)]
    fn project(&mut self, camera: &Camera, agents: &Agents, range: Range<usize>, with_motion: bool) {
        self.len = range.len();
        for (prey, kind) in self.prey.iter_mut().zip(&agents.kinds()[range.clone()]) {
            *prey = *kind == Kind::Prey;
        }
        // There are no moods unless the flock uses them.
        for (alarm, value) in self.alarm.iter_mut().zip(agents.alarms(range.clone())) {
            *alarm = value;
        }
        let [px, py] = [0, 1].map(|axis| &agents.positions(axis)[range.clone()]);
        let [vx, vy] = [0, 1].map(|axis| &agents.velocities(axis)[range.clone()]);
        if !camera.is_perspective() && agents.dim() == 2 {
            for ((x, y), (px, py)) in self.x.iter_mut().zip(&mut self.y).zip(px.iter().zip(py)) {
                (*x, *y) = camera.project_flat(*px, *py);
            }
            if with_motion {
                let [x, y] = &mut self.heading;
                for (((x, y), speed), (vx, vy)) in x.iter_mut().zip(y).zip(&mut self.speed).zip(vx.iter().zip(vy)) {
                    *speed = (vx * vx + vy * vy).sqrt();
                    let inverse = if *speed > 0.0 { 1.0 / *speed } else { 0.0 };
                    (*x, *y) = (vx * inverse, vy * inverse);
                }
            }
            return;
        }
        let third = |axis: &[f32], at: usize| axis.get(range.start + at).copied().unwrap_or(0.0);
        for at in 0..range.len().min(BLOCK) {
            let point = camera.project([px[at], py[at], third(agents.positions(2), at)]);
            (self.x[at], self.y[at], self.depth[at]) = (point.at.x, point.at.y, point.depth);
            if with_motion {
                let velocity = [vx[at], vy[at], third(agents.velocities(2), at)];
                let heading = unit_or_zero(camera.project_direction(velocity));
                (self.heading[0][at], self.heading[1][at]) = (heading.x, heading.y);
                self.speed[at] = velocity.iter().map(|along| along * along).sum::<f32>().sqrt();
            }
        }
    }
}

/// The unit vector along a heading, or 0. Unlike `glam`'s it vectorizes: it calls no library for the square root.
#[inline]
pub(crate) fn unit_or_zero(heading: Vec2) -> Vec2 {
    let squared = heading.length_squared();
    if squared > 0.0 { heading * (1.0 / f32::sqrt(squared)) } else { Vec2::ZERO }
}

/// Projects all agents, block by block, and calls `visit` with each block. Large flocks are split into several
/// `parts`, each with its own state, `reset` first, and, in a thread pool, its own thread.
pub(crate) fn visit_blocks<T: Default + Send>(
    flock: Snapshot<'_>,
    camera: &Camera,
    with_motion: bool,
    parts: &mut Vec<T>,
    reset: impl Fn(&mut T) + Sync,
    visit: impl Fn(&mut T, &ProjectedBlock) + Sync,
) {
    let agents = flock.agents;
    let mixed = flock.species() > 1;
    parts.resize_with(if agents.len() >= SPLIT_FROM { PARTS } else { 1 }, T::default);
    let per_part = agents.len().div_ceil(parts.len()).max(1);
    let visit_part = |(number, part): (usize, &mut T)| {
        reset(part);
        let mut block = ProjectedBlock::new();
        let mut at = (number * per_part).min(agents.len());
        let end = (at + per_part).min(agents.len());
        while at < end {
            let range = at..(at + BLOCK).min(end);
            at = range.end;
            run_vectorized(ProjectBlock { block: &mut block, camera, agents, range: range.clone(), with_motion });
            if mixed {
                let ids = &agents.ids()[range];
                block.species.iter_mut().zip(ids).for_each(|(species, id)| *species = flock.species_of(*id));
            }
            visit(part, &block);
        }
    };
    if should_parallelize(agents.len()) {
        parts.par_iter_mut().with_max_len(1).enumerate().for_each(visit_part);
    } else {
        parts.iter_mut().enumerate().for_each(visit_part);
    }
}

/// Counters per box. The boids of a block are often in the same box, and each increment of a single counter would
/// wait for the one before.
const COUNTERS: usize = 4;

/// Counts in each box, and after the last those of boids outside.
pub(crate) type BoxCounts = Vec<[u32; COUNTERS]>;

/// Counts the boids in each box of 2^`shift[0]` × 2^`shift[1]` dots on a canvas of this size, row by row. `parts` is
/// storage that can be reused.
pub(crate) fn count_boxes(
    flock: Snapshot<'_>,
    camera: &Camera,
    dots: [usize; 2],
    shift: [u32; 2],
    parts: &mut Vec<BoxCounts>,
) -> impl Iterator<Item = u32> {
    let boxes = (dots[0] >> shift[0]) * (dots[1] >> shift[1]);
    visit_blocks(
        flock,
        camera,
        false,
        parts,
        |counts| refill(counts, boxes + 1, [0; COUNTERS]),
        |counts, block| {
            let indices = block.box_indices(dots, shift);
            for (at, &index) in indices[..block.len].iter().enumerate() {
                counts[index as usize][at % COUNTERS] += 1;
            }
        },
    );
    let (first, others) = parts.split_at_mut(1);
    for part in others {
        for (total, counters) in first[0].iter_mut().zip(part) {
            total.iter_mut().zip(counters).for_each(|(total, count)| *total += *count);
        }
    }
    first[0][..boxes].iter().map(|counters| counters.iter().sum())
}

struct ProjectBlock<'a> {
    block: &'a mut ProjectedBlock,
    camera: &'a Camera,
    agents: &'a Agents,
    range: Range<usize>,
    with_motion: bool,
}

impl VectorLoop for ProjectBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.block.project(self.camera, self.agents, self.range, self.with_motion);
    }
}

/// Maps each agent's box index and dot coordinates to a `result`.
struct BoxIndices<'a, F> {
    block: &'a ProjectedBlock,
    dots: [usize; 2],
    shift: [u32; 2],
    result: F,
}

impl<F: Fn(u32, u32, u32) -> u32> VectorLoop for BoxIndices<'_, F> {
    type Output = [u32; BLOCK];

    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool, reason = "a branch costs more than all of the comparisons")]
    fn run(self) -> [u32; BLOCK] {
        let Self { block, dots, shift: [across, down], result } = self;
        let (columns, rows) = ((dots[0] >> across) as u32, (dots[1] >> down) as u32);
        let (width, height) = (dots[0] as f32, dots[1] as f32);
        let mut results = [0; BLOCK];
        for (at, value) in results.iter_mut().enumerate() {
            let (x, y) = (block.x[at], block.y[at]);
            let inside = (x >= 0.0) & (y >= 0.0) & (x < width) & (y < height) & block.prey[at];
            let (x, y) = (truncate(x), truncate(y));
            let index = (y >> down).wrapping_mul(columns).wrapping_add(x >> across);
            *value = result(if inside { index } else { columns * rows }, x, y);
        }
        results
    }
}
