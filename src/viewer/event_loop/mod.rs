//! The event loop: keys and signals in, frames out; and the size of the window and of the canvas in it.

mod background_job;
mod new_file;
pub(crate) mod options;
mod replies;
mod save;
mod save_on_exit;
mod send_frame;
mod show;
pub(crate) mod suspend;

use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossterm::event::MouseEventKind;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::app::{App, Effect};
use super::status::ThroughputMeter;
use crate::engine::{Engine, RateLimit};
use crate::picture::{CanvasFormat, Charset, DOTS_HIGH, DOTS_WIDE, Marker};
use crate::terminal::events::{EventQueue, SignalEvent, SuspendScope, TerminalEvent, WakeOn};
use crate::terminal::frame_writer::FrameWriter;
use crate::terminal::widths::WidthQuery;
use crate::terminal::{CharsetGuess, Pacer, ScreenEncoder, Signals, tty};
use crate::viewer::layout::Regions;
use background_job::BackgroundJob;
use options::{Viewer, ViewerError, input_error};
use replies::REPLY_WAIT;
use save::Saved;
use save_on_exit::SessionSource;

/// The viewer's state, its terminal and its engine.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct EventLoop {
    options: Viewer,
    app: App,
    engine: Engine,
    encoder: ScreenEncoder,
    charset: Charset,
    /// Until the terminal has replied which characters it shows: those that it shows if it decodes UTF-8, and until when the first frame
    /// waits.
    charset_query: Option<(Charset, Option<Instant>)>,
    /// The query for the widths of characters while the terminal has not replied, and when the first frame stops waiting for it.
    width_query: Option<(WidthQuery, Instant)>,
    /// Whether the terminal is to reply with its background color.
    awaits_background: bool,
    /// Whether it has done so.
    knows_background: bool,
    /// The glyph set of the last frame.
    drawn_marker: Marker,
    /// The buffer that widgets draw into.
    buffer: Buffer,
    events: EventQueue,
    writer: FrameWriter,
    pacer: Pacer,
    /// Whether the terminal has the focus, or does not report it.
    has_focus: bool,
    /// The time between two frames.
    period: Duration,
    /// When to draw the next frame if the terminal is ready: one period after the last one.
    due: Instant,
    /// Whether the terminal shows everything, so that the next frame waits for input, for the engine or for
    /// [`next_change`](Self::next_change).
    is_idle: bool,
    /// While the terminal delays a frame: when to try again, unless a reply or a finished write comes first.
    retry: Option<Instant>,
    /// The height of a dot relative to its width.
    dot_height: f32,
    synchronized: bool,
    throughput: ThroughputMeter,
    /// Whether to draw the next frame even if the flock has not changed: input, a message or the theme may have changed the
    /// screen.
    stale: bool,
    /// Whether the engine has made a frame, and whether one is drawn.
    has_frame: bool,
    has_drawn: bool,
    slow_frames: RateLimit,
    /// Control sequences to send with the next frame.
    controls: Vec<u8>,
    saving: BackgroundJob<Saved>,
    /// The last file of the session.
    saved_session: Option<PathBuf>,
    /// `None` for a recording.
    session: Option<SessionSource>,
}

impl EventLoop {
    pub(crate) fn new(
        options: Viewer,
        app: App,
        engine: Engine,
        session: Option<SessionSource>,
        events: EventQueue,
    ) -> Result<Self, ViewerError> {
        let (size, dot_height) = (window_size()?, app.context.display.dot_height());
        let (fps, now) = (options.start.options.fps.focused, Instant::now());
        Ok(Self {
            drawn_marker: app.context.display.marker,
            app,
            engine,
            encoder: ScreenEncoder::new(size, Charset::default()),
            charset: Charset::default(),
            charset_query: None,
            width_query: None,
            awaits_background: true,
            knows_background: false,
            buffer: Buffer::empty(Rect::from((Position::ORIGIN, size))),
            writer: FrameWriter::start(events.sender()).map_err(ViewerError::System)?,
            events,
            pacer: Pacer::new(fps, options.start.options.bandwidth, tty::replies_supported(), now),
            has_focus: true,
            period: Duration::from_secs_f32(1.0 / fps),
            due: now,
            is_idle: false,
            retry: None,
            dot_height,
            synchronized: true,
            throughput: ThroughputMeter::new(now),
            stale: true,
            has_frame: false,
            has_drawn: false,
            slow_frames: RateLimit::default(),
            controls: Vec::new(),
            saving: BackgroundJob::default(),
            saved_session: None,
            session,
            options,
        })
    }

