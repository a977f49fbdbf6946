//! The log of a session: the first state of a flock, and what happened to it at each tick.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::agents::Row;
use crate::{Command, Error, Flock, Setup};

/// A log that takes more memory than this, in bytes, starts again with the current state.
pub(super) const MAX_BYTES: usize = 64 << 20;
/// The memory of events that a file may take, in bytes. A log that is being recorded exceeds half of it only while a flock morphs.
pub const MAX_LOADED: usize = 2 * MAX_BYTES;
/// The memory of an event besides setups and zones, in bytes.
const EVENT_BYTES: usize = size_of::<(u64, SessionEvent)>();
/// The least number of ticks between two hashes, for a small flock.
const HASH_INTERVAL: u64 = 128;
/// For each further number of agents like this, the interval grows by [`HASH_INTERVAL`].
const AGENTS_PER_INTERVAL: usize = 4096;
/// The interval is at least the length of the session divided by this.
const MAX_HASH_SHARE: u64 = 64;

/// The first state of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionStart {
    /// The setup.
    pub setup: Setup,
    /// The agents.
    pub agents: FirstAgents,
}

/// Where the agents of the first state come from.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstAgents {
    /// They follow from the setup, at tick 0.
    FromSetup,
    /// These, in order of ids, at this tick.
    At(u64, Vec<Row>),
}

impl SessionStart {
    /// The current state of a flock that does not morph, without its pointer. If the flock was just made from a setup,
    /// `from_setup` omits its agents.
    pub fn of(flock: &Flock, from_setup: bool) -> Self {
        let agents = if from_setup { FirstAgents::FromSetup } else { FirstAgents::At(flock.tick(), flock.rows()) };
        Self { setup: flock.setup(), agents }
    }

    /// The tick of the session's first state.
    pub fn tick(&self) -> u64 {
        match &self.agents {
            FirstAgents::FromSetup => 0,
            FirstAgents::At(tick, _) => *tick,
        }
    }

    /// Makes the flock.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`] and [`Flock::from_rows`].
    pub fn flock(&self) -> Result<Flock, Error> {
        match &self.agents {
            FirstAgents::FromSetup => Flock::new(&self.setup),
            FirstAgents::At(tick, rows) => Flock::from_rows(&self.setup, *tick, rows),
        }
    }
}

/// What happened at a tick of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// The flock was changed.
    Command(Command),
    /// The flock had this [session hash](Flock::session_hash).
    Hash(u64),
}

impl SessionEvent {
    /// An estimate of the memory that it takes, in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Command(Command::Morph(setup, _) | Command::Replace(setup)) => {
                EVENT_BYTES + size_of::<Setup>() + size_of_val(&*setup.zones)
            }
            Self::Command(Command::SetParams(values, _)) => EVENT_BYTES + size_of_val(&**values),
            Self::Command(Command::Call(formation) | Command::Place(formation)) => {
                EVENT_BYTES + size_of_val(&*formation.perches)
            }
            _ => EVENT_BYTES,
        }
    }
}

/// The log of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionLog {
    pub(super) start: Arc<SessionStart>,
    /// Each with its tick, in the order in which they happened.
    events: Vec<(u64, SessionEvent)>,
    /// The indices of the events that are marked on a timeline.
    marks: Vec<usize>,
    /// The current tick of the session.
    tick: u64,
    last_hash: u64,
    bytes: usize,
}

impl SessionLog {
    /// A log without events, at the first state.
    pub fn new(start: SessionStart) -> Self {
        let first = start.tick();
        Self { start: Arc::new(start), events: Vec::new(), marks: Vec::new(), tick: first, last_hash: first, bytes: 0 }
    }

    /// The first state.
    pub fn start(&self) -> &SessionStart {
        &self.start
    }

    /// The event at an index, if it has happened by a tick.
    pub(super) fn event_until(&self, tick: u64, index: usize) -> Option<&SessionEvent> {
        self.events.get(index).filter(|(at, _)| *at <= tick).map(|(_, event)| event)
    }

    /// The events, each with its tick, in the order in which they happened.
    pub fn events(&self) -> &[(u64, SessionEvent)] {
        &self.events
    }

    /// How many of the events of a tick have happened once `done` events of the session have, from 0 to 1.
    pub(super) fn share_of_tick(&self, tick: u64, done: usize) -> f32 {
        let [begin, end] = [tick, tick + 1].map(|tick| self.events.partition_point(|(at, _)| *at < tick));
        done.saturating_sub(begin) as f32 / (end - begin).max(1) as f32
    }

    /// The last tick.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The commands from a tick on that a timeline marks, each with its tick: all but the moves and the release of the
    /// pointer.
    pub fn marks_from(&self, tick: u64) -> impl Iterator<Item = (u64, &Command)> {
        let first = self.marks.partition_point(|index| self.events[*index].0 < tick);
        self.marks[first..].iter().filter_map(|index| match &self.events[*index] {
            (tick, SessionEvent::Command(command)) => Some((*tick, command)),
            (_, SessionEvent::Hash(_)) => None,
        })
    }

