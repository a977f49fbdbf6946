//! Sessions: the first state of a flock, and the commands that changed it. Every later state follows from them.
//!
//! Ticks of a session count from its first state and go on when the flock restarts, so that they never decrease.

mod history;
mod keyframes;
mod log;
mod replay;
mod timeline;

use std::sync::Arc;

use super::{Command, Error, Flock, Formation, Param, Scratch, Snapshot, Value};
use history::{History, ParamChange, UndoStep};
use keyframes::Keyframes;

pub use history::Direction;
pub use log::{FirstAgents, MAX_LOADED, SessionEvent, SessionLog, SessionStart, SharedLog};
use replay::Replay;
pub use replay::{Divergence, ReplayError, Run};
pub use timeline::Timeline;

/// Where a flock is in its session. Ticks count from the first state and go on when the flock restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SessionPosition {
    /// The first tick.
    pub first: u64,
    /// The tick of the flock.
    pub tick: u64,
    /// The last tick.
    pub last: u64,
    /// The tick that the flock moves to, and the fraction of the way that is done, from 0 to 1.
    pub seeking: Option<(u64, f32)>,
    /// How often the end of the session was exchanged: by a change in the past, an undo or a redo of one.
    pub branches: u64,
    /// Whether such a change is in effect.
    pub is_branched: bool,
}

impl SessionPosition {
    /// The tick that is being computed, or the current one.
    pub fn target(&self) -> u64 {
        self.seeking.map_or(self.tick, |(target, _)| target)
    }

    /// Whether ticks after the target are known.
    pub fn is_past(&self) -> bool {
        self.target() < self.last
    }
}

