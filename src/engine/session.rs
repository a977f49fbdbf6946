//! The log of the session, which another thread can read.

use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use super::request::Request;
use crate::sim::{SessionLog, SharedLog};

/// What the simulation thread receives.
#[derive(Debug)]
pub(super) enum Message {
    Request(Request),
    /// Send the log and the hash of its last state.
    ReadSession(Sender<(SessionLog, Option<u64>)>),
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
            Ok(read) => read,
            Err(_) => (self.log.lock().clone(), None),
        }
    }
}
