//! The columns of a sweep's file, and the fields of a row.

use std::fmt::Write;

use crate::commands::args::{SweepArgs, SweepKey};
use crate::export::Shortest;
use crate::export::metadata::ColumnInfo;
use crate::sim::{Flock, Measure, Summary};

/// The header of the file, without a line break.
pub(super) fn header(args: &SweepArgs, measures: &[&Measure]) -> String {
    of(args, measures).into_iter().map(|column| column.name).collect::<Vec<_>>().join(",")
}

/// All columns, in order.
pub(super) fn of(args: &SweepArgs, measures: &[&Measure]) -> Vec<ColumnInfo> {
    let swept = args.over.iter().flat_map(|axis| axis.keys.iter().copied()).map(of_key);
    let mut columns: Vec<ColumnInfo> = swept.collect();
    columns.push(ColumnInfo::new("seed", "", "Random seed."));
    if let Some(ramp) = &args.ramp {
        let direction = ColumnInfo::new("direction", "", "up or down: the direction of the ramp.");
        columns.extend([of_key(SweepKey::Param(ramp.param)), direction]);
    }
    if !sweeps_boids(args) {
        columns.push(of_key(SweepKey::Boids));
    }
    columns.extend([
        ColumnInfo::new("width", "u", "Extent of the world along the first axis."),
        ColumnInfo::new("height", "u", "Extent of the world along the second axis."),
        ColumnInfo::new("depth", "u", "Extent of the world along the third axis, 0 in a flat world."),
        ColumnInfo::new("density", "", "Number of boids per u² or u³ of the world."),
    ]);
    columns.extend(measures.iter().flat_map(|measure| of_measure(measure)));
    columns.push(ColumnInfo::new("hash", "", "Hash of the final state, hexadecimal."));
    columns
}

fn of_key(key: SweepKey) -> ColumnInfo {
    let (unit, description) = match key {
        SweepKey::Boids => ("boids", "Number of boids, caught ones included."),
        SweepKey::Predators => ("", "Number of predators."),
        SweepKey::World => ("u", "Size of the world."),
        SweepKey::Start => ("", "Initial positions and velocities."),
        SweepKey::Param(param) => (param.unit(), param.summary),
    };
    ColumnInfo::new(key.name(), unit, description)
}

/// The mean of a measure and its statistics, or the only value of a measure of the run.
fn of_measure(measure: &Measure) -> Vec<ColumnInfo> {
    let Measure { name, unit, summary, .. } = measure;
    let squared = match *unit {
        "" => String::new(),
        unit if unit.contains('/') => format!("({unit})²"),
        unit => format!("{unit}²"),
    };
    let mut columns = vec![ColumnInfo::new(*name, unit, *summary)];
    if !measure.is_per_run() {
        columns.extend([
            ColumnInfo::new(format!("{name}_error"), unit, format!("Standard error of the mean of {name}.")),
            ColumnInfo::new(format!("{name}_variance"), &squared, format!("Variance of {name} over the ticks.")),
            ColumnInfo::new(format!("{name}_tau"), "tick", format!("Integrated autocorrelation time of {name}.")),
        ]);
    }
    columns
}

/// Checks the fields of a row behind those of its run: numbers that the measures can have, and a hash.
///
/// # Errors
///
/// The field that no sweep writes.
pub(super) fn check(header: &str, row: &str) -> Result<(), String> {
    for (name, field) in header.split(',').zip(row.split(',')) {
        let number = field.parse::<f64>().ok().filter(|number| !number.is_infinite() || field == "inf");
        let statistic = ["_error", "_variance", "_tau"].iter().find_map(|end| Measure::find(name.strip_suffix(end)?));
        let (is_valid, expected) = match Measure::find(name) {
            _ if name == "hash" => (
                field.len() == 16 && field.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)),
                "16 hexadecimal digits",
            ),
            Some(measure) => {
                let (least, most) = measure.range.bounds().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                (number.is_some_and(|number| number.is_nan() || (least..=most).contains(&number)), measure.range.name())
            }
            None if statistic.is_some() => (number.is_some_and(|number| number.is_nan() || number >= 0.0), "0 or more"),
            None => (true, ""),
        };
        if !is_valid {
            return Err(format!("{name} is `{field}`; expected {expected}"));
        }
    }
    Ok(())
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
