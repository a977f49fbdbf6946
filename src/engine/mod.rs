//! The simulation thread. It owns the flock and the canvas, processes requests, and publishes frames.
//!
//! Requests arrive through a channel and frames leave through a triple buffer, so engine and viewer never wait for
//! each other: a slow terminal drops frames, never ticks, and a slow tick never delays a key.

mod frame;
mod playback;
mod request;
mod session;
mod timers;
mod worker;

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

pub use frame::{Frame, SessionPosition};
pub use request::{Clock, Request};
pub use session::SessionReader;
pub(crate) use timers::{MEASURE_INTERVAL, RateLimit};
pub(crate) use worker::MEASURE_SAMPLE;
pub use worker::Options;

use crate::sim::{Flock, Scratch, SessionLog, SessionStart, SharedLog};
use playback::Playback;
use session::Message;
use triple_buffer::Output;
use worker::Worker;

/// Stack of the threads that run ticks: without optimization, the wide SIMD kernels need more than the default 2 MiB.
pub(crate) const STACK_SIZE: usize = 8 << 20;

/// A flock on its own thread. When the engine is dropped, the thread ends after the current tick; nothing waits for
/// it.
#[derive(Debug)]
pub struct Engine {
    messages: Sender<Message>,
    log: SharedLog,
    frames: Output<Frame>,
    has_frame: bool,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Starts the thread. If the flock is the first state of `replay`, its commands follow at their ticks, and the engine
    /// pauses at its end.
    ///
    /// # Errors
    ///
    /// If the system refuses to start a thread.
    pub fn start(flock: Flock, replay: Option<SessionLog>, options: Options) -> io::Result<Self> {
        let (messages, inbox) = mpsc::channel();
        let (frames, output) = triple_buffer::triple_buffer(&Frame::default());
        let pause_at = replay.as_ref().map(SessionLog::tick);
        let log = replay.unwrap_or_else(|| SessionLog::new(SessionStart::of(&flock, options.from_setup)));
        let log = SharedLog::new(log);
        let playback = Playback::new(flock, log.clone(), pause_at, options.history);
        let body = move || {
            let mut worker = Worker::new(playback, options, inbox, frames);
            in_pool(options.threads, |scratch| {
                scratch.set_simd(options.simd);
                worker.run(scratch);
            });
        };
        let thread = thread::Builder::new().name("engine".into()).stack_size(STACK_SIZE).spawn(body)?;
        #[cfg(debug_assertions)]
        while worker::panics_at_start() && !thread.is_finished() {
            thread::yield_now();
        }
        Ok(Self { messages, log, frames: output, has_frame: false, thread })
    }

    /// Sends a request. The engine processes it before the next tick.
    pub fn request(&self, request: Request) {
        // Fails only if the thread has panicked, which `is_running` reports.
        let _ = self.messages.send(Message::Request(request));
    }

    /// A reader of the log of the session.
    #[must_use]
    pub fn session(&self) -> SessionReader {
        SessionReader { messages: self.messages.clone(), log: self.log.clone() }
    }

    /// Whether there is a frame that [`frame`](Self::frame) has not returned yet.
    #[must_use]
    pub fn has_new_frame(&self) -> bool {
        self.frames.updated()
    }

    /// The latest frame; `None` before the first.
    pub fn frame(&mut self) -> Option<&Frame> {
        self.has_frame |= self.frames.update();
        self.has_frame.then(|| self.frames.output_buffer())
    }

    /// Whether the thread is alive. It ends early only by a panic.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.thread.is_finished()
    }
}

/// Runs `body` in a thread pool of this size. If the system refuses them, logs a warning and uses the current thread.
pub fn in_pool<R: Send>(threads: NonZeroUsize, body: impl FnOnce(&mut Scratch) -> R + Send) -> R {
    if threads.get() == 1 {
        return body(&mut Scratch::new());
    }
    let name = |number| format!("flock-{number}");
    match rayon::ThreadPoolBuilder::new().num_threads(threads.get()).thread_name(name).stack_size(STACK_SIZE).build() {
        Ok(pool) => pool.install(|| body(&mut Scratch::parallel())),
        Err(error) => {
            tracing::warn!(threads, %error, "cannot start threads; using one");
            body(&mut Scratch::new())
        }
    }
}