    /// Starts reading input and queries the terminal's capabilities, unless another program reads the keys. The first frame does not wait
    /// for the replies, except for that about the charset.
    pub(crate) fn start_input(&mut self) -> Result<(), ViewerError> {
        if !tty::owns_input() {
            let (CharsetGuess::Known(charset) | CharsetGuess::IfUtf8(charset)) = self.options.charset;
            self.set_charset(charset);
            return Ok(());
        }
        let input = tty::InputReader::open().map_err(input_error)?;
        tty::read_input(input, self.events.sender()).map_err(ViewerError::System)?;
        let mut queries = Vec::new();
        match self.options.charset {
            CharsetGuess::Known(charset) => {
                self.set_charset(charset);
                queries.extend(self.ask_widths(charset));
            }
            CharsetGuess::IfUtf8(charset) => {
                queries.extend_from_slice(tty::CHARSET_QUERY);
                self.charset_query = Some((charset, Some(Instant::now() + REPLY_WAIT)));
            }
        }
        if tty::replies_supported() {
            queries.extend(tty::capability_queries(self.options.query_terminal, self.app.context.theme.depth()));
            self.send_control(&queries, self.pacer.link.ack_row(1));
        }
        Ok(())
    }

    /// Sends control sequences with the next frame.
    fn send_with_frame(&mut self, sequences: &[u8]) {
        self.controls.extend_from_slice(sequences);
        self.stale |= !sequences.is_empty();
    }

    /// Sends control sequences before the next frame, and after the one that is being written.
    fn send_control(&mut self, sequences: &[u8], ack_row: Option<u16>) {
        let mut bytes = self.writer.take_buffer().unwrap_or_default();
        bytes.extend_from_slice(sequences);
        self.pacer.bytes_sent(bytes.len(), ack_row, Instant::now());
        self.writer.write(bytes);
    }

    /// Runs until the user quits, `duration` has passed, or a signal arrives, which it returns.
    pub(crate) fn run(&mut self, signals: &Signals) -> Result<Option<i32>, ViewerError> {
        let end = self.options.duration.map(|duration| Instant::now() + duration);
        loop {
            self.process_events(end, signals)?;
            if let Some(signal) = signals.pending() {
                return Ok(Some(signal));
            }
            if tty::PANIC_REPORTED.load(Ordering::SeqCst) || !self.engine.is_running() {
                return Err(ViewerError::Panic);
            }
            if let Some(result) = self.saving.poll() {
                let message = self.saved(result);
                self.app.context.show_message(message);
                self.stale = true;
            }
            let quits = self.process_effects(signals)?.is_break();
            self.stale |= self.app.context.set_progress(self.saving.progress());
            let now = Instant::now();
            if quits || end.is_some_and(|end| now >= end) {
                return Ok(None);
            }
            if now >= self.next_frame() {
                self.frame(now)?;
            }
        }
    }

    /// When something may change on an idle screen without input and without a frame of the engine.
    fn next_change(&self) -> Option<Instant> {
        let times = [self.app.next_change(self.due), self.throughput.next_update(), self.pacer.next_review()];
        times.into_iter().flatten().min()
    }

    /// When the next frame can be sent.
    fn next_frame(&self) -> Instant {
        self.retry.map_or(self.due, |retry| retry.max(self.due))
    }

