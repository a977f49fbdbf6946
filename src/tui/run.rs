//! The viewer's loop: keys in, frames out.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};
use ratatui::{Terminal, TerminalOptions, Viewport};
use thiserror::Error;

use super::app::{App, Start, Wish};
use super::layout::{Regions, shape};
use super::meters::Meters;
use super::overlay::Overlay;
use super::terminal::{self, Guard, Wire};
use super::view;
use super::{ColorDepth, Marker, watchdog};
use crate::canvas::Format;
use crate::config::{Input, Preset, Theme};
use crate::engine::{Engine, Options};
use crate::signals::{self, Signals};
use crate::sim::{Flock, Setup, Simd};

/// How long a signal waits at most to be seen, however few frames are drawn.
const ATTENTION: Duration = Duration::from_millis(100);

/// How the viewer begins.
#[derive(Debug)]
pub struct Viewer {
    /// The preset.
    pub preset: Preset,
    /// The file that the flock began from.
    pub input: Option<Input>,
    /// The colours.
    pub theme: Theme,
    /// How many of them.
    pub depth: ColorDepth,
    /// What dots are made of.
    pub marker: Marker,
    /// The most frames a second.
    pub fps: f32,
    /// Ticks a second.
    pub rate: f32,
    /// How many threads fly the flock.
    pub threads: NonZeroUsize,
    /// The kind of SIMD that they use.
    pub simd: Simd,
    /// Whether panel and status line are hidden at first.
    pub clean: bool,
    /// After which time to leave.
    pub duration: Option<Duration>,
}

/// How the viewer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The command that brings the flock back, and what it cannot say.
    pub command: String,
    /// The signal that ended it, where one did.
    pub signal: Option<i32>,
}

/// Why the viewer could not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The terminal does not do its part.
    #[error("the terminal does not answer: {0}")]
    Terminal(#[from] io::Error),
    /// Standard input is no terminal, and the system does not let the terminal itself be listened to.
    #[error("no keys can come, and the viewer needs them: standard input is not a terminal ({0})")]
    Keys(io::Error),
    /// The simulation has panicked; the report has been printed.
    #[error("the flock's thread has ended by an error; the report above says where")]
    Engine,
}

/// The canvas that the viewer has in this terminal, in cells.
fn canvas(clean: bool) -> Result<(usize, usize), Failure> {
    let (width, height) = crossterm::terminal::size()?;
    Ok(Regions::new(Rect::new(0, 0, width, height), clean).canvas())
}

/// How wide the viewer's canvas is for its height in this terminal.
///
/// # Errors
///
/// [`Failure::Terminal`] where the terminal does not tell its size.
pub fn canvas_shape(clean: bool) -> Result<f32, Failure> {
    Ok(shape(canvas(clean)?))
}

/// Why the terminal's keys cannot be listened to.
fn deaf(error: io::Error) -> Failure {
    if io::stdin().is_terminal() { Failure::Terminal(error) } else { Failure::Keys(error) }
}

impl Viewer {
    /// Shows a flock until somebody quits.
    ///
    /// `setup` is how it began, `flock` how it is now; `auto_world` lets its world take the canvas's shape.
    ///
    /// # Errors
    ///
    /// [`Failure`]; the terminal has been given back then.
    pub fn show(self, setup: Setup, flock: Flock, auto_world: bool) -> Result<Ending, Failure> {
        let signals = Signals::listen()?;
        watchdog::watch(signals.clone())?;
        let canvas = canvas(self.clean)?;
        let format = Format { columns: canvas.0, rows: canvas.1, ..Format::default() };
        let options = Options { rate: self.rate, threads: self.threads, simd: self.simd, canvas: format };
        let engine = Engine::fly(flock, options);
        let start = Start {
            preset: self.preset,
            input: self.input,
            setup,
            auto_world,
            rate: self.rate,
            theme: self.theme,
            depth: self.depth,
            marker: self.marker,
            clean: self.clean,
        };
        let mut screen = Screen::new(App::new(start, canvas), engine, self.fps)?;
        // Made last, it goes first: what is dropped after it finds no terminal to complain to.
        let guard = Guard::take().map_err(deaf)?;
        // A terminal that fails after a signal is the signal's doing.
        let signal = screen.run(&signals, self.duration).or_else(|why| signals.pending().map(Some).ok_or(why))?;
        drop(guard);
        Ok(Ending { command: screen.app.wishes.revival().text(), signal })
    }
}

/// The terminal, the engine, and what stands between them.
struct Screen {
    app: App,
    engine: Engine,
    terminal: Terminal<CrosstermBackend<Wire>>,
    written: Arc<AtomicU64>,
    period: Duration,
    meters: Meters,
    window: (Instant, u32, u64),
    stale: bool,
}

