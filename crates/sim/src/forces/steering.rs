//! The steering rules (Reynolds 1987), each a function over lanes: most take a sum over neighbors, some only the boid or its
//! target. [`steer`] adds them up.

use super::BoidLanes;
use super::environment::{Environment, edges};
use super::leaders;
use super::perception::{NeighborIndex, Perceived, Sum};
use crate::math::Wide;
use crate::params::{AlignmentResponse, Params, Response};
use crate::simd::Lanes;
use crate::world::World;

/// The result of rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steering<F, const D: usize> {
    /// Sum of the rules, limited to `max_force`, in u/tick².
    pub force: Wide<F, D>,
    /// Contribution of alignment by replacement, without that limit.
    pub replacement: Wide<F, D>,
}

/// The sum of all rules, for agents that flock, from an index on, which are perceived from a slot on; `docs/models.md` has the
/// formulas.
#[inline(always)]
pub(crate) fn steer<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    perceived: &Perceived,
    boids: &BoidLanes<F, D>,
    (first, slot): (usize, usize),
) -> Wide<F, D> {
    let (params, velocity) = (environment.params, boids.velocity);
    let aligned = align(velocity, &perceived.alignment.load(slot), params);
    let mut force = separate(velocity, &perceived.separation.load(slot), params)
        + aligned.force
        + cohere(velocity, &perceived.cohesion.load(slot), params);
    if neighbors.has_predators() {
        force += flee(perceived.fear.load(slot).total, params);
    }
    if neighbors.is_alarmed {
        let alarm = F::load(&perceived.alarm[slot..]);
        force += follow_alarmed(velocity, alarm, &perceived.flight.load(slot), params);
    }
    if perceived.avoids_species {
        force += avoid_species(&perceived.other_species.load(slot), params);
    }
    if perceived.has_leaders {
        let (leader, leader_velocity) = (perceived.leader.load(slot), perceived.leader_velocity.load(slot).total);
        force += leaders::steer(velocity, &leader, leader_velocity, params) + perceived.wandering.load(slot).total;
    }
    if params.cruise.weight > 0.0 {
        force += cruise(velocity, params);
    }
    force += edges::steer(boids.position, params, environment.world);
    force += Wide::splat([params.wind.x, params.wind.y, params.wind.z]);
    if !environment.is_empty() {
        force += environment.steer(boids, &neighbors.flock.agents, first);
    }
    limited(force, params) + aligned.replacement
}

/// The rules of a hunting predator: pursuit, toward its target and away from other predators, each given as an offset; edge; and
/// `push` away from obstacles.
pub(crate) fn steer_hunter<const D: usize>(
    position: Wide<f32, D>,
    [target, apart]: [Option<Wide<f32, D>>; 2],
    push: Option<Wide<f32, D>>,
    params: &Params,
    world: &World,
) -> Steering<f32, D> {
    let mut force = target.map_or_else(Wide::zero, |offset| offset * params.hunt.weight);
    if let Some(offset) = apart {
        force += offset * params.hunt.weight;
    }
    force += edges::steer(position, params, world);
    if let Some(push) = push {
        force += push;
    }
    Steering { force: limited(force, params), replacement: Wide::zero() }
}

#[inline(always)]
fn limited<F: Lanes, const D: usize>(force: Wide<F, D>, params: &Params) -> Wide<F, D> {
    if params.limits.max_force > 0.0 { force.limit(params.limits.max_force) } else { force }
}

/// Separation; `sum` is `Σ f(d)·r`, which points toward the neighbors.
#[inline(always)]
fn separate<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let push = Sum { total: -sum.total, count: sum.count };
    respond(params.separation.response, params.separation.weight, velocity, &push, params)
}

/// Cohesion; `sum` is `Σ r`.
#[inline(always)]
fn cohere<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    respond(params.cohesion.response, params.cohesion.weight, velocity, sum, params)
}

