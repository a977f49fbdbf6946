//! The simulation thread, and pools of threads for work beside it. It owns the flock and the canvas, processes requests, and publishes frames.
//!
//! Requests arrive through a channel and frames leave through a triple buffer, so engine and viewer never wait for
//! each other: a slow terminal drops frames, never ticks, and a slow tick never delays a key.

mod frame;
mod request;
pub(crate) mod test_hooks;
mod tiles;
mod timers;
mod worker;

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use frame::{FormationState, Frame, FrameMaker, Measured, Notice};
pub use request::{Breed, Clock, Controls, Request, RequestError};
pub use tiles::{ShownBrood, TiledFlocks};
pub(crate) use timers::{MEASURE_INTERVAL, RateLimit};
pub use worker::Options;

use crate::sim::{STACK_SIZE, Scratch, SessionLog, SharedLog, Timeline};
use rayon::{ThreadPool, ThreadPoolBuilder};
use triple_buffer::Output;
use worker::{Message, Worker};

/// A flock or a recording on a thread of its own. When the engine is dropped, the thread ends after the current tick; nothing waits for
/// it.
#[derive(Debug)]
pub struct Engine {
    messages: Sender<Message>,
    /// That of a session.
    log: Option<SharedLog>,
    frames: Output<Frame>,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Starts the thread. It pauses at the end of a replayed session and of a recording, calls `notify` after each frame, and drops it
    /// when it ends.
    ///
    /// # Errors
    ///
    /// If the system refuses to start a thread.
    pub fn start(
        timeline: Box<dyn Timeline>,
        options: Options,
        notify: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (messages, inbox) = mpsc::channel();
        let setup = timeline.snapshot().setup();
        let (frames, output) = triple_buffer::triple_buffer(&Frame::new(Controls::of_setup(setup, options.rate)));
        let log = timeline.session().map(|session| session.log().clone());
        let thread = thread::Builder::new().name("engine".into()).stack_size(STACK_SIZE).spawn(move || {
            let (threads, simd) = (options.threads, options.simd);
            let mut worker = Worker::new(timeline, options, inbox, frames, Box::new(notify));
            in_pool(threads, |scratch| {
                scratch.set_simd(simd);
                worker.run(scratch);
            });
        })?;
        while test_hooks::panics_at(0) && !thread.is_finished() {
            thread::yield_now();
        }
        Ok(Self { messages, log, frames: output, thread })
    }

    /// Sends a request. The engine handles it before the next tick, or after a move to another tick that is under way.
    pub fn request(&self, request: Request) {
        // Fails only if the thread has panicked, which `is_running` reports.
        let _ = self.messages.send(Message::Request(request));
    }

    /// A reader of the log of the session, unless it shows a recording.
    pub fn session(&self) -> Option<SessionReader> {
        Some(SessionReader { messages: self.messages.clone(), log: self.log.clone()? })
    }

    /// Asks for what follows from the nearest known state that is not after a tick, with the requests sent so far. The returned
    /// function waits for it; `None` if the simulation thread has panicked.
    pub fn near(&self, tick: u64) -> impl FnOnce() -> Option<Box<dyn Timeline>> + Send + use<> {
        let (sender, receiver) = mpsc::channel();
        let _ = self.messages.send(Message::Near(tick, sender));
        move || receiver.recv().ok().flatten()
    }

    /// Whether there is a frame that [`take_frame`](Self::take_frame) has not returned yet.
    pub fn has_new_frame(&self) -> bool {
        self.frames.updated()
    }

    /// Whether the thread is alive. It ends early only by a panic.
    pub fn is_running(&self) -> bool {
        !self.thread.is_finished()
    }

    /// Exchanges a frame for the latest one. Returns whether panel and plots of the two differ; `None` if there is no new one.
    pub fn take_frame(&mut self, frame: &mut Frame) -> Option<bool> {
        self.frames.update().then(|| {
            let latest = self.frames.output_buffer_mut();
            let differs = !latest.has_same_values(frame);
            std::mem::swap(frame, latest);
            differs
        })
    }
}

/// Reads the log of the session while the engine runs and after it has ended.
#[derive(Clone, Debug)]
pub struct SessionReader {
    messages: Sender<Message>,
    /// The log. The simulation thread waits while it is locked, if it is about to change it.
    pub log: SharedLog,
}

impl SessionReader {
    /// Asks for the log after the requests sent so far. The returned function waits for it, and for the session hash at its last
    /// tick. There is no hash if the simulation thread has panicked or does not answer within the given time.
    pub fn read(&self) -> impl FnOnce(Duration) -> (SessionLog, Option<u64>) + Send + use<> {
        let (sender, receiver) = mpsc::channel();
        // Fails only if the thread has panicked.
        let _ = self.messages.send(Message::ReadSession(sender));
        let log = self.log.clone();
        move |timeout| receiver.recv_timeout(timeout).unwrap_or_else(|_| (log.lock().clone(), None))
    }
}

/// A pool of this many threads, but at least one, for work in the background. A panic ends the work, not the program. While a flock is shown, one
/// thread less than allowed keeps the picture smooth.
///
/// # Errors
///
/// If the system refuses threads.
pub fn thread_pool(threads: usize) -> io::Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).stack_size(STACK_SIZE);
    pool.panic_handler(|_| ()).build().map_err(io::Error::other)
}

/// [`sim::in_pool`](crate::sim::in_pool), with a warning in the log if the system refuses the threads.
pub fn in_pool<R: Send>(threads: NonZeroUsize, body: impl FnOnce(&mut Scratch) -> R + Send) -> R {
    crate::sim::in_pool(threads, |scratch| {
        if threads.get() > 1 && !scratch.is_parallel() {
            tracing::warn!(threads, "cannot start threads; using one");
        }
        body(scratch)
    })
}
