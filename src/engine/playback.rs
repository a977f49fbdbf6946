//! The flock in its session: ticks forward and backward, and moves to other ticks.

use std::time::{Duration, Instant};

use super::frame::SessionPosition;
use crate::sim::{Command, Error, Flock, ReplayError, Scratch, Seek, SessionLog, SessionPlayer, SharedLog};

/// How long a move to a tick is computed before requests are looked at.
const SLICE: Duration = Duration::from_millis(20);

/// A flock in its session, and the move to another tick that is under way.
pub(super) struct Playback {
    player: SessionPlayer,
    seek: Option<Move>,
    /// Whether ticks run backward.
    backward: bool,
    /// The last tick of a replayed file, until the session is longer.
    pause_at: Option<u64>,
    /// Whether a difference between the log and the replay was reported.
    diverged: bool,
}

/// A move to another tick.
struct Move {
    seek: Seek,
    /// Whether the flock that is shown belongs to the session, so that the move can end early.
    can_cancel: bool,
}

impl Playback {
    /// The first state of a session, with keyframes in at most `history` bytes.
    pub(super) fn new(flock: Flock, log: SharedLog, pause_at: Option<u64>, history: usize) -> Self {
        let player = SessionPlayer::new(flock, log, history);
        Self { player, seek: None, backward: false, pause_at, diverged: false }
    }

    /// Applies the commands at the first tick.
    pub(super) fn begin(&mut self) -> Result<(), ReplayError> {
        self.player.begin()
    }

    /// The flock that is shown.
    pub(super) fn flock(&self) -> &Flock {
        self.player.flock()
    }

    /// How often the flock was replaced or started again.
    pub(super) fn runs(&self) -> u64 {
        self.player.runs()
    }

    /// The log, and the session hash at its last tick if that is known.
    pub(super) fn snapshot(&self) -> (SessionLog, Option<u64>) {
        self.player.snapshot()
    }

    /// Where the flock is in the session.
    pub(super) fn position(&self) -> SessionPosition {
        let (first, last) = self.player.ticks();
        SessionPosition {
            first,
            tick: self.player.tick(),
            last,
            backward: self.backward,
            seeking: self.seek.as_ref().map(|on| (on.seek.target(), on.seek.share())),
            branches: self.player.branches(),
        }
    }

    /// Applies a command of the user.
    pub(super) fn change(&mut self, command: Command) -> Result<(), Error> {
        self.pause_at = None;
        self.player.apply(command)
    }

    /// Runs a tick forward, or begins to move back by one.
    pub(super) fn tick(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        if self.backward {
            self.skip(-1);
            return Ok(());
        }
        self.player.step(scratch)
    }

    /// Whether the ticks end here: at the first one backward, or at the last one of a replayed file.
    pub(super) fn is_at_stop(&self) -> bool {
        let (first, last) = self.player.ticks();
        let tick = self.player.tick();
        if self.backward { tick == first && self.seek.is_none() } else { self.pause_at == Some(tick) && tick == last }
    }

    /// Lets the ticks run backward or forward.
    pub(super) fn set_backward(&mut self, backward: bool) {
        self.backward = backward;
    }

    /// Begins to move to a tick, or to the nearest one of the session.
    pub(super) fn seek(&mut self, tick: u64) {
        let can_cancel = self.seek.as_ref().is_none_or(|on| on.can_cancel);
        if can_cancel {
            self.seek = Some(Move { seek: self.player.seek(tick), can_cancel });
        }
    }

    /// The same by a number of ticks, from the tick that is shown or that a move leads to.
    pub(super) fn skip(&mut self, ticks: i64) {
        let from = self.seek.as_ref().map_or(self.player.tick(), |on| on.seek.target());
        self.seek(from.saturating_add_signed(ticks));
    }

    /// Ends a move early, if there is one.
    pub(super) fn cancel_seek(&mut self) {
        self.seek.take_if(|on| on.can_cancel);
    }

    /// Whether a move to a tick is under way.
    pub(super) fn is_seeking(&self) -> bool {
        self.seek.is_some()
    }

    /// Computes a part of the move that is under way. Returns whether the flock is at its tick.
    pub(super) fn continue_seek(&mut self, scratch: &mut Scratch) -> bool {
        let Some(on) = &mut self.seek else { return false };
        let start = Instant::now();
        while !self.player.advance(&mut on.seek, scratch) {
            if start.elapsed() > SLICE {
                return false;
            }
        }
        if let Some(on) = self.seek.take() {
            self.player.finish(on.seek, scratch);
        }
        true
    }

    /// Undoes the last change in the past, or repeats the one that was undone last. Returns whether there was one.
    pub(super) fn exchange_branch(&mut self, undo: bool) -> bool {
        let seek = if undo { self.player.undo_branch() } else { self.player.redo_branch() };
        self.seek = seek.map(|seek| Move { seek, can_cancel: false });
        self.pause_at = None;
        self.seek.is_some()
    }

    /// Calls `visit` with the flock at each of the `ticks` before the current one.
    pub(super) fn visit_before(&self, ticks: u64, scratch: &mut Scratch, visit: impl FnMut(&Flock)) {
        self.player.visit_before(ticks, scratch, visit);
    }

    /// A message about the first difference between the log and the replay, once.
    pub(super) fn divergence(&mut self) -> Option<String> {
        let divergence = self.player.divergence().filter(|_| !self.diverged)?;
        self.diverged = true;
        Some(format!("the replay differs from the session from tick {} at the latest", divergence.tick))
    }
}
