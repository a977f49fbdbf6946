//! What a command line that makes no sense is answered with: clap's words, and a hint where it has none.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};

use super::Cli;
use crate::config::{PRESETS, nearest};

/// Adds what was probably meant.
#[must_use]
pub fn with_hint(mut error: Error) -> Error {
    if let Some(hint) = hint(&error) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
    error
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
        ErrorKind::InvalidSubcommand if is_silent => for_command(command?),
        // A command beside an option of the viewer.
        ErrorKind::ArgumentConflict => Some(format!("options stand after the command: `flockscope {} …`", command?)),
        ErrorKind::UnknownArgument if is_silent => for_option(said(ContextKind::InvalidArg)?),
        _ => None,
    }
}

fn for_command(word: &str) -> Option<String> {
    let root = Cli::command();
    let right = nearest(word, root.get_subcommands().map(Command::get_name))?;
    Some(format!("a similar subcommand exists: '{right}'"))
}

fn for_option(word: &str) -> Option<String> {
    let wrong = word.strip_prefix("--")?;
    let root = Cli::command();
    let right = nearest(wrong, root.get_arguments().filter_map(clap::Arg::get_long))?;
    if right == wrong {
        return Some(format!("the viewer has that option: `flockscope --{right}`"));
    }
    Some(format!("a similar argument exists: '--{right}'"))
}
