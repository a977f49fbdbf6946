//! `sweep --list`: a command for each run, for programs that schedule commands.

use std::io::{self, BufWriter, Write};

use super::run::Runner;
use crate::commands::args::SweepArgs;
use crate::config::{ConfigError, shell_word};
use crate::export::OutputFile;

/// Writes the commands to standard output, one a line. Together, in this order, their outputs are that of the whole sweep.
///
/// # Errors
///
/// [`ConfigError`] if the command line cannot be repeated, or if the output cannot be written.
pub(super) fn list(args: &SweepArgs, runner: &Runner<'_>) -> Result<(), ConfigError> {
    let command = command(args)?;
    let runs = runner.grid.runs().count();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut write = || {
        for run in 1..=runs {
            let header = if run == 1 { "" } else { " --no-header" };
            writeln!(out, "{command} --shard {run}/{runs}{header}")?;
        }
        out.flush()
    };
    write().map_err(ConfigError::io("-"))
}

/// The command line of this process without `--list`, and what a single run needs: one thread, as many commands run at the
/// same time, and no question about its time.
fn command(args: &SweepArgs) -> Result<String, ConfigError> {
    let invalid = |message: &str| Err(ConfigError::flag("--list", message));
    if args.flock.input.as_deref().is_some_and(OutputFile::is_stream) {
        return invalid("the commands cannot all read standard input; use --input FILE");
    }
    let mut words = Vec::new();
    for word in std::env::args_os().filter(|word| word != "--list") {
        match word.to_str() {
            Some(word) => words.push(shell_word(word)),
            None => return invalid("the command line is not valid UTF-8; rename its files"),
        }
    }
    if args.flock.threads.is_none() {
        words.push("-j 1".to_owned());
    }
    if !args.yes {
        words.push("--yes".to_owned());
    }
    Ok(words.join(" "))
}
