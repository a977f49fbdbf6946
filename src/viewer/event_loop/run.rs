//! Running the viewer: options, startup, event loop, exit, errors.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::EventLoop;
use super::frame::canvas;
use super::save::{SaveOnExit, SessionSource, TICK_TIMEOUT, TICK_TIMEOUT_ON_SIGNAL, save_pending};
use super::suspend::{REPLY_TIMEOUT, REPLY_TIMEOUT_ON_SIGNAL, REQUEST_TIMEOUT};
use crate::config::remove_temp_files;
use crate::engine::{Engine, Options};
use crate::sim::{Command, Flock, SessionLog, Simd};
use crate::terminal::events::EventQueue;
use crate::terminal::tty::{self, TerminalGuard};
use crate::terminal::{CharsetGuess, Signals};
use crate::viewer::app::{App, ClipSettings, FrameRates, InitialState, with_short_paths};
use crate::viewer::theme::marker::Marker;
use crate::viewer::{ConfigReloader, PipedText, Subject};

/// The options of the viewer.
pub struct Viewer {
    /// The initial state.
    pub start: InitialState,
    /// The characters that the terminal can show.
    pub charset: CharsetGuess,
    /// Whether to query the terminal's capabilities.
    pub query_terminal: bool,
    /// The glyph set, or `None` for one that suits the terminal.
    pub marker: Option<Marker>,
    /// Length and format of clips.
    pub clips: ClipSettings,
    /// The maximum frame rates.
    pub fps: FrameRates,
    /// The maximum bytes per second.
    pub bandwidth: Option<u32>,
    /// The number of simulation threads.
    pub threads: NonZeroUsize,
    /// The SIMD instruction set.
    pub simd: Simd,
    /// The time after which to exit.
    pub duration: Option<Duration>,
    /// Whether to use the mouse.
    pub mouse: bool,
    /// What to play first.
    pub opening: Startup,
    /// The idle time before a slideshow of themes and views starts.
    pub idle: Option<Duration>,
    /// The options that are set outside the command line.
    pub named: Vec<String>,
    /// What boids form first, or between the scenes of a screensaver.
    pub letters: Option<Subject>,
    /// A text from standard input to show first.
    pub text: Option<Arc<PipedText>>,
    /// Whether to exit when it has landed, and to print it instead of the command.
    pub once: bool,
    /// What to report first.
    pub notice: Option<String>,
    /// Reloads the config.
    pub reload: ConfigReloader,
    /// The memory for states of the session to go back to, in bytes.
    pub history: usize,
    /// The session to replay, whose first state is the flock.
    pub replay: Option<SessionLog>,
    /// Its file.
    pub replay_file: Option<PathBuf>,
    /// The command that shows the recording again, if the session is one.
    pub recording: Option<String>,
    /// Where to save the session on exit.
    pub save_session: Option<PathBuf>,
}

/// What the viewer plays first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Startup {
    /// Nothing.
    Plain,
    /// The program's name, if there is space and color for it.
    Intro,
    /// The screensaver, which a key quits.
    Screensaver,
}

/// How the viewer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewerExit {
    /// The command that reproduces the flock, with comments on what it cannot reproduce, or the one that replays the session; or
    /// instead the text from standard input. It ends with a line feed.
    pub last_words: Vec<u8>,
    /// The message about files that were saved during exit.
    pub picture: Option<String>,
    /// Why the session could not be saved.
    pub error: Option<String>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

/// Why the viewer failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// The terminal cannot be read, written or configured.
    #[error("cannot access the terminal: {0}")]
    Terminal(#[from] io::Error),
    /// Standard input is not a terminal, and the terminal cannot be opened otherwise.
    #[error("cannot read keys: standard input is not a terminal ({0})")]
    Keys(io::Error),
    /// The system refused a thread or a signal handler.
    #[error("cannot start the viewer: {0}")]
    System(io::Error),
    /// The text from standard input is larger than a world whose edges wrap.
    #[error(
        "cannot show standard input as text: the screen extends beyond the world, whose edges wrap; --world auto would be valid"
    )]
    World,
    /// An internal thread panicked; the panic hook has reported it.
    #[error("an internal thread panicked; see the report above")]
    Panic,
}

/// The error for input that cannot be read.
pub(crate) fn input_error(error: io::Error) -> ViewerError {
    if io::stdin().is_terminal() { ViewerError::Terminal(error) } else { ViewerError::Keys(error) }
}

