//! The scenes that benchmarks fly.

use crate::config::{Error, Preset};
use crate::sim::{AlignmentResponse, Edge, Falloff, Flock, Params, Response, Scratch, Setup, Start, World};

/// The shape of an `auto` world.
const SHAPE: f32 = 1.6;
/// The perception radius of the uniform scene, in u.
const RADIUS: f32 = 10.0;
/// From which seed all scenes follow.
pub(crate) const SEED: u64 = 7;

/// How boids stand, and by which rules they fly.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchScene {
    /// Evenly strewn over a torus, by all three rules, so weak that it stays so.
    Uniform {
        /// The mean number of neighbors inside the perception radius.
        neighbors: f32,
        /// 2 or 3.
        dim: usize,
    },
    /// A preset that has settled.
    Settled {
        /// The preset.
        preset: Box<Preset>,
        /// After so many ticks.
        ticks: u64,
    },
}

impl BenchScene {
    /// A preset by name that has settled for so many ticks.
    ///
    /// # Errors
    ///
    /// As [`Preset::load`].
    pub fn settled(preset: &str, ticks: u64) -> Result<Self, Error> {
        Ok(Self::Settled { preset: Box::new(Preset::load(preset)?), ticks })
    }

    /// Its name, as shown.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Uniform { neighbors, .. } => format!("uniform-{neighbors}"),
            Self::Settled { preset, ticks } => format!("{}+{ticks}", preset.name),
        }
    }

    /// How it begins, with this many boids.
    #[must_use]
    pub fn setup(&self, boids: usize) -> Setup {
        match self {
            Self::Uniform { neighbors, dim } => Setup {
                params: weak_rules(),
                world: world_for(*neighbors, *dim, boids),
                start: Start::Scatter,
                boids,
                predators: 0,
                seed: SEED,
                zones: Vec::new(),
            },
            Self::Settled { preset, .. } => {
                let world = preset.world_for(boids, SHAPE);
                Setup { boids, world, zones: preset.zones(&world), ..preset.setup(SEED, SHAPE) }
            }
        }
    }

    /// Its flock, settled; `show(tick)` is called on the way.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`].
    pub fn flock(&self, boids: usize, scratch: &mut Scratch, show: impl FnMut(u64)) -> Result<Flock, Error> {
        self.settle(&self.setup(boids), scratch, show)
    }

    /// The same from a setup of it that has been changed.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`].
    pub fn settle(&self, setup: &Setup, scratch: &mut Scratch, mut show: impl FnMut(u64)) -> Result<Flock, Error> {
        let mut flock = Flock::new(setup)?;
        if let Self::Settled { ticks, .. } = self {
            for tick in 1..=*ticks {
                flock.step(scratch);
                show(tick);
            }
        }
        Ok(flock)
    }
}

/// All three rules, each with a radius of use, weak enough to leave a uniform flock uniform.
fn weak_rules() -> Params {
    let mut params = Params::default();
    let (separation, alignment, cohesion) = (&mut params.separation, &mut params.alignment, &mut params.cohesion);
    (separation.radius, separation.weight) = (0.5 * RADIUS, 0.02);
    (separation.falloff, separation.response) = (Falloff::Flat, Response::Sum);
    (alignment.radius, alignment.weight, alignment.response) = (RADIUS, 0.001, AlignmentResponse::Difference);
    (cohesion.radius, cohesion.weight, cohesion.response) = (RADIUS, 0.0001, Response::Mean);
    params.limits.max_force = 0.1;
    (params.speed.min, params.speed.max) = (0.2, 0.6);
    params.edge.mode = Edge::Wrap;
    params
}

/// A torus in which so many boids have so many neighbors each.
fn world_for(neighbors: f32, dim: usize, boids: usize) -> World {
    let boids = boids as f32;
    if dim == 2 {
        return World::of_area(boids * std::f32::consts::PI * RADIUS * RADIUS / neighbors, 1.0);
    }
    let ball = 4.0 / 3.0 * std::f32::consts::PI * RADIUS.powi(3);
    World::Cuboid([(boids * ball / neighbors).cbrt(); 3])
}
