//! The flock: agents, rules, and the tick. No clock, no file, no terminal.
//!
//! Lengths are in world units (u), times in ticks, velocities in u/tick, steering in u/tick².
//! Angles are degrees in [`Params`] and radians in the code.

#![allow(
    clippy::inline_always,
    reason = "code is compiled for each kind of SIMD by inlining it into one function for each"
)]

pub(crate) mod agents;
pub(crate) mod error;
pub(crate) mod flock;
pub(crate) mod forces;
pub(crate) mod math;
pub(crate) mod measures;
pub(crate) mod models;
pub(crate) mod neighbors;
pub(crate) mod params;
pub(crate) mod session;
pub(crate) mod simd;
pub(crate) mod snapshot;
pub(crate) mod tick;
pub(crate) mod world;

pub use agents::{Agents, Kind, Row, hash};
pub use error::{Conflict, Error};
pub use flock::{Command, Flock, MAX_BOIDS, MAX_PREDATORS, MAX_TICK, Setup, Start};
pub use forces::{
    Formation, MAX_PERCHES, MAX_ZONES, Perch, Perches, Plane, Pointer, Shelter, Zone, ZoneKind, fit_zones,
};
pub use math::{StageTimes, circular_mean, should_parallelize};
pub use measures::{Analyzer, Cost, Curve, CurveColumn, Group, Measure, MeasureRange, Recorder, Series, Summary};
pub use models::{ModelRow, check_params};
pub use params::*;
pub use session::{
    Direction, Divergence, FirstAgents, MAX_LOADED, ReplayError, Run, Session, SessionEvent, SessionLog,
    SessionPosition, SessionStart, SharedLog, Timeline, Undone,
};
pub use simd::Simd;
#[doc(hidden)]
pub use simd::{VectorLoop, run_vectorized};
pub use snapshot::{RecordedFrame, Snapshot};
pub use tick::{STACK_SIZE, Scratch, in_pool};
pub use world::{MAX_SIDE, Metric, World};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
