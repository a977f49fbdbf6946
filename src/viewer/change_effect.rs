//! The effect of a change: the value before and after it, and the measure that it moves most.

use std::time::{Duration, Instant};

use crate::engine::Measured;
use crate::picture::UnicodeWidthStr;
use crate::sim::{Measure, MeasureRange, Param, Params, Value};
use crate::viewer::text::format_number;

/// How long the effect of a change is shown.
const EFFECT_TIME: Duration = Duration::from_secs(8);
/// The smallest relative change of a measure that is shown; less is often chance.
const MIN_CHANGE: f64 = 0.08;

/// A measure that is shown.
struct ShownMeasure {
    name: &'static str,
    /// The rule that it is shown for first, if it moved at all.
    rule: &'static str,
    /// The amount that a relative change refers to at least.
    least: f64,
    /// The unit, or what a value means.
    meaning: &'static str,
}

const MEASURES: [ShownMeasure; 6] = [
    ShownMeasure { name: "polarization", rule: "alignment", least: 0.1, meaning: " (0 all ways, 1 one way)" },
    ShownMeasure { name: "nearest_neighbor", rule: "separation", least: 0.1, meaning: " u" },
    ShownMeasure { name: "largest_flock", rule: "cohesion", least: 1.0, meaning: " boids" },
    ShownMeasure { name: "neighbors", rule: "", least: 1.0, meaning: "" },
    ShownMeasure { name: "rotation", rule: "", least: 0.5, meaning: " (1 all circle)" },
    ShownMeasure { name: "mean_speed", rule: "", least: 0.01, meaning: " u/tick" },
];

/// The values of a measure before a change and now.
struct Moved {
    measure: &'static ShownMeasure,
    before: f64,
    now: f64,
}

impl Moved {
    /// The change relative to the value before: of a ratio, to its distance from 0 or from 1.
    fn relative(&self) -> f64 {
        let is_ratio = Measure::find(self.measure.name).is_some_and(|measure| measure.range == MeasureRange::Ratio);
        let scale = if is_ratio { self.before.min(1.0 - self.before) } else { self.before };
        (self.now - self.before).abs() / scale.max(self.measure.least)
    }
}

/// A change of a parameter, with the measures before it.
#[derive(Clone, Debug)]
pub struct ChangeEffect {
    param: &'static Param,
    before: Value,
    measures: Vec<f64>,
    since: Instant,
}

impl ChangeEffect {
    /// The effect of a change from the value `before`. A further change of a parameter continues its `last` one.
    pub fn of(param: &'static Param, before: Value, last: Option<Self>, measured: &Measured) -> Self {
        let since = Instant::now();
        match last.filter(|last| last.param == param) {
            Some(last) => Self { since, ..last },
            None => Self { param, before, measures: measured.values.clone(), since },
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

    /// The change and what it moves, as `alignment.weight 0.11 → 0.22  polarization 0.81 ↑ 0.88`, as far as it fits in so many
    /// columns.
    pub fn text(&self, params: &Params, measured: &Measured, columns: usize) -> String {
        let after = self.param.get(params);
        if after == self.before {
            return format!("{} = {}{}", self.param.key, value_text(after), self.param.unit_suffix());
        }
        let (before, unit) = (value_text(self.before), self.param.unit_suffix());
        let change = format!("{} {before} → {}{unit}", self.param.key, value_text(after));
        let Some(Moved { measure, before, now }) = self.moved_most(measured) else { return change };
        let arrow = if now > before { '↑' } else { '↓' };
        let [before, now] = [before, now].map(|value| format_number((value * 100.0).round() as f32 / 100.0));
        let with_measure = format!("{change}  {} {before} {arrow} {now}", measure.name.replace('_', " "));
        let with_meaning = format!("{with_measure}{}", measure.meaning);
        [with_meaning, with_measure].into_iter().find(|text| text.width() <= columns).unwrap_or(change)
    }

    /// The measure of the rule, or else the one with the largest relative change, if that is more than chance.
    fn moved_most(&self, measured: &Measured) -> Option<Moved> {
        let value = |values: &[f64], name: &str| {
            let index = Measure::quick().position(|measure| measure.name == name)?;
            values.get(index).copied().filter(|value| value.is_finite())
        };
        let moved = MEASURES.iter().filter_map(|measure| {
            let before = value(&self.measures, measure.name)?;
            Some(Moved { measure, before, now: value(&measured.values, measure.name)? })
        });
        let moved = moved.filter(|moved| moved.relative() >= MIN_CHANGE);
        let rule = self.param.key.split('.').next();
        let rank = |moved: &Moved| (Some(moved.measure.rule) == rule, moved.relative());
        moved.max_by(|one, other| rank(one).0.cmp(&rank(other).0).then(rank(one).1.total_cmp(&rank(other).1)))
    }
}

/// A value as a gauge shows it.
pub fn value_text(value: Value) -> String {
    match value {
        Value::Number(number) => format_number(number),
        Value::Choice(word) => word.to_owned(),
        Value::Switch(on) => if on { "on" } else { "off" }.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measure_that_moves_most_is_shown_with_the_change() {
        let param = Param::find("alignment.weight").unwrap();
        let (mut params, mut measured) = (Params::default(), Measured::default());
        measured.set("polarization", 0.81);
        measured.set("neighbors", 20.0);
        let effect = ChangeEffect::of(param, Value::Number(0.11), None, &measured);
        param.assign(&mut params, Value::Number(0.22));
        assert_eq!(effect.text(&params, &measured, 80), "alignment.weight 0.11 → 0.22");
        measured.set("polarization", 0.88);
        measured.set("neighbors", 19.0);
        let expected = "alignment.weight 0.11 → 0.22  polarization 0.81 ↑ 0.88 (0 all ways, 1 one way)";
        assert_eq!(effect.text(&params, &measured, 80), expected);
        assert_eq!(effect.text(&params, &measured, 60), "alignment.weight 0.11 → 0.22  polarization 0.81 ↑ 0.88");
        assert_eq!(effect.text(&params, &measured, 30), "alignment.weight 0.11 → 0.22");
        // The measure of the rule comes first.
        measured.set("neighbors", 60.0);
        assert!(effect.text(&params, &measured, 60).contains("polarization 0.81 ↑ 0.88"));
        // A further change of the same parameter continues, one of another begins.
        let next = ChangeEffect::of(param, Value::Number(0.22), Some(effect.clone()), &measured);
        assert_eq!(next.before(param), Some(Value::Number(0.11)));
        let other = Param::find("cohesion.weight").unwrap();
        assert_eq!(ChangeEffect::of(other, Value::Number(0.2), Some(effect), &measured).before(param), None);
    }
}
