//! Options of `run`, `sweep`, `fit`, `breed` and `bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};

use super::axis::{RampAxis, Shard, SweepAxis};
use super::values::{number, preset, threads, whole};
use super::{AtArgs, FlockArgs, MeasureArgs, ParamSetting, RangeArgs, RecordingArgs, SessionArgs};
use crate::breed::Target;
use crate::config::WorldSize;
use crate::error::InputError;
use crate::export::columns::Columns;
use crate::sim::{Curve, MAX_BOIDS, MAX_TICK, Measure};

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
    /// Write states and measures every K ticks
    ///
    /// The first and the last tick are always written.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole(1, u64::MAX), allow_negative_numbers = true)]
    pub every: u64,
    /// Measure every K ticks [default: K of --every]
    ///
    /// --summary is over these ticks, the first and the last included.
    #[arg(long, value_name = "K", value_parser = whole(1, u64::MAX), allow_negative_numbers = true)]
    pub measure_every: Option<u64>,
    /// Write states to this file: .csv, .xyz or .npz; - is CSV on standard output
    ///
    /// The extension selects the format. CSV has a row per agent and tick. Extended XYZ, for OVITO and ASE, has a frame per
    /// tick, with the world as its cell, and the species B (boid), P (predator) and C (caught boid). NPZ, for NumPy, has the arrays
    /// tick, id, kind, position and velocity.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Columns of the CSV file, e.g. id,tick,x,y [default: state]
    ///
    /// A list of tick, frame, time, id, kind, x, y, z, vx, vy, vz, mood and bank, or a set of them: state, which --input reads, or tracks
    /// (id,frame,time,x,y,kind, with z in three dimensions) for programs that analyze trajectories, such as the R packages
    /// trackdf and trajr. frame counts the written states from 0. time is the tick, or seconds for a recording whose frame rate is
    /// known. Velocities are in units per tick.
    #[arg(long, value_name = "LIST|NAME", value_parser = Columns::from_str, requires = "output")]
    pub columns: Option<Columns>,
    /// Write measures to this CSV file; - is standard output
    ///
    /// Polarization, rotation and others, one row per tick. --measure chooses them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub measures: Option<PathBuf>,
    /// Write a curve to this CSV file (repeatable)
    ///
    /// Example: --curve velocity_correlation=c.csv; - is standard output. A curve is averaged over the ticks that --measures would
    /// write. The list is below.
    #[arg(long, value_name = "NAME=FILE", value_parser = CurveFile::from_str)]
    pub curve: Vec<CurveFile>,
    /// Print the statistics of each measure
    ///
    /// Mean, standard error, variance, tau, minimum and maximum. tau is the integrated autocorrelation time, in measured ticks. The
    /// statistics cover the same ticks as the rows of --measures. The table goes to standard error if standard output carries CSV.
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

/// Options of `fit`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fit")]
pub struct FitArgs {
    /// Recording (.csv, .xyz, .npz)
    ///
    /// Several files are one recording: each has other animals or another time.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Write the fitted flock to this preset file (.toml)
    ///
    /// `flockscope -p ./FILE` flies it. A JSON file beside it says how it was made.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Write force maps to this file: .svg for pictures, .csv for numbers
    ///
    /// They show the mean acceleration of an animal along and across its heading by the place of a neighbor, in the recording, in the
    /// fitted flock, and the difference.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// The rectangle in which the animals stay, in the coordinates of the recording [default: around all positions]
    ///
    /// The reaction to the border is measured from it.
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = arena, allow_hyphen_values = true)]
    pub arena: Option<[[f64; 2]; 2]>,
    /// Number of threads, up to 256 [default: CPU cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads(), allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// How the recording is read.
    #[command(flatten)]
    pub recording: RecordingArgs,
}

