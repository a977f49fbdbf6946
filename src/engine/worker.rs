//! The main loop of the simulation thread: requests in, ticks, frames out.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use triple_buffer::Input;

use super::frame::Frame;
use super::playback::Playback;
use super::request::{Clock, Request};
use super::session::Message;
use super::timers::{MeasureSchedule, RateLimit, TickTimer};
use crate::canvas::{Canvas, CanvasFormat};
use crate::sim::{Analyzer, Command, Error, Flock, ReplayError, Scratch, Simd};

/// The number of boids over which distances are averaged.
pub(crate) const MEASURE_SAMPLE: usize = 1000;
/// Connected groups are found in flocks of at most so many boids: unlike distances, they need all of them …
const MAX_GROUPED: usize = 5000;
/// … and above this many boids only in every so many measurements.
const GROUPED_RARELY: (usize, u64) = (1000, 5);
/// The longest time between two frames while the camera moves.
const CAMERA_INTERVAL: Duration = Duration::from_millis(20);
/// If ticks are at least this many times as frequent as frames, every other may be skipped. At a lower ratio the viewer
/// would miss frames.
const SKIP_RATIO: f32 = 1.5;
/// The time between two frames while a move to another tick is computed.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// After a move to another tick this many earlier ticks are drawn again, for trails and glow …
const REDRAWN_TICKS: u64 = 160;
/// … of flocks that are small enough to do so without delay.
const REDRAWN_BOIDS: usize = 3000;

/// How the engine starts.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Ticks per second.
    pub rate: f32,
    /// The highest frame rate of the viewer, in frames per second.
    pub fps: f32,
    /// The number of threads for the simulation.
    pub threads: NonZeroUsize,
    /// The SIMD kind they use.
    pub simd: Simd,
    /// Size and view of the canvas.
    pub canvas: CanvasFormat,
    /// Whether the flock follows from its setup; otherwise a saved session contains its agents.
    pub from_setup: bool,
    /// The memory for states to go back to, in bytes.
    pub history: usize,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error(transparent)]
    Flock(#[from] Error),
    #[error("tick {0} is the first of the session")]
    NoEarlierTick(u64),
    #[error("no change in the past to undo")]
    NoBranch,
    #[error("no change in the past to redo")]
    NoUndoneBranch,
}

/// For tests of panics, in debug builds only: the tick at which this thread panics.
#[cfg(debug_assertions)]
fn panic_tick() -> Option<u64> {
    let tick = std::env::var("TEST_FLOCKSCOPE_PANIC").ok()?;
    if tick == "first" { Some(0) } else { tick.parse().ok() }
}

/// Whether this thread panics before the viewer starts.
#[cfg(debug_assertions)]
pub(super) fn panics_at_start() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|tick| tick == "first")
}

/// The state of the simulation thread.
pub(super) struct Worker {
    playback: Playback,
    /// Requests that wait until a move to another tick is done.
    deferred: VecDeque<Request>,
    canvas: Canvas,
    timer: TickTimer,
    fps: f32,
    analyzer: Analyzer,
    schedule: MeasureSchedule,
    slow_ticks: RateLimit,
    /// When the last frame was drawn, and its tick.
    drawn: (Instant, u64),
    /// The next frame, except for the picture.
    frame: Frame,
    inbox: Receiver<Message>,
    frames: Input<Frame>,
}

impl Worker {
    pub(super) fn new(playback: Playback, options: Options, inbox: Receiver<Message>, frames: Input<Frame>) -> Self {
        let now = Instant::now();
        Self {
            playback,
            deferred: VecDeque::new(),
            canvas: Canvas::with_format(options.canvas),
            timer: TickTimer::new(options.rate, now),
            fps: options.fps,
            analyzer: Analyzer::new(),
            schedule: MeasureSchedule::new(now),
            slow_ticks: RateLimit::default(),
            drawn: (now, 0),
            frame: Frame { rate: options.rate, ..Frame::default() },
            inbox,
            frames,
        }
    }

