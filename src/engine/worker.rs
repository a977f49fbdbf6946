//! The main loop of the simulation thread: requests in, ticks, frames out.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use triple_buffer::Input;

use super::frame::Frame;
use super::history::{FlockHistory, MAX_AGENTS};
use super::request::{Clock, Request};
use super::session::{Message, Script, SharedLog};
use super::timers::{MeasureSchedule, RateLimit, TickTimer};
use crate::canvas::{Canvas, CanvasFormat};
use crate::sim::{Analyzer, Command, Error, Flock, Scratch, SessionEvent, Simd};

/// The number of boids over which distances are averaged.
pub(crate) const MEASURE_SAMPLE: usize = 1000;
/// Connected groups are found in flocks of at most so many boids: unlike distances, they need all of them.
const MAX_GROUPED: usize = 5000;
/// The longest time between two frames while the camera moves.
const CAMERA_INTERVAL: Duration = Duration::from_millis(20);
/// If ticks are at least this many times as frequent as frames, every other may be skipped. At a lower ratio the viewer
/// would miss frames.
const SKIP_RATIO: f32 = 1.5;
/// After a step back this many earlier ticks are drawn again, for trails and glow …
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
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error(transparent)]
    Flock(#[from] Error),
    #[error("cannot step back before tick {0}")]
    NoEarlierTick(u64),
    #[error("stepping back is not available above {MAX_AGENTS} boids")]
    NoHistory,
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
    flock: Flock,
    history: FlockHistory,
    log: SharedLog,
    /// The rest of a session that is replayed, until the user changes the flock.
    script: Option<Script>,
    /// Whether the replay was found to differ from the session.
    diverged: bool,
    /// Whether the flock has stepped back, and the canvas has not seen the ticks before.
    stepped_back: bool,
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
    pub(super) fn new(
        flock: Flock,
        (log, script): (SharedLog, Option<Script>),
        options: Options,
        inbox: Receiver<Message>,
        frames: Input<Frame>,
    ) -> Self {
        let now = Instant::now();
        let mut history = FlockHistory::default();
        history.restart(&flock);
        Self {
            flock,
            history,
            log,
            script,
            diverged: false,
            stepped_back: false,
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
        self.play_script();
        self.publish();
        #[cfg(debug_assertions)]
        let end = panic_tick();
        while let Ok(message) = self.wait() {
            #[cfg(debug_assertions)]
            assert!(end.is_none_or(|end| self.flock.tick() < end), "TEST_FLOCKSCOPE_PANIC is set");
            let had_request = message.is_some();
            if let Some(message) = message {
                self.process(message, scratch);
                while let Ok(next) = self.inbox.try_recv() {
                    self.process(next, scratch);
                }
            }
            let ticked = self.tick_if_due(scratch);
            let now = Instant::now();
            // The end of a replay pauses.
            let is_drawn = had_request || ticked && (self.frame.paused || self.should_draw_tick());
            // While paused, no tick would show the pending measures.
            if is_drawn || self.frame.paused && self.is_measure_due(now) || self.is_camera_due(now) {
                if std::mem::take(&mut self.stepped_back) {
                    self.redraw_past(scratch);
                }
                self.publish();
            }
        }
    }

    /// Waits for a request until a tick, a measurement or a camera movement is due.
    fn wait(&self) -> Result<Option<Message>, RecvTimeoutError> {
        let due = if self.frame.paused { self.schedule.due() } else { Some(self.timer.due()) };
        let camera = self.canvas.is_camera_moving().then(|| self.drawn.0 + CAMERA_INTERVAL);
        let Some(due) = due.into_iter().chain(camera).min() else { return Ok(Some(self.inbox.recv()?)) };
        match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => Ok(None),
            result => result.map(Some),
        }
    }

    fn process(&mut self, message: Message, scratch: &mut Scratch) {
        let request = match message {
            Message::Request(request) => request,
            Message::ReadSession(reply) => {
                // The reader may have stopped waiting.
                let _ = reply.send((self.log.lock().clone(), self.flock.session_hash()));
                return;
            }
        };
        self.frame.requests_done += 1;
        tracing::debug!(tick = self.flock.tick(), "request: {request}");
        if let Err(error) = self.apply(request, scratch) {
            tracing::warn!(error = error.to_string(), "request failed");
            self.frame.last_error = Some((self.frame.requests_done, error.to_string()));
        }
    }

    fn apply(&mut self, request: Request, scratch: &mut Scratch) -> Result<(), RequestError> {
        let now = Instant::now();
        match request {
            Request::Flock(command) => self.change(command)?,
            Request::NewFlock(setup) => self.change(Command::Replace(setup))?,
            Request::Clock(Clock::Pause(paused)) => {
                self.frame.paused = paused;
                self.timer.restart(now);
            }
            Request::Clock(Clock::Step) => {
                self.frame.paused = true;
                self.step(scratch);
                self.schedule.hurry(now);
            }
            Request::Clock(Clock::Back) => {
                self.frame.paused = true;
                self.step_back(scratch)?;
                self.schedule.hurry(now);
            }
            Request::Clock(
                Clock::Skip(_)
                | Clock::Seek(_)
                | Clock::CancelSeek
                | Clock::Backward
                | Clock::UndoBranch
                | Clock::RedoBranch,
            ) => {}
            Request::Clock(Clock::Rate(rate)) => {
                self.frame.rate = rate;
                self.timer.set_rate(rate, now);
            }
            Request::Canvas(format) => self.canvas.set_format(format),
            Request::Fps(fps) => self.fps = fps,
        }
        Ok(())
    }

    /// Applies a command of the user. Of a session that is replayed, nothing else follows.
    fn change(&mut self, command: Command) -> Result<(), Error> {
        self.flock.apply(&command)?;
        self.script = None;
        self.record(command);
        Ok(())
    }

    /// Records a command in the log and in the history, which starts again with a new flock or world.
    fn record(&mut self, command: Command) {
        use Command::{Morph, Replace, Reseed, Resize, Restart};
        self.log.lock().record(command.clone());
        self.frame.runs += u64::from(matches!(command, Reseed(_) | Restart | Replace(_)));
        match command {
            Reseed(_) | Restart | Resize(_) | Morph(..) | Replace(_) => self.history.restart(&self.flock),
            command => self.history.record_command(self.flock.tick(), command),
        }
        self.schedule.hurry(Instant::now());
    }

    fn step(&mut self, scratch: &mut Scratch) {
        self.flock.step(scratch);
        self.history.record_tick(&self.flock);
        self.log.lock().record_tick(&self.flock);
        self.play_script();
    }

    /// Applies the commands of a replayed session at this tick, and pauses at its end.
    fn play_script(&mut self) {
        let tick = self.log.lock().tick();
        while let Some(event) = self.script.as_mut().and_then(|script| script.next_at(tick)) {
            match event {
                SessionEvent::Command(command) => match self.flock.apply(&command) {
                    Ok(()) => self.record(command),
                    Err(error) => {
                        self.script = None;
                        self.report(error.to_string());
                    }
                },
                SessionEvent::Hash(hash) => {
                    if hash != self.flock.session_hash() && !std::mem::replace(&mut self.diverged, true) {
                        self.report(format!("the replay differs from the session from tick {tick} at the latest"));
                    }
                }
            }
        }
        self.frame.paused |= self.script.as_ref().is_some_and(|script| script.ends_at(tick));
    }

    /// Shows an error that no request caused.
    fn report(&mut self, text: String) {
        tracing::warn!(text, "replay");
        self.frame.last_error = Some((self.frame.requests_done.max(1), text));
    }

    /// Goes back by one tick. The pointer stays as it is now, except in a session that is replayed.
    fn step_back(&mut self, scratch: &mut Scratch) -> Result<(), RequestError> {
        let pointer = self.flock.pointer();
        let oldest = self.history.oldest_tick().ok_or(RequestError::NoHistory)?;
        let (first, now) = {
            let log = self.log.lock();
            (log.start().tick(), log.tick())
        };
        let tick = self.flock.tick().checked_sub(1).filter(|_| now > first);
        let flock = tick.and_then(|tick| self.history.rewind(tick, scratch));
        self.flock = flock.ok_or(RequestError::NoEarlierTick(oldest))?;
        let later = self.log.lock().rewind(now - 1);
        if let Some(script) = &mut self.script {
            script.put_back(later);
        } else if self.flock.pointer() != pointer {
            let command = Command::SetPointer(pointer);
            self.flock.apply(&command)?;
            self.record(command);
        }
        self.stepped_back = true;
        Ok(())
    }

    /// Draws earlier ticks, for trails and everything else that is smoothed over time.
    fn redraw_past(&mut self, scratch: &mut Scratch) {
        let (canvas, picture) = (&mut self.canvas, &mut self.frames.input_buffer_mut().picture);
        if self.flock.boids() <= REDRAWN_BOIDS {
            let draw = |flock: &Flock| canvas.draw(flock, picture);
            self.history.visit_before(self.flock.tick(), REDRAWN_TICKS, scratch, draw);
        }
    }

    /// Runs a tick if one is due. Returns whether it did.
    fn tick_if_due(&mut self, scratch: &mut Scratch) -> bool {
        if self.frame.paused || !self.timer.take(Instant::now()) {
            return false;
        }
        let start = Instant::now();
        self.step(scratch);
        let now = Instant::now();
        self.timer.count(now);
        self.schedule.mark_outdated();
        let (took, period) = (now - start, self.timer.period());
        if took > period
            && let Some(times) = self.slow_ticks.count(now)
        {
            tracing::warn!(tick = self.flock.tick(), ?took, ?period, times, "slow tick");
        }
        true
    }

    fn should_draw_tick(&self) -> bool {
        let pending = (!self.frames.consumed()).then(|| self.flock.tick().abs_diff(self.drawn.1));
        should_draw(self.timer.per_second(), self.fps, pending)
    }

    /// Draws the flock and publishes the frame.
    fn publish(&mut self) {
        self.measure_if_due();
        let now = Instant::now();
        self.canvas.advance_camera((now - self.drawn.0).as_secs_f32());
        self.drawn = (now, self.flock.tick());
        self.frame.describe(&self.flock);
        self.frame.ticks_per_second = if self.frame.paused { 0.0 } else { self.timer.per_second() };
        let published = self.frames.input_buffer_mut();
        // Reuses the storage of an earlier picture.
        let picture = std::mem::take(&mut published.picture);
        *published = Frame { picture, ..self.frame.clone() };
        published.draw(&mut self.canvas, &self.flock);
        self.frames.publish();
    }

    fn measure_if_due(&mut self) {
        let start = Instant::now();
        if self.is_measure_due(start) {
            self.frame.measures = self.analyzer.measure(&self.flock, MEASURE_SAMPLE);
            let is_small = self.flock.boids() <= MAX_GROUPED;
            self.frame.flocks = is_small.then(|| self.analyzer.flocks(&self.flock));
            self.frame.measure_count += 1;
            self.frame.measured_tick = self.flock.tick();
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
