//! What a benchmark is asked for.

use std::num::NonZeroUsize;

use clap::Args;

use super::Setting;
use super::choices::preset;
use super::flock::setting;
use super::values::{boids, number, threads, ticks, whole};

/// What a benchmark is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bench")]
pub struct Bench {
    /// How many boids; several, with commas, one after the other
    ///
    /// [default: 10000,100000,1000000; with --preset the preset's]
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', value_parser = boids, allow_negative_numbers = true)]
    pub boids: Vec<usize>,
    /// How many neighbors a boid has in the uniform scene
    #[arg(long, value_name = "K", default_value_t = 16.0, value_parser = neighbors, allow_negative_numbers = true, conflicts_with = "preset")]
    pub neighbors: f32,
    /// In how many dimensions the uniform scene is: 2 or 3
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = dim, allow_negative_numbers = true, conflicts_with = "preset")]
    pub dim: usize,
    /// How many threads; several, with commas
    ///
    /// [default: 1 and the machine's cores]
    #[arg(short = 'j', long, value_name = "N,…", value_delimiter = ',', value_parser = threads, allow_negative_numbers = true)]
    pub threads: Vec<NonZeroUsize>,
    /// Fly a preset instead of the uniform scene
    ///
    /// It flies after it has settled.
    #[arg(short, long, value_name = "NAME|FILE", value_parser = preset(), hide_possible_values = true)]
    pub preset: Option<String>,
    /// For how many ticks it settles
    #[arg(long, value_name = "TICKS", default_value_t = 500, value_parser = ticks, allow_negative_numbers = true, requires = "preset")]
    pub settle: u64,
    /// Give a parameter a value; may be repeated
    ///
    /// To see what it costs; `flockscope params` lists them.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub set: Vec<Setting>,
    /// Time frames instead of ticks, and count their bytes
    ///
    /// The picture's way to the terminal, beside the stock canvas and backend of ratatui.
    #[arg(long, conflicts_with_all = ["neighbors", "dim", "preset", "threads", "set"])]
    pub frame: bool,
    /// Print a JSON object a line
    #[arg(long)]
    pub json: bool,
}

fn neighbors(text: &str) -> Result<f32, String> {
    number(text, 1.0, 1000.0)
}

fn dim(text: &str) -> Result<usize, String> {
    whole(text, 2, 3)
}
