//! Errors in presets, themes, config files, flags and CSV input, and how they are displayed.

mod excerpt;
mod suggest;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::sim;

pub use excerpt::{escape_control, shorten};
pub(super) use excerpt::{excerpt, is_unprintable, line_and_column};
pub use suggest::{did_you_mean, did_you_mean_or, nearest};

/// Why a preset, a theme, a flag value or a file cannot be used, in one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Invalid content at one place of a text file.
    #[error("{file}:{line}:{column}: {message}")]
    At {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
        /// What is wrong, and what would be valid.
        message: String,
        /// The line itself with the place marked, and further hints, each on a separate line.
        excerpt: String,
    },

    /// An invalid row of a CSV file.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: u64,
        /// What is wrong, and what would be valid.
        message: String,
    },

    /// An unknown preset, theme, parameter or action.
    #[error("unknown {what} `{name}`{hint}")]
    Unknown {
        /// `preset`, `theme`, `parameter` …
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest known name, or how to list the known names.
        hint: String,
    },

    /// A name that cannot be used for a preset or a theme.
    #[error("invalid {what} name `{name}`: {why}", name = name.escape_debug())]
    Name {
        /// `preset` or `theme`.
        what: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        why: String,
    },

    /// A flag with an invalid value.
    #[error("{flag}: {message}")]
    Flag {
        /// The flag, as typed.
        flag: String,
        /// What is wrong, and what would be valid.
        message: String,
    },

    /// An environment variable with an invalid value.
    #[error("{variable}: {message}")]
    Environment {
        /// Its name and value.
        variable: String,
        /// What is wrong, and what would be valid.
        message: String,
    },

    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },

    /// A setup that the simulation rejects.
    #[error(transparent)]
    Sim(#[from] sim::Error),

    /// A setup that the simulation rejects, because of settings that are not on the command line.
    #[error("{error}; {}", sources.join("; "))]
    Setup {
        /// Why.
        error: sim::Error,
        /// Where the settings in question were set; at least one.
        sources: Vec<String>,
    },
}

impl ConfigError {
    /// A [`File`](Self::File) error with a custom message.
    pub(super) fn file(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self::File { path: path.into(), source: io::Error::other(message.into()) }
    }

    /// Makes a [`File`](Self::File) error of an I/O error.
    pub fn io(path: &(impl AsRef<Path> + ?Sized)) -> impl Fn(io::Error) -> Self {
        |source| Self::File { path: path.as_ref().to_owned(), source }
    }

    /// Whether the command line is wrong (exit status 2), as opposed to its environment (status 1).
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::Flag { .. } | Self::Sim(_) | Self::Setup { .. })
    }

    /// The excerpt of the file, to display below the sentence.
    #[must_use]
    pub fn excerpt(&self) -> Option<&str> {
        if let Self::At { excerpt, .. } = self { Some(excerpt) } else { None }
    }
}

/// Whether an error is caused by a closed pipe, as in `flockscope … | head`.
#[must_use]
pub fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
