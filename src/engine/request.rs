//! What can be asked of the engine.

use crate::canvas::Format;
use crate::sim::{Command, Setup};

/// A wish; it is done before the next tick.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Request {
    /// Changes the flock.
    Flock(Command),
    /// Begins anew with another setup.
    Begin(Box<Setup>),
    /// Changes how time goes.
    Clock(Clock),
    /// Changes the canvas's size and view. Redraws also while paused.
    Canvas(Format),
}

/// A wish about time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Clock {
    /// Stops (`true`) or goes on.
    Pause(bool),
    /// Stops, and flies one tick.
    Step,
    /// Ticks a second.
    Rate(f32),
}
