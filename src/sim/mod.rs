//! The flock: agents, rules, and the tick. No clock, no file, no terminal.
//!
//! Lengths are in world units (u), times in ticks, velocities in u/tick, steering in u/tick².
//! Angles are degrees in [`Params`] and radians in the code.

pub(crate) mod agents;
pub(crate) mod command;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod flock;
pub(crate) mod math;
pub(crate) mod measures;
pub(crate) mod neighbors;
pub(crate) mod params;
pub(crate) mod predators;
pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod setup;
pub(crate) mod snapshot;
pub(crate) mod spawn;
pub(crate) mod tick;
pub(crate) mod world;

pub use agents::{Agents, Kind};
pub use command::Command;
pub use environment::zone::{MAX_SPOTS, Pointer, Spot, Use};
pub use environment::zones::fit_spots;
pub use error::Error;
pub use flock::{Flock, MAX_BOIDS, MAX_PREDATORS, MAX_TICK};
#[cfg(feature = "app")]
pub(crate) use math::circle::Circle;
#[cfg(feature = "app")]
pub(crate) use math::parallel::{is_shared, join};
pub use math::vector::Vector;
pub use measures::{Flocks, Group, Measures, Observer};
pub use neighbors::simd::Simd;
#[cfg(feature = "app")]
pub(crate) use neighbors::simd::{Loops, widened};
pub use params::table::{Domain, Tunable, Value};
pub use params::{
    Alarm, Alignment, Change, Cohesion, Edge, EdgeRule, Falloff, Flee, FoodRule, Gusts, Hunt, Leaders, Limits,
    MAX_RADIUS, MAX_SPECIES, MAX_SPEED, MAX_TICKS, MAX_WEIGHT, Match, Noise, ObstacleRule, Params, Perception,
    PointerRule, Predators, Response, RoostRule, Separation, Species, Speed, Target, Wind,
};
pub use scratch::{Scratch, Stages};
pub use setup::Setup;
pub use snapshot::{Row, hash};
pub use spawn::Start;
pub use world::{MAX_SIDE, World};
