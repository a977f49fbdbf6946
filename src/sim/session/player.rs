//! Moving through a session: forward, to any tick, and into another branch.

use std::collections::VecDeque;

use super::keyframes::Keyframes;
use super::replay::Cursor;
use super::{Divergence, MAX_BYTES, ReplayError, SessionLog, SessionTail, SharedLog};
use crate::sim::{Command, Error, Flock, Scratch};

/// A flock that can be at any tick of its session.
///
/// At the last tick, a step makes the session longer. Before it, a step repeats the session, and a command starts a branch:
/// what followed is replaced, and kept aside.
#[derive(Debug)]
pub struct SessionPlayer {
    log: SharedLog,
    cursor: Cursor,
    keyframes: Keyframes,
    /// What branches replaced, oldest first.
    replaced: VecDeque<SessionTail>,
    /// Branches that were undone, the first one last.
    undone: VecDeque<SessionTail>,
    branches: u64,
}

/// A move to a tick, which [`SessionPlayer::advance`] computes tick by tick.
#[derive(Debug)]
pub struct Seek {
    cursor: Cursor,
    from: u64,
    target: u64,
    /// The ticks to keep on the way, the next one last.
    near: Vec<u64>,
}

impl Seek {
    /// The tick of the session to move to.
    #[must_use]
    pub fn target(&self) -> u64 {
        self.target
    }

    /// How much of the way is done, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        let ticks = (self.target - self.from).max(1);
        (self.cursor.tick - self.from) as f32 / ticks as f32
    }

    /// Whether the tick is reached.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.cursor.tick == self.target
    }
}

impl SessionPlayer {
    /// The first state of a session, before the commands at its tick, with keyframes in at most `budget` bytes.
    #[must_use]
    pub fn new(flock: Flock, log: SharedLog, budget: usize) -> Self {
        let first = log.lock().start().tick();
        let cursor = Cursor::new(flock, first);
        let mut keyframes = Keyframes::new(budget);
        keyframes.record(&cursor, first);
        Self { log, cursor, keyframes, replaced: VecDeque::new(), undone: VecDeque::new(), branches: 0 }
    }

    /// Applies the commands at the first tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command; it has no effect.
    pub fn begin(&mut self) -> Result<(), ReplayError> {
        self.cursor.catch_up(self.log.lock().events())
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

    /// The first and the last tick of the session.
    #[must_use]
    pub fn ticks(&self) -> (u64, u64) {
        let log = self.log.lock();
        (log.start().tick(), log.tick())
    }

    /// How often the flock was replaced or started again up to its tick.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.cursor.runs
    }

    /// How often a branch was started or undone.
    #[must_use]
    pub fn branches(&self) -> u64 {
        self.branches
    }

    /// The first hash that differed from the log.
    #[must_use]
    pub fn divergence(&self) -> Option<Divergence> {
        self.cursor.divergence
    }

    /// The memory that the keyframes take, in bytes.
    #[must_use]
    pub fn history_bytes(&self) -> usize {
        self.keyframes.bytes()
    }

    /// The log, and the session hash at its last tick if that is known.
    #[must_use]
    pub fn snapshot(&self) -> (SessionLog, Option<u64>) {
        let log = self.log.lock().clone();
        let is_last = self.cursor.tick == log.tick();
        let hash = if is_last { Some(self.cursor.flock.session_hash()) } else { log.last_hash() };
        (log, hash)
    }

    /// Advances by one tick, and applies the commands at the new tick.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command; it has no effect.
    pub fn step(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        self.cursor.advance(scratch);
        let mut log = self.log.lock();
        if self.cursor.tick > log.tick() && log.record_tick(&self.cursor.flock) {
            self.cursor = Cursor { tick: log.tick(), done: log.events().len(), ..self.cursor.clone() };
            self.keyframes.clear();
            self.replaced.clear();
            self.undone.clear();
        }
        self.keyframes.record(&self.cursor, log.start().tick());
        self.cursor.catch_up(log.events())
    }

    /// Applies a command and records it. Before the last tick it starts a branch, in which the pointer is released.
    ///
    /// # Errors
    ///
    /// As [`Flock::apply`]; then nothing changes.
    pub fn apply(&mut self, command: Command) -> Result<(), Error> {
        self.cursor.apply(&command)?;
        let mut log = self.log.lock();
        let is_branch = self.cursor.tick < log.tick();
        let is_pointer = matches!(command, Command::SetPointer(_));
        if is_branch {
            self.keyframes.truncate(self.cursor.tick);
            self.undone.clear();
            self.replaced.push_back(log.split_off(self.cursor.done, self.cursor.tick));
            while self.replaced.iter().map(SessionTail::bytes).sum::<usize>() > MAX_BYTES {
                self.replaced.pop_front();
            }
            self.branches += 1;
        }
        log.record(command);
        if is_branch && !is_pointer && self.cursor.flock.pointer().is_some() {
            let release = Command::SetPointer(None);
            self.cursor.apply(&release)?;
            log.record(release);
        }
        self.cursor.done = log.events().len();
        Ok(())
    }

