//! Agents as they are seen, a block at a time, so that loops over them have no calls and no branches.
#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use glam::Vec2;

use crate::canvas::camera::{Camera, wrap_offset};
use crate::canvas::layers::bodies::unit;
use crate::canvas::picture::quantize::whole;
use crate::canvas::picture::{DOTS_HIGH, DOTS_WIDE};
use crate::sim::{Agents, Flock, Kind, VectorLoop, join, run_vectorized, should_parallelize};

/// How many agents a block has.
pub(crate) const BLOCK: usize = 64;
/// From so many agents on several threads look at a part each.
const MANY: usize = 1 << 16;
/// How many parts those are: not as many as there are threads, so that sums are the same for any number.
const PARTS: usize = 4;

/// A block of agents as they are seen.
pub(crate) struct ProjectedBlock {
    /// How many there are in it.
    pub(crate) len: usize,
    /// Dots from the left.
    pub(crate) x: [f32; BLOCK],
    /// Dots from the top.
    pub(crate) y: [f32; BLOCK],
    /// 0 nearest … 1 farthest.
    pub(crate) depth: [f32; BLOCK],
    /// Their headings: unit vectors, or 0 for who does not move as seen.
    pub(crate) heading: [[f32; BLOCK]; 2],
    /// Their speeds, u/tick.
    pub(crate) speed: [f32; BLOCK],
    /// Their alarms, 0 … 1, where anyone is alarmed.
    pub(crate) alarm: [f32; BLOCK],
    /// Whether they are boids.
    pub(crate) prey: [bool; BLOCK],
    /// Their species, where there are several.
    pub(crate) species: [u8; BLOCK],
}

impl ProjectedBlock {
    fn new() -> Self {
        let none = [0.0; BLOCK];
        Self {
            len: 0,
            x: none,
            y: none,
            depth: none,
            heading: [none; 2],
            speed: none,
            alarm: none,
            prey: [false; BLOCK],
            species: [0; BLOCK],
        }
    }

    /// For each agent the number of the box that it is in, of boxes 1 << `across` dots wide and
    /// 1 << `down` dots high on so many `dots`; for predators, and outside, the number after the last.
    #[inline]
    pub(crate) fn boxes(&self, dots: [usize; 2], across: u32, down: u32) -> [u32; BLOCK] {
        run_vectorized(CellIndices { block: self, dots, across, down, tell: |number, _, _| number })
    }

    /// For each agent the number of the cell that it is in, as in [`boxes`](Self::boxes), times the dots of a cell, and
    /// the number of its dot there, row by row.
    #[inline]
    pub(crate) fn places(&self, dots: [usize; 2]) -> [u32; BLOCK] {
        const ACROSS: u32 = DOTS_WIDE.ilog2();
        const DOWN: u32 = DOTS_HIGH.ilog2();
        let tell = |cell: u32, x, y| {
            (cell << (ACROSS + DOWN)) | ((y & ((1 << DOWN) - 1)) << ACROSS) | (x & ((1 << ACROSS) - 1))
        };
        run_vectorized(CellIndices { block: self, dots, across: ACROSS, down: DOWN, tell })
    }

    /// How many boids of the block are on so many `dots`.
    #[inline]
    #[allow(clippy::needless_bitwise_bool, reason = "a branch costs more than all of the comparisons")]
    pub(crate) fn inside(&self, dots: Vec2) -> usize {
        let is_inside = |at: usize| {
            let (x, y) = (self.x[at], self.y[at]);
            (x >= 0.0) & (y >= 0.0) & (x < dots.x) & (y < dots.y) & self.prey[at]
        };
        (0..self.len.min(BLOCK)).map(|at| usize::from(is_inside(at))).sum()
    }

