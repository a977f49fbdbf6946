//! One run of a sweep, and the time that all of them take.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use super::grid::SweepGrid;
use super::sweep_columns::{flock_fields, measure_fields};
use crate::commands::args::SweepArgs;
use crate::commands::flock_setup::{PreparedFlock, WORLD_SHAPE, flock_of, load_preset_with_notice, setup};
use crate::commands::lists::choose_measures;
use crate::config::{Preset, simd};
use crate::error::InputError;
use crate::export::counted;
use crate::sim::{Command, Flock, Measure, Recorder, Scratch, Setup, Simd};
use crate::tracks::read_states;
use crate::tracks::states::SavedState;

/// A row of the file.
pub(super) struct SweepRow {
    /// Its place in the order of the grid.
    pub number: usize,
    /// Its fields, without a line break.
    pub text: String,
}

/// What the runs of a sweep share.
pub(super) struct Runner<'a> {
    pub grid: SweepGrid<'a>,
    pub simd: Simd,
    preset: Preset,
    /// The state of `--input`.
    state: Option<SavedState>,
    /// The measures of a row.
    pub measures: Vec<&'static Measure>,
    group_radius: Option<f32>,
    /// Rows whose standard error is a lower bound.
    pub short_rows: AtomicUsize,
    /// Work done so far, in boids times ticks.
    pub done: AtomicU64,
    /// Ends all runs.
    pub stop: AtomicBool,
}

impl<'a> Runner<'a> {
    /// Reads the preset and the saved state.
    pub(super) fn new(args: &'a SweepArgs) -> Result<Self, InputError> {
        let measures = choose_measures(&args.measure.measure)?;
        Ok(Self {
            grid: SweepGrid::new(args, &measures)?,
            simd: simd()?,
            preset: load_preset_with_notice(&args.flock)?,
            state: args.flock.input.as_deref().map(read_states).transpose()?,
            measures,
            group_radius: args.measure.group_radius,
            short_rows: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        })
    }

    /// Checks every combination of values, so that no run fails later.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let counts = self.state.as_ref().map(SavedState::counts);
        for run in self.grid.combinations() {
            let mut args = self.grid.flock_args(run);
            for step in &self.grid.steps {
                args.set.extend(step.change.clone());
                let setup = setup(&args, &self.preset, WORLD_SHAPE, counts)?;
                match &self.state {
                    Some(state) => _ = flock_of(state, &setup)?,
                    // The zones must fit as well; boids are not needed for that.
                    None => _ = Flock::new(&Setup { boids: 1, predators: 0, ..setup })?,
                }
            }
        }
        Ok(())
    }

    /// The flock of a run at its first tick.
    pub(super) fn flock(&self, run: usize) -> Result<Flock, InputError> {
        let (args, state) = (self.grid.flock_args(run), self.state.clone());
        Ok(PreparedFlock::from_state(&args, self.preset.clone(), WORLD_SHAPE, state)?.flock)
    }

    /// The preset, and the setup of the first run.
    pub(super) fn first_setup(&self) -> Result<(&Preset, Setup), InputError> {
        let counts = self.state.as_ref().map(SavedState::counts);
        Ok((&self.preset, setup(&self.grid.flock_args(0), &self.preset, WORLD_SHAPE, counts)?))
    }

    /// A recorder of the measures of a row.
    pub(super) fn recorder(&self) -> Recorder {
        Recorder::new(&self.measures).with(&[], self.group_radius)
    }

    /// The work of runs, in boids times ticks.
    pub(super) fn work(&self, runs: &[usize]) -> u64 {
        let boids = |run: usize| match &self.state {
            Some(state) => state.rows.len(),
            None => self.grid.flock_args(run).boids.unwrap_or(self.preset.boids),
        };
        let boids: u64 = runs.iter().map(|run| boids(*run) as u64).sum();
        self.grid.ticks().saturating_mul(boids)
    }

    /// Runs, and calls `emit` with each row until it returns false.
    pub(super) fn run(
        &self,
        run: usize,
        scratch: &mut Scratch,
        mut emit: impl FnMut(SweepRow) -> bool,
    ) -> Result<(), InputError> {
        let mut flock = self.flock(run)?;
        for (step, number) in self.grid.steps.iter().zip(self.grid.rows(run)) {
            if let Some(change) = &step.change {
                flock.apply(&Command::set(change.key, change.value)?)?;
            }
            let mut recorder = self.recorder();
            let mut text = self.grid.row_start(number);
            for tick in 0..=step.ticks {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if tick > 0 {
                    flock.step(scratch);
                    self.done.fetch_add(flock.total_boids() as u64, Ordering::Relaxed);
                }
                if tick == step.measured_from {
                    text += &flock_fields(&flock, self.grid.writes_boids);
                }
                if tick >= step.measured_from {
                    recorder.record(&flock);
                }
            }
            let summaries = recorder.summaries();
            let is_too_short = summaries.iter().any(|summary| summary.is_too_short);
            self.short_rows.fetch_add(usize::from(is_too_short), Ordering::Relaxed);
            let _ = write!(text, "{},{:016x}", measure_fields(&summaries), flock.hash());
            if !emit(SweepRow { number, text }) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Longer sweeps need `--yes`.
const MAX_TIME: Duration = Duration::from_secs(3600);
/// Sweeps with as many rows need `--yes`.
const MANY_ROWS: usize = 1_000_000;
/// The number of runs that are sampled.
const SAMPLES: usize = 8;
/// The time for each of them.
const SAMPLE_TIME: Duration = Duration::from_millis(25);

/// Checks that a sweep of these runs is short, or that `yes` was given.
pub(super) fn confirm(runner: &Runner<'_>, runs: &[usize], threads: NonZeroUsize, yes: bool) -> Result<(), InputError> {
    if yes || runs.is_empty() {
        return Ok(());
    }
    let rows = runs.len() * runner.grid.steps.len();
    let seconds = seconds(runner, runs)? / threads.get().min(runs.len()) as f64;
    if seconds <= MAX_TIME.as_secs_f64() && rows < MANY_ROWS {
        return Ok(());
    }
    let time = HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let (rows, threads) = (counted(rows, "row takes", "rows take"), counted(threads, "thread", "threads"));
    let message = format!("{rows} about {time} on {threads}; add --yes to start");
    Err(InputError::flag("sweep", message))
}

/// The expected time of all runs on one thread, from the first ticks of a few, evenly spread.
fn seconds(runner: &Runner<'_>, runs: &[usize]) -> Result<f64, InputError> {
    let samples = SAMPLES.min(runs.len());
    let mut sum = 0.0;
    for sample in 0..samples {
        sum += seconds_of_run(runner, runs[sample * (runs.len() - 1) / (samples - 1).max(1)])?;
    }
    Ok(sum / samples as f64 * runs.len() as f64)
}

fn seconds_of_run(runner: &Runner<'_>, run: usize) -> Result<f64, InputError> {
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
