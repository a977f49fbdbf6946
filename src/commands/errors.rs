//! How errors and panics are reported, and the log file, which `tracing` writes. The log never goes to the screen. Text from outside,
//! such as paths and names, is logged in its `Debug` form, which escapes control characters.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::thread;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, Parser};
use color_eyre::config::{HookBuilder, Theme};
use color_eyre::eyre::Report;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;

use super::args::{Cli, LogArgs, build_info, long_version, simd_summary};
use crate::config::{self, PRESETS};
use crate::error::{InputError, escape_control, is_closed_pipe, nearest, shorten};
use crate::export::{stderr, stdout};
use crate::sim::Param;
use crate::terminal::tty;

/// Makes a panic on any thread restore the terminal, write a report to standard error and the log, and end the viewer.
pub fn install_panic_hook() {
    // The hook for errors stays out: an error is one sentence, without a backtrace. No colors: the message of a panic may contain
    // text from outside, which is escaped.
    let (panics, _) = HookBuilder::default().theme(Theme::new()).display_env_section(false).into_hooks();
    std::panic::set_hook(Box::new(move |panic| {
        record_panic(panic);
        // Resolving the symbols may take a while, so the terminal is restored afterwards.
        let report = format!("{}\n\n{}\n", panics.panic_report(panic), bug_report_request());
        tty::restore_for_good();
        tty::finish_restore(None);
        // A second panic here would abort the process.
        let _ = stderr().write_all(report.as_bytes());
        tty::PANIC_REPORTED.store(true, Ordering::SeqCst);
    }));
}

/// A request for a bug report, with the facts that it needs.
fn bug_report_request() -> String {
    let seed = config::current_seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let log = match PATH.get() {
        Some(path) => format!("the log ({})", path.display().to_string().escape_debug()),
        None => "a log (--log-file FILE, if you can reproduce it)".to_owned(),
    };
    let version = long_version().replace('\n', "; ");
    format!(
        "This is a bug in flockscope. Please report it with the text above, the command, {log} and this version: \
         flockscope {version}{seed}"
    )
}

/// Prints an error to standard error and returns the exit status: 2 for invalid usage, otherwise 1. A closed pipe is no
/// error.
pub fn print_error(error: Report) -> ExitCode {
    match error.downcast::<clap::Error>() {
        Ok(error) => print_usage_error(error),
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = error.to_string(), "failed");
            let config_error = error.downcast_ref::<InputError>();
            let excerpt = config_error.and_then(InputError::excerpt);
            let excerpt = excerpt.map(|excerpt| format!("\n{excerpt}")).unwrap_or_default();
            // Names and values come from files and the environment.
            let message = shorten(&escape_control(&error.to_string()));
            let _ = writeln!(stderr(), "flockscope: {message}{excerpt}");
            ExitCode::from(if config_error.is_some_and(InputError::is_usage) { 2 } else { 1 })
        }
    }
}

/// Prints clap's error, which may also be the help or the version.
fn print_usage_error(error: clap::Error) -> ExitCode {
    let error = with_hint(error);
    if error.use_stderr() && LogArgs::from_invalid_args().is_some_and(|args| start_log(&args).is_ok()) {
        tracing::error!(error = error.to_string().lines().next(), "invalid command line");
    }
    match error.print().and_then(|()| stdout().flush()) {
        Err(write_error) if !error.use_stderr() => print_error(write_error.into()),
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// The error for this process's command line, with a hint if clap has none.
fn with_hint(error: clap::Error) -> clap::Error {
    let mut error = printable(error);
    if let Some(hint) = hint(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
    error
}

/// The command line of this process, for messages: it may not be UTF-8.
fn words() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned())
}

/// The same error without control characters. clap quotes words as they are, so it parses an escaped copy of them.
fn printable(error: clap::Error) -> clap::Error {
    let words: Vec<String> = words().collect();
    let escaped: Vec<String> = words.iter().map(|word| shorten(&escape_control(word))).collect();
    if words == escaped {
        return error;
    }
    match Cli::try_parse_from(escaped) {
        Err(escaped) if escaped.kind() == error.kind() => escaped,
        _ => clap::Error::raw(error.kind(), "the command line has unprintable characters\n"),
    }
}

fn hint(error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let clap_has_hint = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::Suggested]
        .into_iter()
        .any(|kind| error.get(kind).is_some());
    let command = context(ContextKind::InvalidSubcommand);
    if let Some(word) = command
        && PRESETS.iter().any(|preset| preset.name == word)
    {
        return Some(format!("to load the preset, use `flockscope --preset {word}`"));
    }
    let root = Cli::command();
    let longs = || root.get_arguments().filter_map(Arg::get_long);
    match error.kind() {
        ErrorKind::InvalidSubcommand if !clap_has_hint => {
            let similar = nearest(command?, root.get_subcommands().map(clap::Command::get_name))?;
            Some(format!("a similar subcommand exists: '{similar}'"))
        }
        ErrorKind::ArgumentConflict => Some(format!("options follow the command: `flockscope {} …`", command?)),
        ErrorKind::UnknownArgument | ErrorKind::TooManyValues
            if has_value_of_resume(context(ContextKind::InvalidArg)?) =>
        {
            Some("'--resume' takes no value; name the file with '--output <FILE>'".to_owned())
        }
        ErrorKind::UnknownArgument => {
            let word = context(ContextKind::InvalidArg)?.strip_prefix("--")?;
            if longs().any(|long| long == word) {
                return Some(format!("the viewer has this option: `flockscope --{word}`"));
            }
            if let Some(param) = similar_param(word, longs()) {
                return Some(format!("to set a parameter, use `--set {}={}`", param.key, value_after(word, param)));
            }
            let similar = nearest(word, longs()).filter(|_| !clap_has_hint)?;
            Some(format!("a similar argument exists: '--{similar}'"))
        }
        _ => None,
    }
}

