//! The candidates of a block, which may be neighbors of its boids, and the loop over them, which the models share.
//!
//! In two dimensions they are the agents in the cells near the block. In three, half of those agents are too far away from every
//! boid of the block. A comparison with its bounding box, one agent in each lane, leaves them out before the others are compared
//! with each boid.

use std::ops::Range;

use super::block::Block;
use super::cell_list::{AgentRuns, CellList};
use super::grid::Shift;
use crate::agents::Agents;
use crate::math::Wide;
use crate::simd::{Lanes, MAX_LANES};
use crate::world::Metric;

/// The maximum number of candidates in a list, which at 2 KiB stays in the first cache.
pub(crate) const CAPACITY: usize = 512;

const LANE_NUMBERS: [u32; MAX_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The candidates of a block, listed a few hundred at a time in order of memory.
pub(crate) struct Candidates<'a, F, const D: usize> {
    agents: &'a Agents,
    /// The indices of the boids.
    boids: Range<usize>,
    /// The corners of the block's bounding box.
    low: Wide<F, D>,
    high: Wide<F, D>,
    /// The square of the distance from the box up to which agents are candidates, in u².
    limit: F,
    runs: AgentRuns<'a>,
    /// The agents of the current run that are not listed yet.
    rest: Range<usize>,
}

/// Memory for a list.
pub(crate) type CandidateList = [u32; CAPACITY];

impl<'a, F: Lanes, const D: usize> Candidates<'a, F, D> {
    /// The agents of some runs, none of which is in another periodic image, that are nearer to a block than `radius` (u).
    #[inline(always)]
    pub(crate) fn new(block: &Block<'a, F, D>, radius: f32, runs: AgentRuns<'a>) -> Self {
        let (low, high) = block.bounds();
        // A little more, as the radius may be a rounded root of a limit.
        let limit = F::splat(radius * radius * (1.0 + 4.0 * f32::EPSILON));
        let (low, high) = (Wide::splat(low), Wide::splat(high));
        Self { agents: block.agents, boids: block.boids.clone(), low, high, limit, runs, rest: 0..0 }
    }