impl Screen {
    fn new(app: App, engine: Engine, fps: f32) -> Result<Self, Failure> {
        let options = TerminalOptions { viewport: Viewport::Fullscreen };
        let written = Arc::default();
        let terminal = Terminal::with_options(CrosstermBackend::new(Wire::new(Arc::clone(&written))), options)?;
        Ok(Self {
            app,
            engine,
            terminal,
            written,
            period: Duration::from_secs_f32(1.0 / fps),
            meters: Meters::default(),
            window: (Instant::now(), 0, 0),
            stale: true,
        })
    }

    /// Runs until somebody quits, the time is over, or a signal comes, which is returned.
    fn run(&mut self, signals: &Signals, duration: Option<Duration>) -> Result<Option<i32>, Failure> {
        event::poll(Duration::ZERO).map_err(deaf)?;
        let begun = Instant::now();
        let mut next = begun;
        loop {
            self.listen(next.min(Instant::now() + ATTENTION))?;
            if let Some(signal) = signals.pending() {
                return Ok(Some(signal));
            }
            match self.app.wish() {
                Some(Wish::Quit) => return Ok(None),
                Some(Wish::Suspend) => self.suspend()?,
                None => {}
            }
            let now = Instant::now();
            if duration.is_some_and(|duration| now - begun >= duration) {
                return Ok(None);
            }
            if now >= next {
                if !self.engine.is_flying() {
                    return Err(Failure::Engine);
                }
                self.draw(now)?;
                next = (next + self.period).max(now);
            }
        }
    }

    /// Waits for events until the next frame is due, and takes in all that are there.
    fn listen(&mut self, until: Instant) -> Result<(), Failure> {
        let mut wait = until.saturating_duration_since(Instant::now());
        while event::poll(wait)? {
            self.take(&event::read()?);
            wait = Duration::ZERO;
        }
        for request in self.app.requests() {
            self.engine.request(request);
        }
        Ok(())
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Event::Resize(..) => {}
            _ => return,
        }
        self.stale = true;
    }

    fn press(&mut self, key: KeyEvent) {
        let action = self.app.keymap.action(key);
        if matches!(self.app.overlay, Some(Overlay::Prompt(_))) {
            match (key.code, action) {
                (KeyCode::Char(sign), _) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                    self.app.write(Some(sign));
                }
                (KeyCode::Backspace, _) => self.app.write(None),
                (_, Some(action)) => self.app.act(action),
                _ => {}
            }
        } else if let Some(action) = action {
            self.app.act(action);
        }
    }

    /// Draws, where there is anything new.
    fn draw(&mut self, now: Instant) -> Result<(), Failure> {
        self.stale |= self.app.forget(now);
        let news = self.engine.has_news() || self.stale;
        let moved = self.measure(now);
        if !(news || moved) {
            return Ok(());
        }
        let Some(frame) = self.engine.frame() else { return Ok(()) };
        self.stale = false;
        self.app.notice(frame);
        let (app, meters) = (&self.app, self.meters);
        let mut regions = None;
        self.terminal.draw(|screen| {
            regions = Some(Regions::new(screen.area(), app.clean));
            view::draw(screen.buffer_mut(), app, frame, meters);
        })?;
        if news {
            self.window.1 += 1;
        } else {
            // What is drawn for the meters alone would move them again, and again.
            self.window.2 = self.written.load(Ordering::Relaxed);
        }
        if let Some(regions) = regions {
            self.app.resize(regions.canvas());
        }
        for request in self.app.requests() {
            self.engine.request(request);
        }
        Ok(())
    }

    /// Reads the meters once a second. Says whether they have moved.
    fn measure(&mut self, now: Instant) -> bool {
        let (since, frames, bytes) = self.window;
        let span = (now - since).as_secs_f32();
        if span < 1.0 {
            return false;
        }
        let written = self.written.load(Ordering::Relaxed);
        let meters =
            Meters { frames_per_second: frames as f32 / span, bytes_per_second: (written - bytes) as f32 / span };
        let moved = meters.frames_per_second != self.meters.frames_per_second;
        (self.meters, self.window) = (meters, (now, 0, written));
        moved
    }

    /// Hands the terminal to the shell, until it lets us go on.
    fn suspend(&mut self) -> Result<(), Failure> {
        terminal::give_back();
        signals::stop();
        terminal::take()?;
        // Not `clear`: that asks for the cursor's place, and not every terminal answers.
        self.terminal.resize(Rect::from((Position::ORIGIN, self.terminal.size()?)))?;
        self.stale = true;
        Ok(())
    }
}
