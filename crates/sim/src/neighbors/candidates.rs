//! The candidates of a block in three dimensions: of the agents in the cells near it, those near its bounding box.
//!
//! Half of the agents in those cells are too far away from every boid of the block. A comparison with the box, one agent in each
//! lane, leaves them out before the others are compared with each boid.

use std::ops::Range;

use super::block::Block;
use super::cell_list::AgentRuns;
use super::grid::Shift;
use crate::agents::Agents;
use crate::math::Wide;
use crate::simd::{Lanes, MAX_LANES};

/// The maximum number of candidates in a list.
const CAPACITY: usize = 512;

const LANE_NUMBERS: [u32; MAX_LANES] = {
    let mut numbers = [0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        numbers[lane] = lane as u32;
        lane += 1;
    }
    numbers
};

/// What is nearer to the bounding box of a block than a radius.
#[derive(Clone, Copy)]
struct Nearby<F, const D: usize> {
    low: Wide<F, D>,
    high: Wide<F, D>,
    /// The square of the radius, in u².
    limit: F,
}

impl<F: Lanes, const D: usize> Nearby<F, D> {
    /// Whether these points, one in each lane, are nearby. As each operation is monotonic, rounding makes no distance to a boid
    /// in the box less than the distance to the box.
    #[inline(always)]
    fn contains(&self, points: Wide<F, D>) -> F::Mask {
        let zero = F::splat(0.0);
        let outside = |axis: usize| (points[axis] - self.high[axis]).max(self.low[axis] - points[axis]).max(zero);
        Wide::<F, D>::new(outside).length_squared().lt(self.limit)
    }
}

/// The candidates of a block, listed a few hundred at a time in order of memory.
pub(crate) struct Candidates<'a, F, const D: usize> {
    agents: &'a Agents,
    /// The indices of the boids.
    boids: Range<usize>,
    nearby: Nearby<F, D>,
    runs: AgentRuns<'a>,
    /// The agents of the current run that are not listed yet.
    rest: Range<usize>,
}

/// Memory for a list.
pub(crate) struct CandidateList([u32; CAPACITY]);

impl CandidateList {
    pub(crate) fn new() -> Self {
        Self([0; CAPACITY])
    }
}

impl<'a, F: Lanes, const D: usize> Candidates<'a, F, D> {
    /// The agents of some runs, none of which is in another periodic image, that are nearer to a block than `radius` (u).
    #[inline(always)]
    pub(crate) fn new(block: &Block<'a, F, D>, radius: f32, runs: AgentRuns<'a>) -> Self {
        let (low, high) = block.bounds();
        // A little more, as the radius may be a rounded root of a limit.
        let limit = F::splat(radius * radius * (1.0 + 4.0 * f32::EPSILON));
        let nearby = Nearby { low: Wide::splat(low), high: Wide::splat(high), limit };
        Self { agents: block.agents, boids: block.boids.clone(), nearby, runs, rest: 0..0 }
    }

    /// Lists the next candidates, and returns those before the boids of the block, these boids, and those behind them; `None`
    /// if there are no more.
    #[inline(always)]
    pub(crate) fn next<'c>(&mut self, list: &'c mut CandidateList) -> Option<[&'c [u32]; 3]> {
        let indices = &mut list.0;
        let mut len = 0;
        while len <= CAPACITY - F::WIDTH {
            let Some(run) = self.next_lanes() else { break };
            let points = Wide::new(|axis| F::load_or(&self.agents.positions(axis)[run.start..], f32::INFINITY));
            let is_nearby = self.nearby.contains(points);
            let run_indices = F::add_words(F::load_words(&LANE_NUMBERS), F::splat_words(run.start as u32));
            F::store_words(F::pack_words(run_indices, is_nearby), &mut indices[len..]);
            // Lanes behind the run come last, and are overwritten.
            len += (F::bits(is_nearby) & (u32::MAX >> (32 - run.len()))).count_ones() as usize;
        }
        if len == 0 {
            return None;
        }
        let indices = &indices[..len];
        let before = |end: usize| indices.partition_point(|&index| (index as usize) < end);
        let (start, end) = (before(self.boids.start), before(self.boids.end));
        Some([&indices[..start], &indices[start..end], &indices[end..]])
    }

    /// The next agents, at most one for each lane; `None` if there are no more.
    #[inline(always)]
    fn next_lanes(&mut self) -> Option<Range<usize>> {
        while self.rest.is_empty() {
            let (run, shift) = self.runs.next()?;
            debug_assert_eq!(shift, Shift::default());
            self.rest = run;
        }
        let end = self.rest.end.min(self.rest.start + F::WIDTH);
        let lanes = self.rest.start..end;
        self.rest.start = end;
        Some(lanes)
    }
}
