//! Options of the commands that write files: `run`, `shot` and `record`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::picture::PICTURE;
use super::values::{duration, number, rate, whole};
use super::{AtArgs, FlockArgs, MeasureArgs, RangeArgs, ScreenArgs, SessionArgs};
use crate::export::columns::Columns;

/// The longest clip.
pub(crate) const MAX_CLIP: Duration = Duration::from_secs(3600);

/// Options of `run`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
#[command(mut_arg("at", |at| at.conflicts_with_all(["from", "to"])))]
#[command(mut_arg("warmup", |warmup| warmup.conflicts_with("session")))]
pub struct RunArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Number of ticks
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, conflicts_with = "session")]
    pub ticks: u64,
    /// The session.
    #[command(flatten)]
    pub session: SessionArgs,
    /// A tick of it.
    #[command(flatten)]
    pub at: AtArgs,
    /// Several ticks of it.
    #[command(flatten)]
    pub range: RangeArgs,
    /// Write states every K ticks
    ///
    /// The first and the last tick are always written.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole(1, u64::MAX), allow_negative_numbers = true)]
    pub every: u64,
    /// Write states to this file: .csv or .xyz; - is CSV on standard output
    ///
    /// The extension selects the format. CSV has a row per agent and tick. Extended XYZ, for OVITO and ASE, has a frame per
    /// tick, with the world as its cell, and the species B (boid), P (predator) and C (caught boid).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Columns of the CSV file, e.g. id,tick,x,y [default: state]
    ///
    /// A list of tick, frame, time, id, kind, x, y, z, vx, vy, vz, mood and bank, or a set of them: state, which --input reads, or tracks
    /// (id,frame,time,x,y,kind, with z in three dimensions) for programs that analyze trajectories, such as the R packages
    /// trackdf and trajr. frame counts the written states from 0. time is the tick. Velocities are in units per tick.
    #[arg(long, value_name = "LIST|NAME", value_parser = Columns::from_str, requires = "output")]
    pub columns: Option<Columns>,
    /// Write measures to this CSV file; - is standard output
    ///
    /// Polarization, rotation and others, one row per tick. --measure chooses them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub measures: Option<PathBuf>,
    /// Print mean, standard error, minimum and maximum of each measure
    ///
    /// They cover the same ticks as the rows of --measures. The table goes to standard error if standard output carries
    /// CSV.
    #[arg(long)]
    pub summary: bool,
    /// The measures.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Print a hash of the final state
    ///
    /// It covers ids, positions, velocities, moods and banks: equal hashes mean equal flocks, bit for bit. It goes to standard
    /// error if standard output carries CSV.
    #[arg(long)]
    pub hash: bool,
}

/// Options of `shot`.
#[derive(Debug, Args)]
#[command(next_help_heading = PICTURE)]
pub struct ShotArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Output file: .png, .svg, .ansi or .txt
    ///
    /// The extension selects the format. - writes ANSI to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Number of ticks before the picture
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, conflicts_with = "session")]
    pub ticks: u64,
    /// The session.
    #[command(flatten)]
    pub session: SessionArgs,
    /// A tick of it.
    #[command(flatten)]
    pub at: AtArgs,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Options of `record`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Clip")]
pub struct RecordArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Output file: .gif or .cast
    ///
    /// The extension selects the format. - writes .cast (asciicast v3, for asciinema) to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Number of ticks before the clip
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, conflicts_with = "session")]
    pub ticks: u64,
    /// The session.
    #[command(flatten)]
    pub session: SessionArgs,
    /// Several ticks of it.
    #[command(flatten)]
    pub range: RangeArgs,
    /// Length of the clip, e.g. 10s or 1m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = clip_length, allow_negative_numbers = true, conflicts_with = "session")]
    pub duration: Duration,
    /// Frames per second; at most 50 in a .gif
    #[arg(long, value_name = "N", default_value_t = 25.0, value_parser = number(1.0, 60.0), allow_negative_numbers = true)]
    pub fps: f32,
    /// Ticks per second [default: from the preset]
    #[arg(long, value_name = "N", value_parser = rate(), allow_negative_numbers = true)]
    pub rate: Option<f32>,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

fn clip_length(text: &str) -> Result<Duration, String> {
    let length = duration(text).ok().filter(|length| !length.is_zero() && *length <= MAX_CLIP);
    length.ok_or_else(|| "expected a duration of up to an hour, e.g. 10s or 1m 30s".to_owned())
}