    /// Runs until the engine is dropped.
    pub(super) fn run(&mut self, scratch: &mut Scratch) {
        let begun = self.playback.begin();
        self.report(begun);
        self.pause_at_stop();
        self.publish();
        #[cfg(debug_assertions)]
        let end = panic_tick();
        while let Ok(message) = self.wait() {
            #[cfg(debug_assertions)]
            assert!(end.is_none_or(|end| self.flock().tick() < end), "TEST_FLOCKSCOPE_PANIC is set");
            let had_request = message.is_some();
            if let Some(message) = message {
                self.process(message, scratch);
                while let Ok(next) = self.inbox.try_recv() {
                    self.process(next, scratch);
                }
            }
            let moved = self.continue_seek(scratch);
            let ticked = self.tick_if_due(scratch);
            let now = Instant::now();
            // The end of a replay pauses.
            let is_drawn = had_request || moved || ticked && (self.frame.paused || self.should_draw_tick());
            // While paused, no tick would show the pending measures.
            if is_drawn
                || self.frame.paused && self.is_measure_due(now)
                || self.is_camera_due(now)
                || self.playback.is_seeking() && now >= self.drawn.0 + PROGRESS_INTERVAL
            {
                self.publish();
            }
        }
    }

    fn flock(&self) -> &Flock {
        self.playback.flock()
    }

