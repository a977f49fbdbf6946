//! What each boid perceives of the others in one tick: the sums over neighbors that the rules steer by.
//!
//! [`NeighborIndex`] has the agents by cell. [`NeighborQuery`] holds the rules of the tick, and its `perceive` fills
//! [`Perceived`] for a chunk of boids at a time:
//!
//! 1. [`NearestSearch`] finds the distance of the nearest few neighbors, if the rules ask for them;
//! 2. `kernel` adds up the neighbors of a block of boids, one boid in each SIMD lane; `cap` does so if their number is limited;
//! 3. `scalar` repeats the few boids that those cannot resolve: coincident boids, and ties;
//! 4. the totals of the flock replace the sums of rules with an infinite radius.

mod alarm;
mod cap;
mod index;
mod kernel;
mod scalar;
mod sums;

use std::hint::black_box;
use std::ops::Range;

pub(crate) use alarm::AlarmSums;
pub(crate) use index::NeighborIndex;

use super::environment::Environment;
use crate::neighbors::{NearestSearch, SearchLimits, ViewThreshold};
use crate::params::{Params, Perceived};
use crate::simd::Simd;
use crate::world::Metric;

/// The rules that choose neighbors, worked out once a tick, and the agents to choose from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborQuery<'a> {
    pub(super) neighbors: &'a NeighborIndex,
    pub(super) params: &'a Params,
    pub(super) metric: Metric,
    pub(super) simd: Simd,
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// The largest finite radius of separation, alignment and cohesion, in u.
    reach: f32,
    /// The radii of alignment and cohesion in u; 0 if infinite, as those sums come from the totals of the flock.
    alignment: f32,
    cohesion: f32,
    /// The edge of the field of view, if it is below 360°.
    pub(super) view: Option<ViewThreshold>,
    /// The number of nearest neighbors; 0 is all.
    nearest: usize,
    is_multi_species: bool,
    avoids_species: bool,
    /// 1, hidden from the compiler: see [`Lanes::fma_where`](crate::simd::Lanes::fma_where).
    one: f32,
}

impl<'a> NeighborQuery<'a> {
    pub(crate) fn new(environment: &Environment<'a>, neighbors: &'a NeighborIndex, simd: Simd) -> Self {
        let Environment { params, metric, seed, tick, .. } = *environment;
        let finite = |radius: f32| if radius.is_finite() { radius } else { 0.0 };
        let is_multi_species = params.species.count > 1.0;
        Self {
            neighbors,
            params,
            metric,
            simd,
            seed,
            tick,
            reach: params.rule_reach(),
            alignment: finite(params.alignment.radius),
            cohesion: finite(params.cohesion.radius),
            view: ViewThreshold::new(params.perception.angle),
            nearest: params.perception.nearest as usize,
            is_multi_species,
            avoids_species: is_multi_species && params.species.avoid > 0.0,
            one: black_box(1.0),
        }
    }

    /// Fills in what the boids at these indices, at most a chunk of those that flock, perceive.
    pub(crate) fn perceive<const D: usize>(&self, boids: Range<usize>, perceived: &mut Perceived) {
        let Self { neighbors, metric, view, nearest, reach, .. } = *self;
        perceived.avoids_species = self.avoids_species;
        perceived.has_leaders = !neighbors.leaders.is_empty();
        perceived.has_predators = neighbors.has_predators();
        perceived.is_alarmed = neighbors.is_alarmed;
        let mut limits = SearchLimits::new(self.nearest > 0);
        let search = NearestSearch { flock: &neighbors.flock, metric, view, nearest, reach };
        search.limit::<D>(self.simd, boids.clone(), &mut limits);
        if self.params.limits.max_neighbors > 0.0 {
            cap::add_up::<D>(self, boids.clone(), perceived, &mut limits);
        } else {
            kernel::add_up::<D>(self, boids.clone(), perceived, &mut limits);
        }
        scalar::add_up_unresolved::<D>(self, boids.clone(), perceived, &limits);
        if !neighbors.totals.is_empty() {
            for (slot, index) in boids.enumerate() {
                self.perceive_flock::<D>(index, perceived, slot);
            }
        }
    }

    /// Sets the sums of the rules whose radius is infinite, from the totals of the flock.
    fn perceive_flock<const D: usize>(&self, index: usize, perceived: &mut Perceived, slot: usize) {
        let Some(totals) = self.neighbors.totals(index, self.params) else { return };
        let agents = &self.neighbors.flock.agents;
        if self.params.alignment.radius.is_infinite() {
            perceived.alignment.store(slot, totals.velocities_except::<D>(agents.velocity_array(index)));
        }
        if self.params.cohesion.radius.is_infinite() {
            let (near, count) = self.inside_inner_radius::<D>(index);
            perceived.cohesion.store(slot, totals.offsets_from::<D>(agents.position_array(index), near, count));
        }
    }

    /// `Σ r` over the boids inside the inner radius of cohesion, and their number.
    fn inside_inner_radius<const D: usize>(&self, index: usize) -> ([f64; 3], f64) {
        let inner = self.params.cohesion.inner;
        let (mut total, mut count) = ([0.0; 3], 0.0);
        if inner == 0.0 {
            return (total, count);
        }
        let NeighborIndex { flock, species, .. } = self.neighbors;
        let agents = &flock.agents;
        let position = agents.position::<D>(index);
        flock.near(position, inner, |other| {
            let offset = self.metric.offset(position, agents.position(other));
            if offset.length_squared() < inner * inner && other != index {
                let offset = offset.axes();
                let is_own = species.at(index).same_species(species.at(other));
                let weight = if is_own { 1.0 } else { f64::from(self.params.species.follow) };
                total = [0, 1, 2].map(|axis| total[axis] + weight * f64::from(offset[axis]));
                count += weight;
            }
        });
        (total, count)
    }
}
