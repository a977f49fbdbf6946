//! The log of the session, which another thread can read, and the script of a session that is replayed.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::request::Request;
use crate::sim::{Command, SessionEvent, SessionLog};

/// What the simulation thread receives.
#[derive(Debug)]
pub(super) enum Message {
    Request(Request),
    /// Send the log and the hash of the current state.
    ReadSession(Sender<(SessionLog, u64)>),
}

/// The log, to which the simulation thread adds.
#[derive(Clone, Debug)]
pub(super) struct SharedLog(Arc<Mutex<SessionLog>>);

impl SharedLog {
    pub(super) fn new(log: SessionLog) -> Self {
        Self(Arc::new(Mutex::new(log)))
    }

    /// The log. A thread that panicked leaves it as it was.
    pub(super) fn lock(&self) -> MutexGuard<'_, SessionLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the log of the session while the engine runs and after it has ended.
#[derive(Clone, Debug)]
pub struct SessionReader {
    pub(super) messages: Sender<Message>,
    pub(super) log: SharedLog,
}

impl SessionReader {
    /// Looks at the log; the simulation thread waits meanwhile if it is about to change it.
    pub fn with_log<R>(&self, look: impl FnOnce(&SessionLog) -> R) -> R {
        look(&self.log.lock())
    }

    /// The log, and the session hash at its last tick. There is no hash if the simulation thread has panicked or does not
    /// answer within `timeout`.
    #[must_use]
    pub fn read(&self, timeout: Duration) -> (SessionLog, Option<u64>) {
        let (sender, receiver) = mpsc::channel();
        // Fails only if the thread has panicked.
        let _ = self.messages.send(Message::ReadSession(sender));
        match receiver.recv_timeout(timeout) {
            Ok((log, hash)) => (log, Some(hash)),
            Err(_) => (self.log.lock().clone(), None),
        }
    }
}

/// The rest of a session that is replayed.
#[derive(Debug)]
pub(super) struct Script {
    events: VecDeque<(u64, SessionEvent)>,
    /// The last tick of the session.
    end: u64,
}

impl Script {
    pub(super) fn new(log: &SessionLog) -> Self {
        Self { events: log.events().to_vec().into(), end: log.tick() }
    }

    /// Takes the next event if it is due at this tick.
    pub(super) fn next_at(&mut self, tick: u64) -> Option<SessionEvent> {
        self.events.front().filter(|(at, _)| *at <= tick)?;
        self.events.pop_front().map(|(_, event)| event)
    }

    /// Puts back commands that precede all other events.
    pub(super) fn put_back(&mut self, commands: Vec<(u64, Command)>) {
        for (tick, command) in commands.into_iter().rev() {
            self.events.push_front((tick, SessionEvent::Command(command)));
        }
    }

    pub(super) fn ends_at(&self, tick: u64) -> bool {
        tick == self.end
    }
}
