//! What the rules of flight steer by: boids, one in each lane, and what they perceive.

use super::Params;
use crate::math::Wide;
use crate::simd::{Lanes, SLOTS};
use crate::world::World;

/// The order in which rules are added up, as sums of `f32` depend on it; in a stage, that of the parameters.
pub(super) enum Stage {
    /// By the boids nearby.
    Neighbors,
    /// By predators, and those whom they alarm.
    Predators,
    /// By leaders and other species.
    Groups,
    /// By nothing but a boid's own state.
    Alone,
    /// By what surrounds the flock.
    World,
}

/// Boids at the beginning of the tick, and what they steer by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steered<'a, F, const D: usize> {
    pub position: Wide<F, D>,
    pub velocity: Wide<F, D>,
    pub perceived: &'a Perceived,
    /// The first one in `perceived`.
    pub slot: usize,
    pub params: &'a Params,
    pub world: &'a World,
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

/// What a chunk of boids perceives of others; rewritten for each chunk.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
#[derive(Debug)]
pub(crate) struct Perceived {
    /// `Σ f(d)·r` over the neighbors of separation.
    pub separation: Sums,
    /// `Σ v` over the neighbors of alignment.
    pub alignment: Sums,
    /// `Σ r` over the neighbors of cohesion.
    pub cohesion: Sums,
    /// `Σ f(d)·r` over the predators in sight; set if `has_predators`.
    pub fear: Sums,
    pub has_predators: bool,
    /// `Σ (1/d − 1/R)·r` over the boids of other species within the radius `R` of cohesion; set if `avoids_species`.
    pub other_species: Sums,
    pub avoids_species: bool,
    /// `r` to the leader that the boid follows, with a count of 1 if there is one; set if `has_leaders`.
    pub leader: Sums,
    pub leader_velocity: Sums,
    /// The steering of leaders that wander.
    pub wandering: Sums,
    pub has_leaders: bool,
    /// The alarm after this tick.
    pub alarm: [f32; SLOTS],
    /// How the alarmed neighbors flee: `Σ a·v`, with `Σ a` as the count; set if `is_alarmed`.
    pub flight: Sums,
    pub is_alarmed: bool,
}

impl Perceived {
    pub const NOTHING: Self = Self {
        separation: Sums::ZERO,
        alignment: Sums::ZERO,
        cohesion: Sums::ZERO,
        fear: Sums::ZERO,
        has_predators: false,
        other_species: Sums::ZERO,
        avoids_species: false,
        leader: Sums::ZERO,
        leader_velocity: Sums::ZERO,
        wandering: Sums::ZERO,
        has_leaders: false,
        alarm: [0.0; SLOTS],
        flight: Sums::ZERO,
        is_alarmed: false,
    };
}
