//! The rules that a boid follows, each a pure function, and their sum.
//!
//! The formulas are the table's in the documentation of [`steer`].

mod alignment;
mod cohesion;
mod falloff;
mod flee;
mod hunt;
mod response;
mod separation;

pub(super) use falloff::fade;

use super::agents::Kind;
use super::params::{Params, Predators};
use super::perception::{Boid, Seen};
use super::vector::Vector;
use super::{edges, world::World};

/// What a boid steers by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steering<V> {
    /// The sum of the rules, shortened to `max_force`, in u/tick².
    pub force: V,
    /// What alignment by replacement adds; `max_force` does not bear on it.
    pub replacement: V,
}

/// Whether predators fly with the flock.
pub(super) fn flocks(params: &Params, kind: Kind) -> bool {
    kind == Kind::Prey || params.hunt.mode == Predators::Flock
}

/// Adds the rules up.
///
/// | rule | contribution |
/// | --- | --- |
/// | separation | `P = −Σ f(d)·r` over neighbours nearer than its radius, through its response |
/// | alignment | the neighbours' velocities, through its match |
/// | cohesion | `Σ r` over neighbours between its inner and its outer radius, through its response |
/// | flee | `−weight · Σ f(d)·r` over predators |
/// | hunt | `weight · r` to the target |
/// | edge | what the border's mode adds |
/// | wind | the constant vector |
pub(super) fn steer<V: Vector>(boid: &Boid<V>, seen: &Seen<V>, params: &Params, world: &World) -> Steering<V> {
    let edge = edges::steer(boid.position, params, world);
    if !flocks(params, boid.kind) {
        let force = hunt::hunt(seen.target, params) + edge;
        return Steering { force: capped(force, params), replacement: V::default() };
    }
    let aligned = alignment::align(boid.velocity, &seen.neighbors.alignment, params);
    let force = separation::separate(boid.velocity, &seen.neighbors.separation, params)
        + aligned.force
        + cohesion::cohere(boid.velocity, &seen.neighbors.cohesion, params)
        + flee::flee(seen.fear, params)
        + edge
        + V::from_axes([params.wind.x, params.wind.y, params.wind.z]);
    Steering { force: capped(force, params), replacement: aligned.replacement }
}

fn capped<V: Vector>(force: V, params: &Params) -> V {
    if params.limits.max_force > 0.0 { force.limit(params.limits.max_force) } else { force }
}
