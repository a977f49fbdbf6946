//! The timer thread: it owns the flock and the canvas, takes requests, and hands out frames.
//!
//! Requests come over a channel and frames leave through a triple buffer, so engine and viewer
//! never wait for each other: a slow terminal drops frames, never ticks, and a slow tick never
//! delays a key.

pub(crate) mod frame;
pub(crate) mod history;
pub(crate) mod measure_schedule;
pub(crate) mod rate_limit;
pub(crate) mod request;
pub(crate) mod tick_timer;
pub(crate) mod worker;

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

pub use frame::Frame;
pub(crate) use measure_schedule::MEASURE_INTERVAL;
pub(crate) use rate_limit::RateLimit;
pub use request::{Clock, Request};
pub(crate) use worker::MEASURE_SAMPLE;

use crate::canvas::{Canvas, CanvasFormat};
use crate::sim::{Flock, Scratch, Simd};
use triple_buffer::Output;
use worker::Worker;

/// How a run begins, beside its flock.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Ticks a second.
    pub rate: f32,
    /// How many frames a second are looked at, at most.
    pub fps: f32,
    /// How many threads fly the flock.
    pub threads: NonZeroUsize,
    /// The kind of SIMD that they use.
    pub simd: Simd,
    /// The canvas's size and view.
    pub canvas: CanvasFormat,
}

/// A flock that flies by itself on a thread of its own, which ends by itself, and is not waited for,
/// when nobody can ask it for anything any more: a tick may take long.
#[derive(Debug)]
pub struct Engine {
    requests: Sender<Request>,
    frames: Output<Frame>,
    begun: bool,
    thread: JoinHandle<()>,
}

impl Engine {
    /// Starts with a flock that is there already.
    ///
    /// # Errors
    ///
    /// Where the system starts no thread.
    pub fn start(flock: Flock, options: Options) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (frames, output) = triple_buffer::triple_buffer(&Frame::default());
        let canvas = Canvas::with_format(options.canvas);
        let body = move || {
            let mut pilot = Worker::new(flock, canvas, (options.rate, options.fps), inbox, frames);
            in_pool(options.threads, |scratch| {
                scratch.set_simd(options.simd);
                pilot.fly(scratch);
            });
        };
        let thread = thread::Builder::new().name("engine".into()).spawn(body)?;
        #[cfg(debug_assertions)]
        while worker::panics_first() && !thread.is_finished() {
            thread::yield_now();
        }
        Ok(Self { requests, frames: output, begun: false, thread })
    }

    /// Asks for something; it is done before the next tick.
    pub fn request(&self, request: Request) {
        // An engine that has ended takes no requests: `is_running` says so.
        let _ = self.requests.send(request);
    }

    /// Whether there is a frame that has not been looked at.
    #[must_use]
    pub fn has_new_frame(&self) -> bool {
        self.frames.updated()
    }

    /// The latest frame; none before the first one has come.
    pub fn frame(&mut self) -> Option<&Frame> {
        self.begun |= self.frames.update();
        self.begun.then(|| self.frames.output_buffer())
    }

    /// Whether the thread still runs; with somebody to ask it, it ends only where it panics.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.thread.is_finished()
    }
}

/// Runs `body` inside a pool of this many threads, which lives as long as it does; on this thread alone where the system
/// refuses them, as the log tells.
pub fn in_pool<R: Send>(threads: NonZeroUsize, body: impl FnOnce(&mut Scratch) -> R + Send) -> R {
    if threads.get() == 1 {
        return body(&mut Scratch::new());
    }
    let name = |number| format!("flock-{number}");
    match rayon::ThreadPoolBuilder::new().num_threads(threads.get()).thread_name(name).build() {
        Ok(pool) => pool.install(|| body(&mut Scratch::parallel())),
        Err(why) => {
            tracing::warn!(threads, %why, "the system refuses so many threads: one does their work");
            body(&mut Scratch::new())
        }
    }
}