    /// Begins to move to a tick, or to the nearest one of the session.
    #[must_use]
    pub fn seek(&mut self, tick: u64) -> Seek {
        let (first, last) = self.ticks();
        if self.cursor.tick == last {
            // A session that is saved from its past has the hash of its end.
            self.log.lock().record_hash(self.cursor.flock.session_hash());
            self.cursor.done = self.log.lock().events().len();
        }
        let target = tick.clamp(first, last);
        let known = self.known(target);
        let current = (self.cursor.tick <= target).then_some(&self.cursor);
        let cursor = known.iter().chain(current).max_by_key(|state| state.tick).cloned();
        self.seek_from(cursor, target)
    }

    /// The nearest keyframe or first state that is not after a tick, before the events of its tick.
    fn known(&self, tick: u64) -> Option<Cursor> {
        let first = || {
            let start = self.log.lock().shared_start();
            // The start has made this flock before.
            start.flock().ok().map(|flock| Cursor::new(flock, start.tick()))
        };
        self.keyframes.before(tick).cloned().or_else(first)
    }

    fn seek_from(&mut self, state: Option<Cursor>, target: u64) -> Seek {
        let mut cursor = state.unwrap_or_else(|| self.cursor.clone());
        // The log was read before; an impossible command was reported then.
        let _ = cursor.catch_up(self.log.lock().events());
        let mut near = self.keyframes.plan_near(cursor.tick..=target.max(cursor.tick), cursor.flock.bytes());
        near.reverse();
        Seek { from: cursor.tick, target: target.max(cursor.tick), cursor, near }
    }

    /// Computes the next tick of a move. Returns whether the tick is reached.
    pub fn advance(&mut self, seek: &mut Seek, scratch: &mut Scratch) -> bool {
        if !seek.is_done() {
            seek.cursor.advance(scratch);
            let log = self.log.lock();
            self.keyframes.record(&seek.cursor, log.start().tick());
            if seek.near.pop_if(|tick| *tick <= seek.cursor.tick).is_some() {
                self.keyframes.record_near(&seek.cursor);
            }
            // Reported when the session was played.
            let _ = seek.cursor.catch_up(log.events());
        }
        seek.is_done()
    }

    /// Ends a move: the flock is at its target.
    pub fn finish(&mut self, mut seek: Seek, scratch: &mut Scratch) {
        while !self.advance(&mut seek, scratch) {}
        let divergence = self.cursor.divergence.or(seek.cursor.divergence);
        self.cursor = Cursor { divergence, ..seek.cursor };
    }

    /// Calls `visit` with the flock at each of the `ticks` before the current one.
    pub fn visit_before(&self, ticks: u64, scratch: &mut Scratch, mut visit: impl FnMut(&Flock)) {
        let first = self.log.lock().start().tick();
        let from = self.cursor.tick.saturating_sub(ticks).max(first);
        let Some(mut cursor) = self.known(from) else { return };
        loop {
            let _ = cursor.catch_up(self.log.lock().events());
            if cursor.tick >= self.cursor.tick {
                return;
            }
            if cursor.tick >= from {
                visit(&cursor.flock);
            }
            cursor.advance(scratch);
        }
    }

    /// Undoes the last branch: restores what it replaced, and returns the move to where it began. `None` without a branch.
    #[must_use]
    pub fn undo_branch(&mut self) -> Option<Seek> {
        let tail = self.replaced.pop_back()?;
        let (branch, seek) = self.exchange(tail);
        self.undone.push_back(branch);
        Some(seek)
    }

    /// Repeats the branch that was undone last. `None` if there is none.
    #[must_use]
    pub fn redo_branch(&mut self) -> Option<Seek> {
        let tail = self.undone.pop_back()?;
        let (replaced, seek) = self.exchange(tail);
        self.replaced.push_back(replaced);
        Some(seek)
    }

    /// Exchanges the end of the log. Returns the old end, and the move to where the new one begins.
    fn exchange(&mut self, tail: SessionTail) -> (SessionTail, Seek) {
        let (kept, tick) = tail.begin();
        let mut log = self.log.lock();
        if self.cursor.tick == log.tick() {
            log.record_hash(self.cursor.flock.session_hash());
        }
        let old = log.split_off(kept, tick);
        log.append(tail);
        drop(log);
        self.keyframes.truncate(tick);
        self.branches += 1;
        let state = self.known(tick);
        (old, self.seek_from(state, tick))
    }
}
