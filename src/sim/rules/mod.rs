//! The rules of movement. Each is a pure function over SIMD lanes, one lane per boid; `f32` is a single lane.

#![allow(clippy::inline_always, reason = "compiled once per SIMD kind, which requires inlining")]

mod follow;
pub(crate) mod heading;
pub(crate) mod leaders;
mod steering;

pub(crate) use follow::wander;
pub(crate) use steering::falloff_factor;

use super::agents::Kind;
use super::environment::edges;
use super::math::wide::Wide;
use super::neighbors::perceived::{Perceived, Sum};
use super::neighbors::simd::Lanes;
use super::params::{Params, PredatorMode};
use super::world::World;

/// Boids at the beginning of the tick, one per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoidLanes<F, const D: usize> {
    pub position: Wide<F, D>,
    pub velocity: Wide<F, D>,
}

/// The sums over neighbors and predators that boids steer by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteeringInput<F, const D: usize> {
    separation: Sum<F, D>,
    alignment: Sum<F, D>,
    cohesion: Sum<F, D>,
    threat: Option<Wide<F, D>>,
    other_species: Option<Sum<F, D>>,
    leader: Option<LeaderInput<F, D>>,
    /// Alarm of the boid, and sum over alarmed neighbors.
    alarm: Option<(F, Sum<F, D>)>,
}

/// The leader of a boid, or the wandering of a leader.
#[derive(Clone, Copy, Debug)]
struct LeaderInput<F, const D: usize> {
    leader: Sum<F, D>,
    leader_velocity: Wide<F, D>,
    wandering: Wide<F, D>,
}

impl<F: Lanes, const D: usize> SteeringInput<F, D> {
    /// Loads the sums of the boids from `index` on; of threats if there are `predators`, and of alarm if there is `alarm`.
    #[inline(always)]
    pub fn load(perceived: &Perceived, index: usize, predators: bool, alarm: bool) -> Self {
        Self {
            separation: perceived.separation.load(index),
            alignment: perceived.alignment.load(index),
            cohesion: perceived.cohesion.load(index),
            threat: if predators { Some(perceived.fear.load(index).total) } else { None },
            other_species: if perceived.avoids_species { Some(perceived.other_species.load(index)) } else { None },
            leader: perceived.has_leaders.then(|| LeaderInput {
                leader: perceived.leader.load(index),
                leader_velocity: perceived.leader_velocity.load(index).total,
                wandering: perceived.wandering.load(index).total,
            }),
            alarm: if alarm { Some(perceived.alarm.load(index)) } else { None },
        }
    }
}

/// The result of all rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steering<F, const D: usize> {
    /// Sum of the rules, limited to `max_force`, in u/tick².
    pub force: Wide<F, D>,
    /// Contribution of alignment by replacement, without that limit.
    pub replacement: Wide<F, D>,
}

/// Whether agents of a kind follow the rules of the flock.
pub(crate) fn flocks(params: &Params, kind: Kind) -> bool {
    match kind {
        Kind::Prey => true,
        Kind::Predator => params.hunt.mode == PredatorMode::Flock,
        Kind::Caught => false,
    }
}

/// The sum of all rules, for agents that flock; `docs/models.md` has the formulas.
#[inline(always)]
pub(crate) fn steer<F: Lanes, const D: usize>(
    boids: &BoidLanes<F, D>,
    input: &SteeringInput<F, D>,
    push: Option<Wide<F, D>>,
    params: &Params,
    world: &World,
) -> Steering<F, D> {
    let aligned = steering::align(boids.velocity, &input.alignment, params);
    let mut force = steering::separate(boids.velocity, &input.separation, params)
        + aligned.force
        + steering::cohere(boids.velocity, &input.cohesion, params);
    if let Some(threat) = input.threat {
        force += steering::flee(threat, params);
    }
    if let Some((alarm, flight)) = &input.alarm {
        force += steering::follow_alarmed(boids.velocity, *alarm, flight, params);
    }
    if let Some(other_species) = &input.other_species {
        force += steering::avoid_species(other_species, params);
    }
    if let Some(LeaderInput { leader, leader_velocity, wandering }) = &input.leader {
        force += follow::follow(boids.velocity, leader, *leader_velocity, params) + *wandering;
    }
    force += edges::steer(boids.position, params, world);
    force += Wide::splat([params.wind.x, params.wind.y, params.wind.z]);
    if let Some(push) = push {
        force += push;
    }
    Steering { force: limited(force, params), replacement: aligned.replacement }
}

/// The rules of a hunting predator: pursuit, edge, and `push` away from obstacles.
pub(crate) fn steer_hunter<const D: usize>(
    position: Wide<f32, D>,
    [target, apart]: [Option<Wide<f32, D>>; 2],
    push: Option<Wide<f32, D>>,
    params: &Params,
    world: &World,
) -> Steering<f32, D> {
    let mut force = steering::pursue(target, apart, params) + edges::steer(position, params, world);
    if let Some(push) = push {
        force += push;
    }
    Steering { force: limited(force, params), replacement: Wide::zero() }
}

#[inline(always)]
fn limited<F: Lanes, const D: usize>(force: Wide<F, D>, params: &Params) -> Wide<F, D> {
    if params.limits.max_force > 0.0 { force.limit(params.limits.max_force) } else { force }
}