    /// Lists the next candidates, and returns those before the boids of the block, these boids, and those behind them; `None`
    /// if there are no more.
    #[inline(always)]
    pub(crate) fn next<'c>(&mut self, indices: &'c mut CandidateList) -> Option<[&'c [u32]; 3]> {
        let mut len = 0;
        // A store writes all lanes, nearby or not.
        while len <= CAPACITY - F::WIDTH {
            let Some(run) = self.next_lanes() else { break };
            let points = Wide::new(|axis| F::load_or(&self.agents.positions(axis)[run.start..], f32::INFINITY));
            let is_nearby = self.contains(points);
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

    /// Whether these points, one in each lane, are nearer to the box than the limit. As each operation is monotonic, rounding makes
    /// no distance to a boid in the box less than the distance to the box.
    #[inline(always)]
    fn contains(&self, points: Wide<F, D>) -> F::Mask {
        let outside: Wide<F, D> =
            Wide::new(|axis| (points[axis] - self.high[axis]).max(self.low[axis] - points[axis]).max(F::splat(0.0)));
        outside.length_squared().lt(self.limit)
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

/// What a block of boids does with its candidates.
pub(crate) trait Visitor<F: Lanes, const D: usize> {
    /// Whether it skips runs.
    const SKIPS: bool = false;

    /// Looks at the agent at an index: its offset from the boid in each lane, in u, and their squared distance, which is infinite
    /// in the agent's own lane.
    fn visit(&mut self, index: usize, offset: Wide<F, D>, d2: F);

    /// Whether nothing changes if the visitor does not look at any of these agents.
    #[inline(always)]
    fn skips(&self, run: &Range<usize>) -> bool {
        let _ = run;
        false
    }
}

impl CellList {
    /// Shows a visitor every agent that may be within `radius` (u) of a block, in the order of memory. The visitor is passed by
    /// value, so that it stays in registers.
    #[inline(always)]
    pub(crate) fn visit<F: Lanes, const D: usize, V: Visitor<F, D>>(
        &self,
        block: &Block<'_, F, D>,
        metric: &Metric,
        radius: f32,
        mut visitor: V,
    ) -> V {
        let window = self.window(block.bounds(), radius);
        // A list would look at the runs that a visitor skips, and knows no periodic images.
        if D == 3 && !V::SKIPS && window.is_direct() {
            let mut list = [0; CAPACITY];
            let mut candidates = Candidates::new(block, radius, self.runs(window));
            while let Some([before, own, behind]) = candidates.next(&mut list) {
                visitor = visit_list::<F, D, V, false>(block, before, visitor);
                visitor = visit_list::<F, D, V, true>(block, own, visitor);
                visitor = visit_list::<F, D, V, false>(block, behind, visitor);
            }
            return visitor;
        }
        for (run, shift) in self.runs(window) {
            if V::SKIPS && visitor.skips(&run) {
                continue;
            }
            visitor = if window.is_ambiguous || shift != [0.0; 3] {
                visit_run::<F, D, V, true>(block, metric, run, visitor)
            } else {
                visit_run::<F, D, V, false>(block, metric, run, visitor)
            };
        }
        visitor
    }
}

/// The innermost loop over a list of agents. `OWN` says that they are the boids of the block.
#[inline(always)]
fn visit_list<F: Lanes, const D: usize, V: Visitor<F, D>, const OWN: bool>(
    block: &Block<'_, F, D>,
    list: &[u32],
    mut visitor: V,
) -> V {
    let (positions, _) = block.agents.run::<D>(0..block.agents.len());
    for &index in list {
        let index = index as usize;
        let offset = positions.splat::<F>(index) - block.position;
        let mut d2 = offset.length_squared();
        if OWN {
            d2 += block.self_distance(index);
        }
        visitor.visit(index, offset, d2);
    }
    visitor
}

/// The innermost loop over a run of agents. `NEAREST` says that each is seen in its nearest periodic image.
#[inline(always)]
fn visit_run<F: Lanes, const D: usize, V: Visitor<F, D>, const NEAREST: bool>(
    block: &Block<'_, F, D>,
    metric: &Metric,
    run: Range<usize>,
    mut visitor: V,
) -> V {
    let (positions, _) = block.agents.run::<D>(run.clone());
    let is_own = block.overlaps(&run);
    for slot in 0..positions.len() {
        let mut offset = positions.splat::<F>(slot) - block.position;
        if NEAREST {
            offset = metric.minimum_image(offset);
        }
        let index = run.start + slot;
        let mut d2 = offset.length_squared();
        if is_own {
            d2 += block.self_distance(index);
        }
        visitor.visit(index, offset, d2);
    }
    visitor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Agents, Kind, Row};
    use crate::math::Execution;
    use crate::neighbors::{GridLayout, Placement};
    use crate::params::Edge;
    use crate::simd::{Simd, Task};
    use crate::world::World;

    const RADIUS: f32 = 9.0;

    fn flock() -> CellList {
        let mut agents = Agents::new(3);
        for id in 0..5000 {
            let position = [id * 37 % 101, id * 53 % 97, id * 71 % 89].map(|axis| axis as f32 * 0.4);
            agents.push(Row { id, kind: Kind::Prey, position, velocity: [0.0; 3], mood: 0.0, bank: 0.0 });
        }
        let layout = GridLayout::new(&World::Cuboid([41.0; 3]), Edge::Turn, RADIUS, agents.len());
        let mut list = CellList::default();
        list.sort(layout, &agents, [Placement::InCells; 3], Execution::default());
        list
    }

    /// The candidates of each block, as they are listed.
    struct Listed<'a>(&'a CellList);

    impl Task for Listed<'_> {
        type Output = Vec<(Range<usize>, [Vec<u32>; 3])>;

        #[inline(always)]
        fn run<F: Lanes>(self) -> Self::Output {
            let flock = self.0;
            let mut all = Vec::new();
            for boids in flock.blocks(0..flock.agents.len(), F::WIDTH) {
                let block: Block<F, 3> = Block::new(&flock.agents, boids.clone());
                let window = flock.window(block.bounds(), RADIUS);
                let (mut list, mut listed) = ([0; CAPACITY], [const { Vec::new() }; 3]);
                let mut candidates = Candidates::new(&block, RADIUS, flock.runs(window));
                while let Some(parts) = candidates.next(&mut list) {
                    listed.iter_mut().zip(parts).for_each(|(all, part)| all.extend(part));
                }
                all.push((boids, listed));
            }
            all
        }
    }

    #[test]
    fn all_neighbors_are_listed_in_order() {
        let flock = flock();
        let distance =
            |from: u32, to: usize| (flock.agents.position::<3>(from as usize) - flock.agents.position(to)).length();
        for simd in Simd::available() {
            let mut longest = 0;
            for (boids, [before, own, behind]) in simd.run(Listed(&flock)) {
                let parts = (&before, &own, &behind);
                assert!(own.iter().map(|&index| index as usize).eq(boids.clone()), "{simd:?} {parts:?}");
                let all: Vec<u32> = [before, own, behind].concat();
                assert!(all.is_sorted(), "{simd:?}");
                for boid in boids {
                    let is_near = |other: &u32| distance(*other, boid) < RADIUS;
                    let near = (0..flock.agents.len() as u32).filter(is_near).count();
                    assert_eq!(all.iter().filter(|other| is_near(other)).count(), near, "{simd:?} {boid}");
                }
                longest = longest.max(all.len());
            }
            // Long blocks have more than a list holds at a time.
            assert!(simd == Simd::Scalar || longest > CAPACITY, "{simd:?}: {longest}");
        }
    }
}