    #[inline(always)]
    fn look(&mut self, camera: &Camera, agents: &Agents, run: Range<usize>, motion: bool) {
        self.len = run.len();
        for (prey, kind) in self.prey.iter_mut().zip(&agents.kinds()[run.clone()]) {
            *prey = *kind == Kind::Prey;
        }
        // Empty where no moods are kept.
        for (alarm, mood) in self.alarm.iter_mut().zip(agents.moods().get(run.clone()).unwrap_or_default()) {
            *alarm = mood.max(0.0);
        }
        let [px, py] = [0, 1].map(|axis| &agents.positions(axis)[run.clone()]);
        let [vx, vy] = [0, 1].map(|axis| &agents.velocities(axis)[run.clone()]);
        if let (&Camera::Flat { center, middle, scale, wrap }, 2) = (camera, agents.dim()) {
            for ((x, y), (px, py)) in self.x.iter_mut().zip(&mut self.y).zip(px.iter().zip(py)) {
                *x = wrap_offset(px - center.x, wrap.x) * scale.x + middle.x;
                *y = wrap_offset(py - center.y, wrap.y) * scale.y + middle.y;
            }
            if motion {
                let [x, y] = &mut self.heading;
                for (((x, y), speed), (vx, vy)) in x.iter_mut().zip(y).zip(&mut self.speed).zip(vx.iter().zip(vy)) {
                    *speed = (vx * vx + vy * vy).sqrt();
                    let inverse = if *speed > 0.0 { 1.0 / *speed } else { 0.0 };
                    (*x, *y) = (vx * inverse, vy * inverse);
                }
            }
            return;
        }
        let third = |axis: &[f32], at: usize| axis.get(run.start + at).copied().unwrap_or(0.0);
        for at in 0..run.len().min(BLOCK) {
            let spot = camera.project([px[at], py[at], third(agents.positions(2), at)]);
            (self.x[at], self.y[at], self.depth[at]) = (spot.at.x, spot.at.y, spot.depth);
            if motion {
                let velocity = [vx[at], vy[at], third(agents.velocities(2), at)];
                let heading = unit(camera.heading(velocity));
                (self.heading[0][at], self.heading[1][at]) = (heading.x, heading.y);
                self.speed[at] = velocity.iter().map(|along| along * along).sum::<f32>().sqrt();
            }
        }
    }
}

/// A look at a run of agents.
struct ProjectAgents<'a> {
    block: &'a mut ProjectedBlock,
    camera: &'a Camera,
    agents: &'a Agents,
    run: Range<usize>,
    motion: bool,
}

impl VectorLoop for ProjectAgents<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.block.look(self.camera, self.agents, self.run, self.motion);
    }
}

/// What `tell` makes of the box and the dot of each agent in a block.
struct CellIndices<'a, F> {
    block: &'a ProjectedBlock,
    dots: [usize; 2],
    across: u32,
    down: u32,
    tell: F,
}

impl<F: Fn(u32, u32, u32) -> u32> VectorLoop for CellIndices<'_, F> {
    type Output = [u32; BLOCK];

    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool, reason = "a branch costs more than all of the comparisons")]
    fn run(self) -> [u32; BLOCK] {
        let Self { block, dots, across, down, tell } = self;
        let (columns, rows) = ((dots[0] >> across) as u32, (dots[1] >> down) as u32);
        let (width, height) = (dots[0] as f32, dots[1] as f32);
        let mut told = [0; BLOCK];
        for (at, told) in told.iter_mut().enumerate() {
            let (x, y) = (block.x[at], block.y[at]);
            let inside = (x >= 0.0) & (y >= 0.0) & (x < width) & (y < height) & block.prey[at];
            let (x, y) = (whole(x), whole(y));
            let number = (y >> down).wrapping_mul(columns).wrapping_add(x >> across);
            *told = tell(if inside { number } else { columns * rows }, x, y);
        }
        told
    }
}

/// Shows all agents, block by block in memory's order, to `see`; with their `motion` where it is asked for.
/// Each of `parts` takes a run of the flock, on the threads of the pool that this is called in.
pub(crate) fn look<T: Default + Send>(
    flock: &Flock,
    camera: &Camera,
    motion: bool,
    parts: &mut Vec<T>,
    see: &(impl Fn(&mut T, &ProjectedBlock) + Sync),
) {
    let agents = flock.agents();
    let mixed = flock.params().species.count > 1.0;
    let count = if agents.len() >= MANY { PARTS } else { 1 };
    parts.resize_with(count, T::default);
    let run = agents.len().div_ceil(count).max(1);
    share(parts, 0, should_parallelize(agents.len()), &|number, part: &mut T| {
        let mut block = ProjectedBlock::new();
        let mut at = (number * run).min(agents.len());
        let end = (at + run).min(agents.len());
        while at < end {
            let next = (at + BLOCK).min(end);
            run_vectorized(ProjectAgents { block: &mut block, camera, agents, run: at..next, motion });
            if mixed {
                let ids = &agents.ids()[at..next];
                block.species.iter_mut().zip(ids).for_each(|(species, id)| *species = flock.params().species_of(*id));
            }
            see(part, &block);
            at = next;
        }
    });
}

/// Calls `work` with each part and its number, `first` being the first one's; on several threads where `parallel`.
fn share<T: Send>(parts: &mut [T], first: usize, parallel: bool, work: &(impl Fn(usize, &mut T) + Sync)) {
    match parts {
        [] => {}
        [part] => work(first, part),
        _ => {
            let half = parts.len() / 2;
            let (some, others) = parts.split_at_mut(half);
            join(parallel, || share(some, first, parallel, work), || share(others, first + half, parallel, work));
        }
    }
}
