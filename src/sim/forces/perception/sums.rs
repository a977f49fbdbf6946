//! What boids perceive of the others, for a chunk of them at a time.
//!
//! A boid's `slot` is its position in the chunk. Lanes without a boid write to the slots that follow.

use crate::sim::math::Wide;
use crate::sim::neighbors::{SLOTS, SearchLimits};
use crate::sim::simd::Lanes;

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

/// The alarm of each boid of a chunk, and how the alarmed neighbors flee.
#[derive(Debug)]
pub(crate) struct Alarms {
    alarm: [f32; SLOTS],
    /// `Σ a·v` over the alarmed neighbors, with `Σ a` as the count.
    flight: Sums,
}

impl Alarms {
    const NONE: Self = Self { alarm: [0.0; SLOTS], flight: Sums::ZERO };

    #[inline(always)]
    pub fn load<F: Lanes, const D: usize>(&self, slot: usize) -> (F, Sum<F, D>) {
        (F::load(&self.alarm[slot..]), self.flight.load(slot))
    }

    #[inline(always)]
    pub fn store<F: Lanes, const D: usize>(&mut self, slot: usize, alarm: F, flight: Sum<F, D>) {
        alarm.store(&mut self.alarm[slot..]);
        self.flight.store(slot, flight);
    }

    pub fn alarm(&self, slot: usize) -> f32 {
        self.alarm[slot]
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
    pub alarm: Alarms,
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
        alarm: Alarms::NONE,
    };
}
