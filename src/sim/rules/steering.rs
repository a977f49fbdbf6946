//! The functions of the rules that steer (Reynolds 1987): most take a sum over neighbors, some only the boid or its target.

use super::Steering;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{AlignmentResponse, Falloff, Params, Response};

/// The factor `f(d)` by which separation and flee multiply an offset, from its squared length `d2` in u².
#[inline(always)]
pub(crate) fn falloff_factor<F: Lanes>(falloff: Falloff, d2: F, radius: F) -> F {
    let one = F::splat(1.0);
    match falloff {
        Falloff::Flat => one,
        Falloff::Linear => radius - d2.sqrt(),
        Falloff::Inverse => one / d2.sqrt(),
        Falloff::InverseSquare => one / d2,
        Falloff::InverseCube => one / (d2 * d2.sqrt()),
    }
}

/// Separation; `sum` is `Σ f(d)·r`, which points toward the neighbors.
#[inline(always)]
pub(super) fn separate<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let push = Sum { total: -sum.total, count: sum.count };
    respond(params.separation.response, params.separation.weight, velocity, &push, params)
}

/// Cohesion; `sum` is `Σ r`.
#[inline(always)]
pub(super) fn cohere<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
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
pub(super) fn align<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    sum: &Sum<F, D>,
    params: &Params,
) -> Steering<F, D> {
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

/// Flight from predators; `threat` is `Σ f(d)·r`, which points toward them.
#[inline(always)]
pub(super) fn flee<F: Lanes, const D: usize>(threat: Wide<F, D>, params: &Params) -> Wide<F, D> {
    -threat * F::splat(params.flee.weight)
}

/// Alarmed boids take on the velocity of alarmed neighbors; `flight` is `Σ a·v` over them, with the count `Σ a`.
#[inline(always)]
pub(super) fn follow_alarmed<F: Lanes, const D: usize>(
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
pub(super) fn avoid_species<F: Lanes, const D: usize>(sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let has_neighbors = F::splat(0.0).lt(sum.count);
    (-sum.total * (F::splat(params.species.avoid) / sum.count)).masked(has_neighbors)
}

/// Pursuit: toward the target of a predator, and away from other predators, each given as an offset.
pub(super) fn pursue<const D: usize>(
    target: Option<Wide<f32, D>>,
    apart: Option<Wide<f32, D>>,
    params: &Params,
) -> Wide<f32, D> {
    let mut force = target.map_or_else(Wide::zero, |offset| offset * params.hunt.weight);
    if let Some(offset) = apart {
        force += offset * params.hunt.weight;
    }
    force
}
