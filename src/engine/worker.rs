//! The main loop of the simulation thread: requests in, ticks, frames out.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use triple_buffer::Input;

use super::frame::{Frame, FrameMaker, Notice};
use super::request::{Clock, Controls, Request, RequestError};
use super::test_hooks;
use super::tiles::TiledFlocks;
use super::timers::{MeasureSchedule, RateLimit, TickTimer};
use crate::picture::CanvasFormat;
use crate::sim::{Command, Direction, Scratch, SessionLog, Simd, Snapshot, Timeline, Undone};
use crate::tracks::Recording;

/// Above this many boids, connected groups are found only in every so many measurements.
const GROUPED_RARELY: (usize, u64) = (1000, 5);
/// The longest time between two frames while the camera moves.
const CAMERA_INTERVAL: Duration = Duration::from_millis(20);
/// If ticks are at least this many times as frequent as frames, every other may be skipped. At a lower ratio the viewer
/// would miss frames.
const SKIP_RATIO: f32 = 1.5;
/// How long a move to another tick is computed before requests are looked at.
const SLICE: Duration = Duration::from_millis(20);
/// The time between two frames while a move to another tick is computed.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// After a move to another tick this many earlier ticks are drawn again, for trails and glow …
const REDRAWN_TICKS: u64 = 160;
/// … of flocks that are small enough to do so without delay, and for at most this time.
const REDRAWN_BOIDS: usize = 3000;
const REDRAW_TIME: Duration = Duration::from_millis(500);

/// A tick on one thread is slow above this part of its time, as frames are drawn in the rest …
const SLOW: (u32, u32) = (3, 4);
/// … and one on several threads is fast enough for a single one below this part.
const FAST: (u32, u32) = (1, 8);

/// How the engine starts.
#[derive(Clone, Debug)]
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
    /// Whether to pause at the last tick, as of a file.
    pub pauses_at_end: bool,
    /// A command at the first tick, before the first frame.
    pub first: Option<Command>,
    /// The recording, unless it shows a session.
    pub recording: Option<Arc<Recording>>,
}

/// What the simulation thread receives.
#[derive(Debug)]
pub(super) enum Message {
    Request(Request),
    /// Send the log and the hash of its last state.
    ReadSession(Sender<(SessionLog, Option<u64>)>),
    /// Send a timeline from the nearest known state that is not after a tick.
    Near(u64, Sender<Option<Box<dyn Timeline>>>),
}

/// The state of the simulation thread.
pub(super) struct Worker {
    timeline: Box<dyn Timeline>,
    /// The last tick of a file, until the session is longer.
    file_end: Option<u64>,
    /// How many requests have arrived.
    received: u64,
    /// Requests, with their numbers, that wait until a move to another tick is done.
    waiting: VecDeque<(u64, Request)>,
    /// A command at the first tick.
    first: Option<Command>,
    threads: NonZeroUsize,
    timer: TickTimer,
    fps: f32,
    schedule: MeasureSchedule,
    slow_ticks: RateLimit,
    /// Whether ticks need several threads to be in time.
    is_slow: bool,
    has_reported_divergence: bool,
    /// When the last frame was drawn.
    drawn_at: Instant,
    /// Its tick.
    drawn_tick: u64,
    /// The number of a scene, and at which ticks to log the hash of its flock.
    logs_hashes: Option<(u64, u64)>,
    maker: FrameMaker,
    inbox: Receiver<Message>,
    frames: Input<Frame>,
    /// Called after each frame.
    notify: Box<dyn Fn() + Send>,
}

impl Worker {
    pub(super) fn new(
        timeline: Box<dyn Timeline>,
        options: Options,
        inbox: Receiver<Message>,
        frames: Input<Frame>,
        notify: Box<dyn Fn() + Send>,
    ) -> Self {
        let now = Instant::now();
        let frame = Frame {
            recording: options.recording,
            ..Frame::new(Controls::of_setup(timeline.snapshot().setup(), options.rate))
        };
        Self {
            maker: FrameMaker::new(frame, options.canvas),
            file_end: options.pauses_at_end.then(|| timeline.position().last),
            timeline,
            received: 0,
            waiting: VecDeque::new(),
            first: options.first,
            threads: options.threads,
            timer: TickTimer::new(options.rate, now),
            fps: options.fps,
            schedule: MeasureSchedule::new(now),
            slow_ticks: RateLimit::default(),
            is_slow: false,
            logs_hashes: None,
            has_reported_divergence: false,
            drawn_at: now,
            drawn_tick: 0,
            inbox,
            frames,
            notify,
        }
    }

