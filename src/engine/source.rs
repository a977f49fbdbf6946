//! What the engine shows: the session of a flock, or a recording.

use std::sync::Arc;

use crate::sim::{
    Divergence, Flock, Replay, ReplayError, Run, Scratch, Session, SessionLog, SessionPosition, SessionStart,
    SharedLog, Snapshot,
};
use crate::tracks::{Player, Recording};

/// What an engine shows: the states of a session or of a recording, at any of their ticks. Each recorded frame is a tick.
///
/// Whatever may take long is computed in pieces: while it is busy, `work` computes the next one.
#[derive(Debug)]
pub enum Source {
    /// A session.
    Session(Box<Session>),
    /// A recording.
    Player {
        /// Its player.
        player: Box<Player>,
        /// The frame that the next piece of work shows, and whether that is a move to another tick.
        target: Option<(usize, bool)>,
    },
}

impl Source {
    /// A flock, and the memory for states to go back to, in bytes. If the flock is the first state of `replay`, its commands follow
    /// at their ticks. Otherwise `from_setup` says whether it follows from its setup: if not, a saved session contains its agents.
    pub fn flock(flock: Flock, replay: Option<SessionLog>, from_setup: bool, history: usize) -> Self {
        let log = replay.unwrap_or_else(|| SessionLog::new(SessionStart::of(&flock, from_setup)));
        Self::Session(Box::new(Session::new(flock, SharedLog::new(log), history)))
    }

    /// A recording.
    pub fn player(player: Player) -> Self {
        Self::Player { player: Box::new(player), target: None }
    }

    /// What it shows.
    pub fn snapshot(&self) -> Snapshot<'_> {
        match self {
            Self::Session(session) => session.flock().into(),
            Self::Player { player, .. } => (&**player).into(),
        }
    }

    /// What pictures show.
    pub(super) fn picture(&self) -> Snapshot<'_> {
        self.as_player().map_or_else(|| self.snapshot(), Player::picture)
    }

    /// The session, unless it is a recording.
    pub(super) fn session(&self) -> Option<&Session> {
        if let Self::Session(session) = self { Some(session) } else { None }
    }

    /// The session, to change it.
    pub(super) fn session_mut(&mut self) -> Option<&mut Session> {
        if let Self::Session(session) = self { Some(session) } else { None }
    }

    /// The player, if it is a recording.
    pub(super) fn as_player(&self) -> Option<&Player> {
        if let Self::Player { player, .. } = self { Some(player) } else { None }
    }

    pub(super) fn run(&self) -> Run {
        self.session().map_or_else(Run::default, |session| session.run().clone())
    }

    pub(super) fn divergence(&self) -> Option<Divergence> {
        self.session()?.divergence()
    }

    pub(super) fn position(&self) -> SessionPosition {
        match self {
            Self::Session(session) => session.position(),
            Self::Player { player, target } => {
                let (first, last) = ticks(player.recording());
                let at = |frame: usize| first + frame as u64;
                let seeking = target.map(|(target, _)| (at(target), 0.0));
                SessionPosition { first, tick: at(player.frame()), last, seeking, ..SessionPosition::default() }
            }
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        match self {
            Self::Session(session) => session.is_busy(),
            Self::Player { target, .. } => target.is_some(),
        }
    }

    /// Whether a move to another tick is under way.
    pub(super) fn is_seeking(&self) -> bool {
        match self {
            Self::Session(session) => session.is_seeking(),
            Self::Player { target, .. } => target.is_some_and(|(_, is_move)| is_move),
        }
    }

    /// Whether a move to the other branch is under way.
    pub(super) fn is_exchanging(&self) -> bool {
        self.session().is_some_and(Session::is_exchanging)
    }

    /// Computes the next piece.
    pub(super) fn work(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        match self {
            Self::Session(session) => session.work(scratch),
            Self::Player { player, target } => {
                target.take().into_iter().for_each(|(target, _)| player.show(target));
                Ok(())
            }
        }
    }

    /// Advances by one tick, in a recording at most to the last frame. [`work`](Self::work) completes it.
    pub(super) fn step(&mut self, scratch: &mut Scratch) {
        match self {
            Self::Session(session) => session.step(scratch),
            Self::Player { player, target } => *target = Some((player.frame() + 1, false)),
        }
    }

    /// Begins to move to a tick, or to the nearest one.
    pub(super) fn seek(&mut self, tick: u64) {
        match self {
            Self::Session(session) => session.seek(tick),
            Self::Player { player, target } => {
                let (first, last) = ticks(player.recording());
                *target = Some(((tick.clamp(first, last) - first) as usize, true));
            }
        }
    }

    /// Begins to move by a number of ticks, from the tick of a move that is under way.
    pub(super) fn skip(&mut self, ticks: i64) {
        self.seek(self.position().target().saturating_add_signed(ticks));
    }

    /// Ends a computation early.
    pub(super) fn cancel(&mut self) {
        match self {
            Self::Session(session) => session.cancel(),
            Self::Player { target, .. } => *target = None,
        }
    }

    /// Calls `visit` with each of the `ticks` before the current one, until it returns false, and with `None` on the way there.
    pub(super) fn visit_before(
        &self,
        ticks: u64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Option<Snapshot<'_>>) -> bool,
    ) {
        match self {
            Self::Session(session) => session.visit_before(ticks, scratch, |flock| visit(flock.map(Snapshot::from))),
            Self::Player { player, .. } => {
                let now = player.frame();
                let mut frames = now.saturating_sub(ticks as usize)..now;
                let _ = frames.all(|frame| visit(Some((&player.picture_at(frame)).into())));
            }
        }
    }

    /// What follows from the nearest known state that is not after a tick. `None` if the first state is lost.
    pub(super) fn playback_near(&self, tick: u64) -> Option<Playback> {
        match self {
            Self::Session(session) => session.replay_near(tick).map(Playback::from),
            Self::Player { player, .. } => {
                let mut player = player.clone();
                player.show(tick.saturating_sub(player.recording().first) as usize);
                Some(Playback::Player(player))
            }
        }
    }
}

