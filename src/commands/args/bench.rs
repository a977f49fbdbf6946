//! Options of `bench`.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;

use super::ParamSetting;
use super::values::{history, number, preset, threads, whole};
use crate::sim::MAX_BOIDS;

/// Options of `bench`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bench")]
pub struct BenchArgs {
    /// Numbers of boids, separated by commas
    ///
    /// [default: 10000,100000,1000000; with --preset, from the preset]
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', value_parser = whole(1, MAX_BOIDS), allow_negative_numbers = true)]
    pub boids: Vec<usize>,
    /// Mean number of neighbors per boid in the uniform scene
    #[arg(long, value_name = "K", default_value_t = 16.0, value_parser = number(1.0, 1000.0), allow_negative_numbers = true, conflicts_with = "preset")]
    pub neighbors: f32,
    /// Dimensions of the uniform scene: 2 or 3
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = whole(2_usize, 3), allow_negative_numbers = true, conflicts_with = "preset")]
    pub dim: usize,
    /// Numbers of threads, separated by commas
    ///
    /// [default: 1 and the number of CPU cores]
    #[arg(short = 'j', long, value_name = "N,…", value_delimiter = ',', value_parser = threads(), allow_negative_numbers = true)]
    pub threads: Vec<NonZeroUsize>,
    /// Simulate a preset instead of the uniform scene
    #[arg(short, long, value_name = "NAME|FILE", value_parser = preset(), hide_possible_values = true)]
    pub preset: Option<String>,
    /// Number of ticks before the measurement, until the preset is settled
    #[arg(long, value_name = "TICKS", default_value_t = 500, value_parser = whole(0, u64::MAX), allow_negative_numbers = true, requires = "preset")]
    pub settle: u64,
    /// Set a parameter, to see its cost (repeatable)
    ///
    /// `flockscope params` lists the parameters.
    #[arg(long, value_name = "KEY=VALUE", value_parser = ParamSetting::from_str)]
    pub set: Vec<ParamSetting>,
    /// Measure frames instead of ticks: their time and their bytes
    #[arg(long, conflicts_with_all = ["neighbors", "dim", "preset", "threads", "set"])]
    pub frame: bool,
    /// Measure the session instead of ticks: what it costs, and how long it takes to go back
    ///
    /// Each row is a session of ten minutes: 36000 ticks of starlings, then moves to random ticks and single steps back.
    #[arg(long, conflicts_with_all = ["neighbors", "dim", "preset", "set", "frame"])]
    pub seek: bool,
    /// Memory for going back in the session
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = history, allow_negative_numbers = true, requires = "seek")]
    pub history: usize,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}