    /// Runs until the engine is dropped.
    pub(super) fn run(&mut self, scratch: &mut Scratch) {
        self.work(scratch);
        if let Some(command) = self.first.take() {
            self.handle(Request::Flock { command, continues: false }, scratch);
        }
        self.publish();
        while let Ok(message) = self.wait() {
            assert!(!test_hooks::panics_at(self.timeline.snapshot().tick), "{} is set", test_hooks::PANIC);
            let received = self.received;
            if let Some(message) = message {
                self.receive(message, scratch);
                // All that have arrived, as each on its own would cost a frame.
                while let Ok(next) = self.inbox.try_recv() {
                    self.receive(next, scratch);
                }
            }
            let arrived = self.work(scratch);
            let ticked = self.tick_if_due(scratch);
            let pending = (!self.frames.consumed()).then(|| self.shown_tick().abs_diff(self.drawn_tick));
            // The end of a replay pauses.
            let shows_tick =
                ticked && (self.maker.frame.controls.paused || should_draw(self.timer.per_second, self.fps, pending));
            if self.received > received
                || arrived
                || shows_tick
                || self.frame_due().is_some_and(|due| due <= Instant::now())
            {
                self.publish();
            }
        }
    }

    /// When the next frame is due although no request arrives and no tick runs.
    fn frame_due(&self) -> Option<Instant> {
        // Otherwise the next tick shows pending measures.
        let measure = self.schedule.due().filter(|_| self.maker.frame.controls.paused);
        let camera = self.maker.canvas.is_camera_moving().then(|| self.drawn_at + CAMERA_INTERVAL);
        let between =
            self.shows_between_frames().then(|| self.drawn_at + Duration::from_secs_f32(1.0 / self.fps.max(1.0)));
        let progress = self.timeline.is_busy().then(|| self.drawn_at + PROGRESS_INTERVAL);
        let is_selecting = self.maker.tiles.as_ref().is_some_and(TiledFlocks::is_selecting);
        let brood = is_selecting.then(|| self.drawn_at + PROGRESS_INTERVAL);
        [measure, camera, between, progress, brood].into_iter().flatten().min()
    }

