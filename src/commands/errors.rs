//! How errors and panics are reported.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, Parser};
use color_eyre::config::HookBuilder;
use color_eyre::eyre::Report;

use super::args::{Cli, LogArgs, long_version};
use super::log;
use crate::config::{self, ConfigError, PRESETS, escape_control, nearest, shorten};
use crate::terminal::tty;

/// Makes a panic on any thread restore the terminal, write a report to standard error and the log, and end the viewer.
pub fn install_panic_hook() {
    // The hook for errors stays out: an error is one sentence, without a backtrace.
    let (panics, _) = HookBuilder::default().display_env_section(false).into_hooks();
    std::panic::set_hook(Box::new(move |panic| {
        log::record_panic(panic);
        // Resolving the symbols may take a while, so the terminal is restored afterwards.
        let report = format!("{}\n\n{}\n", panics.panic_report(panic), bug_report_request());
        tty::restore_for_good();
        tty::finish_restore(None);
        // A second panic here would abort the process.
        let _ = io::stderr().write_all(report.as_bytes());
        tty::mark_panic_reported();
    }));
}

/// A request for a bug report, with the facts that it needs.
fn bug_report_request() -> String {
    let seed = config::current_seed().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let log = match log::path() {
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
        Err(error) if config::is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = error.to_string(), "failed");
            let config_error = error.downcast_ref::<ConfigError>();
            let excerpt = config_error.and_then(ConfigError::excerpt);
            let excerpt = excerpt.map(|excerpt| format!("\n{excerpt}")).unwrap_or_default();
            // Names and values come from files and the environment.
            let message = shorten(&escape_control(&error.to_string()));
            let _ = writeln!(io::stderr(), "flockscope: {message}{excerpt}");
            ExitCode::from(if config_error.is_some_and(ConfigError::is_usage) { 2 } else { 1 })
        }
    }
}

/// Prints clap's error, which may also be the help or the version.
fn print_usage_error(error: clap::Error) -> ExitCode {
    let error = with_hint(error);
    if error.use_stderr() && LogArgs::from_invalid_args().is_some_and(|args| log::start(&args).is_ok()) {
        tracing::error!(error = error.to_string().lines().next(), "invalid command line");
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(write_error) if !error.use_stderr() => print_error(write_error.into()),
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// The error for this process's command line, with a hint if clap has none.
fn with_hint(error: clap::Error) -> clap::Error {
    let mut error = printable(error, std::env::args_os());
    if let Some(hint) = hint(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
    error
}

/// The same error without control characters. clap quotes words as they are, so it parses an escaped copy of them.
fn printable(error: clap::Error, words: impl Iterator<Item = OsString>) -> clap::Error {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
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
            let similar = nearest(word, longs()).filter(|_| !clap_has_hint)?;
            Some(format!("a similar argument exists: '--{similar}'"))
        }
        _ => None,
    }
}

/// Whether an invalid argument is `--resume` with a value, or a word in a command line with `--resume`.
fn has_value_of_resume(invalid: &str) -> bool {
    invalid == "--resume" || !invalid.starts_with('-') && std::env::args().any(|word| word == "--resume")
}
