//! What a run without a terminal is asked for.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::FlockArgs;
use super::values::{ticks, whole};

/// What a run without a terminal is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub struct Run {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// How many ticks to fly
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// Write positions every so many ticks
    ///
    /// And always at the start and the end.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = every, allow_negative_numbers = true)]
    pub every: u64,
    /// Write positions to a CSV file, or - for standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write measures of every tick to a CSV file, or -
    ///
    /// Polarization, rotation and the like, a row a tick; - is standard output.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub measures: Option<PathBuf>,
    /// Print a hash of the state at the end
    ///
    /// Of ids, positions, velocities and moods: two runs that print the same one flew the same, bit for bit. It goes
    /// to standard error where rows go to standard output.
    #[arg(long)]
    pub hash: bool,
}

fn every(text: &str) -> Result<u64, String> {
    whole(text, 1, u64::MAX)
}
