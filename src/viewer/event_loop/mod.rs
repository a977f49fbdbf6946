//! The event loop: keys and signals in, frames out.

pub(crate) mod frame;
pub(crate) mod run;
pub(crate) mod screenshot;
pub(crate) mod suspend;
pub(crate) mod window;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossterm::event::MouseEventKind;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::app::config_reload::ConfigReloader;
use super::app::stats::{Throughput, ThroughputCounter};
use super::app::{App, Effect};
use super::views::PanelData;
use crate::engine::{Engine, RateLimit};
use crate::terminal::events::{EventQueue, Reply, SignalEvent, SuspendScope, TerminalEvent};
use crate::terminal::frame_writer::FrameWriter;
use crate::terminal::tty;
use crate::terminal::{Charset, Pacer, ScreenEncoder, Signals};
use screenshot::ScreenshotWriter;
use window::{ViewerError, input_error, window_size};

/// The longest sleep of the loop, whatever the frame rate.
const MAX_SLEEP: Duration = Duration::from_millis(100);

/// The viewer's state, its terminal and its engine.
pub(crate) struct EventLoop {
    app: App,
    engine: Engine,
    backend: ScreenEncoder,
    /// The buffer that widgets draw into.
    buffer: Buffer,
    events: EventQueue,
    writer: FrameWriter,
    pacer: Pacer,
    /// The time between two frames.
    period: Duration,
    /// When the next frame is due.
    due: Instant,
    /// When to try again to send a delayed frame, unless an event arrives first.
    retry: Option<Instant>,
    size: Size,
    /// The height of a dot relative to its width.
    dot_height: f32,
    synchronized: bool,
    throughput: Throughput,
    counter: ThroughputCounter,
    /// Whether the screen may have changed, apart from the flock.
    stale: bool,
    /// What the panel shows.
    panel_data: Option<PanelData>,
    slow_frames: RateLimit,
    /// Whether a frame has been drawn.
    started: bool,
    last_event: Instant,
    signal_events: VecDeque<SignalEvent>,
    screenshots: ScreenshotWriter,
    reload: ConfigReloader,
}