    /// Waits for a request until a tick or a frame is due.
    fn wait(&self) -> Result<Option<Message>, RecvTimeoutError> {
        let work = self.timeline.is_busy().then(Instant::now);
        let tick = (!self.maker.frame.controls.paused).then_some(self.timer.due);
        let Some(due) = [work, tick, self.frame_due()].into_iter().flatten().min() else {
            return Ok(Some(self.inbox.recv()?));
        };
        match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => Ok(None),
            result => result.map(Some),
        }
    }

    fn receive(&mut self, message: Message, scratch: &mut Scratch) {
        match message {
            Message::Request(request) => {
                self.received += 1;
                // Later requests must not overtake one that waits.
                let follows = !self.waiting.is_empty() && !request.is_immediate();
                if follows || self.must_wait(&request) {
                    self.waiting.push_back((self.received, request));
                } else {
                    self.handle(request, scratch);
                }
            }
            Message::ReadSession(reply) => {
                // The reader may have stopped waiting.
                let _ = self.timeline.session().map(|session| reply.send(session.log_and_hash()));
            }
            Message::Near(tick, reply) => _ = reply.send(self.timeline.near(tick)),
        }
    }

    /// Whether a request must wait for the session: changes of the flock until it arrives at its tick, and moves until branches
    /// are exchanged.
    fn must_wait(&self, request: &Request) -> bool {
        let waits_for_branch = self.timeline.is_exchanging() && !request.is_immediate();
        let needs_flock = matches!(
            request,
            Request::Flock { .. } | Request::Breed(..) | Request::Undo(_) | Request::Clock(Clock::Backward)
        );
        waits_for_branch || self.timeline.is_busy() && needs_flock
    }

    /// Handles the requests that need not wait any more.
    fn handle_waiting(&mut self, scratch: &mut Scratch) {
        while let Some((_, request)) = self.waiting.front() {
            if self.must_wait(request) {
                return;
            }
            if let Some((_, request)) = self.waiting.pop_front() {
                self.handle(request, scratch);
            }
        }
    }

    fn handle(&mut self, request: Request, scratch: &mut Scratch) {
        tracing::debug!(tick = self.timeline.snapshot().tick, "request: {request}");
        if let Err(error) = self.apply(request, scratch) {
            tracing::warn!(error = error.to_string(), "request failed");
            self.notify(Notice::Refused(error));
        }
    }

    fn apply(&mut self, request: Request, scratch: &mut Scratch) -> Result<(), RequestError> {
        match request {
            Request::Flock { command, continues } => {
                let session = self.timeline.session_mut().ok_or(RequestError::Recording)?;
                if session.apply(command, continues, scratch)? {
                    self.notify(Notice::Branch(self.timeline.position().tick));
                }
                self.flock_changed();
            }
            Request::Undo(direction) => self.undo(direction, scratch),
            Request::Clock(clock) => self.control(clock, scratch)?,
            Request::Canvas(..) => self.maker.handle(request)?,
            Request::Fps(fps) => self.fps = fps,
            Request::Follow { begun, scene, every } => {
                self.timer.follow(begun, self.timeline.snapshot().tick);
                self.logs_hashes = Some((scene, every));
            }
            Request::Breed(..) => {
                self.maker.frame.describe(self.timeline.snapshot());
                self.maker.handle(request)?;
                self.timer.restart(Instant::now());
            }
        }
        Ok(())
    }

    fn undo(&mut self, direction: Direction, scratch: &mut Scratch) {
        let Some(session) = self.timeline.session_mut() else { return };
        let undone = session.undo(direction, scratch);
        if undone == Undone::Branch {
            self.maker.frame.controls.paused = true;
        }
        if matches!(undone, Undone::Branch | Undone::Values(_)) {
            self.flock_changed();
        }
        self.notify(Notice::Undone(direction, undone));
    }

    fn flock_changed(&mut self) {
        self.file_end = None;
        self.maker.frame.controls.backward = false;
        self.schedule.hurry(Instant::now());
    }

    fn control(&mut self, clock: Clock, scratch: &mut Scratch) -> Result<(), RequestError> {
        clock.set(&mut self.maker.frame.controls);
        let now = Instant::now();
        match clock {
            Clock::Pause(_) => self.timer.restart(now),
            Clock::Step => {
                if self.timeline.is_busy() {
                    self.timeline.skip(1);
                } else {
                    self.tick(scratch);
                }
                self.schedule.hurry(now);
            }
            Clock::Back => {
                let position = self.timeline.position();
                if position.target() == position.first {
                    return Err(RequestError::NoEarlierTick(position.first));
                }
                self.timeline.skip(-1);
            }
            Clock::Skip(ticks) => self.timeline.skip(ticks),
            Clock::Seek(tick) => self.timeline.seek(tick),
            Clock::CancelSeek => {
                // In the middle of a tick, the next one would go on with it.
                self.maker.frame.controls.paused |= self.timeline.is_busy() && !self.timeline.is_seeking();
                self.timeline.cancel();
            }
            Clock::Backward => {
                self.timer.restart(now);
                self.pause_at_stop();
            }
            Clock::Rate(rate) => self.timer.set_rate(rate, now),
        }
        Ok(())
    }

    fn notify(&mut self, notice: Notice) {
        self.maker.frame.notice = (self.maker.frame.notice.0 + 1, Some(notice));
    }

    /// Computes a part of what remains, and handles what had to wait for it. Returns whether the flock has arrived at its tick.
    fn work(&mut self, scratch: &mut Scratch) -> bool {
        if !self.timeline.is_busy() {
            self.handle_waiting(scratch);
            return false;
        }
        let (start, is_move) = (Instant::now(), self.timeline.is_seeking());
        while self.timeline.is_busy() {
            if let Err(error) = self.timeline.work(scratch) {
                self.notify(Notice::Impossible(error));
            }
            if start.elapsed() > SLICE {
                break;
            }
        }
        if self.timeline.is_busy() {
            return false;
        }
        self.report_divergence();
        if is_move {
            self.arrive(scratch);
        }
        self.pause_at_stop();
        self.handle_waiting(scratch);
        true
    }

    /// Draws earlier ticks after a move, for trails and everything else that is smoothed over time.
    fn arrive(&mut self, scratch: &mut Scratch) {
        if !self.maker.frame.controls.paused {
            self.schedule.mark_outdated();
            return;
        }
        let (canvas, picture) = (&mut self.maker.canvas, &mut self.frames.input_buffer_mut().picture);
        if self.timeline.snapshot().boids() <= REDRAWN_BOIDS {
            let start = Instant::now();
            self.timeline.visit_before(REDRAWN_TICKS, scratch, &mut |flock| {
                if let Some(flock) = flock {
                    canvas.draw(flock, picture);
                }
                start.elapsed() < REDRAW_TIME
            });
        }
        self.schedule.hurry(Instant::now());
    }

    /// Runs a tick forward, or moves back by one.
    fn tick(&mut self, scratch: &mut Scratch) {
        if let Some(tiles) = &mut self.maker.tiles {
            return tiles.step(scratch);
        }
        if self.maker.frame.controls.backward {
            self.timeline.skip(-1);
        } else {
            self.timeline.step(scratch);
            let flock = self.timeline.snapshot();
            if let Some((scene, every)) = self.logs_hashes
                && flock.tick.is_multiple_of(every)
            {
                tracing::info!("scene {scene} tick {} hash {:016x}", flock.tick, flock.hash());
            }
        }
        self.work(scratch);
    }

    /// Pauses at the first tick backward, and at the last one of a replayed file.
    fn pause_at_stop(&mut self) {
        let (position, controls) = (self.timeline.position(), &mut self.maker.frame.controls);
        let is_file_end = self.file_end == Some(position.tick) && position.tick == position.last;
        let is_stop = if controls.backward { position.target() == position.first } else { is_file_end };
        if is_stop && !self.timeline.is_busy() {
            (controls.paused, controls.backward) = (true, false);
        }
    }

    /// Reports a difference between a session and its replay, once.
    fn report_divergence(&mut self) {
        if let Some(divergence) = self.timeline.divergence().filter(|_| !self.has_reported_divergence) {
            tracing::warn!(divergence = divergence.to_string(), "replay");
            self.has_reported_divergence = true;
            self.notify(Notice::Diverged(divergence.tick));
        }
    }

    /// Runs a tick if one is due. Returns whether it did.
    fn tick_if_due(&mut self, scratch: &mut Scratch) -> bool {
        if self.maker.frame.controls.paused || self.timeline.is_busy() || !self.timer.take(Instant::now()) {
            return false;
        }
        let start = Instant::now();
        // Several threads together need more processor time than one.
        scratch.stay_on_one_thread(!self.is_slow);
        self.tick(scratch);
        scratch.stay_on_one_thread(false);
        let now = Instant::now();
        self.timer.count(now);
        if self.maker.tiles.is_none() {
            self.schedule.mark_outdated();
        }
        let (took, period) = (now - start, self.timer.period);
        let (part, of) = if self.is_slow { FAST } else { SLOW };
        self.is_slow = took > period * part / of;
        if took > period
            && let Some(times) = self.slow_ticks.count(now)
        {
            tracing::warn!(tick = self.timeline.snapshot().tick, ?took, ?period, times, "slow tick");
        }
        true
    }

    /// The tick of what pictures show.
    fn shown_tick(&self) -> u64 {
        self.maker.tiles.as_ref().map_or(self.timeline.snapshot().picture_tick(), |tiles| tiles.shown.tick)
    }

    /// Draws the flock and publishes the frame.
    fn publish(&mut self) {
        self.measure_if_due();
        let now = Instant::now();
        let seconds = (now - self.drawn_at).as_secs_f32();
        self.maker.canvas.advance_camera(seconds);
        self.maker.tiles.iter_mut().for_each(|tiles| tiles.poll(self.threads));
        (self.drawn_at, self.drawn_tick) = (now, self.shown_tick());
        let frame = &mut self.maker.frame;
        // Later requests may have been handled, but the viewer drops all pending values up to this number.
        frame.request = self.waiting.front().map_or(self.received, |(number, _)| number - 1);
        frame.position = self.timeline.position();
        frame.run = self.timeline.run();
        frame.ticks_per_second = if frame.controls.paused { 0.0 } else { self.timer.per_second };
        let left = self.timer.due.saturating_duration_since(now).as_secs_f32();
        let share = (1.0 - left / self.timer.period.as_secs_f32()).clamp(0.0, 1.0);
        let share = self.shows_between_frames().then_some(share);
        let (maker, timeline) = (&mut self.maker, &self.timeline);
        let (backward, out) = (maker.frame.controls.backward, self.frames.input_buffer_mut());
        let mut make = |picture: Snapshot<'_>| maker.make(timeline.snapshot(), picture, seconds, out);
        if !share.is_some_and(|share| timeline.draw_between(backward, share, &mut make)) {
            make(timeline.picture());
        }
        self.frames.publish();
        (self.notify)();
    }

    /// Whether pictures show recorded animals on their way from one frame to the next: while frames are rarer than pictures.
    fn shows_between_frames(&self) -> bool {
        let controls = &self.maker.frame.controls;
        self.maker.frame.recording.is_some() && !controls.paused && !self.timeline.is_busy() && controls.rate < self.fps
    }

    fn measure_if_due(&mut self) {
        let start = Instant::now();
        if self.schedule.due().is_some_and(|due| due <= start) {
            let (flock, count) = (self.timeline.snapshot(), self.maker.frame.measured.count);
            let (many, interval) = GROUPED_RARELY;
            self.maker.measure(flock, flock.boids() <= many || count.is_multiple_of(interval));
            self.schedule.measured(start, Instant::now());
        }
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
    use crate::breed::{Child, Traits};
    use crate::engine::Breed;
    use crate::sim::{Command, Flock, Session, Setup, Value};

    /// A worker on a new flock that has run some ticks.
    fn worker(ticks: u64) -> (Worker, Scratch) {
        let (flock, mut scratch) = (Flock::new(&Setup::default().with_boids(20)).unwrap(), Scratch::new());
        let options = Options {
            rate: 60.0,
            fps: 60.0,
            threads: NonZeroUsize::MIN,
            simd: Simd::fastest(),
            canvas: CanvasFormat::default(),
            pauses_at_end: false,
            first: None,
            recording: None,
        };
        let (frames, _) = triple_buffer::triple_buffer(&Frame::new(Controls::of_setup(flock.setup(), 60.0)));
        let session = Box::new(Session::begin(flock, true, 1 << 20));
        let mut worker = Worker::new(session, options, std::sync::mpsc::channel().1, frames, Box::new(|| ()));
        worker.work(&mut scratch);
        (0..ticks).for_each(|_| worker.tick(&mut scratch));
        (worker, scratch)
    }

    /// Receives a request.
    fn send(worker: &mut Worker, request: Request, scratch: &mut Scratch) {
        worker.receive(Message::Request(request), scratch);
    }

    fn command(command: Command) -> Request {
        Request::Flock { command, continues: false }
    }

    fn finish(worker: &mut Worker, scratch: &mut Scratch) {
        while worker.timeline.is_busy() || !worker.waiting.is_empty() {
            worker.work(scratch);
        }
        worker.publish();
    }

    #[test]
    fn a_frame_includes_the_requests_before_its_number() {
        let (mut worker, mut scratch) = worker(30);
        for request in [
            Request::Clock(Clock::Seek(10)),
            command(Command::SetBoids(25)),
            Request::Clock(Clock::Rate(30.0)),
            Request::Clock(Clock::Skip(-1)),
        ] {
            send(&mut worker, request, &mut scratch);
        }
        worker.publish();
        assert_eq!(
            (worker.maker.frame.request, worker.maker.frame.controls.rate, worker.maker.frame.boids),
            (1, 30.0, 20)
        );
        finish(&mut worker, &mut scratch);
        let Frame { request, boids, notice, position, .. } = &worker.maker.frame;
        assert_eq!((*request, *boids, position.tick, position.last), (4, 20, 9, 10));
        assert_eq!(*notice, (1, Some(Notice::Branch(10))));
    }

    #[test]
    fn a_move_waits_until_branches_are_exchanged() {
        let (mut worker, mut scratch) = worker(30);
        send(&mut worker, Request::Clock(Clock::Seek(10)), &mut scratch);
        finish(&mut worker, &mut scratch);
        send(&mut worker, command(Command::SetBoids(25)), &mut scratch);
        for request in
            [Request::Undo(Direction::Undo), Request::Clock(Clock::Seek(20)), Request::Clock(Clock::Skip(-1))]
        {
            send(&mut worker, request, &mut scratch);
        }
        worker.publish();
        assert_eq!((worker.maker.frame.request, worker.maker.frame.position.target()), (3, 10));
        finish(&mut worker, &mut scratch);
        let Frame { request, boids, position, .. } = &worker.maker.frame;
        assert_eq!((*request, *boids, position.tick, position.last), (5, 20, 19, 30));
    }

    #[test]
    fn a_change_of_the_flock_ends_backward_ticks() {
        for change in [command(Command::SetBoids(25)), Request::Undo(Direction::Undo)] {
            let (mut worker, mut scratch) = worker(30);
            send(&mut worker, command(Command::set("speed.max", Value::Number(9.0)).unwrap()), &mut scratch);
            send(&mut worker, Request::Clock(Clock::Backward), &mut scratch);
            assert!(worker.maker.frame.controls.backward);
            send(&mut worker, change, &mut scratch);
            assert!(!worker.maker.frame.controls.backward && !worker.maker.frame.controls.paused);
        }
    }

    #[test]
    fn refused_requests_and_undone_changes_are_reported() {
        let (mut worker, mut scratch) = worker(3);
        let mut notice_after = |request| {
            send(&mut worker, request, &mut scratch);
            worker.maker.frame.notice.clone()
        };
        let (number, refused) = notice_after(command(Command::SetBoids(0)));
        assert!(number == 1 && matches!(refused, Some(Notice::Refused(RequestError::Flock(_)))));
        assert_eq!(
            notice_after(Request::Undo(Direction::Undo)),
            (2, Some(Notice::Undone(Direction::Undo, Undone::Nothing)))
        );
        assert_eq!(
            notice_after(Request::Undo(Direction::Redo)),
            (3, Some(Notice::Undone(Direction::Redo, Undone::Nothing)))
        );
        notice_after(command(Command::SetBoids(25)));
        assert_eq!(notice_after(command(Command::SetBoids(26))).0, 3, "without a branch there is no notice");
    }

    #[test]
    fn the_session_waits_while_a_brood_flies() {
        let (mut worker, mut scratch) = worker(30);
        let events = |worker: &Worker| worker.timeline.session().unwrap().log().lock().events().len();
        let format = CanvasFormat { columns: 90, rows: 30, ..CanvasFormat::default() };
        send(&mut worker, Request::Canvas(format, None), &mut scratch);
        let before = (worker.timeline.snapshot().tick, events(&worker));
        let parent = worker.timeline.snapshot().setup();
        send(&mut worker, Request::Breed(Breed::Start, None), &mut scratch);
        (0..5).for_each(|_| worker.tick(&mut scratch));
        worker.publish();
        let shown = worker.maker.frame.brood.clone().unwrap();
        assert_eq!((shown.tick, shown.children.len()), (0, 0), "they are shown once they are chosen");
        assert_eq!((worker.timeline.snapshot().tick, events(&worker)), before);
        while worker.maker.tiles.as_ref().unwrap().is_selecting() {
            worker.publish();
        }
        let selected = worker.maker.frame.brood.clone().unwrap();
        let is_dead = |child: &Child| Traits::of(&parent.clone().with_params(child.params)).is_dead();
        assert!(selected.children.len() == 8 && !selected.children.iter().any(is_dead));
        let small = CanvasFormat { columns: 40, rows: 12, ..format };
        send(&mut worker, Request::Canvas(small, None), &mut scratch);
        worker.publish();
        send(&mut worker, Request::Breed(Breed::Leave, None), &mut scratch);
        (0..3).for_each(|_| worker.tick(&mut scratch));
        worker.publish();
        assert_eq!((worker.maker.frame.tick, worker.maker.frame.brood.is_none()), (before.0 + 3, true));
    }

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
