//! Models of self-propelled particles: each boid takes its heading from its neighbors, and all fly at the same speed.

use std::f32::consts::TAU;

use glam::Vec2;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::{Boids, Dimensions, Keys, ModelRow, Reach, no_conflict};
use crate::sim::forces::{BoidLanes, Environment, edges};
use crate::sim::math::{Purpose, Stage, Stopwatch, Wide, perpendicular};
use crate::sim::neighbors::CellList;
use crate::sim::params::{Edge, Model, MoveBy, Params};

/// The fields that the rows of these models share; each row replaces the others.
pub(super) const BASE: ModelRow = ModelRow {
    model: Model::Vicsek,
    keys: Keys::Only(&[]),
    groups: &[],
    dimensions: Dimensions::Any,
    edges: &[Edge::Wrap, Edge::Open],
    has_predators: false,
    has_steering: false,
    has_banks: false,
    reach: |_| Reach::of(0.0),
    conflict: no_conflict,
    advance: [|_| (), |_| ()],
};

/// Gives boids the headings that `next_heading` returns, and moves them along their new or their old headings.
pub(super) fn advance<const D: usize>(
    boids: Boids<'_, '_>,
    moves_by: MoveBy,
    next_heading: impl Fn(&Boid<'_, D>, &Params) -> Wide<f32, D>,
) {
    let Boids { environment, stopwatch, neighbors, range, next, .. } = boids;
    let (params, flock) = (environment.params, &neighbors.flock);
    let advance_boid = |index| {
        let boid: Boid<'_, D> = Boid::new(environment, flock, index);
        let velocity = next_heading(&boid, params) * params.speed.max;
        let travel = if moves_by == MoveBy::Old { boid.heading * params.speed.max } else { velocity };
        let stream = |_| environment.stream(flock.agents.ids()[index], Purpose::Bounce);
        let moved = BoidLanes { position: boid.position + travel, velocity };
        let moved = edges::contain(moved, params, environment.world, stream);
        next.write(index, moved.position, moved.velocity);
    };
    Stopwatch::time(stopwatch, Stage::Perceive, || range.for_each(advance_boid));
}

/// A boid, with access to its neighbors and its random numbers.
pub(super) struct Boid<'a, const D: usize> {
    environment: &'a Environment<'a>,
    flock: &'a CellList,
    index: usize,
    pub position: Wide<f32, D>,
    /// A unit vector.
    pub heading: Wide<f32, D>,
}

/// Another boid as one boid sees it.
pub(super) struct Neighbor<const D: usize> {
    pub id: u32,
    /// From the boid to the neighbor's nearest image, in u.
    pub offset: Wide<f32, D>,
    /// The squared length of the offset.
    pub d2: f32,
    /// The position, in u.
    pub position: Wide<f32, D>,
    /// A unit vector, or zero.
    pub heading: Wide<f32, D>,
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
    pub fn neighbors(&self, radius: f32, mut visit: impl FnMut(&Neighbor<D>)) {
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
    pub fn direction(&self, sum: Wide<f32, D>) -> Wide<f32, D> {
        let (direction, nonzero) = sum.unit();
        if nonzero { direction } else { self.heading }
    }

    /// The random numbers of the boid in this tick.
    pub fn random(&self) -> Xoshiro256PlusPlus {
        self.environment.stream(self.flock.agents.ids()[self.index], Purpose::Noise)
    }
}

/// A heading turned by an angle in radians; in 3-D around a random perpendicular axis.
pub(super) fn turned<const D: usize>(heading: Wide<f32, D>, angle: f32, rng: &mut Xoshiro256PlusPlus) -> Wide<f32, D> {
    let around = if D == 2 { 0.0 } else { rng.random::<f32>() * TAU };
    let turn = Vec2::from_angle(angle);
    heading * turn.x + perpendicular(heading, around) * turn.y
}
