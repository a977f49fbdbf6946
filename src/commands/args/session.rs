//! Options of `replay`, and of the commands that take a session in place of a flock.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::ViewerArgs;
use super::values::{threads, whole};

/// Set on each option: `next_help_heading` would also apply to the options that follow in another struct.
const SESSION: &str = "Session";

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Replay")]
pub struct ReplayArgs {
    /// Session file; - is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Number of threads, up to 256 [default: CPU cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads(), allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// Compare every hash in the file instead of showing the session
    ///
    /// Needs no terminal. The exit status is 0 if all hashes agree; otherwise it prints the first tick that differs, with
    /// both hashes.
    #[arg(long)]
    pub verify: bool,
    /// The terminal and the picture.
    #[command(flatten)]
    pub viewer: ViewerArgs,
}

/// A session in place of the options that define a flock.
#[derive(Debug, Args)]
pub struct SessionArgs {
    /// Replay this .flock file instead of a new flock
    ///
    /// The viewer writes such files: see `flockscope replay`. The options that define a flock are errors beside it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["preset", "boids", "predators", "seed", "world", "set", "zone", "input"])]
    #[arg(help_heading = SESSION)]
    pub session: Option<PathBuf>,
}

/// A tick of a session.
#[derive(Debug, Args)]
pub struct AtArgs {
    /// Tick of the session [default: the last one]
    ///
    /// Ticks count from the first state of the session and go on when the flock restarts.
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub at: Option<u64>,
}

/// A range of ticks of a session.
#[derive(Debug, Args)]
pub struct RangeArgs {
    /// First tick of the session [default: its first one]
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub from: Option<u64>,
    /// Last tick of the session [default: its last one]
    #[arg(long, value_name = "TICK", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    #[arg(requires = "session", help_heading = SESSION)]
    pub to: Option<u64>,
}
