//! The thread's body: requests in, ticks, frames out.

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use triple_buffer::Input;

use super::history::FlockHistory;
use super::measure_schedule::MeasureSchedule;
use super::tick_timer::TickTimer;
use super::{Clock, Frame, RateLimit, Request};
use crate::canvas::Canvas;
use crate::sim::{Analyzer, Command, Error, Flock, Measures, Scratch};

/// Over how many boids distances are averaged.
pub(crate) const MEASURE_SAMPLE: usize = 1000;

/// How long a view that glides waits for the next tick before it is drawn without one.
const GLIDE: Duration = Duration::from_millis(20);

/// Ticks come so many times as often as frames are looked at, or each is drawn: else one might be missing when somebody
/// looks.
const AMPLE: f32 = 1.5;

/// Where one has gone back, trails and glow are drawn again from so many ticks before on …
const MEMORY: u64 = 160;
/// … where so few boids leave them that nobody waits for it.
const FEW: usize = 3000;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    #[error(transparent)]
    Rules(#[from] Error),
    #[error("there is nothing before tick {0} to go back to")]
    Beginning(u64),
    #[error("the past of so many boids is not kept")]
    TooMany,
}

/// From which tick on this thread panics, where a test wants to see what is left then; in debug builds only.
#[cfg(debug_assertions)]
fn panics_from() -> Option<u64> {
    let tick = std::env::var("TEST_FLOCKSCOPE_PANIC").ok()?;
    if tick == "first" { Some(0) } else { tick.parse().ok() }
}

/// Whether it does so before the viewer has done anything; in debug builds only.
#[cfg(debug_assertions)]
pub(crate) fn panics_first() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|tick| tick == "first")
}

/// Everything that the engine's thread works with.
pub(crate) struct Worker {
    flock: Flock,
    past: FlockHistory,
    /// Whether the canvas has not seen what was before this tick.
    came_back: bool,
    canvas: Canvas,
    metronome: TickTimer,
    rate: f32,
    /// How many frames a second are looked at, at most.
    fps: f32,
    paused: bool,
    analyzer: Analyzer,
    measures: Measures,
    measure_count: u64,
    cadence: MeasureSchedule,
    late: RateLimit,
    /// When the last frame was drawn, and of which tick.
    shown: Instant,
    drawn: u64,
    requests_done: u64,
    refusal: Option<(u64, String)>,
    inbox: Receiver<Request>,
    frames: Input<Frame>,
}

impl Worker {
    pub(crate) fn new(
        flock: Flock,
        canvas: Canvas,
        (rate, fps): (f32, f32),
        inbox: Receiver<Request>,
        frames: Input<Frame>,
    ) -> Self {
        let now = Instant::now();
        let mut past = FlockHistory::default();
        past.begin(&flock);
        Self {
            flock,
            past,
            came_back: false,
            canvas,
            metronome: TickTimer::new(rate, now),
            rate,
            fps,
            paused: false,
            analyzer: Analyzer::new(),
            measures: Measures::default(),
            measure_count: 0,
            cadence: MeasureSchedule::new(now),
            late: RateLimit::default(),
            shown: now,
            drawn: 0,
            requests_done: 0,
            refusal: None,
            inbox,
            frames,
        }
    }

    /// Flies until nobody can ask for anything any more.
    pub(crate) fn fly(&mut self, scratch: &mut Scratch) {
        self.show();
        #[cfg(debug_assertions)]
        let end = panics_from();
        while let Some(request) = self.wait() {
            #[cfg(debug_assertions)]
            assert!(end.is_none_or(|end| self.flock.tick() < end), "a test wants to see how this thread ends");
            let asked = match request {
                Some(request) => self.answer(request, scratch),
                None => false,
            };
            let flown = self.tick(scratch);
            let now = Instant::now();
            let seen = flown && self.is_worth_drawing();
            // While time stands still nothing else would show what was not measure_count yet.
            let measures = self.paused && self.is_measure_due(now);
            if asked || seen || measures || self.is_glide_due(now) {
                if std::mem::take(&mut self.came_back) {
                    self.remember(scratch);
                }
                self.show();
            }
        }
    }

