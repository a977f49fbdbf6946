//! What every command is asked for.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, ValueHint};
use tracing::level_filters::LevelFilter;

use super::choices::{NamedValue, none_of, plain};
use super::{Cli, ConfigArgs};

/// What belongs to the program rather than to a flock.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub struct ProgramArgs {
    /// What is written down.
    #[command(flatten)]
    pub log: LogArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Print help, short with -h, whole with --help
    #[arg(short, long, global = true, action = ArgAction::Help)]
    pub help: Option<bool>,
    /// Print the version
    ///
    /// --version adds the commit, the target, and the kinds of SIMD that this machine has.
    #[arg(short = 'V', long, action = ArgAction::Version)]
    pub version: Option<bool>,
}

/// What is written down meanwhile, and where.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// Write down what happens, at the end of this file
    ///
    /// Never on the screen, and nowhere without this. A line a happening: the machine, the terminal and what
    /// it answers, the flock, panics, and every error that ends the program.
    #[arg(long, value_name = "FILE", global = true, value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub log_file: Option<PathBuf>,
    /// off, error, warn, info, debug, trace
    ///
    /// How much is written: warn has ticks and frames that come late, info how the program begins and ends,
    /// debug every action and request, trace every frame.
    #[arg(long, value_name = "LEVEL", global = true, default_value = "info", value_parser = level())]
    #[arg(requires = "log_file", hide_possible_values = true, hide_short_help = true)]
    pub log_level: LevelFilter,
}

impl LogArgs {
    /// What this process was asked for, where the rest of its command line makes no sense.
    #[must_use]
    pub fn log_args_of_invalid() -> Option<Self> {
        let mut words = vec![OsString::from("flockscope")];
        let mut args = std::env::args_os();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy().into_owned();
            if text.starts_with("--log-") {
                let value = if text.contains('=') { None } else { args.next() };
                words.extend([arg].into_iter().chain(value));
            }
        }
        Cli::try_parse_from(words).ok().map(|cli| cli.program.log)
    }
}

/// The words that `--log-level` takes.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

fn level() -> NamedValue<LevelFilter> {
    NamedValue::new(read_level, || plain(LEVELS))
}

fn read_level(text: &str) -> Result<LevelFilter, String> {
    // The library takes numbers and capitals too.
    let known = LEVELS.contains(&text).then(|| text.parse().ok()).flatten();
    known.ok_or_else(|| none_of(LEVELS, text))
}
