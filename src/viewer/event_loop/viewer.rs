//! The viewer as the program sees it: how it begins, and how it ends.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::{EventLoop, REPLY_TIMEOUT, REPLY_TIMEOUT_ON_SIGNAL};
use crate::canvas::{CanvasFormat, DOTS_HIGH, DOTS_WIDE};
use crate::config::{Error, Theme, remove_temp_files};
use crate::engine::{Engine, Options};
use crate::sim::{Flock, Simd};
use crate::terminal::Charset;
use crate::terminal::events::EventQueue;
use crate::terminal::signals::Signals;
use crate::terminal::tty::{self, TerminalGuard};
use crate::viewer::ConfigReloader;
use crate::viewer::app::{App, InitialState};
use crate::viewer::views::layout::Regions;

/// The viewer, with all that it is to know of the terminal and of the machine.
#[derive(Debug)]
pub struct Viewer {
    /// How it begins.
    pub start: InitialState,
    /// The characters that the terminal has.
    pub charset: Charset,
    /// Whether the terminal may be asked what else it can do.
    pub query_terminal: bool,
    /// The most frames a second.
    pub fps: f32,
    /// The most bytes a second, where there is a limit.
    pub bandwidth: Option<u32>,
    /// How many threads fly the flock.
    pub threads: NonZeroUsize,
    /// The kind of SIMD that they use.
    pub simd: Simd,
    /// After which time to leave.
    pub duration: Option<Duration>,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// Saves pictures.
    pub save_picture: SaveScreenshot,
    /// What plays by itself at first.
    pub opening: Startup,
    /// After which time without a key it wanders through themes and views of the flock that flies.
    pub idle: Option<Duration>,
    /// The options and tunables that are said outside of the command line.
    pub named: Vec<String>,
    /// Reads the config again.
    pub reload: ConfigReloader,
}

/// What plays by itself at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Startup {
    /// Nothing.
    Plain,
    /// The program's name, where there is room and there are colors for it.
    Intro,
    /// Presets and themes, one after the other, until a key is pressed, which leaves.
    Screensaver,
}

/// Saves a screen in a theme's colors as a picture whose name begins so; returns where.
pub type SaveScreenshot = fn(&Buffer, &Theme, &str) -> Result<PathBuf, Error>;

/// How the viewer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewerExit {
    /// The command that brings the flock back, and what it cannot say.
    pub command: String,
    /// Where the picture is that was still being saved in the end, or why it is not.
    pub picture: Option<String>,
    /// The signal that ended it, where one did.
    pub signal: Option<i32>,
}

/// Why the viewer could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// The terminal does not do its part.
    #[error("the terminal does not answer: {0}")]
    Terminal(#[from] io::Error),
    /// Standard input is no terminal, and the system does not let the terminal itself be listened to.
    #[error("no keys can come, and the viewer needs them: standard input is not a terminal ({0})")]
    Keys(io::Error),
    /// The system does not give what the viewer needs: threads, or word of signals.
    #[error("the system refuses what the viewer needs to run: {0}")]
    System(io::Error),
    /// One of the program's threads has panicked; the report has been printed.
    #[error("a thread of flockscope's has ended by an error; the report above says where")]
    Fault,
}

/// How many times as high as wide a dot may be: fonts go from 0.8 or so to 1.4.
const DOT_ASPECTS: RangeInclusive<f32> = 0.6..=1.7;
/// What terminals had when they could not tell, in cells.
const FALLBACK_SIZE: Size = Size { width: 80, height: 24 };
/// The most cells that are drawn on, more than any screen has; who says to be larger means no harm, but memory ends.
const MAX_SIZE: Size = Size { width: 2000, height: 1000 };

/// How many of the terminal's cells are drawn on; one that does not know its size, as a serial line, says 0.
pub(crate) fn window() -> Result<Size, ViewerError> {
    let window = tty::window_size()?;
    Ok(usable_size(window.columns, window.rows))
}

fn usable_size(columns: u16, rows: u16) -> Size {
    let known = |length: u16, of_old, most| if length == 0 { of_old } else { length.min(most) };
    Size {
        width: known(columns, FALLBACK_SIZE.width, MAX_SIZE.width),
        height: known(rows, FALLBACK_SIZE.height, MAX_SIZE.height),
    }
}

