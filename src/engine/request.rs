//! What can be asked of the engine.

use std::fmt;

use crate::canvas::CanvasFormat;
use crate::sim::{Command, Setup};

/// A wish; it is done before the next tick.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Request {
    /// Changes the flock.
    Flock(Command),
    /// Begins anew with another setup.
    NewFlock(Box<Setup>),
    /// Changes how time goes.
    Clock(Clock),
    /// Changes the canvas's size and view. Redraws also while paused.
    Canvas(CanvasFormat),
    /// How many frames a second are looked at, at most: where ticks come faster, every other may be left out.
    Fps(f32),
}

impl fmt::Display for Request {
    /// What it asks for; of a whole setup only what tells it from others.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, setup) = match self {
            Self::NewFlock(setup) => ("begin", setup),
            Self::Flock(Command::Morph(setup, ticks)) => {
                write!(out, "in {ticks} ticks ")?;
                ("become", setup)
            }
            Self::Flock(command) => return write!(out, "{command:?}"),
            Self::Clock(clock) => return write!(out, "{clock:?}"),
            Self::Canvas(format) => return write!(out, "{format:?}"),
            Self::Fps(fps) => return write!(out, "{fps} frames a second"),
        };
        let Setup { boids, predators, seed, world, .. } = &**setup;
        write!(out, "{verb} {boids} boids and {predators} predators, seed {seed}, {world:?}")
    }
}

/// A wish about time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Clock {
    /// Stops (`true`) or goes on.
    Pause(bool),
    /// Stops, and flies one tick.
    Step,
    /// Stops, and goes back by one tick, with the rules and all that stood in the world then.
    Back,
    /// Ticks a second.
    Rate(f32),
}
