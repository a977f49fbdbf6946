//! Hints added to clap's error messages.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, Parser};

use super::Cli;
use crate::config::{PRESETS, escape_control, nearest, shorten};

/// The error for this process's command line, with a hint if clap has none.
pub fn with_hint(error: clap::Error) -> clap::Error {
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
        && PRESETS.iter().any(|(name, _)| *name == word)
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
