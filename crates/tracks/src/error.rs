//! Why files cannot be read as a recording, and what would help.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::values::{DateOrder, Interval, Missing, TimeUnit};

/// An option of the readers, with its value. A word in capitals is a placeholder.
#[derive(Clone, Debug, PartialEq, strum::Display)]
pub enum ReadOption {
    /// The names of columns, such as `id=track,x=cx`: [`ReadOptions::columns`](crate::ReadOptions::columns).
    #[strum(to_string = "the option columns {0}")]
    Columns(String),
    /// [`ReadOptions::unit`](crate::ReadOptions::unit).
    #[strum(to_string = "the option unit {0}")]
    Unit(String),
    /// In frames per second: [`ReadOptions::frame_rate`](crate::ReadOptions::frame_rate).
    #[strum(to_string = "the option frame_rate {0}")]
    FrameRate(f64),
    /// [`ReadOptions::skips_missing`](crate::ReadOptions::skips_missing).
    #[strum(to_string = "the option skips_missing")]
    SkipMissing,
    /// [`ReadOptions::body_part`](crate::ReadOptions::body_part).
    #[strum(to_string = "the option body_part {0}")]
    BodyPart(String),
    /// [`ReadOptions::likelihood`](crate::ReadOptions::likelihood).
    #[strum(to_string = "the option likelihood {0}")]
    Likelihood(f64),
    /// [`ReadOptions::time_unit`](crate::ReadOptions::time_unit).
    #[strum(to_string = "the option time_unit {0}")]
    TimeUnit(TimeUnit),
    /// [`ReadOptions::interval`](crate::ReadOptions::interval).
    #[strum(to_string = "the option interval {0}")]
    Interval(Interval),
    /// [`ReadOptions::missing`](crate::ReadOptions::missing).
    #[strum(to_string = "the option missing {0}")]
    Missing(Missing),
    /// [`ReadOptions::dates`](crate::ReadOptions::dates).
    #[strum(to_string = "the option dates {0}")]
    Dates(DateOrder),
    /// [`ReadOptions::only`](crate::ReadOptions::only).
    #[strum(to_string = "the option only {0}")]
    Only(String),
}

/// An option that would help.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// The option.
    pub option: ReadOption,
    /// What it does, after its name: `separates all rows`.
    pub effect: &'static str,
}

impl fmt::Display for Help {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.option, self.effect)
    }
}

/// A fact about a recording that its user should know.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The fact.
    pub text: String,
    /// An option that changes it.
    pub help: Option<Help>,
    /// The file with its row, if it is about one.
    pub file: Option<PathBuf>,
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)?;
        self.help.iter().try_for_each(|help| write!(out, "; {help}"))
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self { text, help: None, file: None }
    }
}

impl Note {
    pub(crate) fn with_help(text: impl Into<String>, option: ReadOption, effect: &'static str) -> Self {
        Self { text: text.into(), help: Some(Help { option, effect }), file: None }
    }
}

/// A name that is unknown, and the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The unknown name.
    pub name: String,
    /// The known ones.
    pub known: Vec<String>,
}

/// Why files cannot be read. Its `Debug` form is the message too, so that `main` can return it.
pub struct Error {
    /// The file, as the caller named it; `None` if an option cannot be used with any.
    pub file: Option<PathBuf>,
    /// The line, counted from 1, if the file has lines.
    pub line: Option<u64>,
    /// The option that cannot be used, if it is the cause.
    pub option: Option<ReadOption>,
    /// The problem, and what would be valid.
    pub message: String,
    /// An option that would help.
    pub help: Option<Box<Help>>,
    /// The unknown name, if that is the problem.
    pub unknown: Option<Box<UnknownName>>,
    /// The error of the system, whose text is the message.
    pub source: Option<io::Error>,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, option, message, help, unknown, .. } = self;
        file.iter().try_for_each(|file| write!(out, "{}:", file.display()))?;
        line.iter().try_for_each(|line| write!(out, "{line}:"))?;
        option.iter().try_for_each(|option| write!(out, "{option}:"))?;
        let space = if file.is_some() || option.is_some() { " " } else { "" };
        write!(out, "{space}{message}")?;
        if let Some(unknown) = unknown.as_ref().filter(|unknown| !unknown.known.is_empty()) {
            write!(out, "; expected one of {}", unknown.known.join(", "))?;
        }
        help.iter().try_for_each(|help| write!(out, "; {help}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}

impl Error {
    fn new(file: Option<&Path>, line: Option<u64>, problem: impl Into<Fault>) -> Self {
        let Details { message, help, unknown } = *problem.into().0;
        let (file, help, unknown) = (file.map(Path::to_owned), help.map(Box::new), unknown.map(Box::new));
        Self { file, line, option: None, message, help, unknown, source: None }
    }

    pub(crate) fn file(file: &Path, problem: impl Into<Fault>) -> Self {
        Self::new(Some(file), None, problem)
    }

    pub(crate) fn line(file: &Path, line: u64, problem: impl Into<Fault>) -> Self {
        Self::new(Some(file), Some(line), problem)
    }

    pub(crate) fn text(problem: Fault) -> Self {
        Self::new(None, None, problem)
    }

    pub(crate) fn option(option: ReadOption, message: impl Into<String>) -> Self {
        Self { option: Some(option), ..Self::new(None, None, message.into()) }
    }

    /// Makes the error of a file of one of the system.
    pub(crate) fn io(file: &Path) -> impl Fn(io::Error) -> Self {
        |error| Self { message: error.to_string(), source: Some(error), ..Self::file(file, String::new()) }
    }
}

/// An error without its place. Small, as the result of each field may hold one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault(Box<Details>);

#[derive(Clone, Debug, PartialEq)]
struct Details {
    message: String,
    help: Option<Help>,
    unknown: Option<UnknownName>,
}

impl Fault {
    pub(crate) fn with_help(message: impl Into<String>, option: ReadOption, effect: &'static str) -> Self {
        Self(Box::new(Details { message: message.into(), help: Some(Help { option, effect }), unknown: None }))
    }

    pub(crate) fn unknown<'a>(
        message: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known = known.into_iter().map(str::to_owned).collect();
        let unknown = Some(UnknownName { name: name.to_owned(), known });
        Self(Box::new(Details { message: message.into(), help: None, unknown }))
    }
}

impl<T: Into<String>> From<T> for Fault {
    fn from(message: T) -> Self {
        Self(Box::new(Details { message: message.into(), help: None, unknown: None }))
    }
}