/// The first and the last tick of a recording, whose frames have successive ticks.
fn ticks(recording: &Recording) -> (u64, u64) {
    (recording.first, recording.first + recording.frames().saturating_sub(1) as u64)
}

/// A session or a recording that is played forward, without a clock.
#[derive(Clone, Debug)]
pub enum Playback {
    /// A session.
    Replay(Box<Replay>),
    /// A recording.
    Player(Box<Player>),
}

impl From<Replay> for Playback {
    fn from(replay: Replay) -> Self {
        Self::Replay(Box::new(replay))
    }
}

impl Playback {
    /// What it shows.
    pub fn snapshot(&self) -> Snapshot<'_> {
        match self {
            Self::Replay(replay) => replay.flock().into(),
            Self::Player(player) => (&**player).into(),
        }
    }

    /// What pictures show.
    pub fn picture(&self) -> Snapshot<'_> {
        if let Self::Player(player) = self { player.picture() } else { self.snapshot() }
    }

    /// The recording, if it is one.
    pub fn recording(&self) -> Option<&Arc<Recording>> {
        if let Self::Player(player) = self { Some(player.recording()) } else { None }
    }

    /// The tick of the session, or that of the frame.
    pub fn tick(&self) -> u64 {
        match self {
            Self::Replay(replay) => replay.tick(),
            Self::Player(player) => player.recording().first + player.frame() as u64,
        }
    }

    /// The last tick.
    pub fn last_tick(&self) -> u64 {
        match self {
            Self::Replay(replay) => replay.last_tick(),
            Self::Player(player) => ticks(player.recording()).1,
        }
    }

    /// How often the flock started again before.
    pub fn run_number(&self) -> u64 {
        if let Self::Replay(replay) = self { replay.run().number } else { 0 }
    }

    /// The first hash of a session that differs so far.
    pub fn divergence(&self) -> Option<Divergence> {
        if let Self::Replay(replay) = self { replay.divergence() } else { None }
    }

    /// Advances by one tick, in a recording at most to the last frame.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] for an impossible command.
    pub fn step(&mut self, scratch: &mut Scratch) -> Result<(), ReplayError> {
        match self {
            Self::Replay(replay) => replay.step(scratch),
            Self::Player(player) => {
                player.show(player.frame() + 1);
                Ok(())
            }
        }
    }
}
