//! The runs and the rows of a sweep, in order: the first axis changes slowest, then the seeds, then the steps of a ramp.

use std::collections::HashMap;

use super::sweep_columns;
use crate::commands::args::{FlockArgs, ParamSetting, Shard, SweepArgs, SweepAxis, SweepKey};
use crate::error::InputError;
use crate::export::counted;
use crate::sim::Measure;

/// Largest number of rows.
const MAX_ROWS: usize = 10_000_000;

/// The runs of a sweep, numbered from 0, and their rows.
#[derive(Debug)]
pub(super) struct SweepGrid<'a> {
    flock: &'a FlockArgs,
    axes: &'a [SweepAxis],
    /// The number of each point of an axis by its fields in a row.
    points: Vec<HashMap<String, usize>>,
    first_seed: u64,
    seeds: usize,
    /// The parts of each run.
    pub steps: Vec<Step>,
    shard: Shard,
    runs: usize,
    /// The header of the file, without a line break.
    pub header: String,
    pub writes_header: bool,
    /// Whether rows have a column for the number of boids besides the swept keys.
    pub writes_boids: bool,
}

/// The part of a run that one row describes.
#[derive(Debug)]
pub(super) struct Step {
    /// The value of a ramp.
    pub change: Option<ParamSetting>,
    /// Number of ticks.
    pub ticks: u64,
    /// The tick of the step from which on states are measured; 0 is the state before the first tick.
    pub measured_from: u64,
    /// Columns of a ramp in the row, with a comma before each.
    fields: String,
}

impl<'a> SweepGrid<'a> {
    /// The grid of these options.
    pub(super) fn new(args: &'a SweepArgs, measures: &[&Measure]) -> Result<Self, InputError> {
        check_keys(args)?;
        let first_seed = args.flock.seed.unwrap_or(1);
        if first_seed.checked_add(args.seeds - 1).is_none() {
            return Err(InputError::flag(format!("--seeds {}", args.seeds), "the seeds go beyond the largest number"));
        }
        let steps = steps(args)?;
        let mut lengths = args.over.iter().map(|axis| axis.points.len()).chain([args.seeds as usize]);
        let runs = lengths.try_fold(1, usize::checked_mul);
        let runs = runs.filter(|runs| runs.checked_mul(steps.len()).is_some_and(|rows| rows <= MAX_ROWS));
        let runs = runs.ok_or_else(|| {
            let message = format!("the grid has more than {MAX_ROWS} rows; use larger steps or fewer values");
            InputError::flag("sweep", message)
        })?;
        let points = args.over.iter().map(|axis| (0..axis.points.len()).map(|at| (axis.fields(at), at)).collect());
        Ok(Self {
            flock: &args.flock,
            axes: &args.over,
            points: points.collect(),
            first_seed,
            seeds: args.seeds as usize,
            shard: args.shard.unwrap_or(Shard { part: 1, parts: 1 }),
            runs,
            header: sweep_columns::header(args, measures),
            writes_header: !args.no_header,
            writes_boids: !sweep_columns::sweeps_boids(args),
            steps,
        })
    }

    /// The numbers of the runs of this shard.
    pub(super) fn runs(&self) -> impl Iterator<Item = usize> {
        (self.shard.part - 1..self.runs).step_by(self.shard.parts)
    }

    /// One run of each combination of values in this shard.
    pub(super) fn combinations(&self) -> Vec<usize> {
        let mut first_runs: Vec<usize> = self.runs().map(|run| run - run % self.seeds).collect();
        first_runs.dedup();
        first_runs
    }

    /// The ticks of a run.
    pub(super) fn ticks(&self) -> u64 {
        self.steps.iter().fold(0, |ticks: u64, step| ticks.saturating_add(step.ticks))
    }

    /// The rows of a run.
    pub(super) fn rows(&self, run: usize) -> std::ops::Range<usize> {
        run * self.steps.len()..(run + 1) * self.steps.len()
    }

    /// The run of a row.
    pub(super) fn run_of(&self, row: usize) -> usize {
        row / self.steps.len()
    }

    /// The options with which `flockscope run` would do the same run.
    pub(super) fn flock_args(&self, run: usize) -> FlockArgs {
        let mut args = self.flock.clone();
        args.seed = Some(self.seed(run));
        for (axis, point) in self.axes.iter().zip(self.coordinates(run)) {
            axis.points[point].iter().for_each(|value| value.apply(&mut args));
        }
        args.set.extend(self.steps[0].change.clone());
        let swept = self.axes.iter().flat_map(|axis| &axis.keys).map(SweepKey::name);
        for name in swept.chain(self.steps[0].change.as_ref().map(|change| change.key)) {
            args.sources.remove(name);
        }
        args
    }