/// Turns a sum over neighbors into steering; 0 without neighbors.
#[inline(always)]
fn respond<F: Lanes, const D: usize>(
    response: Response,
    weight: f32,
    velocity: Wide<F, D>,
    sum: &Sum<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let weight = F::splat(weight);
    let has_neighbors = F::splat(0.0).lt(sum.count);
    // A total over the whole flock, less the boids inside `cohesion.inner`, may not be exactly 0 without neighbors.
    let nonzero = F::and(has_neighbors, sum.total.nonzero());
    match response {
        Response::Sum => (sum.total * weight).masked(nonzero),
        Response::Mean => (sum.total * (weight / sum.count)).masked(nonzero),
        Response::Unit => (sum.total.unit().0 * weight).masked(has_neighbors),
        Response::Steer => {
            let (unit, nonzero) = sum.total.unit();
            (steer_toward(unit, velocity, params) * weight).masked(F::and(has_neighbors, nonzero))
        }
    }
}

/// Alignment; `sum` is `Σ v` over the neighbors. `max_force` does not limit a replacement of the heading.
#[inline(always)]
fn align<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Steering<F, D> {
    let weight = F::splat(params.alignment.weight);
    let has_neighbors = F::splat(0.0).lt(sum.count);
    let response = match params.alignment.response {
        AlignmentResponse::Sum => Response::Sum,
        AlignmentResponse::Mean => Response::Mean,
        AlignmentResponse::Unit => Response::Unit,
        AlignmentResponse::Steer => Response::Steer,
        AlignmentResponse::Difference => {
            let difference = sum.total * (F::splat(1.0) / sum.count) - velocity;
            return Steering { force: (difference * weight).masked(has_neighbors), replacement: Wide::zero() };
        }
        AlignmentResponse::Replace => {
            let (unit, nonzero) = (velocity + sum.total).unit();
            let replacement = (unit * velocity.length() - velocity) * weight;
            let replacement = replacement.masked(F::and(nonzero, has_neighbors));
            return Steering { force: Wide::zero(), replacement };
        }
    };
    let force = respond(response, params.alignment.weight, velocity, sum, params);
    Steering { force, replacement: Wide::zero() }
}

/// Steering toward full speed along `unit`, limited to `max_force` (Reynolds 1999, *Steering Behaviors For Autonomous
/// Characters*).
#[inline(always)]
fn steer_toward<F: Lanes, const D: usize>(unit: Wide<F, D>, velocity: Wide<F, D>, params: &Params) -> Wide<F, D> {
    let steering = unit * F::splat(params.speed.max) - velocity;
    if params.limits.max_force > 0.0 { steering.limit(params.limits.max_force) } else { steering }
}

/// Return to the speed of `cruise.speed` along the heading.
#[inline(always)]
fn cruise<F: Lanes, const D: usize>(velocity: Wide<F, D>, params: &Params) -> Wide<F, D> {
    let (heading, nonzero) = velocity.unit();
    let missing = F::splat(params.cruise.speed) - velocity.length();
    (heading * (missing * F::splat(params.cruise.weight))).masked(nonzero)
}

/// Flight from predators; `threat` is `Σ f(d)·r`, which points toward them.
#[inline(always)]
fn flee<F: Lanes, const D: usize>(threat: Wide<F, D>, params: &Params) -> Wide<F, D> {
    -threat * F::splat(params.flee.weight)
}

/// Alarmed boids take on the velocity of alarmed neighbors; `flight` is `Σ a·v` over them, with the count `Σ a`.
#[inline(always)]
fn follow_alarmed<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    alarm: F,
    flight: &Sum<F, D>,
    params: &Params,
) -> Wide<F, D> {
    let has_neighbors = F::splat(0.0).lt(flight.count);
    let difference = flight.total * (F::splat(1.0) / flight.count) - velocity;
    (difference * (alarm * F::splat(params.alarm.weight))).masked(has_neighbors)
}

/// Avoidance of other species; `sum` is `Σ (1/d − 1/R)·r` over them, which points toward them.
///
/// Each pushes with a strength of 1 nearby, falling to 0 at the cohesion radius. The mean keeps a crowd from acting like
/// a wall.
#[inline(always)]
fn avoid_species<F: Lanes, const D: usize>(sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let has_neighbors = F::splat(0.0).lt(sum.count);
    (-sum.total * (F::splat(params.species.avoid) / sum.count)).masked(has_neighbors)
}
