//! What can be wrong with what a person asked for.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::sim;

/// Why a preset, a theme, a flag's value or a file cannot be used: one sentence each.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file says something that makes no sense at one place.
    #[error("{file}:{line}:{column}: {message}")]
    At {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
        /// What is wrong, and what would be right.
        message: String,
        /// The line itself with a mark below the place, and what else helps; lines of their own.
        excerpt: String,
    },

    /// A row of a table of data makes no sense.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file, as the user named it.
        file: String,
        /// Counted from 1.
        line: u64,
        /// What is wrong, and what would be right.
        message: String,
    },

    /// A name that nothing has.
    #[error("there is no {what} `{name}`{hint}")]
    Unknown {
        /// `preset`, `theme`, `parameter` …
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest right word, or where to find the right ones.
        hint: String,
    },

    /// A name that nothing can have.
    #[error("`{name}` is no name for a {what}: {why}", name = name.escape_debug())]
    Name {
        /// `preset`, `theme` …
        what: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        why: String,
    },

    /// A flag whose value makes no sense.
    #[error("{flag}: {message}")]
    Flag {
        /// The flag, as typed.
        flag: String,
        /// What is wrong, and what would be right.
        message: String,
    },

    /// A variable of the environment whose value makes no sense.
    #[error("{variable}: {message}")]
    Environment {
        /// Its name and value.
        variable: String,
        /// What is wrong, and what would be right.
        message: String,
    },

    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },

    /// A setup that the simulation refuses.
    #[error(transparent)]
    Sim(#[from] sim::Error),
}

impl Error {
    /// Whether the command itself was wrong (exit status 2), rather than what it met (1).
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::Flag { .. } | Self::Sim(_))
    }

    /// The place in the file, to be shown below the sentence where there is room for it.
    #[must_use]
    pub fn excerpt(&self) -> Option<&str> {
        if let Self::At { excerpt, .. } = self { Some(excerpt) } else { None }
    }
}

/// Whether an error comes down to a reader who has gone, as in `| head`.
#[must_use]
pub fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
