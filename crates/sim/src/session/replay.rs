//! Moving forward through a session.

use std::fmt;
use std::sync::Arc;

use super::log::{SessionEvent, SharedLog};
use crate::{Command, Error, Flock, Scratch, Setup};

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

/// How the current run of a flock began, and whether a command changed it since.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// How often the flock was replaced or started again before.
    pub number: u64,
    /// Whether a command has changed the flock since its setup and seed determined it.
    pub is_changed: bool,
    /// The setup that was loaded last; `None` before the first.
    pub loaded: Option<Arc<Setup>>,
}

impl Run {
    /// Updates the run after a command.
    fn after(&mut self, command: &Command) {
        let begins = command.starts_run();
        self.number += u64::from(begins);
        self.is_changed = !begins;
        if let Some(setup) = command.loaded() {
            self.loaded = Some(Arc::new(setup.clone()));
        }
    }
}

/// A flock at a place of a session: after a tick and a number of events.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub(super) log: SharedLog,
    pub(super) flock: Flock,
    pub(super) tick: u64,
    /// The number of events that have happened.
    pub(super) done: usize,
    /// The branch of the log that the state belongs to.
    pub(super) branch: u64,
    pub(super) run: Run,
    pub(super) divergence: Option<Divergence>,
}

impl Replay {
    /// The first state, before the events at its tick.
    pub(super) fn at_start(flock: Flock, log: SharedLog) -> Self {
        let tick = log.lock().start().tick();
        Self { log, flock, tick, done: 0, branch: 0, run: Run::default(), divergence: None }
    }

    /// Advances by one tick, without the events at the new tick.
    pub(super) fn step_flock(&mut self, scratch: &mut Scratch) {
        self.flock.step(scratch);
        self.tick += 1;
    }

    /// Repeats the next event at the current tick; `None` if there is none. The log is free meanwhile: an event may take long.
    pub(super) fn repeat_event(&mut self) -> Option<Result<(), ReplayError>> {
        let event = self.log.lock().event_until(self.tick, self.done).cloned()?;
        let index = self.done;
        self.done += 1;
        match event {
            SessionEvent::Command(command) => {
                let applied = self.apply(&command);
                return Some(applied.map_err(|error| ReplayError { event: Some(index), error }));
            }
            SessionEvent::Hash(expected) if self.divergence.is_none() => {
                let found = self.flock.session_hash();
                let divergence = Divergence { event: index, tick: self.tick, expected, found };
                self.divergence = (found != expected).then_some(divergence);
            }
            SessionEvent::Hash(_) => {}
        }
        Some(Ok(()))
    }

    /// Applies a command, which is in the log or will be.
    pub(super) fn apply(&mut self, command: &Command) -> Result<(), Error> {
        self.flock.apply(command)?;
        self.run.after(command);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Session, SessionLog, SessionStart, Timeline, World};

    #[test]
    fn a_run_is_changed_from_its_first_command_to_the_next_run() {
        let start = Setup::default().with_boids(10);
        let into = Setup { world: World::Rect([300.0, 200.0]), ..start.clone().with_boids(12) };
        let mut log = SessionLog::new(SessionStart::of(&Flock::new(&start).unwrap(), true));
        for (tick, command) in [
            (10, Command::SetBoids(9)),
            (20, Command::Reseed(4)),
            (30, Command::Morph(Box::new(into.clone()), 30)),
            (40, Command::Replace(Box::new(start.clone()))),
        ] {
            log.push_at(tick, SessionEvent::Command(command));
        }
        let (mut replay, mut scratch) = (Session::open(log, 0).unwrap(), Scratch::new());
        replay.finish(&mut scratch).unwrap();
        let mut runs = Vec::new();
        for tick in [0, 9, 10, 19, 20, 29, 30, 39, 40] {
            while replay.position().tick < tick {
                replay.advance(&mut scratch).unwrap();
            }
            let Run { number, is_changed, loaded } = replay.run().clone();
            runs.push((number, is_changed, loaded.map(|setup| setup.boids)));
        }
        let expected = [(0, false, None), (0, true, None), (1, false, None), (1, true, Some(12)), (2, false, Some(10))];
        let (mut first, mut last): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        for pair in runs.chunks(2) {
            first.push(pair[0]);
            last.push(pair[pair.len() - 1]);
        }
        assert_eq!((first, last), (expected.to_vec(), expected.to_vec()));
    }
}