    /// Waits for a request until a tick, a measurement or a camera movement is due.
    fn wait(&self) -> Result<Option<Message>, RecvTimeoutError> {
        let due = if self.frame.paused { self.schedule.due() } else { Some(self.timer.due()) };
        let camera = self.canvas.is_camera_moving().then(|| self.drawn.0 + CAMERA_INTERVAL);
        let seek = self.playback.is_seeking().then(Instant::now);
        let Some(due) = due.into_iter().chain(camera).chain(seek).min() else { return Ok(Some(self.inbox.recv()?)) };
        match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => Ok(None),
            result => result.map(Some),
        }
    }

    fn process(&mut self, message: Message, scratch: &mut Scratch) {
        match message {
            // What changes the flock waits for the tick that the user asked for.
            Message::Request(request) if self.playback.is_seeking() && request.needs_flock() => {
                self.deferred.push_back(request);
            }
            Message::Request(request) => self.handle(request, scratch),
            Message::ReadSession(reply) => {
                // The reader may have stopped waiting.
                let _ = reply.send(self.playback.snapshot());
            }
        }
    }

    fn handle(&mut self, request: Request, scratch: &mut Scratch) {
        self.frame.requests_done += 1;
        tracing::debug!(tick = self.flock().tick(), "request: {request}");
        if let Err(error) = self.apply(request, scratch) {
            tracing::warn!(error = error.to_string(), "request failed");
            self.frame.last_error = Some((self.frame.requests_done, error.to_string()));
        }
    }

    fn apply(&mut self, request: Request, scratch: &mut Scratch) -> Result<(), RequestError> {
        match request {
            Request::Flock(command) => self.change(command)?,
            Request::NewFlock(setup) => self.change(Command::Replace(setup))?,
            Request::Clock(clock) => self.control(clock, scratch)?,
            Request::Canvas(format) => self.canvas.set_format(format),
            Request::Fps(fps) => self.fps = fps,
        }
        Ok(())
    }

    fn control(&mut self, clock: Clock, scratch: &mut Scratch) -> Result<(), RequestError> {
        let now = Instant::now();
        match clock {
            Clock::Pause(paused) => {
                self.frame.paused = paused;
                self.playback.set_backward(false);
                self.timer.restart(now);
            }
            Clock::Step => {
                self.frame.paused = true;
                self.playback.set_backward(false);
                if self.playback.is_seeking() {
                    self.playback.skip(1);
                } else {
                    self.tick(scratch);
                }
                self.schedule.hurry(now);
            }
            Clock::Back => {
                self.frame.paused = true;
                let position = self.playback.position();
                if position.seeking.map_or(position.tick, |(target, _)| target) == position.first {
                    return Err(RequestError::NoEarlierTick(position.first));
                }
                self.playback.skip(-1);
            }
            Clock::Skip(ticks) => self.playback.skip(ticks),
            Clock::Seek(tick) => self.playback.seek(tick),
            Clock::CancelSeek => self.playback.cancel_seek(),
            Clock::Backward => {
                self.frame.paused = false;
                self.playback.set_backward(true);
                self.timer.restart(now);
                self.pause_at_stop();
            }
            Clock::UndoBranch => self.exchange_branch(true, RequestError::NoBranch)?,
            Clock::RedoBranch => self.exchange_branch(false, RequestError::NoUndoneBranch)?,
            Clock::Rate(rate) => {
                self.frame.rate = rate;
                self.timer.set_rate(rate, now);
            }
        }
        Ok(())
    }

    fn exchange_branch(&mut self, undo: bool, error: RequestError) -> Result<(), RequestError> {
        self.frame.paused = true;
        self.playback.set_backward(false);
        if self.playback.exchange_branch(undo) { Ok(()) } else { Err(error) }
    }

    /// Applies a command of the user.
    fn change(&mut self, command: Command) -> Result<(), Error> {
        self.playback.change(command)?;
        self.playback.set_backward(false);
        self.schedule.hurry(Instant::now());
        Ok(())
    }

    /// Computes a part of a move to another tick. At the end, draws earlier ticks and handles what had to wait. Returns
    /// whether the flock is at the tick.
    fn continue_seek(&mut self, scratch: &mut Scratch) -> bool {
        if !self.playback.continue_seek(scratch) {
            return false;
        }
        let now = Instant::now();
        if self.frame.paused {
            self.redraw_past(scratch);
            self.schedule.hurry(now);
        } else {
            self.schedule.mark_outdated();
        }
        self.report(Ok(()));
        self.pause_at_stop();
        while let Some(request) = self.deferred.pop_front() {
            self.handle(request, scratch);
            if self.playback.is_seeking() {
                break;
            }
        }
        true
    }

    fn tick(&mut self, scratch: &mut Scratch) {
        let ticked = self.playback.tick(scratch);
        self.report(ticked);
        self.continue_seek(scratch);
        self.pause_at_stop();
    }

    fn pause_at_stop(&mut self) {
        if self.playback.is_at_stop() {
            self.frame.paused = true;
            self.playback.set_backward(false);
        }
    }

    /// Shows an error or a difference of a session that is repeated, which no request caused.
    fn report(&mut self, repeated: Result<(), ReplayError>) {
        let error = repeated.err().map(|error| error.to_string());
        if let Some(text) = error.or_else(|| self.playback.divergence()) {
            tracing::warn!(text, "replay");
            self.frame.last_error = Some((self.frame.requests_done.max(1), text));
        }
    }

    /// Draws earlier ticks, for trails and everything else that is smoothed over time.
    fn redraw_past(&mut self, scratch: &mut Scratch) {
        let (canvas, picture) = (&mut self.canvas, &mut self.frames.input_buffer_mut().picture);
        if self.playback.flock().boids() <= REDRAWN_BOIDS {
            self.playback.visit_before(REDRAWN_TICKS, scratch, |flock| canvas.draw(flock, picture));
        }
    }

    /// Runs a tick if one is due. Returns whether it did.
    fn tick_if_due(&mut self, scratch: &mut Scratch) -> bool {
        if self.frame.paused || self.playback.is_seeking() || !self.timer.take(Instant::now()) {
            return false;
        }
        let start = Instant::now();
        self.tick(scratch);
        let now = Instant::now();
        self.timer.count(now);
        self.schedule.mark_outdated();
        let (took, period) = (now - start, self.timer.period());
        if took > period
            && let Some(times) = self.slow_ticks.count(now)
        {
            tracing::warn!(tick = self.flock().tick(), ?took, ?period, times, "slow tick");
        }
        true
    }

    fn should_draw_tick(&self) -> bool {
        let pending = (!self.frames.consumed()).then(|| self.flock().tick().abs_diff(self.drawn.1));
        should_draw(self.timer.per_second(), self.fps, pending)
    }

    /// Draws the flock and publishes the frame.
    fn publish(&mut self) {
        self.measure_if_due();
        let now = Instant::now();
        self.canvas.advance_camera((now - self.drawn.0).as_secs_f32());
        self.drawn = (now, self.flock().tick());
        self.frame.describe(self.playback.flock());
        (self.frame.position, self.frame.runs) = (self.playback.position(), self.playback.runs());
        self.frame.ticks_per_second = if self.frame.paused { 0.0 } else { self.timer.per_second() };
        let published = self.frames.input_buffer_mut();
        // Reuses the storage of an earlier picture.
        let picture = std::mem::take(&mut published.picture);
        *published = Frame { picture, ..self.frame.clone() };
        published.draw(&mut self.canvas, self.playback.flock());
        self.frames.publish();
    }

    fn measure_if_due(&mut self) {
        let start = Instant::now();
        if self.is_measure_due(start) {
            let flock = self.playback.flock();
            self.frame.measures = self.analyzer.measure(flock, MEASURE_SAMPLE);
            let (many, interval) = GROUPED_RARELY;
            let is_due = flock.boids() <= many || self.frame.measure_count.is_multiple_of(interval);
            let is_grouped = is_due && flock.boids() <= MAX_GROUPED;
            self.frame.flocks = is_grouped.then(|| self.analyzer.flocks(flock));
            self.frame.measure_count += 1;
            self.frame.measured_tick = flock.tick();
            self.schedule.measured(start, Instant::now());
        }
    }

    fn is_measure_due(&self, now: Instant) -> bool {
        self.schedule.due().is_some_and(|due| due <= now)
    }

    /// Whether the camera is moving and no tick has been drawn for a while.
    fn is_camera_due(&self, now: Instant) -> bool {
        self.canvas.is_camera_moving() && now >= self.drawn.0 + CAMERA_INTERVAL
    }
}

