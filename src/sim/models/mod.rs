//! Published models: each gives a boid its next velocity from its neighbors, in place of the steering rules.
//!
//! All boids read the state at the beginning of the tick. Sums are in the order of memory, which depends only on the state.

mod abm;
mod couzin;
mod netlogo;
pub(crate) mod stardisplay;
mod vicsek;

use std::f32::consts::TAU;

use glam::Vec2;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::environment::Environment;
use super::math::random::Purpose;
use super::math::vector::perpendicular;
use super::math::wide::Wide;
use super::neighbors::cell_list::CellList;
use super::params::{Model, MoveBy};

/// The next velocity of the boid at an index, and the velocity that moves it in this tick, in u/tick.
pub(crate) fn advance<const D: usize>(
    environment: &Environment<'_>,
    flock: &CellList,
    index: usize,
) -> (Wide<f32, D>, Wide<f32, D>) {
    let boid: Boid<'_, D> = Boid::new(environment, flock, index);
    let params = environment.params;
    let heading = match params.model.name {
        Model::Vicsek => vicsek::next_heading(&boid, params),
        Model::Couzin => couzin::next_heading(&boid, params),
        Model::NetLogo => netlogo::next_heading(&boid, params),
        Model::Abm => abm::next_heading(&boid, params),
        Model::Boids | Model::StarDisplay => boid.heading,
    };
    let velocity = heading * params.speed.max;
    let moves_by_old = params.model.name == Model::Vicsek && params.vicsek.r#move == MoveBy::Old;
    (velocity, if moves_by_old { boid.heading * params.speed.max } else { velocity })
}

/// A boid, and what it can look up.
struct Boid<'a, const D: usize> {
    environment: &'a Environment<'a>,
    flock: &'a CellList,
    index: usize,
    position: Wide<f32, D>,
    /// A unit vector.
    heading: Wide<f32, D>,
}

/// Another boid as one boid sees it.
struct Neighbor<const D: usize> {
    id: u32,
    /// From the boid to the neighbor's nearest image, in u.
    offset: Wide<f32, D>,
    /// The squared length of the offset.
    d2: f32,
    /// The position, in u.
    position: Wide<f32, D>,
    /// A unit vector, or zero.
    heading: Wide<f32, D>,
}

impl<'a, const D: usize> Boid<'a, D> {
    fn new(environment: &'a Environment<'a>, flock: &'a CellList, index: usize) -> Self {
        let agents = &flock.agents;
        let (heading, moves) = Wide::splat(agents.velocity_array(index)).unit();
        // A boid at rest, as after `start = "rest"`, has no heading yet.
        let heading = if moves { heading } else { Wide::new(|axis| if axis == 0 { 1.0 } else { 0.0 }) };
        Self { environment, flock, index, position: Wide::splat(agents.position_array(index)), heading }
    }

    /// Calls `visit` for every other boid nearer than `radius`, each once, in the order of memory.
    fn neighbors(&self, radius: f32, mut visit: impl FnMut(&Neighbor<D>)) {
        let agents = &self.flock.agents;
        self.flock.within(&self.environment.metric, self.position, radius, |other, offset, d2| {
            if other != self.index {
                visit(&Neighbor {
                    id: agents.ids()[other],
                    offset,
                    d2,
                    position: Wide::splat(agents.position_array(other)),
                    heading: Wide::splat(agents.velocity_array(other)).unit().0,
                });
            }
        });
    }

    /// The direction of a sum; the boid's heading if the sum is zero.
    fn direction(&self, sum: Wide<f32, D>) -> Wide<f32, D> {
        let (direction, nonzero) = sum.unit();
        if nonzero { direction } else { self.heading }
    }

    /// The random numbers of the boid in this tick.
    fn random(&self) -> Xoshiro256PlusPlus {
        self.environment.stream(self.flock.agents.ids()[self.index], Purpose::Noise)
    }
}

/// A heading turned by an angle in radians; in 3-D around a random perpendicular axis.
fn turned<const D: usize>(heading: Wide<f32, D>, angle: f32, rng: &mut Xoshiro256PlusPlus) -> Wide<f32, D> {
    let around = if D == 2 { 0.0 } else { rng.random::<f32>() * TAU };
    let turn = Vec2::from_angle(angle);
    heading * turn.x + perpendicular(heading, around) * turn.y
}

/// The signed angle between two headings in 2-D, in radians.
fn angle_between<const D: usize>(from: Wide<f32, D>, to: Wide<f32, D>) -> f32 {
    libm::atan2f(from[0] * to[1] - from[1] * to[0], from.dot(to))
}