    /// Waits for a request until the next tick is due, or while paused the last measures; `None` where
    /// there can be no more requests.
    #[expect(clippy::option_option, reason = "no request yet, and no request ever again")]
    fn wait(&self) -> Option<Option<Request>> {
        let due = if self.paused { self.cadence.due() } else { Some(self.metronome.due()) };
        let advance_camera = self.canvas.is_camera_moving().then(|| self.shown + GLIDE);
        let Some(due) = due.into_iter().chain(advance_camera).min() else { return self.inbox.recv().ok().map(Some) };
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
        self.requests_done += 1;
        tracing::debug!(tick = self.flock.tick(), "request: {request}");
        if let Err(error) = self.obey(request, scratch) {
            tracing::warn!(error = error.to_string(), "refused");
            self.refusal = Some((self.requests_done, error.to_string()));
        }
    }

    fn obey(&mut self, request: Request, scratch: &mut Scratch) -> Result<(), RequestError> {
        let now = Instant::now();
        match request {
            Request::Flock(command) => {
                self.flock.apply(&command)?;
                self.note(command);
                self.cadence.hurry(now);
            }
            Request::NewFlock(setup) => {
                self.flock = Flock::new(&setup)?;
                self.past.begin(&self.flock);
                self.cadence.hurry(now);
            }
            Request::Clock(Clock::Pause(paused)) => {
                self.paused = paused;
                self.metronome.restart(now);
            }
            Request::Clock(Clock::Step) => {
                self.paused = true;
                self.step(scratch);
                self.cadence.hurry(now);
            }
            Request::Clock(Clock::Back) => {
                self.paused = true;
                self.back(scratch)?;
                self.cadence.hurry(now);
            }
            Request::Clock(Clock::Rate(rate)) => {
                self.rate = rate;
                self.metronome.set_rate(rate, now);
            }
            Request::Canvas(format) => self.canvas.set_format(format),
            Request::Fps(fps) => self.fps = fps,
        }
        Ok(())
    }

    /// Notes what was done to the flock. Another flock, or one in another world, has another past.
    fn note(&mut self, command: Command) {
        match command {
            Command::Reseed(_) | Command::Restart | Command::Resize(_) | Command::Morph(..) => {
                self.past.begin(&self.flock);
            }
            command => self.past.done(self.flock.tick(), command),
        }
    }

    fn step(&mut self, scratch: &mut Scratch) {
        self.flock.step(scratch);
        self.past.flown(&self.flock);
    }

    /// Goes back by a tick; what is held over the flock is held on.
    fn back(&mut self, scratch: &mut Scratch) -> Result<(), RequestError> {
        let pointer = self.flock.pointer();
        let Some(earliest) = self.past.earliest() else { return Err(RequestError::TooMany) };
        let before = self.flock.tick().checked_sub(1);
        self.flock = before.and_then(|tick| self.past.back(tick, scratch)).ok_or(RequestError::Beginning(earliest))?;
        if self.flock.pointer() != pointer {
            let held = Command::SetPointer(pointer);
            self.flock.apply(&held)?;
            self.note(held);
        }
        self.came_back = true;
        Ok(())
    }

    /// Lets the canvas see what was before this tick, for trails and the like.
    fn remember(&mut self, scratch: &mut Scratch) {
        let (canvas, picture) = (&mut self.canvas, &mut self.frames.input_buffer_mut().picture);
        if self.flock.boids() <= FEW {
            self.past.watch(self.flock.tick(), MEMORY, scratch, |flock| canvas.draw(flock, picture));
        }
    }

