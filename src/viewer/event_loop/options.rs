//! The options of the viewer, how it ends, and why it fails.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::sim::{SessionLog, Simd};
use crate::terminal::CharsetGuess;
use crate::viewer::app::InitialState;
use crate::viewer::screensaver::ExitOn;
use crate::viewer::{ConfigReloader, PipedText, Subject};

/// The options of the viewer.
pub struct Viewer {
    /// The initial state.
    pub start: InitialState,
    /// The characters that the terminal can show.
    pub charset: CharsetGuess,
    /// Whether to query the terminal's capabilities.
    pub query_terminal: bool,
    /// The number of simulation threads.
    pub threads: NonZeroUsize,
    /// The SIMD instruction set.
    pub simd: Simd,
    /// The time after which to exit.
    pub duration: Option<Duration>,
    /// Whether to use the mouse.
    pub mouse: bool,
    /// What ends a slideshow.
    pub exit_on: ExitOn,
    /// What to play first.
    pub opening: Startup,
    /// If the screensaver is the same on every screen: which of several windows side by side this is, from 0, and their number.
    pub together: Option<(usize, usize)>,
    /// What boids form first, or between the scenes of a screensaver.
    pub letters: Option<Subject>,
    /// A text from standard input to show first.
    pub text: Option<Arc<PipedText>>,
    /// Whether to exit when it has landed, and to print it instead of the command.
    pub once: bool,
    /// What to report first.
    pub notice: Option<String>,
    /// Reads the options again.
    pub reload: ConfigReloader,
    /// The session that is replayed.
    pub replay: Option<SessionLog>,
    /// The file of a session or recording.
    pub replay_file: Option<PathBuf>,
    /// The command that shows a recording again.
    pub command: Option<String>,
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
    /// The flock and its children on tiles.
    Breed,
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
