//! The metadata of a sweep.

use super::runner::Runner;
use super::sweep_columns;
use crate::commands::args::{SweepArgs, SweepAxis, SweepKey, SweepValue};
use crate::config::ConfigError;
use crate::export::metadata::{AxisInfo, Metadata, MetadataValue, RampInfo, SeedsInfo};
use crate::sim::Value;

/// The metadata of a file with all rows.
pub(super) fn of(args: &SweepArgs, runner: &Runner<'_>, rows: usize) -> Result<Metadata, ConfigError> {
    let (preset, setup) = runner.first_setup()?;
    let ramp = args.ramp.as_ref().map(|ramp| RampInfo {
        key: ramp.param.key,
        values: ramp.values.iter().map(|setting| setting.value.into()).collect(),
        hold: args.hold.unwrap_or_default(),
    });
    let mut metadata = Metadata {
        seeds: Some(SeedsInfo { first: setup.seed, count: args.seeds }),
        ticks: args.measured_ticks(),
        warmup: args.measure.warmup,
        group_radius: args.measure.group_radius.map(|radius| Value::Number(radius).into()),
        columns: sweep_columns::of(args, runner.measures()),
        over: Some(args.over.iter().map(axis).collect()),
        ramp,
        rows: Some(rows),
        ..Metadata::new(preset, &setup).with_input(args.flock.input.as_deref())
    };
    let ramp = args.ramp.iter().map(|ramp| SweepKey::Param(ramp.param));
    for key in args.over.iter().flat_map(|axis| axis.keys.iter().copied()).chain(ramp) {
        leave_out(key, &mut metadata);
    }
    Ok(metadata)
}

/// Leaves out a value that the sweep changes.
fn leave_out(key: SweepKey, metadata: &mut Metadata) {
    match key {
        SweepKey::Boids => metadata.boids = None,
        SweepKey::Predators => metadata.predators = None,
        SweepKey::World => metadata.world = None,
        SweepKey::Start => metadata.start = None,
        SweepKey::Param(param) => metadata.params.retain(|(key, _)| *key != param.key),
    }
}

fn axis(axis: &SweepAxis) -> AxisInfo {
    AxisInfo {
        keys: axis.keys.iter().map(SweepKey::name).collect(),
        values: axis.points.iter().map(|point| point.iter().map(value).collect()).collect(),
    }
}

fn value(value: &SweepValue) -> MetadataValue {
    match value {
        SweepValue::Boids(count) | SweepValue::Predators(count) => MetadataValue::Count(*count),
        SweepValue::Param(param) => param.value.into(),
        SweepValue::World(_) | SweepValue::Start(_) => MetadataValue::Word(value.to_string()),
    }
}