/// How many times as high as wide the terminal's dots are, where it tells how many pixels it has.
pub(crate) fn dot_height() -> f32 {
    let Ok(window) = tty::window_size() else { return 1.0 };
    let side = |pixels: u16, cells: u16, dots: usize| f32::from(pixels) / (f32::from(cells) * dots as f32);
    let dot_height = side(window.height, window.rows, DOTS_HIGH) / side(window.width, window.columns, DOTS_WIDE);
    // What is stranger than any font is taken for an error; and so is what is no number.
    if DOT_ASPECTS.contains(&dot_height) { dot_height } else { 1.0 }
}

/// The canvas that the viewer has in this terminal.
fn canvas(clean: bool) -> Result<CanvasFormat, ViewerError> {
    let Size { width, height } = window()?;
    let (columns, rows) = Regions::new(Rect::new(0, 0, width, height), clean).canvas();
    Ok(CanvasFormat { columns, rows, dot_height: dot_height(), ..CanvasFormat::default() })
}

/// How wide the viewer's canvas is for its height in this terminal.
///
/// # Errors
///
/// [`ViewerError::Terminal`] where the terminal does not tell its size.
pub fn canvas_shape(clean: bool) -> Result<f32, ViewerError> {
    Ok(canvas(clean)?.aspect_ratio())
}

/// Why the terminal's keys cannot be listened to.
pub(crate) fn input_error(error: io::Error) -> ViewerError {
    if io::stdin().is_terminal() { ViewerError::Terminal(error) } else { ViewerError::Keys(error) }
}

impl Viewer {
    /// Shows a flock, as it is now, until somebody quits.
    ///
    /// # Errors
    ///
    /// [`ViewerError`]; the terminal has been given back then.
    pub fn show(self, flock: Flock) -> Result<ViewerExit, ViewerError> {
        let events = EventQueue::default();
        // First of all, so that no other thread is hit.
        let signals = Signals::for_viewer(events.sender(), remove_temp_files).map_err(ViewerError::System)?;
        let mut start = self.start;
        let canvas = canvas(start.clean)?;
        let format = CanvasFormat { view: start.view, aim: start.aim, map: !start.clean, ..canvas };
        let options =
            Options { rate: start.rate, fps: self.fps, threads: self.threads, simd: self.simd, canvas: format };
        let engine = Engine::start(flock, options).map_err(ViewerError::System)?;
        // What stands in for an arrow would be read as another key.
        start.keymap = start.keymap.spelled(self.charset.substitute('←') != '←');
        let mut app = App::new(start, (canvas.columns, canvas.rows));
        (app.dot_height, app.shown) = (canvas.dot_height, format);
        match self.opening {
            Startup::Screensaver => app.start_screensaver(Instant::now()),
            Startup::Intro => app.start_intro(),
            Startup::Plain => {}
        }
        app.set_idle_timeout(self.idle);
        app.session.named = self.named;
        let mut screen = EventLoop::new(
            app,
            engine,
            (self.fps, self.bandwidth),
            self.charset,
            self.save_picture,
            self.reload,
            events,
        )?;
        // Made last, it goes first: what is dropped after it finds no terminal to complain to.
        let guard = TerminalGuard::new(self.mouse).map_err(input_error)?;
        screen.open(self.query_terminal)?;
        // A terminal that fails after a signal is the signal's doing.
        let signal = screen.run(&signals, self.duration).or_else(|why| signals.pending().map(Some).ok_or(why))?;
        screen.settle(if signal.is_some() { REPLY_TIMEOUT_ON_SIGNAL } else { REPLY_TIMEOUT });
        drop(guard);
        // Whoever sends a signal waits for no picture, nor for a terminal that takes no words.
        let picture = if signal.is_none() {
            tty::finish_restore(None);
            screen.last_picture()
        } else {
            None
        };
        Ok(ViewerExit { command: screen.app().session.reproduce_command().text(), picture, signal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_is_larger_than_any_screen_nor_smaller_than_a_cell() {
        for ((columns, rows), drawn) in
            [((0, 0), (80, 24)), ((1, 0), (1, 24)), ((400, 120), (400, 120)), ((65535, 65535), (2000, 1000))]
        {
            assert_eq!(usable_size(columns, rows), Size::new(drawn.0, drawn.1));
        }
    }
}
