//! What a session and the player of a recording have in common.

use std::fmt::Debug;

use super::{Divergence, ReplayError, Run, Session, SessionPosition};
use crate::{Scratch, Snapshot};

/// States at successive ticks, one of which is shown.
///
/// Whatever may take long is computed in pieces: while it [is busy](Self::is_busy), [`work`](Self::work) computes the next one.
pub trait Timeline: Debug + Send {
    /// What measures and files have of the state that is shown.
    fn snapshot(&self) -> Snapshot<'_>;

    /// What pictures show of it.
    fn picture(&self) -> Snapshot<'_> {
        self.snapshot()
    }

    /// Which tick is shown, and which there are.
    fn position(&self) -> SessionPosition;

    /// Whether a part of a tick or of a move remains to be computed.
    fn is_busy(&self) -> bool;

    /// Whether a move to another tick is under way.
    fn is_seeking(&self) -> bool;

    /// Computes the next piece.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command at the current tick; it has no effect.
    fn work(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError>;

    /// Advances by one tick, in a recording at most to the last frame. [`work`](Self::work) completes it.
    fn step(&mut self, scratch: &mut Scratch);

    /// Begins to move to a tick, or to the nearest one.
    fn seek(&mut self, tick: u64);

    /// Ends a computation early.
    fn cancel(&mut self);

    /// Calls `visit` with what pictures show at each of the `ticks` before the current one, until it returns false, and with `None`
    /// on the way there.
    fn visit_before(&self, ticks: u64, scratch: &mut Scratch, visit: &mut dyn FnMut(Option<Snapshot<'_>>) -> bool);

    /// Calls `draw` with the picture on the way to the next tick, or `backward` to the one before, at this share of the way from 0 to
    /// 1. Returns false if there are no states between ticks.
    fn draw_between(&self, _backward: bool, _share: f32, _draw: &mut dyn FnMut(Snapshot<'_>)) -> bool {
        false
    }

    /// Another timeline from the nearest known state that is not after a tick. Later changes of this one do not affect it. `None` if
    /// the first state is lost.
    fn near(&self, tick: u64) -> Option<Box<dyn Timeline>>;

    /// The run of the flock.
    fn run(&self) -> Run {
        Run::default()
    }

    /// The first hash that differed from the log of a session.
    fn divergence(&self) -> Option<Divergence> {
        None
    }

    /// Whether a move to another branch of a session is under way, which ends before another move begins.
    fn is_exchanging(&self) -> bool {
        false
    }

    /// The session, unless it is a recording.
    fn session(&self) -> Option<&Session> {
        None
    }

    /// The session, to change it.
    fn session_mut(&mut self) -> Option<&mut Session> {
        None
    }

    /// Begins to move by a number of ticks, from the tick of a move that is under way.
    fn skip(&mut self, ticks: i64) {
        self.seek(self.position().target().saturating_add_signed(ticks));
    }

    /// Computes all that remains.
    ///
    /// # Errors
    ///
    /// As [`work`](Self::work), for the first impossible command.
    fn finish(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        let mut result = Ok(());
        while self.is_busy() {
            result = result.and(self.work(scratch));
        }
        result
    }

    /// Advances by one tick, with all that belongs to it.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    fn advance(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        self.step(scratch);
        self.finish(scratch)
    }
}
