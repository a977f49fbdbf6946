//! Options of every command, and the version of the program.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, ValueHint};
use tracing::level_filters::LevelFilter;

use super::Cli;
use crate::config::simd;
use crate::sim::Simd;

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Program")]
pub struct ProgramArgs {
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
    /// The config file.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Print help: -h for a summary, --help for everything
    #[arg(short, long, global = true, action = ArgAction::Help)]
    pub help: Option<bool>,
    /// Print the version
    ///
    /// --version adds the commit, the target, and the SIMD instruction sets of this machine.
    #[arg(short = 'V', long, action = ArgAction::Version)]
    pub version: Option<bool>,
}

/// Options of the log.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// Append a log to this file
    ///
    /// Each line is an event: the machine, the terminal and its replies, the flock, panics, and the error that ends the
    /// program. Without this option nothing is logged.
    #[arg(long, value_name = "FILE", global = true, value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub log_file: Option<PathBuf>,
    /// Log level: off, error, warn, info, debug or trace
    ///
    /// warn logs slow ticks and frames, info start and exit, debug every action and request, trace every frame.
    #[arg(long, value_name = "LEVEL", global = true, default_value = "info", value_parser = level())]
    #[arg(requires = "log_file", hide_possible_values = true, hide_short_help = true)]
    pub log_level: LevelFilter,
}

impl LogArgs {
    /// The log options of this process even though other options are invalid, so that the error reaches the log.
    pub(crate) fn from_invalid_args() -> Option<Self> {
        let mut words = vec![OsString::from("flockscope")];
        let mut args = std::env::args_os();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy().into_owned();
            if text.starts_with("--log-") {
                let value = if text.contains('=') { None } else { args.next() };
                words.push(arg);
                words.extend(value);
            }
        }
        Cli::try_parse_from(words).ok().map(|cli| cli.program.log)
    }
}

/// Options of the config file.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Read this config file instead of the default one
    ///
    /// FLOCKSCOPE_CONFIG does the same. The viewer, run, sweep, breed, shot, record, replay and keys read the config file; fit and bench do not.
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// Do not read a config file
    #[arg(long, global = true, conflicts_with = "config", hide_short_help = true)]
    pub no_config: bool,
    /// Print a config file with every setting and its default
    #[arg(long, global = true, hide_short_help = true)]
    pub print_config: bool,
}

fn level() -> impl TypedValueParser<Value = LevelFilter> {
    PossibleValuesParser::new(["off", "error", "warn", "info", "debug", "trace"])
        .map(|name| name.parse().expect("a level of tracing"))
}

/// The version number.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The date of the commit that was built, or an empty string if unknown.
pub(crate) const BUILD_DATE: &str = env!("BUILD_DATE");

/// Version, commit, target, compiler and SIMD instruction sets.
pub(crate) fn long_version() -> &'static str {
    static LONG: LazyLock<String> =
        LazyLock::new(|| format!("{VERSION}{}\n{}\n{}", commit(), build_info(), simd_summary()));
    &LONG
}

/// The commit in parentheses, or an empty string if unknown.
fn commit() -> String {
    let commit = env!("BUILD_COMMIT");
    if commit.is_empty() { String::new() } else { format!(" ({commit})") }
}

/// Target and compiler.
pub(crate) fn build_info() -> String {
    let profile = if cfg!(debug_assertions) { ", debug build" } else { "" };
    let parts = [env!("BUILD_TARGET"), env!("BUILD_RUSTC")].into_iter().filter(|part| !part.is_empty());
    format!("{}{profile}", parts.collect::<Vec<_>>().join(", "))
}

/// The SIMD instruction sets of this machine, and the one in use.
pub(crate) fn simd_summary() -> String {
    let available: Vec<_> = Simd::available().map(Simd::name).collect();
    let used = simd().map_or_else(|error| error.to_string(), |simd| format!("using {}", simd.name()));
    format!("SIMD: {} ({used})", available.join(", "))
}
