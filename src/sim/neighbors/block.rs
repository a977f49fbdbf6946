//! A block of boids, one in each SIMD lane.

use std::ops::Range;

use super::grid::Bounds;
use super::simd::{Lanes, MAX_LANES};
use crate::sim::agents::{Agents, AxisSlices};
use crate::sim::math::wide::Wide;

/// Loaded from `MAX_LANES - lane` on, this is infinity in `lane` and 0 in all others.
const ONE_INFINITE: [f32; 2 * MAX_LANES] = {
    let mut numbers = [0.0; 2 * MAX_LANES];
    numbers[MAX_LANES] = f32::INFINITY;
    numbers
};

/// Adjacent boids in one row of the grid, at most one for each lane.
pub(crate) struct Block<'a, F: Lanes, const D: usize> {
    pub(crate) agents: &'a Agents,
    /// Their indices in memory.
    pub(crate) boids: Range<usize>,
    pub(crate) position: Wide<F, D>,
}

impl<'a, F: Lanes, const D: usize> Block<'a, F, D> {
    /// A block of at least one boid. Lanes without a boid are infinitely far away.
    #[inline(always)]
    pub(crate) fn new(agents: &'a Agents, boids: Range<usize>) -> Self {
        let position = Wide::new(|axis| F::load_or(&agents.positions(axis)[boids.clone()], f32::INFINITY));
        Self { agents, boids, position }
    }

    /// The velocities; 0 in lanes without a boid.
    #[inline(always)]
    pub(crate) fn velocity(&self) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.agents.velocities(axis)[self.boids.clone()], 0.0))
    }

    /// The ids; `rest` in lanes without a boid.
    #[inline(always)]
    pub(crate) fn ids(&self, rest: u32) -> F::Words {
        let mut ids = [rest; MAX_LANES];
        ids[..self.boids.len()].copy_from_slice(&self.agents.ids()[self.boids.clone()]);
        F::load_words(&ids)
    }

    /// The bounding box.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> Bounds {
        let mut bounds = ([0.0; 3], [0.0; 3]);
        for axis in 0..D {
            let positions = &self.agents.positions(axis)[self.boids.clone()];
            bounds.0[axis] = fold(self.position[axis], |a, b| if b < a { b } else { a });
            bounds.1[axis] = fold(F::load_or(positions, f32::NEG_INFINITY), |a, b| if b > a { b } else { a });
        }
        bounds
    }

    /// Whether a run of agents contains any boid of the block.
    #[inline(always)]
    pub(crate) fn overlaps(&self, run: &Range<usize>) -> bool {
        self.boids.start < run.end && run.start < self.boids.end
    }

    /// Infinity in the lane of the agent at this index, if it is in the block, and 0 elsewhere. Added to squared
    /// distances, it keeps a boid from being its own neighbor.
    #[inline(always)]
    pub(crate) fn self_distance(&self, index: usize) -> F {
        // An index before the block wraps to a large number.
        let lane = index.wrapping_sub(self.boids.start).min(MAX_LANES);
        F::load(&ONE_INFINITE[MAX_LANES - lane..])
    }
}

/// Reduces lanes to one number, in pairs: a chain over all lanes has to wait for each result.
#[inline(always)]
fn fold<F: Lanes>(lanes: F, reduce: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = lanes.to_array();
    let mut width = F::WIDTH;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = reduce(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

impl<const D: usize> AxisSlices<'_, D> {
    /// The vector at this index, the same in every lane.
    #[inline(always)]
    pub(super) fn splat<F: Lanes>(&self, index: usize) -> Wide<F, D> {
        Wide::new(|axis| F::splat(self.axes[axis][index]))
    }
}
