//! Replaying a session.

use std::fmt;

use super::{SessionEvent, SessionLog};
use crate::sim::{Command, Error, Flock, Scratch};

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

/// A flock at a tick of a session.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    pub flock: Flock,
    /// The tick of the session.
    pub tick: u64,
    /// The number of events that have happened.
    pub done: usize,
    /// How often the flock was replaced or started again.
    pub runs: u64,
    /// The first hash that differed.
    pub divergence: Option<Divergence>,
}

impl Cursor {
    pub(super) fn new(flock: Flock, tick: u64) -> Self {
        Self { flock, tick, done: 0, runs: 0, divergence: None }
    }

    /// Advances by one tick, without the events at the new tick.
    pub(super) fn advance(&mut self, scratch: &mut Scratch) {
        self.flock.step(scratch);
        self.tick += 1;
    }

    /// Applies a command, which is in the log or will be.
    pub(super) fn apply(&mut self, command: &Command) -> Result<(), Error> {
        self.flock.apply(command)?;
        self.runs += u64::from(matches!(command, Command::Reseed(_) | Command::Restart | Command::Replace(_)));
        Ok(())
    }

    /// Repeats the events up to the current tick. After an error the rest follows all the same.
    pub(super) fn catch_up(&mut self, events: &[(u64, SessionEvent)]) -> Result<(), ReplayError> {
        let mut result = Ok(());
        while let Some((tick, event)) = events.get(self.done).filter(|(tick, _)| *tick <= self.tick) {
            match event {
                SessionEvent::Command(command) => {
                    let event = Some(self.done);
                    let applied = self.apply(command).map_err(|error| ReplayError { event, error });
                    result = result.and(applied);
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
        result
    }
}

/// A flock that repeats a session.
#[derive(Clone, Debug)]
pub struct SessionReplay {
    cursor: Cursor,
    events: Vec<(u64, SessionEvent)>,
}

impl SessionReplay {
    /// The first state, with the commands applied at its tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an invalid first state or an impossible command.
    pub fn new(log: &SessionLog) -> Result<Self, ReplayError> {
        let flock = log.start().flock().map_err(|error| ReplayError { event: None, error })?;
        let mut cursor = Cursor::new(flock, log.start().tick());
        cursor.catch_up(log.events())?;
        Ok(Self { cursor, events: log.events().to_vec() })
    }

    /// A flock that no command changes.
    #[must_use]
    pub fn of_flock(flock: Flock) -> Self {
        let tick = flock.tick();
        Self { cursor: Cursor::new(flock, tick), events: Vec::new() }
    }

    /// The flock, with the commands applied at its tick.
    #[must_use]
    pub fn flock(&self) -> &Flock {
        &self.cursor.flock
    }

    /// The tick of the session.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.cursor.tick
    }

    /// The first hash that differs so far.
    #[must_use]
    pub fn divergence(&self) -> Option<Divergence> {
        self.cursor.divergence
    }

    /// Advances by one tick, and applies the commands at the new tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command.
    pub fn step(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        self.cursor.advance(scratch);
        self.cursor.catch_up(&self.events)
    }
}
