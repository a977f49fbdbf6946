//! The flock: agents, rules, and the tick. No clock, no file, no terminal.
//!
//! Lengths are in world units (u), times in ticks, velocities in u/tick, steering in u/tick².
//! Angles are degrees in [`Params`] and radians in the code.

#![allow(
    clippy::inline_always,
    reason = "code is compiled for each kind of SIMD by inlining it into one function for each"
)]

pub(crate) mod agents;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod flock;
pub(crate) mod math;
pub(crate) mod measures;
pub(crate) mod models;
pub(crate) mod neighbors;
pub(crate) mod params;
pub(crate) mod predators;
pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod spawn;
pub(crate) mod tick;
pub(crate) mod world;

pub use agents::{Agents, Kind, Row, hash};
pub use environment::pointer::Pointer;
pub use environment::zone::{MAX_ZONES, Zone, ZoneKind, fit_zones};
pub use error::Error;
pub use flock::{Command, Flock, MAX_BOIDS, MAX_PREDATORS, MAX_TICK};
#[cfg(feature = "app")]
pub(crate) use math::metric::Circle;
#[cfg(feature = "app")]
pub(crate) use math::parallel::should_parallelize;
pub use measures::{Analyzer, Cost, Flocks, Group, Measure, Measures, Recorder, Series, Summary};
pub use neighbors::simd::Simd;
#[cfg(feature = "app")]
pub(crate) use neighbors::simd::{VectorLoop, run_vectorized};
pub use params::table::{Domain, Param, Value};
pub use params::*;
pub use scratch::{Scratch, StageTimes};
pub use session::{
    Divergence, Replay, ReplayError, Run, Session, SessionEvent, SessionLog, SessionPosition, SessionStart, SharedLog,
    Undone,
};
pub use setup::Setup;
pub use spawn::Start;
pub use world::{MAX_SIDE, World};