/// The parameter whose key, or whose group, is more similar to a word than any option is: of a group, the first one.
fn similar_param<'a>(word: &str, longs: impl Iterator<Item = &'a str>) -> Option<&'static Param> {
    let group = |param: &'static Param| param.key.split_once('.').map_or(param.key, |(group, _)| group);
    let names = Param::table().iter().flat_map(|param| [param.key, group(param)]);
    let similar = nearest(word, longs.chain(names))?;
    Param::find(similar).or_else(|| Param::table().iter().find(|param| group(param) == similar))
}

/// The value for a parameter that follows an unknown option, or a name for it.
fn value_after(option: &str, param: &Param) -> String {
    let typed = words().skip_while(|word| !word.starts_with(&format!("--{option}"))).take(2);
    let words: Vec<String> = typed.flat_map(|word| word.split('=').map(str::to_owned).collect::<Vec<_>>()).collect();
    words.get(1).filter(|value| param.parse(value).is_ok()).cloned().unwrap_or_else(|| "VALUE".to_owned())
}

/// Whether an invalid argument is `--resume` with a value, or a word in a command line with `--resume`.
fn has_value_of_resume(invalid: &str) -> bool {
    invalid == "--resume" || !invalid.starts_with('-') && words().any(|word| word == "--resume")
}

/// The log file, if there is one.
static PATH: OnceLock<PathBuf> = OnceLock::new();

/// Starts to append events to the file of `--log-file`, if there is one. Each line reaches the file at once, so that
/// the log is complete however the program ends.
///
/// # Errors
///
/// [`InputError::File`] if the file cannot be written or is a terminal.
pub fn start_log(args: &LogArgs) -> Result<(), InputError> {
    let Some(path) = &args.log_file else { return Ok(()) };
    let file_error = InputError::io(path);
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(&file_error)?;
    if file.is_terminal() {
        return Err(file_error(io::Error::other("the log needs a file, not a terminal; view it with `tail -f`")));
    }
    if !is_log(path).map_err(&file_error)? {
        return Err(file_error(io::Error::other("the file exists and is no log; choose another name for the log")));
    }
    // Fails only if a subscriber is set already, which happens once.
    let _ = tracing::subscriber::set_global_default(subscriber(file, args.log_level));
    let _ = PATH.set(path.clone());
    let command: Vec<_> = std::env::args_os().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    tracing::info!(version = long_version().lines().next(), ?command, process = std::process::id(), "start");
    tracing::info!(threads, build = build_info(), simd = simd_summary(), "machine");
    Ok(())
}

/// Whether a file is empty or begins with a line of a log, which begins with a time: `2026-11-29T06:24:30.000219Z  INFO`. A pipe is one.
fn is_log(path: &Path) -> io::Result<bool> {
    if !path.metadata()?.is_file() {
        return Ok(true);
    }
    let mut start = Vec::new();
    File::open(path)?.take(28).read_to_end(&mut start)?;
    Ok(start.is_empty() || start.get(10) == Some(&b'T') && start.ends_with(b"Z "))
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

/// Logs a panic, with a backtrace if `RUST_BACKTRACE` asks for one.
fn record_panic(panic: &PanicHookInfo<'_>) {
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
        assert!(log.contains("ERROR") && log.contains("this went wrong") && log.contains("errors.rs:"), "{log}");
    }
}