    /// Records a command that was applied at the current tick. Earlier events stay, as branches share them.
    pub fn record(&mut self, command: Command) {
        self.push(SessionEvent::Command(command));
    }

    /// Records a tick, with a hash of the flock from time to time. A log that takes too much memory starts again from the
    /// flock; returns whether it did.
    pub fn record_tick(&mut self, flock: &mut Flock) -> bool {
        self.tick += 1;
        let (agents, ticks) = (flock.agents().len(), self.tick - self.start.tick());
        let least = HASH_INTERVAL * (1 + (agents / AGENTS_PER_INTERVAL) as u64);
        if self.tick - self.last_hash >= least.max(ticks / MAX_HASH_SHARE) {
            self.record_hash(flock.session_hash());
        }
        let restarts = self.bytes > MAX_BYTES && !flock.is_morphing();
        if restarts {
            // The first state of a session has no perches.
            let call = flock.drop_perches().map(Command::Call);
            *self = Self::new(SessionStart::of(flock, false));
            if let Some(call) = call.filter(|call| flock.apply(call).is_ok()) {
                self.record(call);
            }
            if flock.pointer().is_some() {
                self.record(Command::SetPointer(flock.pointer()));
            }
        }
        restarts
    }

    /// Records the session hash of the flock at the current tick, unless that is the last event.
    pub fn record_hash(&mut self, hash: u64) {
        if self.last_hash() != Some(hash) {
            self.last_hash = self.tick;
            self.push(SessionEvent::Hash(hash));
        }
    }

    /// The hash at the last tick, if it is the last event.
    pub fn last_hash(&self) -> Option<u64> {
        match self.events.last() {
            Some((tick, SessionEvent::Hash(hash))) if *tick == self.tick => Some(*hash),
            _ => None,
        }
    }

    /// Goes back to a tick at which `kept` events have happened. Returns what follows, which is removed.
    pub(super) fn split_off(&mut self, kept: usize, tick: u64) -> SessionTail {
        let events = self.events.split_off(kept);
        self.marks.truncate(self.marks.partition_point(|index| *index < kept));
        let tail = SessionTail { begin: (kept, tick), events, last: self.tick, last_hash: self.last_hash };
        self.bytes -= tail.bytes();
        (self.tick, self.last_hash) = (tick, self.last_hash.min(tick));
        tail
    }

    /// Appends a tail that was split off at the same place.
    pub(super) fn append(&mut self, tail: SessionTail) {
        for (tick, event) in tail.events {
            self.push_at(tick, event);
        }
        (self.tick, self.last_hash) = (tail.last, tail.last_hash);
    }

    /// Adds an event at a tick that is not before the last one.
    pub fn push_at(&mut self, tick: u64, event: SessionEvent) {
        self.advance_to(tick);
        self.push(event);
    }

    /// Whether its events take more memory than [`MAX_LOADED`].
    pub fn is_oversized(&self) -> bool {
        self.bytes > MAX_LOADED
    }

    /// Moves the last tick forward.
    pub fn advance_to(&mut self, tick: u64) {
        self.tick = self.tick.max(tick);
    }

    fn push(&mut self, event: SessionEvent) {
        if self.is_marked(&event) {
            self.marks.push(self.events.len());
        }
        self.bytes += event.bytes();
        self.events.push((self.tick, event));
    }

    fn is_marked(&self, event: &SessionEvent) -> bool {
        use Command::{Call, Place, Release, SetPointer};
        let SessionEvent::Command(command) = event else { return false };
        let last = |is_alike: fn(&Command) -> bool| {
            self.events.iter().rev().find_map(|(_, event)| match event {
                SessionEvent::Command(command) => Some(command).filter(|command| is_alike(command)),
                SessionEvent::Hash(_) => None,
            })
        };
        match command {
            SetPointer(None) => false,
            SetPointer(Some(_)) => {
                last(|command| matches!(command, SetPointer(_))).is_none_or(|last| *last == SetPointer(None))
            }
            // A clock calls boids every minute.
            Call(_) => {
                last(|command| matches!(command, Call(_) | Place(_) | Release)).is_none_or(|last| *last == Release)
            }
            _ => true,
        }
    }
}

/// The end of a session, from some place on.
#[derive(Clone, Debug)]
pub(super) struct SessionTail {
    /// How many events are before it, and the last tick before it.
    begin: (usize, u64),
    events: Vec<(u64, SessionEvent)>,
    last: u64,
    last_hash: u64,
}

impl SessionTail {
    pub(super) fn begin(&self) -> (usize, u64) {
        self.begin
    }

