//! Running the viewer: startup, event loop, exit.

use std::io;
use std::path::Path;
use std::time::Instant;

use ratatui::layout::Size;

use super::options::{Startup, Viewer, ViewerError, ViewerExit, input_error};
use super::save_on_exit::{SaveOnExit, SessionSource, TICK_TIMEOUT, TICK_TIMEOUT_ON_SIGNAL, save_pending};
use super::suspend::{REPLY_TIMEOUT, REPLY_TIMEOUT_ON_SIGNAL, REQUEST_TIMEOUT};
use super::{EventLoop, canvas};
use crate::config::remove_temp_files;
use crate::engine::{Engine, Options};
use crate::export::escape_lines;
use crate::sim::{Command, SessionLog, Timeline};
use crate::terminal::Signals;
use crate::terminal::events::EventQueue;
use crate::terminal::tty::{self, TerminalGuard};
use crate::viewer::Action;
use crate::viewer::app::{App, with_short_paths};
use crate::viewer::screensaver::ExitOn;

/// What the watchdog does if the event loop cannot.
fn clean_up() {
    tty::force_restore();
    if let Err(error) = save_pending(TICK_TIMEOUT_ON_SIGNAL) {
        tracing::error!(error = error.to_string(), "session not saved");
    }
    remove_temp_files();
}

impl Viewer {
    /// Shows a flock or a recording until the user quits.
    ///
    /// # Errors
    ///
    /// See [`ViewerError`]. The terminal is restored in any case.
    pub fn show(self, timeline: Box<dyn Timeline>) -> Result<ViewerExit, ViewerError> {
        let events = EventQueue::default();
        let signals = Signals::for_viewer(events.sender(), clean_up).map_err(ViewerError::System)?;
        let canvas = canvas(self.start.options.clean)?;
        let mut app =
            App::new(self.start.clone(), Size::new(canvas.columns as u16, canvas.rows as u16), canvas.dot_height);
        let (format, glyphs) = (app.format(), app.context.glyphs.table.clone());
        let show = |text| app.letters.show(text, timeline.snapshot(), format, &glyphs).ok_or(ViewerError::World);
        let placed = self.text.as_ref().map(show).transpose()?;
        let options = Options {
            rate: self.start.rate,
            fps: self.start.options.fps.focused,
            threads: self.threads,
            simd: self.simd,
            canvas: app.format(),
            pauses_at_end: self.replay_file.is_some(),
            first: placed.map(Command::Place),
            recording: self.start.recording.clone(),
        };
        let notices = events.sender();
        let engine = Engine::start(timeline, options, move || notices.notify()).map_err(ViewerError::System)?;
        let (preset, rate) = (self.start.preset.clone(), self.start.rate);
        let session = engine.session().map(|reader| SessionSource { preset, rate, glyphs, reader });
        let save_on_exit = SaveOnExit::new(session.clone().zip(self.save_session.clone()));
        self.set_up(&mut app, &engine);
        let mut event_loop = EventLoop::new(self, app, engine, session, events)?;
        // Created last and dropped first, so that other destructors do not write to the viewer's screen.
        let guard = TerminalGuard::new(event_loop.options.mouse, event_loop.options.exit_on == ExitOn::Motion)
            .map_err(input_error)?;
        event_loop.start_input()?;
        // After a signal, a terminal error is its consequence.
        let ended = event_loop.run(&signals).or_else(|error| signals.pending().map(Some).ok_or(error));
        // The session comes first: the watchdog does not wait long.
        let is_normal = matches!(ended, Ok(None));
        if is_normal {
            event_loop.await_requests(REQUEST_TIMEOUT);
        }
        let session = save_pending(if is_normal { TICK_TIMEOUT } else { TICK_TIMEOUT_ON_SIGNAL });
        drop(save_on_exit);
        let signal = ended?;
        event_loop.settle(if is_normal { REPLY_TIMEOUT } else { REPLY_TIMEOUT_ON_SIGNAL });
        drop(guard);
        // After a signal, the watchdog does not wait long for a slow terminal, and no file is waited for.
        tty::finish_restore(None);
        let picture =
            if is_normal { event_loop.saving.finish(&signals).map(|result| event_loop.saved(result)) } else { None };
        let signal = signal.or(signals.pending());
        let is_lost = event_loop.saving.is_busy();
        if signal.is_some() || is_lost {
            remove_temp_files();
        }
        let picture = picture.or_else(|| (signal.is_none() && is_lost).then(|| "not saved: canceled".to_owned()));
        let (saved, error) = match session {
            Ok(path) => (path, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let last_words = event_loop.last_words(saved.as_deref(), is_normal)?;
        Ok(ViewerExit { last_words, picture, error, signal })
    }

    /// Starts what the viewer plays first, and tells its components what they show.
    pub(super) fn set_up(&self, app: &mut App, engine: &Engine) {
        match (self.opening, self.letters.clone()) {
            (Startup::Screensaver, letters) => {
                if let Some(part) = self.together {
                    app.context.display.part = part;
                    app.screensaver.start_together(Instant::now(), &mut app.context.client);
                } else {
                    app.screensaver.start(Instant::now(), &app.context);
                    app.screensaver.letters = letters;
                }
            }
            (_, Some(subject)) => app.letters.call(subject),
            (Startup::Intro, None) => app.screensaver.start_intro(&app.context),
            (Startup::Breed, None) => app.act(Action::Breed),
            (Startup::Plain, None) => {}
        }
        app.screensaver.exit_on = self.exit_on;
        app.shows_scale = true;
        app.quits_when_landed = self.once;
        app.context.presets.has_piped_text = self.text.is_some();
        app.context.presets.recording.clone_from(&self.command);
        if let Some(notice) = &self.notice {
            app.context.show_message(with_short_paths(notice));
        }
        if let Some(reader) = engine.session() {
            app.timeline.attach(reader.log, self.replay.as_ref().map(SessionLog::tick));
        }
    }
}

impl EventLoop {
    /// The text from standard input that has landed, or else the command that shows the flock again, from a file if the session was
    /// saved or is the replayed one.
    fn last_words(&self, saved: Option<&Path>, is_normal: bool) -> io::Result<Vec<u8>> {
        let (options, context) = (&self.options, &self.app.context);
        if let Some(text) = options.text.as_ref().filter(|_| options.once && is_normal) {
            let mut words = Vec::new();
            text.print(context.theme.terminal_depth(), self.charset, &mut words)?;
            return Ok(words);
        }
        let file = saved.or(self.saved_session.as_deref()).or_else(|| self.replayed_file());
        let command = context.presets.reproduce_command(&context.client).text_at_end(file);
        Ok((escape_lines(&command) + "\n").into_bytes())
    }

    /// The file of the replayed session, if the session repeats it.
    fn replayed_file(&self) -> Option<&Path> {
        let (replay, session) = (self.options.replay.as_ref()?, self.session.as_ref()?);
        let is_unchanged = self.app.context.client.pending_change().is_none() && session.repeats(replay);
        self.options.replay_file.as_deref().filter(|_| is_unchanged)
    }
}