/// A value of `--arena`: the ends of a rectangle on each axis.
fn arena(text: &str) -> Result<[[f64; 2]; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([x0, y0, x1, y1]) if x0 < x1 && y0 < y1 && [x0, y0, x1, y1].iter().all(|end| end.is_finite()) => {
            Ok([[*x0, *x1], [*y0, *y1]])
        }
        _ => Err("expected X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1, e.g. 0,0,640,480".to_owned()),
    }
}

/// Options of `breed`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Breed")]
#[command(mut_arg("input", |input| input.hide(true)))]
#[command(mut_arg("threads", |threads| threads.help(BREED_THREADS).long_help(BREED_THREADS)))]
pub struct BreedArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Measures, and the values that the flock shall have
    ///
    /// Example: polarization=0.1,rotation=0.8. A flock is the nearer, the smaller the differences are over its flight, in units of the
    /// spread of each measure among the first children. The list is below.
    #[arg(long, value_name = "MEASURE=VALUE,…", value_delimiter = ',', required = true, value_parser = target)]
    pub toward: Vec<Target>,
    /// Number of generations
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1_u64, 10_000), allow_negative_numbers = true)]
    pub generations: u64,
    /// Write the nearest flock to this preset file (.toml)
    ///
    /// `flockscope -p ./FILE` flies it. A JSON file beside it says how it was made.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

const BREED_THREADS: &str = "Number of flocks that fly at the same time, up to 256 [default: CPU cores]";

/// A value of `--toward`: a measure and its value.
fn target(text: &str) -> Result<Target, String> {
    let (name, value) = text.split_once('=').ok_or("expected MEASURE=VALUE, e.g. rotation=0.8")?;
    let measure = Measure::find(name.trim()).ok_or_else(|| {
        let names = Measure::table().iter().map(|measure| measure.name);
        InputError::unknown("measure", name, names, "; `flockscope breed --help` lists them").to_string()
    })?;
    let (min, max) = measure.range.bounds().unwrap_or((0.0, f64::INFINITY));
    let value = value.trim().parse().ok().filter(|value: &f64| value.is_finite() && (min..=max).contains(value));
    let value = value.ok_or_else(|| match measure.range.bounds() {
        Some((min, max)) => format!("expected a number from {min} to {max} for {}", measure.name),
        None => format!("expected a number of at least 0 for {}", measure.name),
    })?;
    Ok(Target { measure, value })
}

/// A value of `--curve`: a curve, and its file.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveFile {
    /// The curve.
    pub curve: &'static Curve,
    /// Its file; `-` is standard output.
    pub path: PathBuf,
}

impl FromStr for CurveFile {
    /// The problem, and what would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
            return Err("expected NAME=FILE, e.g. velocity_correlation=c.csv".to_owned());
        };
        let curve = Curve::find(name.trim()).ok_or_else(|| {
            let names = Curve::table().iter().map(|curve| curve.name);
            InputError::unknown("curve", name, names, "; `flockscope run --help` lists them").to_string()
        })?;
        Ok(Self { curve, path: PathBuf::from(path) })
    }
}

