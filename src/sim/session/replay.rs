//! Replaying a session.

use std::fmt;

use super::{SessionEvent, SessionLog};
use crate::sim::{Error, Flock, Scratch};

/// A command that cannot be applied, or a first state that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct ReplayError {
    /// The index of the event; `None` for the first state.
    pub event: Option<usize>,
    /// Why it is impossible.
    pub error: Error,
}

/// The first difference between a session and its replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The index of the event.
    pub event: usize,
    /// The tick of the session.
    pub tick: u64,
    /// The hash in the log.
    pub expected: u64,
    /// The hash of the replay.
    pub found: u64,
}

impl fmt::Display for Divergence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, expected, found, .. } = self;
        write!(out, "tick {tick} differs: expected the hash {expected:016x}, found {found:016x}")
    }
}

/// A flock that repeats a session.
#[derive(Clone, Debug)]
pub struct SessionReplay {
    flock: Flock,
    tick: u64,
    events: Vec<(u64, SessionEvent)>,
    /// The number of events that have been repeated.
    done: usize,
    divergence: Option<Divergence>,
}

impl SessionReplay {
    /// The first state, with the commands applied at its tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an invalid first state or an impossible command.
    pub fn new(log: &SessionLog) -> Result<Self, ReplayError> {
        let flock = log.start().flock().map_err(|error| ReplayError { event: None, error })?;
        let mut replay = Self::of_flock(flock);
        replay.events = log.events().to_vec();
        replay.catch_up()?;
        Ok(replay)
    }

    /// A flock that no command changes.
    #[must_use]
    pub fn of_flock(flock: Flock) -> Self {
        Self { tick: flock.tick(), flock, events: Vec::new(), done: 0, divergence: None }
    }

    /// The flock, with the commands applied at its tick.
    #[must_use]
    pub fn flock(&self) -> &Flock {
        &self.flock
    }

    /// The tick of the session.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The first hash that differs so far.
    #[must_use]
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// Advances by one tick, and applies the commands at the new tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command.
    pub fn step(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        self.flock.step(scratch);
        self.tick += 1;
        self.catch_up()
    }

    /// Repeats the events of the current tick.
    fn catch_up(&mut self) -> Result<(), ReplayError> {
        while let Some((tick, event)) = self.events.get(self.done).filter(|(tick, _)| *tick <= self.tick) {
            match event {
                SessionEvent::Command(command) => {
                    let error = |error| ReplayError { event: Some(self.done), error };
                    self.flock.apply(command).map_err(error)?;
                }
                SessionEvent::Hash(expected) if self.divergence.is_none() => {
                    let (found, expected) = (self.flock.session_hash(), *expected);
                    let divergence = Divergence { event: self.done, tick: *tick, expected, found };
                    self.divergence = (found != expected).then_some(divergence);
                }
                SessionEvent::Hash(_) => {}
            }
            self.done += 1;
        }
        Ok(())
    }
}