/// What the watchdog does if the event loop cannot.
fn clean_up() {
    tty::restore();
    if let Err(error) = save_pending(TICK_TIMEOUT_ON_SIGNAL) {
        tracing::error!(error = error.to_string(), "session not saved");
    }
    remove_temp_files();
}

impl Viewer {
    /// Shows a flock until the user quits.
    ///
    /// # Errors
    ///
    /// See [`ViewerError`]. The terminal is restored in any case.
    pub fn show(self, flock: Flock) -> Result<ViewerExit, ViewerError> {
        let events = EventQueue::default();
        // Before other threads start, so that they inherit the blocked signals.
        let signals = Signals::for_viewer(events.sender(), clean_up).map_err(ViewerError::System)?;
        let canvas = canvas(self.start.clean)?;
        let (rate, from_setup) = (self.start.rate, self.start.input.is_none());
        let preset = self.start.preset.clone();
        let mut app = App::new(self.start, (canvas.columns, canvas.rows), canvas.dot_height);
        let first = match &self.text {
            Some(text) => Some(app.letters.show(text, &flock, app.format()).ok_or(ViewerError::World)?),
            None => None,
        };
        app.quits_when_landed = self.once;
        let options = Options {
            rate,
            fps: self.fps.focused,
            threads: self.threads,
            simd: self.simd,
            canvas: app.format(),
            from_setup,
            history: self.history,
            first: first.map(Command::Place),
        };
        let file = self.replay.clone();
        let notices = events.sender();
        let notify = move || notices.notify();
        let engine = Engine::start(flock, self.replay, options, notify).map_err(ViewerError::System)?;
        let session = SessionSource { preset, rate, reader: engine.session() };
        let save_on_exit = SaveOnExit::new(session.clone(), self.save_session);
        match (self.opening, self.letters) {
            (Startup::Screensaver, letters) => {
                app.screensaver.start(Instant::now(), &app.context);
                app.screensaver.letters = letters;
            }
            (_, Some(subject)) => app.letters.call(subject),
            (Startup::Intro, None) => app.screensaver.start_intro(&app.context),
            (Startup::Plain, None) => {}
        }
        app.screensaver.set_idle_timeout(self.idle);
        app.context.presets.named = self.named;
        app.context.presets.has_piped_text = self.text.is_some();
        app.context.presets.recording = self.recording;
        if let Some(notice) = self.notice {
            app.context.show_message(with_short_paths(&notice));
        }
        app.timeline.attach(engine.session(), file.as_ref().map(SessionLog::tick));
        let limits = (self.fps, self.bandwidth);
        let choices = (self.marker, self.clips);
        let mut event_loop = EventLoop::new(app, (engine, session), limits, choices, self.reload, events)?;
        // Created last and dropped first, so that other destructors do not write to the viewer's screen.
        let guard = TerminalGuard::new(self.mouse).map_err(input_error)?;
        event_loop.start_input(self.query_terminal, self.charset)?;
        // After a signal, a terminal error is its consequence.
        let ended = event_loop.run(&signals, self.duration).or_else(|error| signals.pending().map(Some).ok_or(error));
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
        // A signal must not wait for a file or a slow terminal.
        let picture = if is_normal {
            tty::finish_restore(None);
            event_loop.saving.finish(&signals)
        } else {
            None
        };
        let signal = signal.or(signals.pending());
        if signal.is_some() {
            remove_temp_files();
        }
        let (session, error) = match session {
            Ok(path) => (path, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let repeats = |file: &SessionLog| {
            event_loop.app.context.client.pending_change().is_none() && event_loop.session.repeats(file)
        };
        let replayed = self.replay_file.filter(|_| file.as_ref().is_some_and(repeats));
        let replay = session.or(event_loop.saving.session).or(replayed);
        let context = &event_loop.app.context;
        let mut last_words = Vec::new();
        if let Some(text) = self.text.filter(|_| self.once && is_normal) {
            text.print(context.theme.terminal_depth(), event_loop.charset, &mut last_words)?;
        } else {
            let command = context.presets.reproduce_command(&context.client).text_at_end(replay.as_deref());
            last_words.extend(command.bytes().chain([b'\n']));
        }
        Ok(ViewerExit { last_words, picture, error, signal })
    }
}