/// Options of `sweep`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sweep")]
#[command(mut_arg("seed", |seed| seed.help("First random seed [default: 1]").long_help(FIRST_SEED)))]
#[command(mut_arg("measure", |measure| measure.default_value("polarization").long_help(MEASURES)))]
#[command(mut_arg("threads", |threads| threads.help(THREADS).long_help(THREADS)))]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct SweepArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Run with each of these values (repeatable)
    ///
    /// KEY is a parameter as in --set, boids, predators, world or start. SPEC is a list of values and ranges A:B:STEP that include both ends:
    /// noise.angle=0:90:5,180,360. Several --over make a grid; the last one changes fastest. Keys joined by a comma change
    /// together, with a tuple for each run: 'boids,world=40,3.1x3.1;100,5x5'.
    #[arg(long, value_name = "KEY=SPEC", value_parser = SweepAxis::from_str)]
    pub over: Vec<SweepAxis>,
    /// Number of runs of each combination, with successive seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1_u64, 1_000_000), allow_negative_numbers = true)]
    pub seeds: u64,
    /// Number of ticks of each run after the warmup [default: 1000; with --ramp, half of --hold]
    #[arg(long, value_name = "N", value_parser = whole(1, MAX_TICK), allow_negative_numbers = true)]
    pub ticks: Option<u64>,
    /// The measures.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Write the rows to this CSV file; - is standard output
    ///
    /// Each row is written as soon as it and all rows before it are finished. Ctrl-C keeps the finished rows. A file with
    /// content is never replaced.
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Continue the file of an interrupted sweep
    ///
    /// Takes the same options as before. Only missing runs are done; the first and the last run in the file are
    /// repeated to check that they give the same rows. If there is no file, the sweep starts.
    #[arg(long)]
    pub resume: bool,
    /// Change a parameter during each run, up and then down again
    ///
    /// Each value is held for --hold ticks and gets a row. The rows of both directions show hysteresis.
    #[arg(long, value_name = "KEY=A:B:STEP", value_parser = RampAxis::from_str, requires = "hold", conflicts_with = "shard")]
    pub ramp: Option<RampAxis>,
    /// Number of ticks for which --ramp holds each value; the last --ticks of them are measured
    #[arg(long, value_name = "N", value_parser = whole(1, MAX_TICK), allow_negative_numbers = true, requires = "ramp")]
    pub hold: Option<u64>,
    /// Run only part I of N: every N-th run
    ///
    /// To share a sweep among N machines, use 1/N to N/N. Together, their files have all rows of the sweep.
    #[arg(long, value_name = "I/N", value_parser = Shard::from_str)]
    pub shard: Option<Shard>,
    /// Print the command of each run instead, one a line, for a scheduler
    ///
    /// For programs such as GNU parallel, HyperQueue and Snakemake. A command writes the row of its run to standard output, with the
    /// header before the first one; together, in order, they are the output of the sweep. Each uses one thread, unless --threads is given.
    #[arg(long, conflicts_with_all = ["output", "resume", "ramp", "shard", "no_header"])]
    pub list: bool,
    /// Write rows without the header
    #[arg(long, conflicts_with = "resume", hide_short_help = true)]
    pub no_header: bool,
    /// Start even if the sweep takes more than an hour or writes a million rows
    #[arg(long)]
    pub yes: bool,
}

impl SweepArgs {
    /// The number of measured ticks of each row.
    pub(in crate::commands) fn measured_ticks(&self) -> u64 {
        const DEFAULT: u64 = 1000;
        self.ticks.unwrap_or_else(|| self.hold.map_or(DEFAULT, |hold| hold.div_ceil(2)))
    }
}

const FIRST_SEED: &str = "First random seed [default: 1]

The runs of each combination have the seeds from this one on. A run is the same flock as that of `flockscope run` with \
the same seed and values.";

const MEASURES: &str = "Measures to take, separated by commas, or all

A row has the mean of each measure over the ticks after the warmup, and in columns such as polarization_error, \
polarization_variance and polarization_tau its standard error, variance and autocorrelation time in ticks. The error takes into \
account that successive ticks are correlated. The list is below.";

const THREADS: &str = "Number of runs at the same time, up to 256 [default: CPU cores]";

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
    /// World size in units [default: from the preset]
    ///
    /// WxH, WxHxD, round:R or auto, as for a flock.
    #[arg(long, value_name = "SIZE", value_parser = WorldSize::from_str, allow_hyphen_values = true, requires = "preset")]
    pub world: Option<WorldSize>,
    /// Number of ticks before the measurement, until the preset is settled
    #[arg(long, value_name = "TICKS", default_value_t = 500, value_parser = whole(0, u64::MAX), allow_negative_numbers = true, requires = "preset")]
    pub settle: u64,
    /// Set a parameter, to see its cost (repeatable)
    ///
    /// `flockscope params` lists the parameters.
    #[arg(long, value_name = "KEY=VALUE", value_parser = ParamSetting::from_str)]
    pub set: Vec<ParamSetting>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}
