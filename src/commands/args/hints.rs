//! What a command line that makes no sense is answered with: clap's words, and a hint where it has none.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, Parser};

use super::Cli;
use crate::config::{PRESETS, escape_control, nearest, shorten};

/// Adds what was probably meant to the refusal of this process's command line.
#[must_use]
pub fn add_hint(error: Error) -> Error {
    let mut error = plain(error, std::env::args_os());
    if let Some(hint) = hint(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
    error
}

/// The same refusal without what would command the terminal: the library shows words as they were typed, and so
/// it reads them once more as they can be shown.
fn plain(error: Error, words: impl Iterator<Item = OsString>) -> Error {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let shown: Vec<String> = words.iter().map(|word| shorten(&escape_control(word))).collect();
    if words == shown {
        return error;
    }
    match Cli::try_parse_from(shown) {
        Err(shown) if shown.kind() == error.kind() => shown,
        _ => Error::raw(error.kind(), "a word of this command line cannot be shown\n"),
    }
}

fn hint(error: &Error) -> Option<String> {
    let is_silent = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::Suggested]
        .into_iter()
        .all(|kind| error.get(kind).is_none());
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let command = said(ContextKind::InvalidSubcommand);
    if let Some(word) = command
        && PRESETS.iter().any(|(name, _)| *name == word)
    {
        return Some(format!("a preset is asked for by `flockscope --preset {word}`"));
    }
    match error.kind() {
        ErrorKind::InvalidSubcommand if is_silent => similar_command(command?),
        // A command beside an option of the viewer.
        ErrorKind::ArgumentConflict => Some(format!("options stand after the command: `flockscope {} …`", command?)),
        ErrorKind::UnknownArgument => {
            let word = said(ContextKind::InvalidArg)?;
            // The library would rather have another one that sounds like it.
            viewer_option(word).or_else(|| similar_option(word).filter(|_| is_silent))
        }
        _ => None,
    }
}

fn similar_command(word: &str) -> Option<String> {
    let root = Cli::command();
    let right = nearest(word, root.get_subcommands().map(Command::get_name))?;
    Some(format!("a similar subcommand exists: '{right}'"))
}

/// An option that stands behind a command, and is none of its own.
fn viewer_option(word: &str) -> Option<String> {
    let root = Cli::command();
    let right =
        root.get_arguments().filter_map(clap::Arg::get_long).find(|long| word.strip_prefix("--") == Some(*long))?;
    Some(format!("the viewer has that option: `flockscope --{right}`"))
}

fn similar_option(word: &str) -> Option<String> {
    let wrong = word.strip_prefix("--")?;
    let root = Cli::command();
    let right = nearest(wrong, root.get_arguments().filter_map(clap::Arg::get_long))?;
    Some(format!("a similar argument exists: '--{right}'"))
}
