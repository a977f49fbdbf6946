//! Initial positions and velocities.

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
    /// Initial positions and velocities of a flock.
    pub enum Start {
        /// Uniform positions, headings and speeds within the limits.
        Scatter = "scatter",
        /// Uniform positions, at rest.
        Rest = "rest",
        /// Two opposed streams in a square of 25 u next to the center (Parker).
        Streams = "streams",
        /// Uniform positions; each velocity component is 0.1, 0.2 … or 1.0 u/tick (coderholic).
        Drift = "drift",
        /// A few flocks with different headings.
        Flocks = "flocks",
    }
}

/// Number of flocks of [`Start::Flocks`].
const FLOCKS: u32 = 7;
/// Their radius, as a fraction of the world's shortest side.
const FLOCK_SIZE: f32 = 0.16;
/// Maximum deviation of headings within a flock, in radians.
const FLOCK_SPREAD: f32 = 0.5;
/// Side of the square of [`Start::Streams`], in u.
const STREAM_SQUARE: f32 = 25.0;
/// Largest velocity component of [`Start::Streams`], in u/tick.
const STREAM_SPEED: f32 = 2.0;

/// Initial position and velocity of an agent.
pub(crate) fn spawn(
    start: Start,
    params: &Params,
    world: &World,
    seed: u64,
    id: u32,
    kind: Kind,
) -> ([f32; 3], [f32; 3]) {
    let spawner = Spawner { start, params, world, seed, id, kind };
    if world.dim() == 2 { spawner.spawn::<Vec2>() } else { spawner.spawn::<Vec3>() }
}

struct Spawner<'a> {
    start: Start,
    params: &'a Params,
    world: &'a World,
    seed: u64,
    id: u32,
    kind: Kind,
}

impl Spawner<'_> {
    fn spawn<V: Vector>(&self) -> ([f32; 3], [f32; 3]) {
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

    /// A uniform position in the world.
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

    /// A uniform speed within the limits of its kind.
    fn speed(&self, rng: &mut Xoshiro256PlusPlus) -> f32 {
        let hunts = self.kind == Kind::Predator && self.params.hunt.mode == PredatorMode::Hunt;
        let most = if hunts { self.params.hunt.speed } else { self.params.speed.max };
        let least = self.params.speed.min.min(most);
        least + (most - least) * rng.random::<f32>()
    }

    /// The number of its flock; each flock has one species.
    fn flock(&self) -> u32 {
        let species = (self.params.species.count as u32).max(1);
        let flocks = (FLOCKS / species).max(1);
        self.id % species + species * (self.id / species % flocks)
    }

    /// A position in a round flock, and a velocity near that of the flock.
    fn in_a_flock<V: Vector>(&self, rng: &mut Xoshiro256PlusPlus) -> (V, V) {
        let mut flock = stream(self.seed, 0, self.flock(), Purpose::Cluster);
        let center: V = self.anywhere(&mut flock);
        let heading: V = direction(&mut flock);
        let size = self.world.size();
        let radius = FLOCK_SIZE * size[..V::DIM].iter().fold(f32::INFINITY, |least, side| least.min(*side));
        let center = self.away_from_border(center, radius);
        // The square root of a uniform number is uniform in a disc.
        let position = center + direction::<V>(rng) * (radius * rng.random::<f32>().sqrt());
        let aside = heading.perpendicular(rng.random::<f32>() * std::f32::consts::TAU);
        let heading = heading + aside * (FLOCK_SPREAD * (2.0 * rng.random::<f32>() - 1.0));
        (self.inside(position), heading.unit().unwrap_or_default() * self.speed(rng))
    }

    /// The nearest position with this margin to the border, so that a flock starts in one piece.
    fn away_from_border<V: Vector>(&self, position: V, margin: f32) -> V {
        let size = self.world.size();
        match self.world {
            World::Sphere(radius) => position.limit(radius - margin),
            _ if self.params.edge.mode == Edge::Wrap => position,
            World::Rect(_) | World::Cuboid(_) => position.map(|axis, at| at.min(size[axis] - margin).max(margin)),
        }
    }

    /// The equivalent position inside the world.
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

/// The start of the JavaScript version of Conrad Parker's pseudocode.
fn streams<V: Vector>(world: &World, rng: &mut Xoshiro256PlusPlus) -> (V, V) {
    let center = world.center();
    let position = V::default().map(|axis, _| center[axis] + STREAM_SQUARE * rng.random::<f32>());
    let sign = if rng.random::<bool>() { STREAM_SPEED } else { -STREAM_SPEED };
    let velocity = V::default().map(|_, _| sign * rng.random::<f32>());
    (position, velocity)
}
