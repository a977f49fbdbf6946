//! The scenes of benchmarks, and the time of a tick.

use std::f32::consts::PI;
use std::time::{Duration, Instant};

use crate::commands::flock_setup::WORLD_SHAPE;
use crate::config::Preset;
use crate::error::InputError;
use crate::sim::{AlignmentResponse, Edge, Falloff, Flock, Params, Response, Scratch, Setup, Start, World};

/// The perception radius in the uniform scene, in u.
const RADIUS: f32 = 10.0;
pub(super) const SEED: u64 = 7;
/// The best of these rounds counts.
pub(super) const ROUNDS: usize = 3;
const MIN_ROUND_TIME: Duration = Duration::from_millis(400);
const MIN_ROUND_TICKS: u32 = 5;

/// A scene: where boids start, and their rules.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchScene {
    /// Uniformly distributed on a torus. All three rules apply, but too weakly to change the distribution.
    Uniform {
        /// The mean number of neighbors within the perception radius.
        neighbors: f32,
        /// 2 or 3.
        dim: usize,
    },
    /// A preset after a number of ticks.
    Settled {
        /// The preset.
        preset: Box<Preset>,
        /// The number of ticks.
        ticks: u64,
    },
}

impl BenchScene {
    /// A preset by name, after a number of ticks.
    ///
    /// # Errors
    ///
    /// As [`Preset::load`].
    pub fn settled(preset: &str, ticks: u64) -> Result<Self, InputError> {
        Ok(Self::Settled { preset: Box::new(Preset::load(preset)?), ticks })
    }

    /// The name in the table.
    pub fn name(&self) -> String {
        match self {
            Self::Uniform { neighbors, .. } => format!("uniform-{neighbors}"),
            Self::Settled { preset, ticks } => format!("{}+{ticks}", preset.name),
        }
    }

    /// The setup with this number of boids.
    pub(super) fn setup(&self, boids: usize) -> Setup {
        match self {
            Self::Uniform { neighbors, dim } => Setup {
                params: weak_rules(),
                world: uniform_world(*neighbors, *dim, boids),
                start: Start::Scatter,
                boids,
                predators: 0,
                seed: SEED,
                zones: Vec::new(),
            },
            Self::Settled { preset, .. } => {
                let world = preset.world_for(boids, WORLD_SHAPE);
                Setup { boids, world, zones: preset.zones(&world), ..preset.setup(SEED, WORLD_SHAPE) }
            }
        }
    }

    /// The settled flock. Calls `on_tick` after each tick.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`].
    pub fn flock(&self, boids: usize, scratch: &mut Scratch, on_tick: impl FnMut(u64)) -> Result<Flock, InputError> {
        self.settle(&self.setup(boids), scratch, on_tick)
    }

    /// The settled flock of a changed setup.
    pub(super) fn settle(
        &self,
        setup: &Setup,
        scratch: &mut Scratch,
        mut on_tick: impl FnMut(u64),
    ) -> Result<Flock, InputError> {
        let mut flock = Flock::new(setup)?;
        if let Self::Settled { ticks, .. } = self {
            for tick in 1..=*ticks {
                flock.step(scratch);
                on_tick(tick);
            }
        }
        Ok(flock)
    }
}

/// All three rules with realistic radii, but weak enough to keep a uniform flock uniform.
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

/// A world in which boids have this mean number of neighbors.
fn uniform_world(neighbors: f32, dim: usize, boids: usize) -> World {
    let boids = boids as f32;
    if dim == 2 {
        return World::of_area(boids * PI * RADIUS * RADIUS / neighbors, 1.0);
    }
    let sphere = 4.0 / 3.0 * PI * RADIUS.powi(3);
    World::Cuboid([(boids * sphere / neighbors).cbrt(); 3])
}

/// The mean time of a tick in one round.
pub(super) fn tick_time(mut tick: impl FnMut()) -> Duration {
    let (start, mut ticks) = (Instant::now(), 0);
    while ticks < MIN_ROUND_TICKS || start.elapsed() < MIN_ROUND_TIME {
        tick();
        ticks += 1;
    }
    start.elapsed() / ticks
}