    /// Waits for events until the next frame is due or the viewer ends, and handles them.
    fn process_events(&mut self, end: Option<Instant>, signals: &Signals) -> Result<(), ViewerError> {
        let (until, wake_on) = match (self.is_idle, self.retry) {
            (true, _) => (self.next_change(), WakeOn::Notice),
            // A delayed frame waits for a reply or for the writer.
            (false, Some(_)) => (Some(self.next_frame()), WakeOn::Output),
            (false, None) => (Some(self.next_frame()), WakeOn::Input),
        };
        self.events.wait(until.into_iter().chain(end).min(), wake_on);
        let now = Instant::now();
        if std::mem::take(&mut self.is_idle) {
            self.due = now;
        }
        let deadline = now + self.period;
        while let Some((received, event)) = self.events.pop() {
            self.on_event(event, received)?;
            // What an effect saves must not include what later keys ask for. One reload serves several signals.
            if self.app.effects.iter().any(|effect| *effect != Effect::Reload) {
                break;
            }
            // A flood of input must not delay a signal or the next frame.
            if signals.pending().is_some() || Instant::now() > deadline {
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
            // Before popups and the effects of earlier keys.
            TerminalEvent::Key(key) if key.is_ctrl_c() => {
                self.saving.cancel();
                self.app.effects = [Effect::Quit].into();
            }
            TerminalEvent::Key(key) => {
                // Some terminals forget to report the focus.
                self.set_focus(true);
                self.on_input(true, |app| app.on_key(key));
            }
            TerminalEvent::Paste(text) => self.on_input(true, |app| app.paste(&text)),
            TerminalEvent::Mouse(mouse) => {
                // A press or the wheel ends the screensaver; the rest of that drag does nothing.
                let wakes = match mouse.kind {
                    MouseEventKind::Drag(_) | MouseEventKind::Up(_) => false,
                    MouseEventKind::Moved => self.app.screensaver.counts_motion(Position::new(mouse.column, mouse.row)),
                    _ => true,
                };
                let screen = self.buffer.area;
                self.on_input(wakes, |app| app.on_mouse(mouse, screen));
            }
            TerminalEvent::Focus(has_focus) => {
                self.set_focus(has_focus);
                if !has_focus {
                    let ends = self.app.screensaver.ends_without_focus();
                    self.on_input(ends, App::release_mouse);
                }
            }
            TerminalEvent::Resized => self.stale = true,
            TerminalEvent::Reply(reply) => self.on_reply(reply, received),
            TerminalEvent::Signal(SignalEvent::Suspend) => self.app.queue(Effect::Suspend(SuspendScope::Process)),
            TerminalEvent::Signal(SignalEvent::Resume) => self.app.queue(Effect::Resume),
            TerminalEvent::Signal(SignalEvent::Reload) => self.app.queue(Effect::Reload),
            TerminalEvent::Signal(SignalEvent::Terminate) => {}
            TerminalEvent::FrameWritten(buffer, result) => {
                result?;
                self.writer.return_buffer(buffer);
                self.retry = None;
            }
            TerminalEvent::InputClosed(error) => return Err(input_error(error)),
        }
        Ok(())
    }

    /// Handles input, unless it only wakes the program from the screensaver.
    fn on_input(&mut self, wakes: bool, handle: impl FnOnce(&mut App)) {
        if !(wakes && self.app.note_activity(Instant::now())) {
            handle(&mut self.app);
        }
        self.stale = true;
    }

    fn set_focus(&mut self, has_focus: bool) {
        if has_focus && !self.has_focus {
            self.due = Instant::now();
            self.ask_background();
        }
        self.has_focus = has_focus;
    }

    /// Carries out queued effects. Breaks to quit.
    fn process_effects(&mut self, signals: &Signals) -> Result<ControlFlow<()>, ViewerError> {
        while let Some(effect) = self.app.effects.pop_front() {
            match effect {
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Suspend(scope) => self.suspend(signals, scope)?,
                Effect::Resume if signals.take_resume() => self.resume(signals)?,
                Effect::Resume => {}
                Effect::Screenshot => self.save_screenshot(),
                Effect::SaveClip => self.save_clip(),
                Effect::Cancel => self.saving.cancel(),
                Effect::SavePlots => self.save_plots(),
                Effect::SaveSession => self.save_session(),
                Effect::Reload => self.reload_config(),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reloads the config and redraws the screen. A config with errors changes nothing.
    fn reload_config(&mut self) {
        match (self.options.reload)() {
            Ok(reloaded) => {
                let before = std::mem::replace(&mut self.options.start.options, reloaded.options.clone());
                let bandwidth = reloaded.options.bandwidth;
                if bandwidth != before.bandwidth {
                    self.pacer.set_bandwidth(bandwidth, Instant::now());
                }
                self.app.apply_options(&before, reloaded, Marker::of(self.charset));
            }
            Err(error) => {
                tracing::warn!(error = error.to_string(), "config not reloaded");
                self.app.context.show_message(error.to_string());
            }
        }
        self.reset_screen(self.buffer.area.as_size());
        self.ask_background();
        self.stale = true;
    }
}

/// Plausible values of a dot's height relative to its width. Fonts range from about 0.8 to 1.4.
const DOT_HEIGHTS: RangeInclusive<f32> = 0.6..=1.7;
/// The size of a terminal that does not report one.
const FALLBACK_SIZE: Size = Size { width: 80, height: 24 };
/// Cap the reported size: a hostile value would exhaust memory.
const MAX_SIZE: Size = Size { width: 2000, height: 1000 };

/// The size of the window in cells.
pub(crate) fn window_size() -> Result<Size, ViewerError> {
    let window = tty::window_size()?;
    Ok(usable_size(window.columns, window.rows))
}

/// Serial terminals report 0.
fn usable_size(columns: u16, rows: u16) -> Size {
    let usable = |length: u16, fallback, most| if length == 0 { fallback } else { length.min(most) };
    Size {
        width: usable(columns, FALLBACK_SIZE.width, MAX_SIZE.width),
        height: usable(rows, FALLBACK_SIZE.height, MAX_SIZE.height),
    }
}

/// The height of a dot relative to its width, or 1 if the terminal does not report its size in pixels.
pub(crate) fn dot_height() -> f32 {
    let Ok(window) = tty::window_size() else { return 1.0 };
    let side = |pixels: u16, cells: u16, dots: usize| f32::from(pixels) / (f32::from(cells) * dots as f32);
    let dot_height = side(window.height, window.rows, DOTS_HIGH) / side(window.width, window.columns, DOTS_WIDE);
    if DOT_HEIGHTS.contains(&dot_height) { dot_height } else { 1.0 }
}

/// The canvas of the viewer in this terminal.
fn canvas(clean: bool) -> Result<CanvasFormat, ViewerError> {
    let Size { width, height } = window_size()?;
    let flock = Regions::new(Rect::new(0, 0, width, height), clean).flock;
    let (columns, rows) = (flock.width.into(), flock.height.into());
    Ok(CanvasFormat { columns, rows, dot_height: dot_height(), ..CanvasFormat::default() })
}

/// The aspect ratio (width / height) of the viewer's canvas in this terminal.
///
/// # Errors
///
/// [`ViewerError::Terminal`] if the terminal does not report its size.
pub fn canvas_aspect_ratio(clean: bool) -> Result<f32, ViewerError> {
    Ok(canvas(clean)?.aspect_ratio())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_capped_and_unknown_ones_replaced() {
        for ((columns, rows), usable) in
            [((0, 0), (80, 24)), ((1, 0), (1, 24)), ((400, 120), (400, 120)), ((65535, 65535), (2000, 1000))]
        {
            assert_eq!(usable_size(columns, rows), Size::new(usable.0, usable.1));
        }
    }
}
