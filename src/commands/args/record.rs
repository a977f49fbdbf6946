//! What a clip is asked for.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::FlockArgs;
use super::picture::ScreenArgs;
use super::values::{duration, number, rate, ticks};

/// The longest clip: longer ones are films.
const LONGEST: Duration = Duration::from_secs(3600);

/// What a clip is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Clip")]
pub struct Record {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Where it goes: a name in .gif or .cast
    ///
    /// The ending says what is written; - is .cast (asciicast v3, as asciinema plays it) to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// How many ticks to fly before
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// How long the clip is, as 10s or 1m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = length, allow_negative_numbers = true)]
    pub duration: Duration,
    /// Frames a second; in a .gif at most 50
    #[arg(long, value_name = "N", default_value_t = 25.0, value_parser = fps, allow_negative_numbers = true)]
    pub fps: f32,
    /// Ticks a second [default: the preset's]
    #[arg(long, value_name = "N", value_parser = rate, allow_negative_numbers = true)]
    pub rate: Option<f32>,
    /// How it is drawn.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

fn length(text: &str) -> Result<Duration, String> {
    let length = duration(text).ok().filter(|length| !length.is_zero() && *length <= LONGEST);
    length.ok_or_else(|| "it takes a time up to an hour, as `10s` or `1m 30s`".to_owned())
}

fn fps(text: &str) -> Result<f32, String> {
    number(text, 1.0, 60.0)
}
