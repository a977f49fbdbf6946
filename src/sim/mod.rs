//! The flock: agents, rules, and the tick. No clock, no file, no terminal.
//!
//! Lengths are in world units (u), times in ticks, velocities in u/tick, steering in u/tick².
//! Angles are degrees in [`Params`] and radians in the code.

mod agents;
mod alarm;
mod alone;
mod capped;
mod circle;
mod coincidence;
mod command;
mod edges;
mod error;
mod fate;
mod field;
mod flock;
mod gaze;
mod glide;
mod grid;
mod grounds;
mod heed;
mod hunters;
mod kernel;
mod kin;
mod leaders;
mod limits;
mod measure;
mod metric;
mod nearest;
mod parallel;
mod params;
mod perception;
mod random;
mod rest;
mod rules;
mod scratch;
mod sense;
mod setup;
mod simd;
mod small_angle;
mod snapshot;
mod sorted;
mod spawn;
mod spot;
mod tick;
mod totals;
mod tunable;
mod turn;
mod vector;
mod wide;
mod world;

pub use agents::{Agents, Kind};
#[cfg(feature = "app")]
pub(crate) use circle::Circle;
pub use command::Command;
pub use error::Error;
pub use flock::{Flock, MAX_BOIDS, MAX_PREDATORS, MAX_TICK};
pub use grounds::fit_spots;
pub use measure::{Flocks, Group, Measures, Observer};
#[cfg(feature = "app")]
pub(crate) use parallel::{is_shared, join};
pub use params::{
    Alarm, Alignment, Change, Cohesion, Edge, EdgeRule, Falloff, Flee, FoodRule, Gusts, Hunt, Leaders, Limits,
    MAX_RADIUS, MAX_SPECIES, MAX_SPEED, MAX_TICKS, MAX_WEIGHT, Match, Noise, ObstacleRule, Params, Perception,
    PointerRule, Predators, Response, RoostRule, Separation, Species, Speed, Target, Wind,
};
pub use scratch::{Scratch, Stages};
pub use setup::Setup;
pub use simd::Simd;
#[cfg(feature = "app")]
pub(crate) use simd::{Loops, widened};
pub use snapshot::{Row, hash};
pub use spawn::Start;
pub use spot::{MAX_SPOTS, Pointer, Spot, Use};
pub use tunable::{Domain, Tunable, Value};
pub use vector::Vector;
pub use world::{MAX_SIDE, World};
