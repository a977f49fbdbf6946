//! How long a sweep will take, and whether that is intended.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use super::run::Runner;
use crate::config::ConfigError;
use crate::sim::Scratch;

/// Longer sweeps need `--yes`.
const MAX_TIME: Duration = Duration::from_secs(3600);
/// Sweeps with as many rows need `--yes`.
const MANY_ROWS: usize = 1_000_000;
/// The number of runs that are sampled.
const SAMPLES: usize = 8;
/// The time for each of them.
const SAMPLE_TIME: Duration = Duration::from_millis(25);

/// Checks that a sweep of these runs is short, or that `yes` was given.
///
/// # Errors
///
/// [`ConfigError::Flag`] with the expected time.
pub(super) fn confirm(
    runner: &Runner<'_>,
    runs: &[usize],
    threads: NonZeroUsize,
    yes: bool,
) -> Result<(), ConfigError> {
    if yes || runs.is_empty() {
        return Ok(());
    }
    let rows = runs.len() * runner.grid.steps().len();
    let seconds = seconds(runner, runs)? / threads.get().min(runs.len()) as f64;
    if seconds <= MAX_TIME.as_secs_f64() && rows < MANY_ROWS {
        return Ok(());
    }
    let time = HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let message = format!("{rows} rows take about {time} on {threads} threads; add --yes to start");
    Err(ConfigError::Flag { flag: "sweep".into(), message })
}

/// The expected time of all runs on one thread, from the first ticks of a few, evenly spread.
fn seconds(runner: &Runner<'_>, runs: &[usize]) -> Result<f64, ConfigError> {
    let samples = SAMPLES.min(runs.len());
    let mut sum = 0.0;
    for sample in 0..samples {
        sum += seconds_of_run(runner, runs[sample * (runs.len() - 1) / (samples - 1).max(1)])?;
    }
    Ok(sum / samples as f64 * runs.len() as f64)
}

fn seconds_of_run(runner: &Runner<'_>, run: usize) -> Result<f64, ConfigError> {
    let start = Instant::now();
    let mut flock = runner.flock(run)?;
    let setup = start.elapsed().as_secs_f64();
    let mut scratch = Scratch::new();
    scratch.set_simd(runner.simd);
    let mut recorder = runner.recorder();
    let (start, mut ticks) = (Instant::now(), 0);
    // The first tick allocates memory.
    while ticks < 2 || (start.elapsed() < SAMPLE_TIME && ticks < runner.grid.ticks()) {
        flock.step(&mut scratch);
        recorder.record(&flock);
        ticks += 1;
    }
    Ok(setup + start.elapsed().as_secs_f64() / ticks as f64 * runner.grid.ticks() as f64)
}
