//! The columns of a sweep's file, and the fields of a row.

use std::fmt::Write;

use crate::commands::args::{SweepArgs, SweepKey};
use crate::export::Shortest;
use crate::sim::{Flock, Measure, Summary};

/// The columns of the world at the first measured tick.
const WORLD: [&str; 4] = ["width", "height", "depth", "density"];
/// The statistics of a measure with a value per tick, after its mean.
const STATISTICS: [&str; 3] = ["error", "variance", "tau"];

/// The names of all columns, in order.
pub(super) fn names(args: &SweepArgs, measures: &[&Measure]) -> Vec<String> {
    let mut names: Vec<String> =
        args.over.iter().flat_map(|axis| &axis.keys).map(|key| key.name().to_owned()).collect();
    names.push("seed".to_owned());
    if let Some(ramp) = &args.ramp {
        names.extend([ramp.param.key, "direction"].map(str::to_owned));
    }
    if !sweeps_boids(args) {
        names.push("boids".to_owned());
    }
    names.extend(WORLD.map(str::to_owned));
    for measure in measures {
        names.push(measure.name.to_owned());
        if !measure.is_per_run() {
            names.extend(STATISTICS.map(|statistic| format!("{}_{statistic}", measure.name)));
        }
    }
    names.push("hash".to_owned());
    names
}

/// Whether the number of boids is a swept value, which has a column already.
pub(super) fn sweeps_boids(args: &SweepArgs) -> bool {
    args.over.iter().any(|axis| axis.keys.contains(&SweepKey::Boids))
}

/// The fields of the flock at the first measured tick, with a comma before each.
pub(super) fn flock_fields(flock: &Flock, with_boids: bool) -> String {
    let (boids, world) = (flock.total_boids(), flock.world());
    let mut fields = if with_boids { format!(",{boids}") } else { String::new() };
    let density = (boids as f64 / world.volume()) as f32;
    for number in world.size().into_iter().chain([density]) {
        let _ = write!(fields, ",{}", Shortest(number));
    }
    fields
}

/// The fields of the measures, with a comma before each.
pub(super) fn measure_fields(summaries: &[Summary]) -> String {
    let mut fields = String::new();
    for summary in summaries {
        let statistics = [summary.standard_error, summary.variance, summary.autocorrelation_time];
        let statistics = statistics.into_iter().filter(|_| !summary.measure.is_per_run());
        for value in [summary.mean].into_iter().chain(statistics) {
            let _ = write!(fields, ",{}", Shortest(value));
        }
    }
    fields
}
