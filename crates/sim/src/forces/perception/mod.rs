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
pub(super) use sums::falloff_factor;

use super::environment::Environment;
use crate::math::Wide;
use crate::neighbors::{NearestSearch, SLOTS, SearchLimits, ViewThreshold};
use crate::params::Params;
use crate::simd::{Lanes, Simd};
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
        perceived.limits.reset(self.nearest > 0);
        let search = NearestSearch { flock: &neighbors.flock, metric, view, nearest, reach };
        search.limit::<D>(self.simd, boids.clone(), &mut perceived.limits);
        if self.params.limits.max_neighbors > 0.0 {
            cap::add_up::<D>(self, boids.clone(), perceived);
        } else {
            kernel::add_up::<D>(self, boids.clone(), perceived);
        }
        scalar::add_up_unresolved::<D>(self, boids.clone(), perceived);
        if neighbors.has_totals() {
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
            let (total, count) = totals.velocities_except::<D>(agents.velocity_array(index));
            perceived.alignment.store(slot, Sum { total, count });
        }
        if self.params.cohesion.radius.is_infinite() {
            let near = self.inside_inner_radius::<D>(index);
            let (total, count) = totals.offsets_from::<D>(agents.position_array(index), near);
            perceived.cohesion.store(slot, Sum { total, count });
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

/// A sum over neighbors and their number, for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum<F, const D: usize> {
    pub total: Wide<F, D>,
    pub count: F,
}

/// A sum for each boid of a chunk.
#[derive(Debug)]
pub(crate) struct Sums {
    total: [[f32; SLOTS]; 3],
    count: [f32; SLOTS],
}

impl Sums {
    const ZERO: Self = Self { total: [[0.0; SLOTS]; 3], count: [0.0; SLOTS] };

    #[inline(always)]
    pub fn load<F: Lanes, const D: usize>(&self, slot: usize) -> Sum<F, D> {
        Sum { total: Wide::new(|axis| F::load(&self.total[axis][slot..])), count: F::load(&self.count[slot..]) }
    }

    #[inline(always)]
    pub fn store<F: Lanes, const D: usize>(&mut self, slot: usize, sum: Sum<F, D>) {
        for axis in 0..D {
            sum.total[axis].store(&mut self.total[axis][slot..]);
        }
        sum.count.store(&mut self.count[slot..]);
    }
}

/// All that a chunk of boids perceives; rewritten for each chunk.
#[derive(Debug)]
pub(crate) struct Perceived {
    pub limits: SearchLimits,
    /// `Σ f(d)·r` over the neighbors of separation.
    pub separation: Sums,
    /// `Σ v` over the neighbors of alignment.
    pub alignment: Sums,
    /// `Σ r` over the neighbors of cohesion.
    pub cohesion: Sums,
    /// `Σ f(d)·r` over the predators in sight.
    pub fear: Sums,
    /// `Σ (1/d − 1/R)·r` over the boids of other species within the radius `R` of cohesion; set if `avoids_species`.
    pub other_species: Sums,
    pub avoids_species: bool,
    /// `r` to the leader that the boid follows, with a count of 1 if there is one; set if `has_leaders`.
    pub leader: Sums,
    pub leader_velocity: Sums,
    /// The steering of leaders that wander.
    pub wandering: Sums,
    pub has_leaders: bool,
    pub alarm: [f32; SLOTS],
    /// How the alarmed neighbors flee: `Σ a·v`, with `Σ a` as the count.
    pub flight: Sums,
}

impl Perceived {
    pub const NOTHING: Self = Self {
        limits: SearchLimits::NONE,
        separation: Sums::ZERO,
        alignment: Sums::ZERO,
        cohesion: Sums::ZERO,
        fear: Sums::ZERO,
        other_species: Sums::ZERO,
        avoids_species: false,
        leader: Sums::ZERO,
        leader_velocity: Sums::ZERO,
        wandering: Sums::ZERO,
        has_leaders: false,
        alarm: [0.0; SLOTS],
        flight: Sums::ZERO,
    };
}
