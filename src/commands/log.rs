//! The log file, written with `tracing`. It never goes to the screen.
//!
//! Text from outside, such as paths and names, is logged in its `Debug` form, which escapes control characters.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;

use super::args::{LogArgs, build_info, long_version, simd_summary};
use crate::config::ConfigError;

static PATH: OnceLock<PathBuf> = OnceLock::new();

/// Starts to append events to the file of `--log-file`, if there is one. Each line reaches the file at once, so that
/// the log is complete however the program ends.
///
/// # Errors
///
/// [`ConfigError::File`] if the file cannot be written or is a terminal.
pub fn start(args: &LogArgs) -> Result<(), ConfigError> {
    let Some(path) = &args.log_file else { return Ok(()) };
    let file_error = ConfigError::io(path);
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(&file_error)?;
    if file.is_terminal() {
        return Err(file_error(io::Error::other("the log needs a file, not a terminal; view it with `tail -f`")));
    }
    // Fails only if a subscriber is set already, which happens once.
    let _ = tracing::subscriber::set_global_default(subscriber(file, args.log_level));
    let _ = PATH.set(path.clone());
    log_start();
    Ok(())
}

fn subscriber(file: File, level: LevelFilter) -> impl Subscriber {
    tracing_subscriber::fmt()
        .with_writer(file)
        .with_max_level(level)
        // A full disk must not write to the screen.
        .log_internal_errors(false)
        .with_ansi(false)
        .with_target(false)
        .with_thread_names(true)
        .finish()
}

fn log_start() {
    let command: Vec<_> = std::env::args_os().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    tracing::info!(version = long_version().lines().next(), ?command, process = std::process::id(), "start");
    tracing::info!(threads, build = build_info(), simd = simd_summary(), "machine");
}

/// The log file, if there is one.
pub fn path() -> Option<&'static Path> {
    PATH.get().map(PathBuf::as_path)
}

/// Logs a panic, with a backtrace if `RUST_BACKTRACE` asks for one.
pub fn record_panic(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = thread::current();
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref().map(String::as_str));
    tracing::error!(location, thread = thread.name(), text = message, "panic");
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
    fn a_panic_is_logged_with_location_and_message() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            record_panic(panic);
            default_hook(panic);
        }));
        tracing::subscriber::with_default(subscriber(file.reopen().unwrap(), LevelFilter::INFO), || {
            let result = panic::catch_unwind(|| panic!("{} went wrong", "this"));
            assert!(result.is_err());
        });
        let log = std::fs::read_to_string(file.path()).unwrap();
        assert!(log.contains("ERROR") && log.contains("this went wrong") && log.contains("log.rs:"), "{log}");
    }
}