/// What an undo or a redo did.
#[derive(Clone, Debug, PartialEq)]
pub enum Undone {
    /// There is no step.
    Nothing,
    /// Nothing: changes of parameters are undone at the end of the session only.
    NotAtEnd,
    /// Set these values.
    Values(Vec<(&'static Param, Value)>),
    /// Moves to the other branch of the session.
    Branch,
}

/// A flock that can be at any tick of its session, and the history of changes that can be undone.
///
/// At the last tick, a step makes the session longer. Before it, a step repeats the session, and a command starts a branch:
/// what followed is replaced, and kept for undo.
#[derive(Debug)]
pub struct Session {
    log: SharedLog,
    current: Replay,
    /// The move to another tick that is under way.
    seek: Option<Seek>,
    /// Whether events at the current tick may have to be repeated.
    is_catching_up: bool,
    keyframes: Keyframes,
    history: History,
    branches: u64,
}

/// A move to a tick.
#[derive(Debug)]
struct Seek {
    replay: Replay,
    from: u64,
    target: u64,
    /// The ticks to keep on the way, the next one last.
    near: Vec<u64>,
}

impl Session {
    /// The first state of a session, before the commands at its tick, with keyframes in at most `budget` bytes.
    pub fn new(flock: Flock, log: SharedLog, budget: usize) -> Self {
        Self::at(Replay::at_start(flock, log.clone()), log, budget)
    }

    /// The same for the first state of a log.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an invalid first state.
    pub fn open(log: SessionLog, budget: usize) -> Result<Self, ReplayError> {
        let flock = log.start().flock().map_err(|error| ReplayError { event: None, error })?;
        Ok(Self::new(flock, SharedLog::new(log), budget))
    }

    /// A session that begins with a flock; `from_setup` says whether its state follows from its setup. If not, the log contains it.
    pub fn begin(flock: Flock, from_setup: bool, budget: usize) -> Self {
        let log = SharedLog::new(SessionLog::new(SessionStart::of(&flock, from_setup)));
        Self::new(flock, log, budget)
    }

    fn at(state: Replay, log: SharedLog, budget: usize) -> Self {
        let current = Replay { log: log.clone(), branch: 0, ..state };
        let mut keyframes = Keyframes::new(budget);
        keyframes.record(&current, log.lock().start().tick());
        let history = History::default();
        Self { log, current, seek: None, is_catching_up: true, keyframes, history, branches: 0 }
    }

    /// Calls boids beside what the session says.
    ///
    /// # Errors
    ///
    /// As [`Flock::apply`].
    pub fn call(&mut self, formation: Formation) -> Result<(), Error> {
        self.current.flock.apply(&Command::Call(Arc::new(formation)))
    }

    /// The flock, with the commands applied at its tick.
    pub fn flock(&self) -> &Flock {
        &self.current.flock
    }

    /// The log.
    pub fn log(&self) -> &SharedLog {
        &self.log
    }

    fn ticks(&self) -> (u64, u64) {
        let log = self.log.lock();
        (log.start().tick(), log.tick())
    }

    /// Whether the flock is at the last tick of the session, after all events.
    fn is_at_end(&self) -> bool {
        let log = self.log.lock();
        let Replay { tick, done, .. } = self.current;
        !self.is_exchanging() && (tick, done) == (log.tick(), log.events().len())
    }

    /// The memory that the keyframes take, in bytes.
    pub fn history_bytes(&self) -> usize {
        self.keyframes.bytes()
    }

    /// The log, and the session hash at its last tick if that is known.
    pub fn log_and_hash(&self) -> (SessionLog, Option<u64>) {
        let log = self.log.lock().clone();
        let hash = if self.is_at_end() { Some(self.current.flock.session_hash()) } else { log.last_hash() };
        (log, hash)
    }

    fn finish_seek(&mut self) {
        if let Some(Seek { replay, .. }) = self.seek.take() {
            let divergence = self.current.divergence.or(replay.divergence);
            self.current = Replay { divergence, ..replay };
        }
    }

    /// Applies a command and records it. Before the end of the session it starts a branch, in which the pointer is released.
    /// Returns whether it did. A change of a parameter `continues` the step of the last one, or is a separate step. What remains to
    /// be computed comes first.
    ///
    /// # Errors
    ///
    /// As [`Flock::apply`]; then nothing changes.
    pub fn apply(&mut self, command: Command, continues: bool, scratch: &mut Scratch) -> Result<bool, Error> {
        // A command belongs to a tick of this branch. An impossible command on the way was reported when it was played.
        let _ = self.finish(scratch);
        let changes = ParamChange::of(&command, &self.current.flock);
        // A refused command starts no branch.
        self.current.apply(&command)?;
        let is_branch = !self.is_at_end();
        if is_branch {
            self.start_branch();
        } else {
            for (place, change) in changes.into_iter().enumerate() {
                self.history.record(change, continues || place > 0);
            }
        }
        if command.loaded().is_some() {
            // The changes of parameters belong to other rules.
            self.history.retain(|step| matches!(step, UndoStep::Branch(_)));
        }
        let is_pointer = matches!(command, Command::SetPointer(_));
        self.record(command);
        if is_branch && !is_pointer && self.current.flock.pointer().is_some() {
            let release = Command::SetPointer(None);
            self.current.apply(&release)?;
            self.record(release);
        }
        Ok(is_branch)
    }

    fn record(&mut self, command: Command) {
        let mut log = self.log.lock();
        log.record(command);
        self.current.done = log.events().len();
    }

    fn start_branch(&mut self) {
        let Replay { tick, done, .. } = self.current;
        self.keyframes.truncate(tick);
        let replaced = self.log.lock().split_off(done, tick);
        self.history.record_branch(replaced);
        self.branches += 1;
        self.current.branch = self.branches;
    }

    /// At the end of the session, records its hash, so that a session saved from its past contains it.
    fn record_hash_at_end(&mut self) {
        if self.is_at_end() {
            let mut log = self.log.lock();
            log.record_hash(self.current.flock.session_hash());
            self.current.done = log.events().len();
        }
    }

    /// The nearest known state that is not after a tick: a keyframe, the current state, or the first one. `None` if that is lost, which
    /// takes an impossible setup.
    fn nearest(&self, tick: u64) -> Option<Replay> {
        // During an exchange, the current state belongs to the other branch.
        let current = Some(&self.current).filter(|current| current.tick <= tick && !self.is_exchanging());
        let known = self.keyframes.before(tick).into_iter().chain(current).max_by_key(|state| state.tick).cloned();
        let state = known.or_else(|| {
            let start = self.log.lock().start.clone();
            // The start has made this flock before.
            start.flock().ok().map(|flock| Replay::at_start(flock, self.log.clone()))
        })?;
        Some(Replay { branch: self.branches, ..state })
    }

    fn seek_from(&mut self, state: Option<Replay>, target: u64) {
        let replay = state.unwrap_or_else(|| self.current.clone());
        let target = target.max(replay.tick);
        let mut near = self.keyframes.plan_near(replay.tick..=target, replay.flock.bytes());
        near.reverse();
        self.is_catching_up = false;
        self.seek = Some(Seek { from: replay.tick, target, replay, near });
    }

    /// Undoes the last step, or repeats the one that was undone last. Before the end of the session, only branches can be undone
    /// and repeated; the move to the other branch is left to [`work`](Self::work).
    pub fn undo(&mut self, direction: Direction, scratch: &mut Scratch) -> Undone {
        let _ = self.finish(scratch);
        let is_at_end = self.is_at_end();
        match self.history.next(direction) {
            None => Undone::Nothing,
            Some(UndoStep::Params(_)) if !is_at_end => Undone::NotAtEnd,
            Some(UndoStep::Params(changes)) => {
                let is_undo = direction == Direction::Undo;
                let values =
                    changes.iter().map(|change| (change.param, if is_undo { change.before } else { change.after }));
                let values: Vec<_> = values.collect();
                self.set_all(values.clone());
                self.history.take(direction, |step| step);
                Undone::Values(values)
            }
            Some(UndoStep::Branch(_)) => {
                self.exchange_branch(direction);
                Undone::Branch
            }
        }
    }

    /// Sets values that are valid together.
    fn set_all(&mut self, mut values: Vec<(&'static Param, Value)>) {
        values.retain(|(param, value)| param.get(self.current.flock.morph_target().0) != *value);
        if values.is_empty() {
            return;
        }
        let command = Command::set_all(values, 0);
        if self.current.apply(&command).is_ok() {
            self.record(command);
        }
    }

    /// Exchanges the end of the log with that of the last branch, and begins to move to where it begins.
    fn exchange_branch(&mut self, direction: Direction) {
        self.record_hash_at_end();
        let Self { log, history, .. } = self;
        let mut tick = 0;
        history.take(direction, |step| {
            let UndoStep::Branch(tail) = step else { return step };
            let (kept, begin) = tail.begin();
            tick = begin;
            let mut log = log.lock();
            let old = log.split_off(kept, begin);
            log.append(tail);
            UndoStep::Branch(old)
        });
        self.keyframes.truncate(tick);
        self.branches += 1;
        let state = self.nearest(tick);
        self.seek_from(state, tick);
    }
}

impl Timeline for Session {
    fn snapshot(&self) -> Snapshot<'_> {
        self.flock().into()
    }

    fn position(&self) -> SessionPosition {
        let (first, last) = self.ticks();
        let tick = self.current.tick;
        let seeking = self.seek.as_ref().map(|seek| (seek.target, seek.share()));
        SessionPosition {
            first,
            tick,
            last,
            seeking: seeking.or_else(|| {
                self.is_catching_up.then(|| (tick, self.log.lock().share_of_tick(tick, self.current.done)))
            }),
            branches: self.branches,
            is_branched: self.history.has_branch(),
        }
    }

    fn is_busy(&self) -> bool {
        self.seek.is_some() || self.is_catching_up
    }

    fn is_seeking(&self) -> bool {
        self.seek.is_some()
    }

    fn work(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        let Some(seek) = &mut self.seek else {
            let repeated = self.current.repeat_event();
            self.is_catching_up = repeated.is_some();
            return repeated.unwrap_or(Ok(()));
        };
        // An impossible command was reported when the session was played.
        if seek.replay.repeat_event().is_none() {
            if seek.replay.tick == seek.target {
                self.finish_seek();
            } else {
                seek.replay.step_flock(scratch);
                self.keyframes.record(&seek.replay, self.log.lock().start().tick());
                if seek.near.pop_if(|tick| *tick <= seek.replay.tick).is_some() {
                    self.keyframes.record_near(&seek.replay);
                }
            }
        }
        Ok(())
    }

    /// If events at the current tick remain, they come first, instead of the tick.
    fn step(&mut self, scratch: &mut Scratch) {
        self.is_catching_up = true;
        if self.log.lock().event_until(self.current.tick, self.current.done).is_some() {
            return;
        }
        self.current.step_flock(scratch);
        let mut log = self.log.lock();
        if self.current.tick > log.tick() && log.record_tick(&mut self.current.flock) {
            // The log starts again with this state.
            (self.current.tick, self.current.done) = (log.tick(), log.events().len());
            self.keyframes.clear();
            self.history.retain(|step| matches!(step, UndoStep::Params(_)));
        }
        self.keyframes.record(&self.current, log.start().tick());
    }

    /// An exchange of branches ends first.
    fn seek(&mut self, tick: u64) {
        if self.is_exchanging() {
            return;
        }
        self.record_hash_at_end();
        let (first, last) = self.ticks();
        let target = tick.clamp(first, last);
        self.seek_from(self.nearest(target), target);
    }

    /// Not an exchange of branches.
    fn cancel(&mut self) {
        if !self.is_exchanging() {
            (self.seek, self.is_catching_up) = (None, false);
        }
    }

    fn visit_before(&self, ticks: u64, scratch: &mut Scratch, visit: &mut dyn FnMut(Option<Snapshot<'_>>) -> bool) {
        let from = self.current.tick.saturating_sub(ticks).max(self.ticks().0);
        let Some(mut replay) = self.nearest(from) else { return };
        while replay.tick < self.current.tick {
            if replay.repeat_event().is_some() {
                if !visit(None) {
                    return;
                }
                continue;
            }
            if !visit((replay.tick >= from).then(|| (&replay.flock).into())) {
                return;
            }
            replay.step_flock(scratch);
        }
    }

    fn near(&self, tick: u64) -> Option<Box<dyn Timeline>> {
        Some(Box::new(Self::at(self.nearest(tick)?, SharedLog::new(self.log.lock().clone()), 0)))
    }

    fn run(&self) -> Run {
        self.current.run.clone()
    }

    fn divergence(&self) -> Option<Divergence> {
        self.current.divergence
    }

    fn is_exchanging(&self) -> bool {
        self.current.branch != self.branches
    }

    fn session(&self) -> Option<&Session> {
        Some(self)
    }

    fn session_mut(&mut self) -> Option<&mut Session> {
        Some(self)
    }
}

impl Seek {
    /// How much of the way is done, from 0 to 1.
    fn share(&self) -> f32 {
        let Replay { tick, done, log, .. } = &self.replay;
        let part = if self.target == self.from { log.lock().share_of_tick(*tick, *done) } else { 0.0 };
        part + (tick - self.from) as f32 / (self.target - self.from).max(1) as f32
    }
}

impl ParamChange {
    /// The changes that a command makes.
    fn of(command: &Command, flock: &Flock) -> Vec<Self> {
        let values = match command {
            Command::SetParam(param, value) => &[(*param, *value)][..],
            Command::SetParams(values, _) => values,
            _ => &[],
        };
        let params = flock.morph_target().0;
        let changes = values.iter().map(|&(param, after)| Self { param, before: param.get(params), after });
        changes.filter(|change| change.before != change.after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pointer, Setup};

    /// A session of 100 ticks.
    struct Played {
        session: Session,
        scratch: Scratch,
    }

    impl Played {
        fn new() -> Self {
            let flock = Flock::new(&Setup::default().with_boids(20)).unwrap();
            let log = SharedLog::new(SessionLog::new(SessionStart::of(&flock, true)));
            let mut played = Self { session: Session::new(flock, log, 1 << 20), scratch: Scratch::new() };
            played.step(100);
            played
        }

        /// The same at an earlier tick.
        fn at(tick: u64) -> Self {
            let mut played = Self::new();
            played.seek(tick);
            played
        }

        fn step(&mut self, ticks: u64) {
            for _ in 0..ticks {
                self.session.step(&mut self.scratch);
                self.session.finish(&mut self.scratch).unwrap();
            }
        }

        fn seek(&mut self, tick: u64) {
            self.session.seek(tick);
            self.session.finish(&mut self.scratch).unwrap();
        }

        fn undo(&mut self, direction: Direction) -> Undone {
            let undone = self.session.undo(direction, &mut self.scratch);
            self.session.finish(&mut self.scratch).unwrap();
            undone
        }

        /// Returns whether it started a branch.
        fn set_speed(&mut self, value: f32, continues: bool) -> bool {
            self.session
                .apply(Command::set("speed.max", Value::Number(value)).unwrap(), continues, &mut self.scratch)
                .unwrap()
        }

        fn speed(&self) -> f32 {
            self.session.flock().params().speed.max
        }

        fn ticks(&self) -> (u64, u64) {
            let SessionPosition { tick, last, .. } = self.session.position();
            (tick, last)
        }
    }

    #[test]
    fn changes_of_the_past_branch_once_and_undo_as_a_branch() {
        let mut played = Played::at(40);
        let before = played.speed();
        assert!(played.set_speed(9.0, false) && !played.set_speed(8.0, true));
        assert!(!played.session.apply(Command::SetBoids(50), false, &mut played.scratch).unwrap());
        played.step(1);
        assert_eq!((played.ticks(), played.session.position().branches), ((41, 41), 1));
        assert!(played.session.position().is_branched);
        assert_eq!(played.undo(Direction::Undo), Undone::Branch);
        assert_eq!((played.ticks(), played.session.flock().boids(), played.speed()), ((40, 100), 20, before));
        assert!(!played.session.position().is_branched);
        assert_eq!((played.undo(Direction::Undo), played.undo(Direction::Redo)), (Undone::Nothing, Undone::Branch));
        assert_eq!((played.ticks(), played.session.flock().boids(), played.speed()), ((40, 41), 50, 8.0));
        // Another branch ends the redo.
        played.undo(Direction::Undo);
        assert!(played.session.apply(Command::SetPredators(1), false, &mut played.scratch).unwrap());
        assert_eq!((played.undo(Direction::Redo), played.undo(Direction::Undo)), (Undone::Nothing, Undone::Branch));
    }

    #[test]
    fn a_replay_repeats_the_session_whatever_follows() {
        let mut played = Played::new();
        played.set_speed(9.0, false);
        played.step(100);
        let mut replay = played.session.near(90).unwrap();
        let SessionPosition { tick, last, .. } = replay.position();
        assert!((64..=90).contains(&tick) && last == 200, "{tick}");
        let hash = played.session.flock().session_hash();
        played.seek(95);
        played.set_speed(3.0, false);
        played.step(10);
        replay.finish(&mut played.scratch).unwrap();
        while replay.position().tick < last {
            replay.advance(&mut played.scratch).unwrap();
        }
        let replay = replay.session().unwrap();
        assert_eq!((replay.flock().session_hash(), replay.divergence()), (hash, None));
    }

    #[test]
    fn a_replay_follows_the_branch_that_an_undo_returns_to() {
        let mut played = Played::at(40);
        let before = played.speed();
        played.set_speed(9.0, false);
        played.step(1);
        // The move to the other branch is left to be computed.
        assert_eq!(played.session.undo(Direction::Undo, &mut played.scratch), Undone::Branch);
        assert_eq!(played.speed(), 9.0);
        let replay = played.session.near(60).unwrap();
        assert_eq!(replay.session().unwrap().flock().params().speed.max, before);
    }

    #[test]
    fn a_refused_change_of_the_past_starts_no_branch() {
        let mut played = Played::at(40);
        assert!(played.session.apply(Command::SetBoids(0), false, &mut played.scratch).is_err());
        assert!(
            played
                .session
                .apply(Command::set("speed.max", Value::Number(-1.0)).unwrap(), false, &mut played.scratch)
                .is_err()
        );
        assert_eq!((played.ticks(), played.undo(Direction::Undo)), ((40, 100), Undone::Nothing));
    }

    #[test]
    fn a_refused_change_keeps_what_can_be_redone() {
        let mut played = Played::new();
        played.set_speed(9.0, false);
        played.undo(Direction::Undo);
        assert!(
            played
                .session
                .apply(Command::set("speed.max", Value::Number(-1.0)).unwrap(), false, &mut played.scratch)
                .is_err()
        );
        assert!(matches!(played.undo(Direction::Redo), Undone::Values(_)) && played.speed() == 9.0);
    }

    #[test]
    fn undo_leaves_later_changes_alone_in_the_past() {
        let mut played = Played::new();
        let before = played.speed();
        played.set_speed(9.0, false);
        played.seek(20);
        assert_eq!((played.undo(Direction::Undo), played.ticks()), (Undone::NotAtEnd, (20, 100)));
        played.seek(100);
        let speed = Param::find("speed.max").unwrap();
        assert_eq!(played.undo(Direction::Undo), Undone::Values(vec![(speed, Value::Number(before))]));
        assert_eq!(played.speed(), before);
    }

    #[test]
    fn loading_a_preset_forgets_parameters_and_keeps_a_branch() {
        let load = |played: &mut Played| {
            let setup = Setup::default().with_boids(30);
            played.session.apply(Command::Morph(Box::new(setup), 5), false, &mut played.scratch).unwrap();
        };
        let mut played = Played::new();
        played.set_speed(9.0, false);
        load(&mut played);
        assert_eq!((played.undo(Direction::Undo), played.undo(Direction::Redo)), (Undone::Nothing, Undone::Nothing));
        let mut played = Played::at(40);
        played.set_speed(9.0, false);
        played.step(1);
        played.set_speed(3.0, false);
        load(&mut played);
        assert_eq!((played.undo(Direction::Undo), played.ticks()), (Undone::Branch, (40, 100)));
    }

    #[test]
    fn a_branch_releases_the_pointer_unless_it_moves_it() {
        let pointer = Pointer { at: [9.0; 3], along: [0.0; 3], attracts: true };
        let held = |command| {
            let mut played = Played::new();
            played.session.apply(Command::SetPointer(Some(pointer)), false, &mut played.scratch).unwrap();
            played.step(20);
            played.seek(110);
            assert!(played.session.flock().pointer().is_some());
            assert!(played.session.apply(command, false, &mut played.scratch).unwrap());
            played.session.flock().pointer()
        };
        let moved = Pointer { at: [5.0; 3], ..pointer };
        assert_eq!(held(Command::SetBoids(50)), None);
        assert_eq!(held(Command::SetPointer(Some(moved))), Some(moved));
    }

    #[test]
    fn several_parameters_change_smoothly_as_one_event_and_one_undo_step() {
        let mut played = Played::new();
        let [speed, weight] = ["speed.max", "cohesion.weight"].map(|key| Param::find(key).unwrap());
        let values = |params: &crate::Params| [speed, weight].map(|param| param.get(params));
        let before = values(played.session.flock().params());
        let after = [Value::Number(9.0), Value::Number(0.5)];
        let marks = |played: &Played| played.session.log.lock().marks_from(0).count();
        let count = marks(&played);
        let change = Command::SetParams(vec![(speed, after[0]), (weight, after[1])], 10);
        played.session.apply(change, false, &mut played.scratch).unwrap();
        assert_eq!((values(played.session.flock().params()), marks(&played)), (before, count + 1));
        played.step(5);
        assert!(!after.iter().zip(values(played.session.flock().params())).any(|(after, now)| *after == now));
        played.step(5);
        assert_eq!(values(played.session.flock().params()), after);
        let undone = played.undo(Direction::Undo);
        assert_eq!(undone, Undone::Values(vec![(speed, before[0]), (weight, before[1])]));
        assert_eq!((values(played.session.flock().params()), marks(&played)), (before, count + 2));
        let invalid = Command::SetParams(vec![(weight, after[1]), (speed, Value::Number(-1.0))], 0);
        assert!(played.session.apply(invalid, false, &mut played.scratch).is_err());
        assert_eq!(values(played.session.flock().params()), before);
    }
}