    pub(super) fn bytes(&self) -> usize {
        self.events.iter().map(|(_, event)| event.bytes()).sum()
    }
}

/// A log that several threads share. One of them writes.
#[derive(Clone, Debug)]
pub struct SharedLog(Arc<Mutex<SessionLog>>);

impl SharedLog {
    /// Shares a log.
    pub fn new(log: SessionLog) -> Self {
        Self(Arc::new(Mutex::new(log)))
    }

    /// The log. A thread that panicked leaves it as it was.
    pub fn lock(&self) -> MutexGuard<'_, SessionLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formation, Perch, Pointer, Scratch, Session, Timeline};

    fn pointer(x: f32) -> Command {
        Command::SetPointer(Some(Pointer { at: [x, 50.0, 0.0], along: [0.0; 3], attracts: true }))
    }

    fn start() -> (Flock, SessionLog) {
        let flock = Flock::new(&Setup::default().with_boids(40)).unwrap();
        let log = SessionLog::new(SessionStart::of(&flock, true));
        (flock, log)
    }

    #[test]
    fn hashes_become_rarer() {
        let (mut flock, mut log) = start();
        let mut gaps = Vec::new();
        for tick in 1..=40_000 {
            let before = (log.last_hash, log.events.len());
            log.record_tick(&mut flock);
            if log.events.len() > before.1 {
                gaps.push(tick - before.0);
            }
        }
        assert!(gaps.is_sorted() && gaps[0] == 128 && gaps[gaps.len() - 1] > 600, "{gaps:?}");
    }

    #[test]
    fn the_end_of_a_log_can_be_split_off_and_appended() {
        let (mut flock, mut log) = start();
        let mut scratch = Scratch::new();
        for tick in 1..=100 {
            flock.step(&mut scratch);
            log.record_tick(&mut flock);
            log.record(if tick % 7 == 0 { Command::SetBoids(tick) } else { pointer(tick as f32) });
        }
        let whole = log.clone();
        let kept = log.events.partition_point(|(tick, _)| *tick <= 60);
        let tail = log.split_off(kept, 60);
        assert_eq!((log.tick, log.events.len(), log.bytes), (60, 60, 60 * EVENT_BYTES));
        assert!(log.marks_from(0).all(|(tick, _)| tick <= 60));
        log.append(tail);
        assert_eq!(log, whole);
    }

    #[test]
    fn marks_leave_out_moves_of_the_pointer() {
        let (mut flock, mut log) = start();
        for command in [pointer(1.0), Command::SetBoids(3), Command::SetPointer(None), pointer(2.0)] {
            log.record(command);
            log.record_tick(&mut flock);
            log.record(pointer(9.0));
        }
        let marks: Vec<u64> = log.marks_from(0).map(|(tick, _)| tick).collect();
        assert_eq!(marks, [0, 1, 3]);
        assert_eq!(log.marks_from(2).count(), 1);
    }

    #[test]
    fn marks_leave_out_calls_that_replace_another() {
        let (_, mut log) = start();
        let perches = vec![Perch { at: [1.0, 1.0, 0.0], number: None }];
        let call = Command::Call(Arc::new(Formation { perches, plane: None, shelter: None }));
        for command in [call.clone(), call.clone(), Command::Release, call.clone(), call] {
            log.record(command);
            log.advance_to(log.tick() + 1);
        }
        assert!(log.marks_from(0).map(|(tick, _)| tick).eq([0, 2, 3]));
    }

    #[test]
    fn a_log_that_is_too_large_starts_again() {
        let (mut flock, mut log) = start();
        log.bytes = MAX_BYTES + 1;
        flock.apply(&pointer(7.0)).unwrap();
        flock.step(&mut Scratch::new());
        log.record_tick(&mut flock);
        assert_eq!(log.events, [(1, SessionEvent::Command(pointer(7.0)))]);
        let mut session = Session::open(log, 0).unwrap();
        session.finish(&mut Scratch::new()).unwrap();
        assert_eq!(session.flock().session_hash(), flock.session_hash());
    }

    #[test]
    fn a_log_that_starts_again_calls_the_boids_again() {
        let (mut flock, mut log) = start();
        let perches = vec![Perch { at: [50.0, 50.0, 0.0], number: None }];
        let perches = Arc::new(Formation { perches, plane: None, shelter: None });
        flock.apply(&Command::Call(perches.clone())).unwrap();
        log.bytes = MAX_BYTES + 1;
        flock.step(&mut Scratch::new());
        log.record_tick(&mut flock);
        assert_eq!(log.events, [(1, SessionEvent::Command(Command::Call(perches)))]);
        let mut session = Session::open(log, 0).unwrap();
        session.finish(&mut Scratch::new()).unwrap();
        assert_eq!(session.flock().session_hash(), flock.session_hash());
    }
}
