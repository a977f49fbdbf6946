//! Moving forward through a session.

use std::fmt;
use std::sync::Arc;

use super::log::{SessionEvent, SessionLog, SessionStart, SharedLog};
use crate::{Command, Error, Flock, Formation, Scratch, Setup};

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
pub struct Replay {
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
    /// The first state of a session, with the commands applied at its tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an invalid first state or an impossible command.
    pub fn new(log: SharedLog) -> Result<Self, ReplayError> {
        let start = log.lock().shared_start();
        let flock = start.flock().map_err(|error| ReplayError { event: None, error })?;
        let mut replay = Self::at_start(flock, log);
        replay.finish_tick()?;
        Ok(replay)
    }

    /// A flock that no command changes.
    pub fn of_flock(flock: Flock) -> Self {
        let log = SessionLog::new(SessionStart::of(&flock, true));
        Self { tick: flock.tick(), ..Self::at_start(flock, SharedLog::new(log)) }
    }

    /// The first state, before the events at its tick.
    pub(super) fn at_start(flock: Flock, log: SharedLog) -> Self {
        let tick = log.lock().start().tick();
        Self { log, flock, tick, done: 0, branch: 0, run: Run::default(), divergence: None }
    }

    /// Calls boids of a flock that no session describes.
    ///
    /// # Errors
    ///
    /// As [`Flock::apply`].
    pub fn call(&mut self, formation: Formation) -> Result<(), Error> {
        self.flock.apply(&Command::Call(Arc::new(formation)))
    }

    /// The flock.
    pub fn flock(&self) -> &Flock {
        &self.flock
    }

    /// The run of the flock.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The tick of the session.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The last tick of the session.
    pub fn last_tick(&self) -> u64 {
        self.log.lock().tick()
    }

    /// The first hash that differs so far.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// Advances by one tick, and applies the commands at the new tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command.
    pub fn step(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        self.step_flock(scratch);
        self.finish_tick()
    }

    /// Advances by one tick, without the events at the new tick.
    pub(super) fn step_flock(&mut self, scratch: &mut Scratch) {
        self.flock.step(scratch);
        self.tick += 1;
    }

    /// Repeats the events at the current tick. After an error the rest follows all the same.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for the first impossible command.
    pub fn finish_tick(&mut self) -> Result<(), ReplayError> {
        let mut result = Ok(());
        while let Some(repeated) = self.repeat_event() {
            result = result.and(repeated);
        }
        result
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
    use crate::World;

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
        let (mut replay, mut scratch) = (Replay::new(SharedLog::new(log)).unwrap(), Scratch::new());
        let mut runs = Vec::new();
        for tick in [0, 9, 10, 19, 20, 29, 30, 39, 40] {
            while replay.tick() < tick {
                replay.step(&mut scratch).unwrap();
            }
            let Run { number, is_changed, loaded } = replay.run.clone();
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
