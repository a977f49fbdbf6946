//! Options of `sweep`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};

use super::values::whole;
use super::{FlockArgs, MeasureArgs};
use crate::commands::sweep::{RampAxis, Shard, SweepAxis};
use crate::sim::MAX_TICK;

/// Options of `sweep`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sweep")]
#[command(mut_arg("seed", |seed| seed.help("First random seed [default: 1]").long_help(FIRST_SEED)))]
#[command(mut_arg("measure", |measure| measure.default_value("polarization").long_help(MEASURES)))]
#[command(mut_arg("threads", |threads| threads.help(THREADS).long_help(THREADS)))]
pub struct SweepArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Run with each of these values (repeatable)
    ///
    /// KEY is a parameter, boids, predators or world. SPEC is a list of values and ranges A:B:STEP that include both ends:
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
    /// Each row is written when it and those before it are finished. Ctrl-C keeps the finished rows. A file with content is
    /// not replaced.
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Continue the file of an interrupted sweep
    ///
    /// Takes the same options as before. Runs that are in the file are not repeated, except the first and the last, which
    /// must come out the same. Without a file, the sweep starts.
    #[arg(long)]
    pub resume: bool,
    /// Change a parameter during each run, up and then down again
    ///
    /// Each value is held for --hold ticks, and gets a row. The rows of both directions show hysteresis.
    #[arg(long, value_name = "KEY=A:B:STEP", value_parser = RampAxis::from_str, requires = "hold", conflicts_with = "shard")]
    pub ramp: Option<RampAxis>,
    /// Number of ticks for which --ramp holds each value; the last --ticks of them are measured
    #[arg(long, value_name = "N", value_parser = whole(1, MAX_TICK), allow_negative_numbers = true, requires = "ramp")]
    pub hold: Option<u64>,
    /// Do part I of N of the runs: every N-th
    ///
    /// N machines share a sweep with 1/N to N/N. Together, their files have the rows of the whole sweep.
    #[arg(long, value_name = "I/N", value_parser = Shard::from_str)]
    pub shard: Option<Shard>,
    /// Start even if it takes more than an hour or writes a million rows
    #[arg(long)]
    pub yes: bool,
}

const FIRST_SEED: &str = "First random seed [default: 1]

The runs of each combination have the seeds from this one on. A run is the same flock as that of `flockscope run` with \
the same seed and values.";

const MEASURES: &str = "Measures to take, separated by commas, or all

A row has the mean of each measure over the ticks after the warmup, and in a column such as polarization_error its standard \
error, which takes into account that successive ticks are correlated. The list is below.";

const THREADS: &str = "Number of runs at the same time, up to 256 [default: CPU cores]";
