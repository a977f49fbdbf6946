//! The effect of a change: the value before and after it, and the measure that it moves most.

use std::time::{Duration, Instant};

use crate::engine::Frame;
use crate::sim::{Measure, Param, Value};
use crate::viewer::text::format_number;

/// How long the effect of a change is shown.
const EFFECT_TIME: Duration = Duration::from_secs(8);
/// The smallest relative change of a measure that is shown; less is often chance.
const MIN_CHANGE: f64 = 0.08;
/// Measures that are shown, with the amount that a relative change refers to at least.
const MEASURES: [(&str, f64); 5] =
    [("polarization", 0.1), ("nearest_neighbor", 0.1), ("neighbors", 1.0), ("rotation", 0.2), ("mean_speed", 0.01)];

/// A change of a parameter, with the measures before it.
#[derive(Clone, Debug)]
pub struct Effect {
    param: &'static Param,
    before: Value,
    measures: Vec<f64>,
    since: Instant,
}

impl Effect {
    /// The effect of a change from the value `before`. A further change of a parameter continues its `last` one.
    pub fn of(param: &'static Param, before: Value, last: Option<Self>, frame: &Frame) -> Self {
        let since = Instant::now();
        match last.filter(|last| last.param == param) {
            Some(last) => Self { since, ..last },
            None => Self { param, before, measures: frame.measured.values.clone(), since },
        }
    }

    /// When it is no longer shown.
    pub fn end(&self) -> Instant {
        self.since + EFFECT_TIME
    }

    /// The value before the change of a parameter.
    pub fn before(&self, param: &Param) -> Option<Value> {
        (self.param == param).then_some(self.before)
    }

    /// The change and what it moves, as `alignment.weight 0.11 → 0.22   polarization 0.81 ↑ 0.88`.
    pub fn text(&self, frame: &Frame) -> String {
        let params = &frame.controls.setup.params;
        let after = self.param.get(params);
        let (before, unit) = (value_text(self.before), self.param.unit_suffix());
        let change = format!("{} {before} → {}{unit}", self.param.key, value_text(after));
        match self.moved_most(frame) {
            Some((name, before, now)) => {
                let arrow = if now > before { '↑' } else { '↓' };
                let [before, now] = [before, now].map(|value| format_number(value as f32));
                format!("{change}   {} {before} {arrow} {now}", name.replace('_', " "))
            }
            None => change,
        }
    }

    /// The measure with the largest relative change, its value before, and now.
    fn moved_most(&self, frame: &Frame) -> Option<(&'static str, f64, f64)> {
        let value = |values: &[f64], name: &str| {
            let index = Measure::quick().position(|measure| measure.name == name)?;
            values.get(index).copied().filter(|value| value.is_finite())
        };
        let changes = MEASURES.iter().filter_map(|&(name, least)| {
            let (before, now) = (value(&self.measures, name)?, value(&frame.measured.values, name)?);
            Some((relative_change(name, before, now, least), (name, before, now)))
        });
        let largest = changes.max_by(|(one, _), (other, _)| one.total_cmp(other));
        largest.filter(|(change, _)| *change >= MIN_CHANGE).map(|(_, moved)| moved)
    }
}

/// A change relative to the value before it: of polarization, to its distance from 0 or from 1.
fn relative_change(name: &str, before: f64, now: f64, least: f64) -> f64 {
    let scale = if name == "polarization" { before.min(1.0 - before) } else { before };
    (now - before).abs() / scale.max(least)
}

fn value_text(value: Value) -> String {
    match value {
        Value::Number(number) => format_number(number),
        Value::Choice(word) => word.to_owned(),
        Value::Switch(on) => if on { "on" } else { "off" }.to_owned(),
    }
}
