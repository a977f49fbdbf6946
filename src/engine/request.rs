//! Requests from the viewer to the engine, and the values that they control.

use std::fmt;
use std::time::Instant;

use crate::picture::CanvasFormat;
use crate::sim::{Command, Direction, Error, Params, Pointer, Setup, Snapshot, World};

/// A request. The engine handles it before the next tick, or after a move to another tick that is under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Apply a command to the flock.
    Flock {
        /// The command.
        command: Command,
        /// Whether it continues the last change of a parameter, to be undone with it.
        continues: bool,
    },
    /// Change the flow of time.
    Clock(Clock),
    /// Change size and view of the canvas, and the only tile of a brood that is drawn in each picture, if the link is slow. Redraws even
    /// while paused.
    Canvas(CanvasFormat, Option<usize>),
    /// The frame rate of the viewer. If ticks are faster, every other one may not be drawn.
    Fps(f32),
    /// Breed the flock, on tiles whose flocks have this world at their density, unless that of the flock.
    Breed(Breed, Option<World>),
    /// Keep to the clock: no tick is dropped, however late it is. Logs the hash of the flock at each multiple of so many ticks.
    Follow {
        /// When tick 0 was.
        begun: Instant,
        /// The number of the scene, for the log.
        scene: u64,
        /// The ticks between two hashes.
        every: u64,
    },
    /// Undo the last change, or repeat the one that was undone last.
    Undo(Direction),
}

/// A step of breeding.
#[derive(Clone, Debug, PartialEq)]
pub enum Breed {
    /// Show the flock and children of it on tiles, in place of the session's flock, which waits.
    Start,
    /// Make a flock with these parameters the parent of the next children, crossed with a flock with those.
    Parent(Box<Params>, Option<Box<Params>>),
    /// Draw other children of the same parent.
    OtherChildren,
    /// Multiply the strength of mutations.
    Strength(f32),
    /// Go back to the generation before.
    Back,
    /// Show the session's flock again, paused if it was before.
    Leave,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The flock refused the command.
    #[error(transparent)]
    Flock(#[from] Error),
    /// The flock is recorded.
    #[error("a recording has no rules")]
    Recording,
    /// There is no tick before this one.
    #[error("tick {0} is the first one")]
    NoEarlierTick(u64),
    /// There is no generation before.
    #[error("this is the first generation")]
    FirstGeneration,
}

/// A request that changes the flow of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clock {
    /// Pause (`true`) or resume.
    Pause(bool),
    /// Pause, and run one tick.
    Step,
    /// Pause, and go back one tick. Restores the whole state.
    Back,
    /// Move this many ticks through the session, at most to its first or last tick.
    Skip(i64),
    /// Move to this tick of the session, or to its nearest one.
    Seek(u64),
    /// Stop moving to a tick and stay.
    CancelSeek,
    /// Play backward, down to the first tick.
    Backward,
    /// Set the tick rate, in ticks per second.
    Rate(f32),
}

impl Clock {
    /// Sets the values that it gives to the controls.
    pub fn set(self, controls: &mut Controls) {
        match self {
            Self::Pause(paused) => (controls.paused, controls.backward) = (paused, false),
            Self::Step | Self::Back => (controls.paused, controls.backward) = (true, false),
            Self::Backward => (controls.paused, controls.backward) = (false, true),
            Self::Rate(rate) => controls.rate = rate,
            Self::Skip(_) | Self::Seek(_) | Self::CancelSeek => {}
        }
    }
}

impl Request {
    /// Whether it does not wait for requests before it.
    pub(super) fn is_immediate(&self) -> bool {
        let is_clock = matches!(self, Self::Clock(Clock::Pause(_) | Clock::Rate(_) | Clock::CancelSeek));
        is_clock || matches!(self, Self::Canvas(..) | Self::Fps(_))
    }
}

/// For the log: a setup is shortened to its main values.
impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = match self {
            Self::Flock { command, .. } => command,
            Self::Clock(clock) => return write!(out, "{clock:?}"),
            Self::Canvas(format, _) => return write!(out, "{format:?}"),
            Self::Breed(Breed::Parent(..), _) => return write!(out, "next generation"),
            Self::Breed(..) | Self::Fps(_) | Self::Follow { .. } | Self::Undo(_) => return write!(out, "{self:?}"),
        };
        match command {
            Command::SetParam(param, value) => return write!(out, "{} = {value}", param.key),
            Command::SetParams(values, ticks) => return write!(out, "{} parameters in {ticks} ticks", values.len()),
            Command::Morph(_, ticks) => write!(out, "morph in {ticks} ticks")?,
            Command::Replace(_) => write!(out, "new flock")?,
            Command::Call(formation) => return write!(out, "call to {} perches", formation.perches.len()),
            Command::Place(formation) => return write!(out, "place on {} perches", formation.perches.len()),
            _ => return write!(out, "{command:?}"),
        }
        let Some(Setup { boids, predators, seed, world, .. }) = command.loaded() else { return Ok(()) };
        write!(out, ": {boids} boids, {predators} predators, seed {seed}, {world:?}")
    }
}

/// The values that a user controls.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// The setup of a new run: with the numbers of all boids, including caught ones, and the seed of the run. During a morph,
    /// parameters and world are those at its end.
    pub setup: Setup,
    /// The parameters of the current tick.
    pub current_params: Params,
    /// The pointer, while it attracts or repels.
    pub pointer: Option<Pointer>,
    /// The requested tick rate, in ticks per second.
    pub rate: f32,
    /// Whether the engine is paused.
    pub paused: bool,
    /// Whether ticks run backward.
    pub backward: bool,
}

impl Controls {
    /// The values of a new flock, which runs at a tick rate.
    pub fn of_setup(setup: Setup, rate: f32) -> Self {
        Self { current_params: setup.params, setup, pointer: None, rate, paused: false, backward: false }
    }

    /// Changes them as a command changes a flock that accepts it.
    pub fn change(&mut self, command: &Command) {
        command.change(&mut self.setup);
        match command {
            Command::SetParam(param, value) => param.assign(&mut self.current_params, *value),
            Command::SetParams(values, 0) => {
                for (param, value) in values {
                    param.assign(&mut self.current_params, *value);
                }
            }
            Command::Replace(setup) => (self.current_params, self.backward) = (setup.params, false),
            Command::SetPointer(pointer) => self.pointer = *pointer,
            _ => {}
        }
    }

    /// Takes over the values of a flock.
    pub(super) fn follow(&mut self, flock: Snapshot<'_>) {
        self.setup = flock.setup();
        self.current_params = self.setup.params;
        if let Some(flock) = flock.simulated {
            let (params, world) = flock.morph_target();
            (self.setup.params, self.setup.world) = (*params, world);
        }
        self.pointer = flock.pointer;
    }
}