/// Whether to draw a tick. `pending` is how many ticks ago the frame was drawn that the viewer has not taken yet, if
/// there is one. At most every other tick is skipped: glow and heat average the ticks drawn, and frames must be recent.
fn should_draw(ticks_per_second: f32, fps: f32, pending: Option<u64>) -> bool {
    pending.is_none_or(|ticks| ticks > 1 || ticks_per_second < SKIP_RATIO * fps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes frames `fps` times a second for ten seconds, each up to a fifth of a tick late. Returns how often there
    /// was no new frame, how many frames were drawn, and the age in ticks of the oldest frame taken.
    fn simulate(rate: f32, fps: f32, phase: f32) -> (u32, u32, f32) {
        let (mut drawn, mut taken, mut missed, mut oldest) = (0, 0, 0, 0.0_f32);
        let (mut last_drawn, mut pending, mut next) = (0, false, phase);
        for tick in 1..(10.0 * rate) as u64 {
            let now = tick as f32 / rate;
            while next < now {
                (taken, missed) = (taken + 1, missed + u32::from(!pending));
                oldest = oldest.max(next * rate - last_drawn as f32);
                pending = false;
                let late = [0.0, 0.2, 0.1, 0.15][taken % 4] / rate;
                next = phase + taken as f32 / fps + late;
            }
            if should_draw(rate, fps, pending.then_some(tick - last_drawn)) {
                (last_drawn, pending, drawn) = (tick, true, drawn + 1);
            }
        }
        (missed, drawn, oldest)
    }

    #[test]
    fn skips_ticks_without_missing_a_frame() {
        for (rate, fps, most) in [(60.0, 30.0, 400), (960.0, 30.0, 5000), (60.0, 40.0, 500), (60.0, 50.0, 599)] {
            for phase in 0..10 {
                let (missed, drawn, oldest) = simulate(rate, fps, phase as f32 * 0.1 / rate);
                assert!(
                    missed <= 1 && drawn <= most && oldest < 2.2,
                    "{rate} ticks, {fps} frames, {phase}: {missed} missed of {drawn}, {oldest} ticks old"
                );
            }
        }
        let (_, drawn, _) = simulate(60.0, 60.0, 0.003);
        assert_eq!(drawn, 599, "a late viewer gets the next tick");
    }
}
