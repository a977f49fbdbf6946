//! What is written down: a line a happening, to the file that the user names, and never to the screen.
//!
//! Rooms tell what happens by the macros of `tracing`, which cost a comparison where nobody asked. What
//! comes from outside, a path or a name, is told by its `Debug` form, which escapes it.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{process, thread};

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;

use super::args::{LogArgs, add_hint};
use super::version;
use crate::config::Error;

/// Where lines go.
static FILE: OnceLock<PathBuf> = OnceLock::new();

/// Writes down what happens from now on, at the end of the file that was asked for, if one was. Each line
/// is in the file as soon as it is told, so that the log is whole however the program ends.
///
/// # Errors
///
/// [`Error::File`] where the file cannot be written, or is a terminal.
pub fn begin(args: &LogArgs) -> Result<(), Error> {
    let Some(path) = &args.log_file else { return Ok(()) };
    let wrong = |source| Error::File { path: path.to_owned(), source };
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
    if file.is_terminal() {
        return Err(wrong(io::Error::other("a log goes to a file, and this is a terminal; `tail -f` shows it there")));
    }
    // There is no other: this is done once.
    let _ = tracing::subscriber::set_global_default(lines(file, args.log_level));
    let _ = FILE.set(path.clone());
    introduce();
    Ok(())
}

/// A line for each happening, in a file.
fn lines(file: File, level: LevelFilter) -> impl Subscriber {
    let lines = tracing_subscriber::fmt().with_writer(file).with_max_level(level);
    // A full disk is no reason to write to the screen.
    let lines = lines.log_internal_errors(false);
    lines.with_ansi(false).with_target(false).with_thread_names(true).finish()
}

/// Who writes, what was asked of it, and on which machine.
fn introduce() {
    let command: Vec<_> = std::env::args_os().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    tracing::info!(version = version::long().lines().next(), ?command, process = std::process::id(), "begins");
    tracing::info!(threads, made = version::making(), lanes = version::lanes(), "machine");
}

/// Says what is wrong with a command line, or the help or the version that was asked for, and ends the
/// program. Returns why that could not be written.
pub fn refuse(error: clap::Error) -> io::Error {
    let error = add_hint(error);
    // What makes no sense may still say where the log is.
    if error.use_stderr() && LogArgs::log_args_of_invalid().is_some_and(|args| begin(&args).is_ok()) {
        tracing::error!(error = error.to_string().lines().next(), "refused");
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(why) if !error.use_stderr() => why,
        _ => process::exit(error.exit_code()),
    }
}

/// The file that all this goes to, if there is one.
#[must_use]
pub fn file() -> Option<&'static Path> {
    FILE.get().map(PathBuf::as_path)
}

/// Tells of a panic.
pub fn tell(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = thread::current();
    let payload = panic.payload();
    let words = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref().map(String::as_str));
    tracing::error!(place, thread = thread.name(), words, "panic");
    // As RUST_BACKTRACE has it.
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        tracing::error!("backtrace\n{backtrace}");
    }
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place_and_its_words() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            tell(panic);
            report(panic);
        }));
        tracing::subscriber::with_default(lines(file.reopen().unwrap(), LevelFilter::INFO), || {
            let ended = panic::catch_unwind(|| panic!("{} went wrong", "this"));
            assert!(ended.is_err());
        });
        let log = std::fs::read_to_string(file.path()).unwrap();
        assert!(log.contains("ERROR") && log.contains("this went wrong") && log.contains("src/log.rs:"), "{log}");
    }
}
