//! The viewer's loop: keys in, frames out.

pub(crate) mod screenshot;
pub(crate) mod suspend;
pub(crate) mod viewer;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossterm::event::{KeyEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::app::config_reload::ConfigReloader;
use super::app::overlay::Overlay;
use super::app::throughput::{Throughput, ThroughputCounter};
use super::app::{App, Effect};
use super::input::prompt::LineEdit;
use super::views;
use super::views::PanelData;
use super::views::layout::Regions;
use super::{Action, Keymap};
use crate::engine::{Engine, RateLimit};
use crate::terminal::events::{EventQueue, Reply, TerminalEvent, read_input};
use crate::terminal::frame_writer::FrameWriter;
use crate::terminal::signals::{SignalEvent, Signals, SuspendScope};
use crate::terminal::tty;
use crate::terminal::{Charset, FrameOptions, Pacer, ScreenEncoder, SendDecision};
use screenshot::ScreenshotWriter;
pub(crate) use suspend::{REPLY_TIMEOUT, REPLY_TIMEOUT_ON_SIGNAL};
use viewer::{SaveScreenshot, ViewerError, dot_height, input_error, window};

/// How long the loop sleeps at most, however few frames are drawn.
const MAX_SLEEP: Duration = Duration::from_millis(100);
/// For how long what was asked for may still come.
const ACTIVITY_WINDOW: Duration = Duration::from_millis(500);
/// How often the first frame is looked for.
const FIRST_FRAME_POLL: Duration = Duration::from_millis(1);

/// The terminal, the engine, and what stands between them.
pub(crate) struct EventLoop {
    app: App,
    engine: Engine,
    backend: ScreenEncoder,
    /// What ratatui draws on.
    sheet: Buffer,
    events: EventQueue,
    writer: FrameWriter,
    pacer: Pacer,
    period: Duration,
    /// When the next frame is due.
    due: Instant,
    /// Before that nothing changes for a frame that had to wait, unless something happens.
    retry: Option<Instant>,
    size: Size,
    /// How many times as high as wide the terminal's dots are.
    dot_height: f32,
    synchronized: bool,
    throughput: Throughput,
    count: ThroughputCounter,
    /// Whether anything may look otherwise, beside what frames show.
    stale: bool,
    /// What the panel says.
    facts: Option<PanelData>,
    late: RateLimit,
    begun: bool,
    /// When something happened last.
    stirred: Instant,
    /// The signals that have not been answered.
    called: VecDeque<SignalEvent>,
    screenshots: ScreenshotWriter,
    reload: ConfigReloader,
}

impl EventLoop {
    pub(crate) fn new(
        app: App,
        engine: Engine,
        (fps, bandwidth): (f32, Option<u32>),
        charset: Charset,
        save_picture: SaveScreenshot,
        reload: ConfigReloader,
        events: EventQueue,
    ) -> Result<Self, ViewerError> {
        let (size, dot_height) = (window()?, app.dot_height);
        let now = Instant::now();
        Ok(Self {
            app,
            engine,
            backend: ScreenEncoder::new(size, charset),
            sheet: Buffer::empty(Rect::new(0, 0, size.width, size.height)),
            writer: FrameWriter::start(events.sender()).map_err(ViewerError::System)?,
            events,
            pacer: Pacer::new(fps, bandwidth, tty::REPLIES_SUPPORTED, now),
            period: Duration::from_secs_f32(1.0 / fps),
            due: now,
            retry: None,
            size,
            dot_height,
            synchronized: true,
            throughput: Throughput::default(),
            count: ThroughputCounter::new(now),
            stale: true,
            facts: None,
            late: RateLimit::default(),
            begun: false,
            stirred: now,
            called: VecDeque::new(),
            screenshots: ScreenshotWriter::new(save_picture),
            reload,
        })
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Begins to listen, and asks the terminal what it can do; the first frame does not wait for answers.
    pub(crate) fn open(&mut self, query_terminal: bool) -> Result<(), ViewerError> {
        read_input(self.events.sender()).map_err(input_error)?;
        if tty::REPLIES_SUPPORTED
            && let Some(mut words) = self.writer.take_buffer()
        {
            let ask = self.pacer.ack_row(1);
            words.extend_from_slice(&tty::capability_queries(query_terminal));
            self.pacer.bytes_sent(words.len(), ask, Instant::now());
            self.writer.write(words);
        }
        Ok(())
    }

    /// Runs until somebody quits, the time is over, or a signal comes, which is returned.
    pub(crate) fn run(&mut self, signals: &Signals, duration: Option<Duration>) -> Result<Option<i32>, ViewerError> {
        let begun = Instant::now();
        loop {
            self.listen(signals)?;
            self.answer_calls(signals)?;
            if let Some(signal) = signals.pending() {
                return Ok(Some(signal));
            }
            if tty::panic_reported() || !self.engine.is_running() {
                return Err(ViewerError::Fault);
            }
            if let Some(message) = self.screenshots.poll() {
                self.app.show_message(message);
                self.stale = true;
            }
            let quits = self.grant_wishes(signals)?.is_break();
            let now = Instant::now();
            if quits || duration.is_some_and(|duration| now - begun >= duration) {
                return Ok(None);
            }
            if now >= self.next() {
                self.frame(now)?;
            }
        }
    }

    /// Does what signals call for that do not end the program.
    fn answer_calls(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        while let Some(call) = self.called.pop_front() {
            match call {
                SignalEvent::Suspend => self.suspend(signals, SuspendScope::Process)?,
                SignalEvent::Resume => self.resume(signals)?,
                SignalEvent::Reload => self.reload(),
                SignalEvent::Terminate(_) => {}
            }
        }
        Ok(())
    }

    /// Does what keys ask for that the viewer alone cannot; breaks off where that is to quit.
    fn grant_wishes(&mut self, signals: &Signals) -> Result<ControlFlow<()>, ViewerError> {
        while let Some(wish) = self.app.next_effect() {
            match wish {
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Suspend => self.suspend(signals, SuspendScope::Job)?,
                Effect::Picture => self.picture(),
                Effect::Reload => self.reload(),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// When a frame is worth trying again.
    fn next(&self) -> Instant {
        self.retry.map_or(self.due, |retry| retry.max(self.due))
    }

    /// Waits for something to happen until the next frame is due, and takes in all that has.
    fn listen(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        let now = Instant::now();
        let until = self.next().min(now + MAX_SLEEP);
        // A frame that could not go out waits for an answer, or for the writer.
        self.events.wait(until, self.retry.is_some());
        let patience = Instant::now() + self.period;
        while let Some((then, happening)) = self.events.pop() {
            (self.stirred, self.due) = (now, self.due.min(now + self.period));
            let can_wait = happening.can_wait();
            self.take(happening, then)?;
            // Nobody waits for the rest of a flood of keys, nor for a frame until it is over.
            if !can_wait && (signals.pending().is_some() || Instant::now() > patience) {
                break;
            }
        }
        for request in self.app.requests() {
            self.engine.request(request);
        }
        Ok(())
    }

    fn take(&mut self, happening: TerminalEvent, then: Instant) -> Result<(), ViewerError> {
        match happening {
            TerminalEvent::Key(key) => {
                self.press(key);
                self.stale = true;
            }
            TerminalEvent::Mouse(mouse) => {
                use MouseEventKind::{Drag, Moved, Up};
                // A press and the wheel wake like a key; what is held on was never begun.
                let begins = !matches!(mouse.kind, Drag(_) | Moved | Up(_));
                if !(begins && self.app.note_activity(Instant::now())) {
                    self.app.touch(mouse, self.sheet.area);
                }
                self.stale = true;
            }
            TerminalEvent::Paste(text) => {
                if !self.app.note_activity(Instant::now()) {
                    self.app.paste(&text);
                }
                self.stale = true;
            }
            TerminalEvent::FocusLost => {
                self.app.let_go();
                self.stale = true;
            }
            TerminalEvent::Reply(answer) => self.take_reply(answer, then),
            TerminalEvent::Resized => self.stale = true,
            // To read the config again is not worth more than once.
            TerminalEvent::Signal(SignalEvent::Reload) if self.called.contains(&SignalEvent::Reload) => {}
            TerminalEvent::Signal(call) => self.called.push_back(call),
            TerminalEvent::FrameWritten(room, sent) => {
                sent?;
                self.writer.return_buffer(room);
                self.retry = None;
            }
            TerminalEvent::InputClosed(error) => return Err(input_error(error)),
        }
        Ok(())
    }

    fn take_reply(&mut self, answer: Reply, then: Instant) {
        match answer {
            Reply::CursorRow(row) => tracing::trace!(row, "shown"),
            answer => tracing::info!(?answer, "the terminal answers"),
        }
        match answer {
            Reply::CursorRow(row) => {
                self.pacer.acknowledged(row, then);
                self.retry = None;
            }
            Reply::Synchronized(known) => self.synchronized = known,
            Reply::Background(color) => self.stale |= self.app.theme.set_terminal_background(color),
            Reply::Truecolor => self.stale |= self.app.theme.confirm_truecolor(),
        }
    }

    fn press(&mut self, key: KeyEvent) {
        if self.app.note_activity(Instant::now()) {
            return;
        }
        let overlay = self.app.overlay();
        let navigation = Keymap::navigation(key).filter(|action| overlay.is_some_and(|overlay| overlay.takes(*action)));
        let action = navigation.or_else(|| self.app.keymap().action(key));
        // As in a pager: who is done with reading does not lose the flock.
        let is_read = overlay.is_some_and(|overlay| !overlay.is_typed()) && key.modifiers.is_empty();
        let action = if is_read && action == Some(Action::Quit) { Some(Action::Close) } else { action };
        if overlay.is_some_and(Overlay::is_typed) {
            self.app.type_key(LineEdit::of(key), action);
        } else if let Some(action) = action {
            self.app.act(action);
        }
    }

    /// Draws and sends a frame, where there is anything new and the wire is free.
    fn frame(&mut self, now: Instant) -> Result<(), ViewerError> {
        self.app.carry(self.sheet.area);
        self.stale |= self.app.animate(now) | self.fit()?;
        let news = self.engine.has_new_frame() || self.stale;
        let moved = self.measure(now);
        self.due = (self.due + if self.begun { self.period } else { FIRST_FRAME_POLL }).max(now);
        if !(news || moved || self.backend.is_dirty(self.pacer.quality().is_best())) {
            self.rest(now);
        } else if let Some(budget) = self.budget(now) {
            self.retry = None;
            if self.draw(news) {
                self.send(budget, news, now);
            }
            self.complain(now);
        }
        Ok(())
    }

    /// Lets a frame pass in which there is nothing new.
    fn rest(&mut self, now: Instant) {
        // What a slow wire made pale gets its colors back also where it stands.
        self.stale |= self.pacer.idle(now);
        // Where time stands still nothing comes that nobody has asked for.
        if self.app.session.is_paused() && now - self.stirred > ACTIVITY_WINDOW {
            self.due = now + MAX_SLEEP;
        }
    }

    /// How many bytes may go out now. None where the wire is not free: what cannot go out is not drawn either, since the
    /// next frame is newer.
    fn budget(&mut self, now: Instant) -> Option<usize> {
        match self.pacer.decide(now) {
            SendDecision::Now(budget) if !self.writer.is_busy() => return Some(budget),
            SendDecision::Now(_) => {
                self.pacer.frame_delayed();
                self.wait(MAX_SLEEP, now);
            }
            SendDecision::Wait(wait) => self.wait(wait, now),
        }
        None
    }

    /// Tells of frames that take longer than there is from one to the next.
    fn complain(&mut self, begun: Instant) {
        let (now, allowed) = (Instant::now(), self.period);
        let took = now - begun;
        if took > allowed
            && let Some(times) = self.late.count(now)
        {
            tracing::warn!(?took, ?allowed, times, size = %self.size, "slow frame");
        }
    }

    /// Tries again after this time, or as soon as something happens.
    fn wait(&mut self, time: Duration, now: Instant) {
        (self.due, self.retry) = (now, Some(now + time));
    }

    /// Takes the window's size on. Says whether it has changed.
    fn fit(&mut self) -> Result<bool, ViewerError> {
        let size = window()?;
        let changed = size != self.size;
        if changed {
            tracing::info!(columns = size.width, rows = size.height, "resized");
            self.pacer.resize();
            self.begin_anew(size);
        }
        Ok(changed)
    }

    /// Draws what there is to see. Says whether there is anything yet.
    fn draw(&mut self, news: bool) -> bool {
        let quality = self.pacer.quality();
        self.stale |= self.app.theme.limit(quality.depth);
        if !quality.is_best() {
            self.app.skip_intro();
        }
        let Some(frame) = self.engine.frame() else { return false };
        self.begun = true;
        self.app.notice(frame);
        let (app, throughput) = (&self.app, self.throughput);
        let facts = PanelData::of(frame);
        let other = self.facts.replace(facts) != Some(facts) || self.stale;
        views::draw_to_backend(&mut self.backend, &mut self.sheet, app, frame, throughput, other.then_some(&facts));
        if news {
            self.count.frame();
        }
        self.stale = false;
        self.app.resize(self.sheet.area, self.dot_height);
        for request in self.app.requests() {
            self.engine.request(request);
        }
        true
    }

    /// Takes a picture of the flock as it is seen; it is saved beside all else, which may take a while.
    fn picture(&mut self) {
        if self.screenshots.is_busy() {
            // A key that is held asks many times.
            return;
        }
        let Some(frame) = self.engine.frame() else { return };
        let canvas = Regions::new(self.sheet.area, self.app.is_clean()).flock;
        let mut picture = Buffer::empty(Rect::new(0, 0, canvas.width, canvas.height));
        views::draw_flock(&mut picture, &self.app, frame);
        let name = format!("{}-{}-{}", self.app.session.preset().name, frame.seed, frame.tick);
        let theme = self.app.theme.theme().into_owned();
        if let Err(error) = self.screenshots.save(picture, theme, name) {
            self.app.show_message(error.to_string());
        }
        self.stale = true;
    }

    /// Sends what the terminal does not show yet.
    fn send(&mut self, budget: usize, news: bool, now: Instant) {
        let Some(mut bytes) = self.writer.take_buffer() else { return };
        let ack_row = self.pacer.ack_row(self.size.height);
        let quality = self.pacer.quality();
        // What is a little off in one cell is seen on a ground as large as a glow or a sky.
        let (tolerance, exact_background) = (quality.tolerance, quality.is_best());
        let framing = FrameOptions { budget, tolerance, exact_background, synchronized: self.synchronized, ack_row };
        let is_whole = self.backend.encode(framing, &mut bytes);
        if bytes.is_empty() {
            return self.writer.return_buffer(bytes);
        }
        tracing::trace!(bytes = bytes.len(), budget, news, "frame");
        // What is drawn for the throughput alone would move them again, and again.
        if news {
            self.count.bytes(bytes.len());
        }
        self.pacer.frame_sent(bytes.len(), is_whole, ack_row, now);
        self.writer.write(bytes);
    }

    /// Reads the throughput once a second. Says whether they have moved.
    fn measure(&mut self, now: Instant) -> bool {
        let Some(throughput) = self.count.read(now) else { return false };
        let moved = throughput.frames_per_second != self.throughput.frames_per_second;
        self.throughput = throughput;
        moved
    }

    /// Reads the config again, and draws all of the screen; what cannot be read changes nothing.
    fn reload(&mut self) {
        match self.reload.read() {
            Ok(reloaded) => {
                if let Some(fps) = reloaded.fps {
                    self.period = Duration::from_secs_f32(1.0 / fps);
                    self.pacer.set_fps(fps);
                }
                if let Some(bytes) = reloaded.bandwidth {
                    self.pacer.set_bandwidth(bytes, Instant::now());
                }
                self.app.apply_config(reloaded);
            }
            Err(error) => {
                tracing::warn!(error = error.to_string(), "not read again");
                self.app.show_message(error.to_string());
            }
        }
        self.begin_anew(self.size);
        self.stale = true;
    }

    /// Draws on a terminal of this size of which nobody knows what it shows.
    fn begin_anew(&mut self, size: Size) {
        (self.size, self.dot_height) = (size, dot_height());
        self.backend.resize(size);
        self.sheet.resize(Rect::new(0, 0, size.width, size.height));
    }
}
