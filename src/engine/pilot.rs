//! The thread's body: requests in, ticks, frames out.

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use triple_buffer::Input;

use super::cadence::Cadence;
use super::metronome::Metronome;
use super::{Clock, Frame, Request, Seldom};
use crate::canvas::Canvas;
use crate::sim::{Error, Flock, Measures, Observer, Scratch};

/// Over how many boids distances are averaged.
pub(crate) const SAMPLE: usize = 1000;

/// How long a view that glides waits for the next tick before it is drawn without one.
const GLIDE: Duration = Duration::from_millis(20);

/// The variable that lets this thread panic from a tick on, where a test wants to see what is left then; in
/// debug builds only.
#[cfg(debug_assertions)]
const TEST_PANIC: &str = "TEST_FLOCKSCOPE_PANIC";

/// Everything that the engine's thread works with.
pub(super) struct Pilot {
    flock: Flock,
    canvas: Canvas,
    metronome: Metronome,
    rate: f32,
    paused: bool,
    observer: Observer,
    measures: Measures,
    measured: u64,
    cadence: Cadence,
    late: Seldom,
    /// When the last frame was drawn.
    shown: Instant,
    answered: u64,
    refusal: Option<(u64, String)>,
    inbox: Receiver<Request>,
    frames: Input<Frame>,
}

impl Pilot {
    pub(super) fn new(flock: Flock, canvas: Canvas, rate: f32, inbox: Receiver<Request>, frames: Input<Frame>) -> Self {
        let now = Instant::now();
        Self {
            flock,
            canvas,
            metronome: Metronome::new(rate, now),
            rate,
            paused: false,
            observer: Observer::new(),
            measures: Measures::default(),
            measured: 0,
            cadence: Cadence::new(now),
            late: Seldom::default(),
            shown: now,
            answered: 0,
            refusal: None,
            inbox,
            frames,
        }
    }

    /// Flies until nobody can ask for anything any more.
    pub(super) fn fly(&mut self, scratch: &mut Scratch) {
        self.show();
        #[cfg(debug_assertions)]
        let end: Option<u64> = std::env::var(TEST_PANIC).ok().and_then(|tick| tick.parse().ok());
        while let Some(request) = self.wait() {
            #[cfg(debug_assertions)]
            assert!(end.is_none_or(|end| self.flock.tick() < end), "a test wants to see how this thread ends");
            let asked = match request {
                Some(request) => self.answer(request, scratch),
                None => false,
            };
            let flown = self.tick(scratch);
            let now = Instant::now();
            // While time stands still nothing else would show what was not measured yet.
            let measures = self.paused && self.is_measure_due(now);
            if asked || flown || measures || self.is_glide_due(now) {
                self.show();
            }
        }
    }

    /// Waits for a request until the next tick is due, or while paused the last measures; `None` where
    /// there can be no more requests.
    #[expect(clippy::option_option, reason = "no request yet, and no request ever again")]
    fn wait(&self) -> Option<Option<Request>> {
        let due = if self.paused { self.cadence.due() } else { Some(self.metronome.due()) };
        let glide = self.canvas.is_gliding().then(|| self.shown + GLIDE);
        let Some(due) = due.into_iter().chain(glide).min() else { return self.inbox.recv().ok().map(Some) };
        match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(request) => Some(Some(request)),
            Err(RecvTimeoutError::Timeout) => Some(None),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Does a request, and all that wait behind it. Says whether anything is to be shown.
    fn answer(&mut self, first: Request, scratch: &mut Scratch) -> bool {
        self.serve(first, scratch);
        loop {
            match self.inbox.try_recv() {
                Ok(request) => self.serve(request, scratch),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return true,
            }
        }
    }

    fn serve(&mut self, request: Request, scratch: &mut Scratch) {
        self.answered += 1;
        tracing::debug!(tick = self.flock.tick(), "request: {request}");
        if let Err(error) = self.obey(request, scratch) {
            tracing::warn!(error = error.to_string(), "refused");
            self.refusal = Some((self.answered, error.to_string()));
        }
    }

    fn obey(&mut self, request: Request, scratch: &mut Scratch) -> Result<(), Error> {
        let now = Instant::now();
        match request {
            Request::Flock(command) => {
                self.flock.apply(&command)?;
                self.cadence.hurry(now);
            }
            Request::Begin(setup) => {
                self.flock = Flock::new(&setup)?;
                self.cadence.hurry(now);
            }
            Request::Clock(Clock::Pause(paused)) => {
                self.paused = paused;
                self.metronome.restart(now);
            }
            Request::Clock(Clock::Step) => {
                self.paused = true;
                self.flock.step(scratch);
                self.cadence.hurry(now);
            }
            Request::Clock(Clock::Rate(rate)) => {
                self.rate = rate;
                self.metronome.set_rate(rate, now);
            }
            Request::Canvas(format) => self.canvas.reformat(format),
        }
        Ok(())
    }

    /// Flies a tick, where one is due. Says whether it did.
    fn tick(&mut self, scratch: &mut Scratch) -> bool {
        if self.paused || !self.metronome.take(Instant::now()) {
            return false;
        }
        let begun = Instant::now();
        self.flock.step(scratch);
        let now = Instant::now();
        self.metronome.count(now);
        self.cadence.age();
        self.complain(now - begun, now);
        true
    }

    /// Tells of ticks that take longer than there is from one to the next.
    fn complain(&mut self, took: Duration, now: Instant) {
        let allowed = self.metronome.period();
        if took > allowed
            && let Some(times) = self.late.again(now)
        {
            tracing::warn!(tick = self.flock.tick(), ?took, ?allowed, times, "a slow tick");
        }
    }

    /// Draws the flock and hands the frame out.
    fn show(&mut self) {
        self.measure();
        let now = Instant::now();
        self.canvas.glide((now - self.shown).as_secs_f32());
        self.shown = now;
        let frame = self.frames.input_buffer_mut();
        frame.draw(&mut self.canvas, &self.flock);
        frame.describe(&self.flock);
        frame.measures = self.measures;
        frame.measured = self.measured;
        frame.rate = self.rate;
        frame.ticks_per_second = if self.paused { 0.0 } else { self.metronome.per_second() };
        frame.paused = self.paused;
        frame.answered = self.answered;
        frame.refusal.clone_from(&self.refusal);
        self.frames.publish();
    }

    /// Measures the flock, where it is time to.
    fn measure(&mut self) {
        let start = Instant::now();
        if !self.is_measure_due(start) {
            return;
        }
        self.measures = self.observer.measure(&self.flock, SAMPLE);
        self.measured += 1;
        self.cadence.taken(start, Instant::now());
    }

    /// Whether the view is on its way and no tick has shown it for a while.
    fn is_glide_due(&self, now: Instant) -> bool {
        self.canvas.is_gliding() && now >= self.shown + GLIDE
    }

    fn is_measure_due(&self, now: Instant) -> bool {
        self.cadence.due().is_some_and(|due| due <= now)
    }
}
