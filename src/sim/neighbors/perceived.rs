//! What boids perceive of the others, for a chunk of them at a time.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::search_limits::Limits;
use super::simd::{Lanes, MAX_LANES};
use crate::sim::math::wide::Wide;

/// The most boids of a chunk.
pub(crate) const CHUNK: usize = 256;
/// The last block of a chunk may write past it.
pub(crate) const ROOM: usize = CHUNK + MAX_LANES;

/// A sum over some neighbors, and how many they are, for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum<F, const D: usize> {
    pub total: Wide<F, D>,
    pub count: F,
}

/// Sums for every boid of a chunk.
#[derive(Debug)]
pub(crate) struct Sums {
    total: [[f32; ROOM]; 3],
    count: [f32; ROOM],
}

impl Sums {
    const ZERO: Self = Self { total: [[0.0; ROOM]; 3], count: [0.0; ROOM] };

    /// The sums of the boids from `index` on.
    #[inline(always)]
    pub fn load<F: Lanes, const D: usize>(&self, index: usize) -> Sum<F, D> {
        Sum { total: Wide::new(|axis| F::load(&self.total[axis][index..])), count: F::load(&self.count[index..]) }
    }

    /// Writes the sums of the boids from `index` on; lanes without a boid write over what comes next.
    #[inline(always)]
    pub fn store<F: Lanes, const D: usize>(&mut self, index: usize, sum: Sum<F, D>) {
        for axis in 0..D {
            sum.total[axis].store(&mut self.total[axis][index..]);
        }
        sum.count.store(&mut self.count[index..]);
    }

    /// Writes the sum of the boid at `index` alone.
    pub fn set<const D: usize>(&mut self, index: usize, sum: Sum<f32, D>) {
        self.store(index, sum);
    }
}

/// How alarmed the boids of a chunk are, and how those around them flee.
#[derive(Debug)]
pub(crate) struct Alarms {
    alarm: [f32; ROOM],
    flight: Sums,
}

impl Alarms {
    const NONE: Self = Self { alarm: [0.0; ROOM], flight: Sums::ZERO };

    /// Those of the boids from `index` on.
    #[inline(always)]
    pub fn load<F: Lanes, const D: usize>(&self, index: usize) -> (F, Sum<F, D>) {
        (F::load(&self.alarm[index..]), self.flight.load(index))
    }

    /// Writes those of the boids from `index` on; lanes without a boid write over what comes next.
    #[inline(always)]
    pub fn store<F: Lanes, const D: usize>(&mut self, index: usize, alarm: F, flight: Sum<F, D>) {
        alarm.store(&mut self.alarm[index..]);
        self.flight.store(index, flight);
    }

    /// The alarm of the boid at `index`.
    pub fn alarm(&self, index: usize) -> f32 {
        self.alarm[index]
    }
}

/// All that a chunk of boids perceives. Scratch: made anew for each chunk.
#[derive(Debug)]
pub(crate) struct Perceived {
    /// How far each boid heeds others.
    pub limits: Limits,
    /// `Σ f(d)·r` over the neighbors to keep away from.
    pub separation: Sums,
    /// `Σ v` over the neighbors to fly along with.
    pub alignment: Sums,
    /// `Σ r` over the neighbors to draw near to.
    pub cohesion: Sums,
    /// `Σ f(d)·r` over the predators in sight.
    pub fear: Sums,
    /// `Σ (1/d − 1/R)·r` over the boids of other species inside cohesion's radius `R`; where `avoids_species`.
    pub other_species: Sums,
    /// Whether anyone keeps clear of other species.
    pub avoids_species: bool,
    /// `r` to the leader that is followed, and a count of 1 where there is one; where `has_leaders`.
    pub leader: Sums,
    /// Its velocity.
    pub leader_velocity: Sums,
    /// How leaders wander.
    pub wandering: Sums,
    /// Whether there are any leaders.
    pub has_leaders: bool,
    /// Each boid's alarm, and `Σ a·v` and `Σ a` over its alarmed neighbors.
    pub alarm: Alarms,
}

impl Perceived {
    pub const NOTHING: Self = Self {
        limits: Limits::NONE,
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