    /// Flies a tick, where one is due. Says whether it did.
    fn tick(&mut self, scratch: &mut Scratch) -> bool {
        if self.paused || !self.metronome.take(Instant::now()) {
            return false;
        }
        let begun = Instant::now();
        self.step(scratch);
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

    /// Whether a tick that has just been flown is to be drawn.
    fn is_worth_drawing(&self) -> bool {
        // It may be looked at this very moment: then the next tick is drawn.
        let waits = (!self.frames.consumed()).then(|| self.flock.tick().abs_diff(self.drawn));
        is_seen(self.metronome.per_second(), self.fps, waits)
    }

    /// Draws the flock and hands the frame out.
    fn show(&mut self) {
        self.measure();
        let now = Instant::now();
        self.canvas.advance_camera((now - self.shown).as_secs_f32());
        (self.shown, self.drawn) = (now, self.flock.tick());
        let frame = self.frames.input_buffer_mut();
        frame.draw(&mut self.canvas, &self.flock);
        frame.describe(&self.flock);
        frame.measures = self.measures;
        frame.measure_count = self.measure_count;
        frame.rate = self.rate;
        frame.ticks_per_second = if self.paused { 0.0 } else { self.metronome.per_second() };
        frame.paused = self.paused;
        frame.requests_done = self.requests_done;
        frame.refusal.clone_from(&self.refusal);
        self.frames.publish();
    }

    /// Measures the flock, where it is time to.
    fn measure(&mut self) {
        let start = Instant::now();
        if !self.is_measure_due(start) {
            return;
        }
        self.measures = self.analyzer.measure(&self.flock, MEASURE_SAMPLE);
        self.measure_count += 1;
        self.cadence.taken(start, Instant::now());
    }

    /// Whether the view is on its way and no tick has shown it for a while.
    fn is_glide_due(&self, now: Instant) -> bool {
        self.canvas.is_camera_moving() && now >= self.shown + GLIDE
    }

    fn is_measure_due(&self, now: Instant) -> bool {
        self.cadence.due().is_some_and(|due| due <= now)
    }
}

/// Whether a tick is to be drawn, of so many a second, for somebody who looks at most `fps` times a second; `waits` says
/// how many ticks ago the frame was drawn that waits to be looked at, where one does. At most every other is left out:
/// glow and heat are means over what is drawn, and nobody sees a flock as it was long ago.
fn is_seen(ticks_per_second: f32, fps: f32, waits: Option<u64>) -> bool {
    waits.is_none_or(|ticks| ticks > 1 || ticks_per_second < AMPLE * fps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks `fps` times a second, for ten seconds, at what is drawn of `rate` ticks a second; a look may come late by a
    /// fifth of a tick. Returns how many looks found nothing new, how many frames were drawn, and how many ticks old
    /// the oldest was that was looked at.
    fn watch(rate: f32, fps: f32, phase: f32) -> (u32, u32, f32) {
        let (mut drawn, mut looks, mut missed, mut oldest) = (0, 0, 0, 0.0_f32);
        let (mut shown, mut waiting, mut next) = (0, false, phase);
        for tick in 1..(10.0 * rate) as u64 {
            let now = tick as f32 / rate;
            while next < now {
                (looks, missed) = (looks + 1, missed + u32::from(!waiting));
                oldest = oldest.max(next * rate - shown as f32);
                waiting = false;
                let late = [0.0, 0.2, 0.1, 0.15][looks % 4] / rate;
                next = phase + looks as f32 / fps + late;
            }
            if is_seen(rate, fps, waiting.then_some(tick - shown)) {
                (shown, waiting, drawn) = (tick, true, drawn + 1);
            }
        }
        (missed, drawn, oldest)
    }

    #[test]
    fn every_look_finds_a_new_frame_and_every_other_tick_is_left_out_where_ticks_are_ample() {
        for (rate, fps, most) in [(60.0, 30.0, 400), (960.0, 30.0, 5000), (60.0, 40.0, 500), (60.0, 50.0, 599)] {
            for phase in 0..10 {
                let (missed, drawn, oldest) = watch(rate, fps, phase as f32 * 0.1 / rate);
                let why =
                    format!("{rate} ticks, {fps} frames, {phase}: {missed} missed of {drawn}, {oldest} ticks old");
                assert!(missed <= 1 && drawn <= most && oldest < 2.2, "{why}");
            }
        }
        let (_, drawn, _) = watch(60.0, 60.0, 0.003);
        assert_eq!(drawn, 599, "a look that comes late finds the next tick");
    }
}
