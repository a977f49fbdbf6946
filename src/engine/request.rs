//! Requests from the viewer to the engine.

use std::fmt;

use crate::canvas::CanvasFormat;
use crate::sim::{Command, Setup};

/// A request. The engine processes it before the next tick.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Request {
    /// Apply a command to the flock.
    Flock(Command),
    /// Replace the flock by a new one.
    NewFlock(Box<Setup>),
    /// Change the flow of time.
    Clock(Clock),
    /// Change size and view of the canvas. Redraws even while paused.
    Canvas(CanvasFormat),
    /// The frame rate of the viewer. If ticks are faster, every other one may not be drawn.
    Fps(f32),
}

impl Request {
    /// Whether it changes the flock, or depends on which flock is shown.
    pub(super) fn needs_flock(&self) -> bool {
        match self {
            Self::Flock(_) | Self::NewFlock(_) => true,
            Self::Clock(clock) => matches!(clock, Clock::Backward | Clock::UndoBranch | Clock::RedoBranch),
            Self::Canvas(_) | Self::Fps(_) => false,
        }
    }
}

/// For the log: a setup is shortened to its main values.
impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = match self {
            Self::NewFlock(setup) => {
                write!(out, "new flock")?;
                setup
            }
            Self::Flock(Command::Morph(setup, ticks)) => {
                write!(out, "morph in {ticks} ticks")?;
                setup
            }
            Self::Flock(command) => return write!(out, "{command:?}"),
            Self::Clock(clock) => return write!(out, "{clock:?}"),
            Self::Canvas(format) => return write!(out, "{format:?}"),
            Self::Fps(fps) => return write!(out, "{fps} frames per second"),
        };
        let Setup { boids, predators, seed, world, .. } = &**setup;
        write!(out, ": {boids} boids, {predators} predators, seed {seed}, {world:?}")
    }
}

/// A request that changes the flow of time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Clock {
    /// Pause (`true`) or resume.
    Pause(bool),
    /// Pause, and run one tick.
    Step,
    /// Pause, and go back one tick. Restores parameters and zones too.
    Back,
    /// Move this many ticks through the session, at most to its first or last tick.
    Skip(i64),
    /// Move to this tick of the session, or to its nearest one.
    Seek(u64),
    /// Stop moving to a tick and stay.
    CancelSeek,
    /// Play backward, down to the first tick.
    Backward,
    /// Pause, return to where the session was changed last in its past, and restore what followed.
    UndoBranch,
    /// Pause, and repeat the last change of the past that was undone.
    RedoBranch,
    /// Set the tick rate, in ticks per second.
    Rate(f32),
}
