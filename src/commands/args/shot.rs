//! What a picture is asked for.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::FlockArgs;
use super::picture::{PICTURE, ScreenArgs};
use super::values::ticks;

/// What a picture is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = PICTURE)]
pub struct Shot {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Where it goes: a name in .png, .svg, .ansi or .txt
    ///
    /// The ending says what is written; - is ANSI to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// How many ticks to fly before
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// How it is drawn.
    #[command(flatten)]
    pub screen: ScreenArgs,
}
