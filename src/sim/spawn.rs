//! How a flock begins.

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::agents::Kind;
use super::math::random::{Purpose, stream};
use super::math::vector::Vector;
use super::params::table::choices;
use super::params::{Edge, Params, PredatorMode};
use super::world::World;

choices! {
    /// Where boids stand when a run begins, and how they fly.
    pub enum Start {
        /// Anywhere; any heading, any speed within the limits.
        Scatter = "scatter",
        /// Anywhere, at rest.
        Rest = "rest",
        /// In a square of 25 u beside the centre, as two opposed streams (Parker).
        Streams = "streams",
        /// Anywhere; each velocity component one of 0.1, 0.2 … 1.0 u/tick (coderholic).
        Drift = "drift",
        /// In a few flocks, each with a heading of its own.
        Flocks = "flocks",
    }
}

/// How many flocks [`Start::Flocks`] makes.
const FLOCKS: u32 = 7;
/// Their size, as a share of the world's shortest side.
const FLOCK_SIZE: f32 = 0.16;
/// How far their boids' headings differ, in radians to either side.
const FLOCK_SPREAD: f32 = 0.5;
/// The side of the square in which [`Start::Streams`] begins, in u.
const STREAM_SQUARE: f32 = 25.0;
/// How far an axis of its velocity reaches, in u/tick.
const STREAM_SPEED: f32 = 2.0;

/// Where one agent begins, and with what velocity.
pub(crate) fn spawn(
    start: Start,
    params: &Params,
    world: &World,
    seed: u64,
    id: u32,
    kind: Kind,
) -> ([f32; 3], [f32; 3]) {
    let newcomer = Newcomer { start, params, world, seed, id, kind };
    if world.dim() == 2 { newcomer.place::<Vec2>() } else { newcomer.place::<Vec3>() }
}

struct Newcomer<'a> {
    start: Start,
    params: &'a Params,
    world: &'a World,
    seed: u64,
    id: u32,
    kind: Kind,
}

impl Newcomer<'_> {
    fn place<V: Vector>(&self) -> ([f32; 3], [f32; 3]) {
        let mut rng = stream(self.seed, 0, self.id, Purpose::Start);
        let rng = &mut rng;
        let (position, velocity): (V, V) = match self.start {
            Start::Rest => (self.anywhere(rng), V::default()),
            Start::Streams => streams(self.world, rng),
            Start::Drift => {
                (self.anywhere(rng), V::default().map(|_, _| f32::from(rng.random_range(1..=10_u8)) / 10.0))
            }
            Start::Flocks if self.kind == Kind::Prey => self.in_a_flock(rng),
            Start::Scatter | Start::Flocks => (self.anywhere(rng), direction::<V>(rng) * self.speed(rng)),
        };
        (position.axes(), velocity.axes())
    }

    /// Anywhere in the world, every place as likely.
    fn anywhere<V: Vector>(&self, rng: &mut Xoshiro256PlusPlus) -> V {
        let (origin, size) = (self.world.origin(), self.world.size());
        loop {
            let position = V::default().map(|axis, _| origin[axis] + size[axis] * rng.random::<f32>());
            match self.world {
                World::Sphere(radius) if position.length() > *radius => {}
                _ => return position,
            }
        }
    }

    /// Any speed within the limits of its kind.
    fn speed(&self, rng: &mut Xoshiro256PlusPlus) -> f32 {
        let hunts = self.kind == Kind::Predator && self.params.hunt.mode == PredatorMode::Hunt;
        let most = if hunts { self.params.hunt.speed } else { self.params.speed.max };
        let least = self.params.speed.min.min(most);
        least + (most - least) * rng.random::<f32>()
    }

    /// The number of its flock, which is of its own species alone.
    fn flock(&self) -> u32 {
        let species = (self.params.species.count as u32).max(1);
        let flocks = (FLOCKS / species).max(1);
        self.id % species + species * (self.id / species % flocks)
    }

    /// In one of a few round flocks, flying the way it flies.
    fn in_a_flock<V: Vector>(&self, rng: &mut Xoshiro256PlusPlus) -> (V, V) {
        let mut flock = stream(self.seed, 0, self.flock(), Purpose::Cluster);
        let center: V = self.anywhere(&mut flock);
        let heading: V = direction(&mut flock);
        let size = self.world.size();
        let radius = FLOCK_SIZE * size[..V::DIM].iter().fold(f32::INFINITY, |least, side| least.min(*side));
        let center = self.with_room(center, radius);
        // The square root of a uniform number fills a disc evenly.
        let position = center + direction::<V>(rng) * (radius * rng.random::<f32>().sqrt());
        let aside = heading.perpendicular(rng.random::<f32>() * std::f32::consts::TAU);
        let heading = heading + aside * (FLOCK_SPREAD * (2.0 * rng.random::<f32>() - 1.0));
        (self.inside(position), heading.unit().unwrap_or_default() * self.speed(rng))
    }

    /// The place itself, or the nearest one that is so far from where the world ends: a flock begins in one piece.
    fn with_room<V: Vector>(&self, place: V, room: f32) -> V {
        let size = self.world.size();
        match self.world {
            World::Sphere(radius) => place.limit(radius - room),
            _ if self.params.edge.mode == Edge::Wrap => place,
            World::Rect(_) | World::Cuboid(_) => place.map(|axis, at| at.min(size[axis] - room).max(room)),
        }
    }

    /// The place itself; around a torus the one inside the world that is the same.
    fn inside<V: Vector>(&self, position: V) -> V {
        let size = self.world.size();
        match self.world {
            World::Sphere(radius) => position.limit(*radius),
            World::Rect(_) | World::Cuboid(_) => {
                position.map(|axis, at| at.rem_euclid(size[axis]).min(size[axis] * 0.999_999))
            }
        }
    }
}

fn direction<V: Vector>(rng: &mut Xoshiro256PlusPlus) -> V {
    V::direction(rng.random(), rng.random())
}

/// The start of Conrad Parker's pseudocode as its JavaScript rendering has it.
fn streams<V: Vector>(world: &World, rng: &mut Xoshiro256PlusPlus) -> (V, V) {
    let center = world.center();
    let position = V::default().map(|axis, _| center[axis] + STREAM_SQUARE * rng.random::<f32>());
    let sign = if rng.random::<bool>() { STREAM_SPEED } else { -STREAM_SPEED };
    let velocity = V::default().map(|_, _| sign * rng.random::<f32>());
    (position, velocity)
}
