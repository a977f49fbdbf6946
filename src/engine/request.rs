//! What can be asked of the engine.

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
    /// Changes the canvas's width and height, in cells. Redraws also while paused.
    Canvas(usize, usize),
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
