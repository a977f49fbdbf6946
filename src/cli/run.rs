//! What a run without a terminal is asked for.

use std::path::PathBuf;

use clap::Args;

use super::FlockArgs;
use super::values::{ticks, whole};

/// What a run without a terminal is asked for.
#[derive(Debug, Args)]
pub struct Run {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// How many ticks to fly
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// Write positions every so many ticks, and always at the start and the end
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = every)]
    pub every: u64,
    /// Write positions to a CSV file, or - for standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write measures of every tick to a CSV file, or - for standard output
    #[arg(long, value_name = "FILE")]
    pub measures: Option<PathBuf>,
    /// Print a hash of the state at the end
    #[arg(long)]
    pub hash: bool,
}

fn every(text: &str) -> Result<u64, String> {
    whole(text, 1, u64::MAX)
}