    /// The fields of a row before those of the flock.
    pub(super) fn row_start(&self, row: usize) -> String {
        let run = self.run_of(row);
        let coordinates = self.axes.iter().zip(self.coordinates(run));
        let mut start: String = coordinates.map(|(axis, point)| axis.fields(point) + ",").collect();
        start.push_str(&self.seed(run).to_string());
        start.push_str(&self.steps[row % self.steps.len()].fields);
        start
    }

    /// The number of a row of this shard.
    pub(super) fn find_row(&self, text: &str) -> Option<usize> {
        if text.matches(',').count() != self.header.matches(',').count() {
            return None;
        }
        let (mut rest, mut run) = (text, 0);
        for (axis, points) in self.axes.iter().zip(&self.points) {
            let (end, _) = rest.match_indices(',').nth(axis.keys.len() - 1)?;
            run = run * points.len() + points.get(&rest[..end])?;
            rest = &rest[end + 1..];
        }
        let (seed, after_seed) = rest.split_at(rest.find(',')?);
        let seed = seed.parse::<u64>().ok()?.checked_sub(self.first_seed)?;
        run = run * self.seeds + usize::try_from(seed).ok().filter(|seed| *seed < self.seeds)?;
        let mut steps = self.steps.iter();
        let step =
            steps.position(|step| after_seed.strip_prefix(&step.fields).is_some_and(|rest| rest.starts_with(',')))?;
        let is_ours = run % self.shard.parts == self.shard.part - 1;
        is_ours.then_some(run * self.steps.len() + step)
    }

    /// The fields of a row that are the same in all rows: the size of the flock and of its world, unless they are swept.
    pub(super) fn flock_fields(&self, text: &str) -> Vec<String> {
        let keys: Vec<SweepKey> = self.axes.iter().flat_map(|axis| axis.keys.iter().copied()).collect();
        if keys.contains(&SweepKey::Boids) || keys.contains(&SweepKey::World) {
            return Vec::new();
        }
        let fields = self.header.split(',').zip(text.split(','));
        let of_flock = fields.filter(|(name, _)| ["boids", "width", "height", "depth", "density"].contains(name));
        of_flock.map(|(_, field)| field.to_owned()).collect()
    }

    fn seed(&self, run: usize) -> u64 {
        self.first_seed + (run % self.seeds) as u64
    }

    /// The point of each axis.
    fn coordinates(&self, run: usize) -> Vec<usize> {
        let mut rest = run / self.seeds;
        let mut points = vec![0; self.axes.len()];
        for (point, axis) in points.iter_mut().zip(self.axes).rev() {
            *point = rest % axis.points.len();
            rest /= axis.points.len();
        }
        points
    }
}

/// Checks that no key is swept twice, and that a saved state does not contradict them.
fn check_keys(args: &SweepArgs) -> Result<(), InputError> {
    let ramp = args.ramp.iter().map(|ramp| SweepKey::Param(ramp.param));
    let keys: Vec<SweepKey> = args.over.iter().flat_map(|axis| axis.keys.iter().copied()).chain(ramp).collect();
    for (at, key) in keys.iter().enumerate() {
        if keys[..at].contains(key) {
            return Err(InputError::flag(format!("--over {}", key.name()), "the key is swept twice"));
        }
        let from_input = match key {
            SweepKey::Boids | SweepKey::Predators => "--input has the number already",
            SweepKey::Start => "--input has the first state already",
            SweepKey::World | SweepKey::Param(_) => continue,
        };
        if args.flock.input.is_some() {
            return Err(InputError::flag(format!("--over {}", key.name()), from_input));
        }
    }
    Ok(())
}

/// The steps of each run: one without a ramp, otherwise one for each value up and down.
fn steps(args: &SweepArgs) -> Result<Vec<Step>, InputError> {
    let measured = args.measured_ticks();
    let (Some(ramp), Some(hold)) = (&args.ramp, args.hold) else {
        let ticks = args.measure.warmup.saturating_add(measured);
        return Ok(vec![Step { change: None, ticks, measured_from: args.measure.warmup, fields: String::new() }]);
    };
    if measured > hold {
        let message = format!("expected at most the {} of --hold", counted(hold, "tick", "ticks"));
        return Err(InputError::flag(format!("--ticks {measured}"), message));
    }
    let step = |value: &ParamSetting, direction: &str| Step {
        change: Some(value.clone()),
        ticks: hold,
        // The state before the first tick comes from the previous value.
        measured_from: hold - measured + 1,
        fields: format!(",{},{direction}", value.value),
    };
    let up = ramp.values.iter().map(|value| step(value, "up"));
    let down = ramp.values.iter().rev().skip(1).map(|value| step(value, "down"));
    let mut steps: Vec<Step> = up.chain(down).collect();
    let first = &mut steps[0];
    first.ticks = first.ticks.saturating_add(args.measure.warmup);
    first.measured_from = first.measured_from.saturating_add(args.measure.warmup);
    Ok(steps)
}
