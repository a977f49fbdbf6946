//! Sessions in files: opening them, and which of their ticks a command asks for.

use std::io::{self, Write};
use std::path::Path;

use crate::commands::args::{AtArgs, RangeArgs, SessionArgs};
use crate::config::{ConfigError, escape_control, set_current_seed};
use crate::export::session::{self, SessionFile};
use crate::sim::{Replay, ReplayError, SharedLog};

/// Reads a session file. A note on standard error says if its end is missing.
///
/// # Errors
///
/// [`ConfigError`] if the file cannot be read or is no session.
pub(in crate::commands) fn open(path: &Path) -> Result<SessionFile, ConfigError> {
    let file = session::read(path)?;
    set_current_seed(file.log.start().setup.seed);
    let (start, end) = (file.log.start().tick(), file.log.tick());
    tracing::info!(?path, program = file.program, start, end, events = file.log.events().len(), "session");
    if file.truncated {
        note(path, &format!("the end of the session is missing: it is replayed up to tick {end}"))?;
    }
    Ok(file)
}

/// The first state of a session.
///
/// # Errors
///
/// [`ConfigError::Line`] if it is invalid.
pub(in crate::commands) fn replay(path: &Path, file: &SessionFile) -> Result<Replay, ConfigError> {
    Replay::new(SharedLog::new(file.log.clone())).map_err(|error| impossible(path, &error))
}

/// The session of `--session`, if there is one.
///
/// # Errors
///
/// As [`open`].
pub(in crate::commands) fn open_if_asked(args: &SessionArgs) -> Result<Option<OpenSession<'_>>, ConfigError> {
    args.session.as_deref().map(|path| Ok(OpenSession { path, file: open(path)? })).transpose()
}

/// A session file and its path.
#[derive(Debug)]
pub(in crate::commands) struct OpenSession<'a> {
    pub path: &'a Path,
    pub file: SessionFile,
}

/// The error for a replay, or for the output that is written from it.
pub(in crate::commands) fn output_error(error: io::Error, session: Option<&Path>, output: &Path) -> ConfigError {
    match error.downcast::<ReplayError>() {
        Ok(error) => impossible(session.unwrap_or(output), &error),
        Err(error) => ConfigError::io(output)(error),
    }
}

/// The error for a command that cannot be applied.
pub(in crate::commands) fn impossible(path: &Path, error: &ReplayError) -> ConfigError {
    // The header is line 1, and each event has a line.
    let line = error.event.map_or(1, |event| event as u64 + 2);
    ConfigError::Line { file: path.display().to_string(), line, message: error.to_string() }
}

/// Reports on standard error that a replay differs from the session.
///
/// # Errors
///
/// [`ConfigError::File`] if standard error cannot be written to.
pub(in crate::commands) fn report_divergence(session: &OpenSession<'_>, replay: &Replay) -> Result<(), ConfigError> {
    let Some(divergence) = replay.divergence() else { return Ok(()) };
    note(session.path, &format!("{divergence} (recorded with flockscope {})", session.file.program))
}

fn note(path: &Path, text: &str) -> Result<(), ConfigError> {
    let line = format!("{}: {text}", path.display());
    writeln!(io::stderr(), "flockscope: {}", escape_control(&line)).map_err(ConfigError::io("standard error"))
}

/// Ticks of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) struct TickRange {
    /// Ticks before the first one.
    pub skipped: u64,
    /// Ticks from the first one to the last.
    pub ticks: u64,
}

impl TickRange {
    /// The number of all ticks.
    pub(in crate::commands) fn last(self) -> u64 {
        self.skipped.saturating_add(self.ticks)
    }

    /// The tick of `--at`.
    pub(in crate::commands) fn at(args: &AtArgs, file: &SessionFile) -> Result<Self, ConfigError> {
        let tick = args.at.unwrap_or(file.log.tick());
        Self::new(file, ("--at", tick), ("--at", tick))
    }

    /// The ticks of `--from` and `--to`.
    pub(in crate::commands) fn between(args: &RangeArgs, file: &SessionFile) -> Result<Self, ConfigError> {
        let (start, end) = (file.log.start().tick(), file.log.tick());
        Self::new(file, ("--from", args.from.unwrap_or(start)), ("--to", args.to.unwrap_or(end)))
    }

    fn new(file: &SessionFile, from: (&str, u64), to: (&str, u64)) -> Result<Self, ConfigError> {
        let (start, end) = (file.log.start().tick(), file.log.tick());
        let invalid = |(flag, tick): (&str, u64), message: String| {
            Err(ConfigError::Flag { flag: format!("{flag} {tick}"), message })
        };
        for flag in [from, to] {
            if !(start..=end).contains(&flag.1) {
                return invalid(flag, format!("the session has the ticks {start} to {end}"));
            }
        }
        if to.1 < from.1 {
            return invalid(to, format!("expected a tick of at least {}, that of --from", from.1));
        }
        Ok(Self { skipped: from.1 - start, ticks: to.1 - from.1 })
    }
}
