//! The rules that a boid follows, each a pure function, and their sum.
//!
//! The formulas are the table's in the documentation of [`steer`]. They are written over lanes, one
//! for each boid of a block; `f32` is one lane alone.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

pub(crate) mod alarm;
pub(crate) mod alignment;
pub(crate) mod avoid;
pub(crate) mod cohesion;
pub(crate) mod falloff;
pub(crate) mod flee;
pub(crate) mod follow;
pub(crate) mod heading;
pub(crate) mod hunt;
pub(crate) mod leaders;
pub(crate) mod response;
pub(crate) mod separation;
pub(crate) mod wander;

pub(crate) use falloff::falloff_factor;
pub(crate) use wander::wander;

use super::agents::Kind;
use super::environment::edges;
use super::math::wide::Wide;
use super::neighbors::perceived::{Perceived, Sum};
use super::neighbors::simd::Lanes;
use super::params::{Params, PredatorMode};
use super::world::World;

/// Boids as the tick began, one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoidLanes<F, const D: usize> {
    pub position: Wide<F, D>,
    pub velocity: Wide<F, D>,
}

/// What boids perceive of their neighbors, and of predators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteeringInput<F, const D: usize> {
    separation: Sum<F, D>,
    alignment: Sum<F, D>,
    cohesion: Sum<F, D>,
    fear: Option<Wide<F, D>>,
    other_species: Option<Sum<F, D>>,
    led: Option<LeaderInput<F, D>>,
    /// A boid's own alarm, and the flight of alarmed neighbors.
    alarm: Option<(F, Sum<F, D>)>,
}

/// Whom boids follow, and how leaders wander.
#[derive(Clone, Copy, Debug)]
struct LeaderInput<F, const D: usize> {
    leader: Sum<F, D>,
    leader_velocity: Wide<F, D>,
    wandering: Wide<F, D>,
}

impl<F: Lanes, const D: usize> SteeringInput<F, D> {
    /// What the boids from `index` on perceive; `predators` says whether there are any, and `alarm` whether
    /// anyone is alarmed.
    #[inline(always)]
    pub fn load(perceived: &Perceived, index: usize, predators: bool, alarm: bool) -> Self {
        Self {
            separation: perceived.separation.load(index),
            alignment: perceived.alignment.load(index),
            cohesion: perceived.cohesion.load(index),
            fear: if predators { Some(perceived.fear.load(index).total) } else { None },
            other_species: if perceived.avoids_species { Some(perceived.other_species.load(index)) } else { None },
            led: perceived.has_leaders.then(|| LeaderInput {
                leader: perceived.leader.load(index),
                leader_velocity: perceived.leader_velocity.load(index).total,
                wandering: perceived.wandering.load(index).total,
            }),
            alarm: if alarm { Some(perceived.alarm.load(index)) } else { None },
        }
    }
}

/// What a boid steers by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steering<F, const D: usize> {
    /// The sum of the rules, shortened to `max_force`, in u/tick².
    pub force: Wide<F, D>,
    /// What alignment by replacement adds; `max_force` does not bear on it.
    pub replacement: Wide<F, D>,
}

/// Whether agents of a kind fly with the flock.
pub(crate) fn flocks(params: &Params, kind: Kind) -> bool {
    match kind {
        Kind::Prey => true,
        Kind::Predator => params.hunt.mode == PredatorMode::Flock,
        Kind::Caught => false,
    }
}

/// Adds the rules up, for those who flock.
///
/// | rule | contribution |
/// | --- | --- |
/// | separation | `P = −Σ f(d)·r` over neighbors nearer than its radius, through its response |
/// | alignment | the neighbors' velocities, through its match |
/// | cohesion | `Σ r` over neighbors between its inner and its outer radius, through its response |
/// | flee | `−weight · Σ f(d)·r` over predators in the field of view, but for those who rest |
/// | alarm | `weight · a·(Σ aⱼvⱼ / Σ aⱼ − v)` over alarmed neighbors, `a` being alarms |
/// | avoid | `−species.avoid/m · Σ (1/d − 1/R)·r` over the `m` neighbors of other species inside cohesion's radius `R` |
/// | follow | toward one's place behind the leader: see [`follow`](follow::follow) |
/// | wander (leaders only) | a smooth whim: see [`wander`] |
/// | edge | what the border's mode adds |
/// | wind | the constant vector |
/// | field | `push`, what fills the world adds: see [`field`](super::environment) |
#[inline(always)]
pub(crate) fn steer<F: Lanes, const D: usize>(
    boids: &BoidLanes<F, D>,
    seen: &SteeringInput<F, D>,
    push: Option<Wide<F, D>>,
    params: &Params,
    world: &World,
) -> Steering<F, D> {
    let aligned = alignment::align(boids.velocity, &seen.alignment, params);
    let mut force = separation::separate(boids.velocity, &seen.separation, params)
        + aligned.force
        + cohesion::cohere(boids.velocity, &seen.cohesion, params);
    if let Some(fear) = seen.fear {
        force += flee::flee(fear, params);
    }
    if let Some((alarm, flight)) = &seen.alarm {
        force += alarm::follow_alarmed(boids.velocity, *alarm, flight, params);
    }
    if let Some(other_species) = &seen.other_species {
        force += avoid::avoid(other_species, params);
    }
    if let Some(led) = &seen.led {
        force += follow::follow(boids.velocity, &led.leader, led.leader_velocity, params) + led.wandering;
    }
    force += edges::steer(boids.position, params, world);
    force += Wide::splat([params.wind.x, params.wind.y, params.wind.z]);
    if let Some(push) = push {
        force += push;
    }
    Steering { force: capped(force, params), replacement: aligned.replacement }
}

/// The same for a predator that hunts: `weight · r` to its target, where it has one, and away from other
/// predators, the edge, and what it must fly around.
pub(crate) fn steer_hunter<const D: usize>(
    position: Wide<f32, D>,
    [target, apart]: [Option<Wide<f32, D>>; 2],
    push: Option<Wide<f32, D>>,
    params: &Params,
    world: &World,
) -> Steering<f32, D> {
    let mut force = hunt::hunt(target, apart, params) + edges::steer(position, params, world);
    if let Some(push) = push {
        force += push;
    }
    Steering { force: capped(force, params), replacement: Wide::zero() }
}

#[inline(always)]
fn capped<F: Lanes, const D: usize>(force: Wide<F, D>, params: &Params) -> Wide<F, D> {
    if params.limits.max_force > 0.0 { force.limit(params.limits.max_force) } else { force }
}