impl EventLoop {
    pub(crate) fn new(
        app: App,
        engine: Engine,
        (fps, bandwidth): (f32, Option<u32>),
        charset: Charset,
        reload: ConfigReloader,
        events: EventQueue,
    ) -> Result<Self, ViewerError> {
        let (size, dot_height) = (window_size()?, app.format().dot_height);
        let now = Instant::now();
        Ok(Self {
            app,
            engine,
            backend: ScreenEncoder::new(size, charset),
            buffer: Buffer::empty(Rect::new(0, 0, size.width, size.height)),
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
            counter: ThroughputCounter::new(now),
            stale: true,
            panel_data: None,
            slow_frames: RateLimit::default(),
            started: false,
            last_event: now,
            signal_events: VecDeque::new(),
            screenshots: ScreenshotWriter::default(),
            reload,
        })
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Starts reading input and queries the terminal's capabilities. The first frame does not wait for the replies.
    pub(crate) fn start_input(&mut self, query_terminal: bool) -> Result<(), ViewerError> {
        tty::read_input(self.events.sender()).map_err(input_error)?;
        if tty::REPLIES_SUPPORTED
            && let Some(mut bytes) = self.writer.take_buffer()
        {
            let ack_row = self.pacer.ack_row(1);
            bytes.extend_from_slice(&tty::capability_queries(query_terminal, self.app.theme.depth()));
            self.pacer.bytes_sent(bytes.len(), ack_row, Instant::now());
            self.writer.write(bytes);
        }
        Ok(())
    }

    /// Runs until the user quits, `duration` has passed, or a signal arrives, which it returns.
    pub(crate) fn run(&mut self, signals: &Signals, duration: Option<Duration>) -> Result<Option<i32>, ViewerError> {
        let start = Instant::now();
        loop {
            self.process_events(signals)?;
            self.process_signals(signals)?;
            if let Some(signal) = signals.pending() {
                return Ok(Some(signal));
            }
            if tty::panic_reported() || !self.engine.is_running() {
                return Err(ViewerError::Panic);
            }
            if let Some(message) = self.screenshots.poll() {
                self.app.show_message(message);
                self.stale = true;
            }
            let quits = self.process_effects(signals)?.is_break();
            let now = Instant::now();
            if quits || duration.is_some_and(|duration| now - start >= duration) {
                return Ok(None);
            }
            if now >= self.next_frame() {
                self.frame(now)?;
            }
        }
    }

    /// When the next frame can be sent.
    fn next_frame(&self) -> Instant {
        self.retry.map_or(self.due, |retry| retry.max(self.due))
    }

    /// Waits for events until the next frame is due, and handles them.
    fn process_events(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        let now = Instant::now();
        let until = self.next_frame().min(now + MAX_SLEEP);
        // A delayed frame waits for a reply or for the writer.
        self.events.wait(until, self.retry.is_some());
        let deadline = Instant::now() + self.period;
        while let Some((received, event)) = self.events.pop() {
            (self.last_event, self.due) = (now, self.due.min(now + self.period));
            let can_wait = event.can_wait();
            self.on_event(event, received)?;
            // A flood of keys must not delay a signal or the next frame.
            if !can_wait && (signals.pending().is_some() || Instant::now() > deadline) {
                break;
            }
        }
        self.send_requests();
        Ok(())
    }

    fn send_requests(&mut self) {
        for request in self.app.requests() {
            self.engine.request(request);
        }
    }

    fn on_event(&mut self, event: TerminalEvent, received: Instant) -> Result<(), ViewerError> {
        match event {
            TerminalEvent::Key(key) => {
                if !self.app.note_activity(Instant::now()) {
                    self.app.on_key(key);
                }
                self.stale = true;
            }
            TerminalEvent::Mouse(mouse) => {
                use MouseEventKind::{Drag, Moved, Up};
                // A press or the wheel ends the screensaver; the rest of that drag does nothing.
                let wakes = !matches!(mouse.kind, Drag(_) | Moved | Up(_));
                if !(wakes && self.app.note_activity(Instant::now())) {
                    self.app.on_mouse(mouse, self.buffer.area);
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
                self.app.release_mouse();
                self.stale = true;
            }
            TerminalEvent::Reply(reply) => self.on_reply(reply, received),
            TerminalEvent::Resized => self.stale = true,
            // One reload serves several signals.
            TerminalEvent::Signal(SignalEvent::Reload) if self.signal_events.contains(&SignalEvent::Reload) => {}
            TerminalEvent::Signal(signal) => self.signal_events.push_back(signal),
            TerminalEvent::FrameWritten(buffer, result) => {
                result?;
                self.writer.return_buffer(buffer);
                self.retry = None;
            }
            TerminalEvent::InputClosed(error) => return Err(input_error(error)),
        }
        Ok(())
    }

    fn on_reply(&mut self, reply: Reply, received: Instant) {
        match reply {
            Reply::CursorRow(row) => tracing::trace!(row, "cursor report"),
            reply => tracing::info!(?reply, "terminal reply"),
        }
        match reply {
            Reply::CursorRow(row) => {
                self.pacer.acknowledged(row, received);
                self.retry = None;
            }
            Reply::Synchronized(supported) => self.synchronized = supported,
            Reply::Background(color) => self.stale |= self.app.theme.set_terminal_background(color),
            Reply::Truecolor => self.stale |= self.app.theme.confirm_truecolor(),
        }
    }

    /// Handles the signals that do not end the program.
    fn process_signals(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        while let Some(signal) = self.signal_events.pop_front() {
            match signal {
                SignalEvent::Suspend => self.suspend(signals, SuspendScope::Process)?,
                SignalEvent::Resume => self.resume(signals)?,
                SignalEvent::Reload => self.reload_config(),
                SignalEvent::Terminate(_) => {}
            }
        }
        Ok(())
    }

    /// Carries out queued effects. Breaks to quit.
    fn process_effects(&mut self, signals: &Signals) -> Result<ControlFlow<()>, ViewerError> {
        while let Some(effect) = self.app.next_effect() {
            match effect {
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Suspend => self.suspend(signals, SuspendScope::Job)?,
                Effect::Screenshot => self.save_screenshot(),
                Effect::Reload => self.reload_config(),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reloads the config and redraws the screen. A config with errors changes nothing.
    fn reload_config(&mut self) {
        match self.reload.load() {
            Ok(changes) => {
                if let Some(fps) = changes.fps {
                    self.period = Duration::from_secs_f32(1.0 / fps);
                    self.pacer.set_fps(fps);
                }
                if let Some(bytes) = changes.bandwidth {
                    self.pacer.set_bandwidth(bytes, Instant::now());
                }
                self.app.apply_config(changes);
            }
            Err(error) => {
                tracing::warn!(error = error.to_string(), "config not reloaded");
                self.app.show_message(error.to_string());
            }
        }
        self.reset_screen(self.size);
        self.stale = true;
    }
}
