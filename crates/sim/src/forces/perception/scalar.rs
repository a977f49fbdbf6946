//! The neighbors of one boid at a time, for the few that the kernel cannot resolve: boids that are coincident with
//! others, and ties among the nearest neighbors.
//!
//! Slower than the kernel, and the same sums.

use std::cell::RefCell;
use std::ops::Range;

use rand::RngExt;

use super::sums::{Candidate, Radii, RuleSums, shape};
use super::{NeighborIndex, NeighborQuery};
use crate::math::{Purpose, Wide, stream};
use crate::neighbors::{COINCIDENT, FieldOfView, SearchLimits, nudge_direction};
use crate::params::Perceived;
use crate::simd::Lanes;

/// Adds up the neighbors of the boids that are marked as unresolved.
pub(super) fn add_up_unresolved<const D: usize>(
    query: &NeighborQuery<'_>,
    boids: Range<usize>,
    perceived: &mut Perceived,
    limits: &SearchLimits,
) {
    for (slot, index) in boids.enumerate() {
        if limits.is_unresolved(slot) {
            let boid: SearchingBoid<D> = SearchingBoid::new(query, index);
            boid.sums().store(perceived, slot);
        }
    }
}

/// A boid that searches for its neighbors.
struct SearchingBoid<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    index: usize,
    position: Wide<f32, D>,
    view: FieldOfView<f32, D>,
}

impl<'a, const D: usize> SearchingBoid<'a, D> {
    fn new(query: &'a NeighborQuery<'a>, index: usize) -> Self {
        let agents = &query.neighbors.flock.agents;
        let view = FieldOfView::new(Wide::splat(agents.velocity_array(index)), query.view);
        Self { query, index, position: Wide::splat(agents.position_array(index)), view }
    }

    /// The sums over its neighbors, in the order of memory.
    fn sums(&self) -> RuleSums<f32, D> {
        thread_local! {
            static NEAR: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
        }
        let agents = self.query.neighbors.flock.agents.len();
        NEAR.with_borrow_mut(|near| {
            // Room for all, so that a flock which contracts causes no allocation.
            if near.len() < agents {
                near.resize(agents, 0);
            }
            let seen = self.find_seen(near);
            let near = self.keep_nearest(&mut near[..seen]);
            let near = self.cap(near);
            self.add_up(near)
        })
    }

    /// Stores the agents within reach and in view; returns their number.
    fn find_seen(&self, near: &mut [u32]) -> usize {
        let Self { query, index, .. } = *self;
        let (flock, reach) = (&query.neighbors.flock, query.reach);
        let at = self.position.axes();
        let mut count = 0;
        for (run, _) in flock.runs(flock.window((at, at), reach)) {
            let (positions, _) = flock.agents.run::<D>(run.clone());
            for (slot, other) in run.enumerate() {
                let offset = query.metric.minimum_image(positions.splat(slot) - self.position);
                let d2 = offset.length_squared();
                let is_in_view = query.view.is_none() || d2 <= COINCIDENT || self.view.sees(offset, d2);
                // Writes first and counts later: a branch on the distance would be mispredicted often.
                near[count] = other as u32;
                let is_seen = f32::and(d2 < reach * reach, is_in_view);
                count += usize::from(f32::and(is_seen, other != index));
            }
        }
        count
    }

    /// Keeps the nearest few, by distance and id.
    fn keep_nearest<'n>(&self, near: &'n mut [u32]) -> &'n mut [u32] {
        let ids = self.query.neighbors.flock.agents.ids();
        keep_first(near, self.query.nearest, |a, b| {
            let key = |other: u32| (self.offset_to(other as usize).1, ids[other as usize]);
            key(a) < key(b)
        })
    }

    /// Keeps the first few in cyclic order of ids, from one that is drawn for this boid and tick.
    fn cap<'n>(&self, near: &'n mut [u32]) -> &'n mut [u32] {
        let NeighborQuery { params, seed, tick, .. } = *self.query;
        let max = params.limits.max_neighbors as usize;
        if near.len() <= max || max == 0 {
            return near;
        }
        let ids = self.query.neighbors.flock.agents.ids();
        let mut rng = stream(seed, tick, ids[self.index], Purpose::Neighbors);
        let first: u32 = rng.random_range(0..self.query.neighbors.ids);
        let key = |other: u32| ids[other as usize].wrapping_sub(first);
        keep_first(near, max, |a, b| key(a) < key(b))
    }

    fn add_up(&self, near: &[u32]) -> RuleSums<f32, D> {
        let Self { query, index, .. } = *self;
        let NeighborIndex { flock, species: all_species, .. } = query.neighbors;
        let agents = &flock.agents;
        let (id, species) = (agents.ids()[index], all_species.at(index));
        let (radii, falloff) = (Radii::new(query, f32::INFINITY), query.params.separation.falloff);
        let mut sums = RuleSums::zero();
        for other in near.iter().map(|&other| other as usize) {
            let (offset, d2) = self.offset_to(other);
            let velocity = Wide::splat(agents.velocity_array(other));
            let other_species = species.different_species(all_species.at(other));
            let weight = if other_species { query.params.species.follow } else { 1.0 };
            let candidate = Candidate { offset, d2, velocity, in_view: true, weight, other_species };
            if d2 <= COINCIDENT {
                sums.add_coincident(query, nudge_direction(id, agents.ids()[other]), &candidate);
            } else {
                sums.add::<{ shape::FULL }, false, true>(&radii, falloff, &candidate);
            }
        }
        sums
    }

    /// The offset to another agent, and its squared length.
    fn offset_to(&self, other: usize) -> (Wide<f32, D>, f32) {
        let offset = Wide::splat(self.query.neighbors.flock.agents.position_array(other)) - self.position;
        let offset = self.query.metric.minimum_image(offset);
        (offset, offset.length_squared())
    }
}

/// The `count` first items in an order, ascending by value; all if `count` is 0 or there are no more.
fn keep_first(items: &mut [u32], count: usize, is_before: impl Fn(u32, u32) -> bool) -> &mut [u32] {
    use std::cmp::Ordering::{Greater, Less};
    if count == 0 || items.len() <= count {
        return items;
    }
    items.select_nth_unstable_by(count - 1, |&a, &b| if is_before(a, b) { Less } else { Greater });
    let first = &mut items[..count];
    first.sort_unstable();
    first
}
