//! Steps of a parameter's value, and the fill of its gauge.

use crate::sim::{Domain, Edge, Param, Params, Role, Value};
use crate::viewer::text::format_number;

/// Within this share of the bar, the mouse snaps to the preset's value: half of the distance between two cells.
const SNAP: f32 = 0.06;

/// The sizes of a step, in presses of an arrow key.
pub const FINE_STEP: f32 = 0.2;
pub const STEP: f32 = 1.0;
pub const COARSE_STEP: f32 = 3.0;

/// So many presses lead from the preset's value to an end of the bar.
const PRESSES_TO_END: f32 = 3.0;
/// The high end of a bar, relative to the preset's value. Twice a radius has up to eight times the neighbors, each of which
/// takes time; a weight that only doubles does not show in a flock that steers at its force limit.
const REACH: f32 = 8.0;
const REACH_OF_LENGTHS: f32 = 2.0;
/// A bar without a curve ends at so many of its units. A press is the fraction of a unit.
const LINEAR_REACH: f32 = 4.0;
const LINEAR_STEP: f32 = 0.25;

/// A parameter with its current value and the preset's.
#[derive(Clone, Copy, Debug)]
pub struct GaugeValue {
    /// The parameter.
    pub param: &'static Param,
    /// The current value.
    pub value: Value,
    /// The preset's value.
    pub preset_value: Value,
}

impl GaugeValue {
    /// A parameter with its values in `current` and in `preset`.
    pub fn new(param: &'static Param, current: &Params, preset: &Params) -> Self {
        Self { param, value: param.get(current), preset_value: param.get(preset) }
    }

    /// The parameter and its value, as `speed.max = 4 u/tick`.
    pub fn assignment(&self) -> String {
        let key = self.param.key;
        match self.value {
            Value::Number(number) => {
                format!("{key} = {}{}", format_number(number), self.param.unit_suffix())
            }
            value => format!("{key} = {value}"),
        }
    }

    /// Whether the value differs from the preset's.
    pub fn is_changed(&self) -> bool {
        self.value != self.preset_value
    }

    /// The value after a step up or down of this size. `speed.min` and `speed.max` stop at each other.
    pub fn stepped(&self, size: f32, params: &Params) -> Value {
        let up = size > 0.0;
        match (self.param.domain, self.value) {
            (Domain::Choice(words), Value::Choice(now)) => {
                let at = words.iter().position(|word| *word == now).unwrap_or(0);
                Value::Choice(words[if up { (at + 1).min(words.len() - 1) } else { at.saturating_sub(1) }])
            }
            (Domain::Switch, _) => Value::Switch(up),
            _ => self.number(params, |scale, now| scale.stepped(now, size)),
        }
    }

    /// The value at the end of the gauge's bar; from there, the minimum or maximum.
    pub fn end_value(&self, up: bool, params: &Params) -> Value {
        match self.param.domain {
            Domain::Choice(words) => Value::Choice(words[if up { words.len() - 1 } else { 0 }]),
            Domain::Switch => Value::Switch(up),
            Domain::Number { .. } => self.number(params, |scale, now| {
                let is_unlimited = scale.infinite && params.edge.mode != Edge::Wrap;
                let max = if is_unlimited { f32::INFINITY } else { scale.max };
                let end = match up {
                    true if now < scale.high => scale.high,
                    true => max,
                    false if now > scale.low => scale.low,
                    false => scale.min,
                };
                end.clamp(scale.min, max)
            }),
        }
    }

    /// The value at a position on the gauge's bar, 0 … 1. Snaps to the preset's value.
    pub fn value_at(&self, share: f32, params: &Params) -> Value {
        self.number(params, |scale, _| scale.at(share))
    }

    /// How full the gauge is, 0 … 1.
    pub fn fill(&self) -> f32 {
        self.share_of(self.value)
    }

    /// Whether the value lies below the low end or above the high end of the gauge's bar.
    pub fn beyond(&self) -> Option<BarEnd> {
        let (Some(scale), Value::Number(now)) = (self.scale(), self.value) else { return None };
        // A typed end of the bar may differ from it by rounding.
        let rounding = 1e-5 * (scale.high - scale.low);
        if now > scale.high + rounding {
            Some(BarEnd::High)
        } else {
            (now < scale.low - rounding).then_some(BarEnd::Low)
        }
    }

    /// The place of a value on the gauge's bar, 0 … 1.
    pub fn share_of(&self, value: Value) -> f32 {
        let (Some(scale), Value::Number(number)) = (self.scale(), value) else { return 0.0 };
        scale.position(number).clamp(0.0, 1.0)
    }

    /// A number derived from the current one, limited by other parameters. Other values stay.
    fn number(&self, params: &Params, change: impl FnOnce(&BarScale, f32) -> f32) -> Value {
        let (Some(scale), Value::Number(now)) = (self.scale(), self.value) else { return self.value };
        let number = change(&scale, now);
        Value::Number(match self.param.role {
            Role::LowestSpeed => number.min(params.speed.max),
            Role::HighestSpeed => number.max(params.speed.min),
            _ => number,
        })
    }

    fn scale(&self) -> Option<BarScale> {
        let Domain::Number { min, max, step, infinite, integer, .. } = self.param.domain else { return None };
        let (Value::Number(preset), Value::Number(default)) = (self.preset_value, self.param.default()) else {
            return None;
        };
        let unit = if preset.is_finite() && preset != 0.0 {
            preset.abs()
        } else if preset.is_infinite() && default.is_finite() {
            default
        } else {
            step / LINEAR_STEP
        };
        let reach = if self.param.is_length() { REACH_OF_LENGTHS } else { REACH };
        let is_curved = min >= 0.0 && min < preset && preset < max;
        let high = (if is_curved { reach } else { LINEAR_REACH } * unit).min(max);
        let low = if min < 0.0 { -high } else { min.min(high) };
        Some(BarScale { min, max, infinite, integer, preset, is_curved, unit, low, high })
    }
}

/// An end of a gauge's bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarEnd {
    /// The left end.
    Low,
    /// The right end.
    High,
}

/// The range and the steps of a number.
///
/// A bar is curved if the preset's value lies inside the range: that value is in the middle, the left half is linear, and
/// the right half grows by the same factor in every press. Other bars are linear: those of a preset value of 0, infinity or
/// the maximum, and those around 0.
struct BarScale {
    min: f32,
    max: f32,
    infinite: bool,
    integer: bool,
    /// The preset's value.
    preset: f32,
    is_curved: bool,
    /// The magnitude of usual values: the preset's value, or a few of the table's steps if that is 0.
    unit: f32,
    /// The low end of the gauge's bar: symmetric around 0 if the parameter may be negative.
    low: f32,
    /// The high end of the gauge's bar.
    high: f32,
}

impl BarScale {
    /// The position of a value: 0 at the low end of the bar, 1 at its high end, and beyond.
    fn position(&self, number: f32) -> f32 {
        if !self.is_curved {
            (number - self.low) / (self.high - self.low).max(f32::MIN_POSITIVE)
        } else if number <= self.preset {
            0.5 * (number - self.low) / (self.preset - self.low)
        } else {
            0.5 + 0.5 * (number / self.preset).ln() / (self.high / self.preset).ln()
        }
    }

    /// The value at a position.
    fn value(&self, position: f32) -> f32 {
        if !self.is_curved {
            self.low + (self.high - self.low) * position
        } else if position <= 0.5 {
            self.low + (self.preset - self.low) * 2.0 * position
        } else {
            self.preset * (self.high / self.preset).powf(2.0 * position - 1.0)
        }
    }

    fn stepped(&self, now: f32, presses: f32) -> f32 {
        let up = presses > 0.0;
        if now.is_infinite() {
            return if up { now } else { self.high };
        }
        // A preset value of infinity lies one step past the end of the bar.
        if self.infinite && up && now >= self.high && self.preset == f32::INFINITY {
            return f32::INFINITY;
        }
        let press =
            if self.is_curved { 0.5 / PRESSES_TO_END } else { LINEAR_STEP * self.unit / (self.high - self.low) };
        let next = self.value(self.position(now) + press * presses);
        let next = match self.integer {
            true if up => next.round().max(now + 1.0),
            true => next.round().min(now - 1.0),
            false => self.round(next),
        };
        // Rounding must not make a step miss the preset's value or zero.
        let near = 0.01 * (next - now).abs();
        if (next - self.preset).abs() < near {
            self.preset
        } else if next.abs() < near {
            0.0
        } else {
            next.clamp(self.min, self.max)
        }
    }

    /// The value at a position on the bar, 0 … 1, that the mouse selects.
    fn at(&self, share: f32) -> f32 {
        let number = self.value(share.clamp(0.0, 1.0));
        let number = if self.integer { number.round() } else { self.round(number) };
        let is_inside = share > 0.0 && share < 1.0;
        if is_inside && (self.position(self.preset) - share).abs() <= SNAP {
            self.preset
        } else {
            number.clamp(self.min, self.max)
        }
    }

    /// Rounds to 1/10,000 of the magnitude of usual values, which keeps values as short as typed ones.
    fn round(&self, number: f32) -> f32 {
        let places = 4 - self.unit.log10().floor() as i32;
        let grid = 10_f64.powi(places);
        ((f64::from(number) * grid).round() / grid) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(key: &str, current: &Params, preset: &Params) -> GaugeValue {
        GaugeValue::new(Param::find(key).unwrap(), current, preset)
    }

    #[test]
    fn three_presses_lead_to_an_end_of_the_bar() {
        let mut preset = Params::default();
        preset.separation.weight = 2.0;
        let gauge = step("separation.weight", &preset, &preset);
        for (presses, value) in [
            (STEP, 4.0),
            (2.0 * STEP, 8.0),
            (COARSE_STEP, 16.0),
            (-STEP, 1.3333),
            (-COARSE_STEP, 0.0),
            (FINE_STEP, 2.2974),
        ] {
            assert_eq!(gauge.stepped(presses, &preset), Value::Number(value), "{presses}");
        }
        assert_eq!(gauge.fill(), 0.5);
        preset.separation.radius = 9.0;
        let radius = step("separation.radius", &preset, &preset);
        assert_eq!(radius.stepped(COARSE_STEP, &preset), Value::Number(18.0));
    }

    #[test]
    fn steps_give_short_values_and_are_reversible() {
        for preset_value in [3.4, 0.01, 0.123_456_7, 7.0 / 3.0, 0.000_357] {
            let mut preset = Params::default();
            preset.separation.weight = preset_value;
            let mut params = preset;
            let turn = |params: &mut Params, up, size| {
                let value = step("separation.weight", params, &preset).stepped(if up { size } else { -size }, params);
                params.set("separation.weight", value).unwrap();
                value.to_string()
            };
            for (size, presses) in [(FINE_STEP, 3), (STEP, 3), (COARSE_STEP, 1)] {
                for up in [true, false] {
                    for count in 1..=presses {
                        let text = turn(&mut params, up, size);
                        let digits = text.trim_start_matches(['0', '.']).replace('.', "").len();
                        assert!(digits <= 6 || count == presses && !up, "{preset_value}: {text}");
                    }
                }
                assert_eq!(params, preset, "{preset_value} {size:?}");
            }
        }
    }

    #[test]
    fn a_step_from_zero_is_the_tables_step() {
        let preset = Params::default();
        let wind = step("wind.x", &preset, &preset);
        assert_eq!(wind.stepped(STEP, &preset), Value::Number(0.01));
        assert_eq!(wind.stepped(-STEP, &preset), Value::Number(-0.01));
        let cap = step("max_neighbors", &preset, &preset);
        assert_eq!(cap.stepped(FINE_STEP, &preset), Value::Number(1.0));
        assert_eq!(cap.stepped(-COARSE_STEP, &preset), Value::Number(0.0));
    }

    #[test]
    fn the_low_end_of_every_bar_is_valid_and_empty() {
        for param in Param::table().iter().filter(|param| matches!(param.domain, Domain::Number { .. })) {
            let mut params = Params::default();
            params.speed.min = 0.0;
            let low = GaugeValue::new(param, &params, &params).end_value(false, &params);
            assert_eq!(param.check(low), Ok(()), "{}", param.key);
            params.set(param.key, low).unwrap();
            let gauge = GaugeValue::new(param, &params, &Params::default());
            let Domain::Number { min: least, .. } = param.domain else { unreachable!() };
            if least >= 0.0 {
                assert_eq!((gauge.fill(), gauge.value_at(0.0, &params)), (0.0, low), "{}", param.key);
            }
        }
        let mut preset = Params::default();
        (preset.speed.min, preset.speed.max) = (1.0, 5.0);
        let mut slower = preset;
        slower.speed.max = 0.5;
        slower.speed.min = 0.2;
        // The middle of the bar is the preset's value, which is above `speed.max`.
        assert_eq!(step("speed.min", &slower, &preset).value_at(0.5, &slower), Value::Number(0.5));
    }

    #[test]
    fn end_value_goes_to_the_bars_end_then_to_the_limit() {
        let mut params = Params::default();
        let param = Param::find("separation.radius").unwrap();
        for (up, value) in [(true, 24.0), (true, 100_000.0), (false, 0.0), (false, 0.0)] {
            assert_eq!(
                GaugeValue::new(param, &params, &Params::default()).end_value(up, &params),
                Value::Number(value)
            );
            params.set(param.key, Value::Number(value)).unwrap();
        }
    }

    #[test]
    fn value_at_matches_the_bar() {
        let mut preset = Params::default();
        preset.separation.weight = 2.0;
        let weight = step("separation.weight", &preset, &preset);
        for (share, value) in [(0.0, 0.0), (0.25, 1.0), (0.5, 2.0), (1.0, 16.0), (2.0, 16.0), (0.53, 2.0)] {
            assert_eq!(weight.value_at(share, &preset), Value::Number(value));
        }
        let mut turned = preset;
        turned.set("separation.weight", Value::Number(4.0)).unwrap();
        assert!((step("separation.weight", &turned, &preset).fill() - 2.0 / 3.0).abs() < 1e-6);
        let wind = step("wind.x", &preset, &preset);
        assert_eq!(wind.value_at(0.5, &preset), Value::Number(0.0));
        assert!(matches!(wind.value_at(0.0, &preset), Value::Number(number) if number < 0.0));
        assert!(
            matches!(step("max_neighbors", &preset, &preset).value_at(0.33, &preset), Value::Number(n) if n.fract() == 0.0)
        );
    }

    #[test]
    fn values_beyond_the_bar_are_told_apart() {
        let preset = Params::default();
        let weight = |now| {
            let mut params = preset;
            params.set("wind.x", Value::Number(now)).unwrap();
            step("wind.x", &params, &preset)
        };
        let high = 4.0 * 0.04;
        for (now, beyond, fill) in
            [(0.0, None, 0.5), (high, None, 1.0), (high + 0.1, Some(BarEnd::High), 1.0), (-1.0, Some(BarEnd::Low), 0.0)]
        {
            assert_eq!((weight(now).beyond(), weight(now).fill()), (beyond, fill), "{now}");
            assert_eq!(weight(now).share_of(weight(now).preset_value), 0.5);
        }
        let mut unlimited = preset;
        unlimited.cohesion.radius = f32::INFINITY;
        let radius = step("cohesion.radius", &unlimited, &preset);
        assert_eq!((radius.beyond(), radius.share_of(radius.preset_value)), (Some(BarEnd::High), 0.5));
    }

    #[test]
    fn speed_limits_stop_at_each_other() {
        let mut params = Params::default();
        (params.speed.min, params.speed.max) = (3.9, 4.0);
        let min = step("speed.min", &params, &Params::default());
        assert_eq!(min.stepped(COARSE_STEP, &params), Value::Number(4.0));
        assert_eq!(min.end_value(true, &params), Value::Number(4.0));
        assert_eq!(step("speed.max", &params, &params).end_value(false, &params), Value::Number(3.9));
    }

    #[test]
    fn steps_from_infinity_lead_back_to_it() {
        let mut preset = Params::default();
        preset.edge.mode = crate::sim::Edge::Turn;
        preset.cohesion.radius = f32::INFINITY;
        let down = step("cohesion.radius", &preset, &preset).stepped(-STEP, &preset);
        let mut params = preset;
        params.set("cohesion.radius", down).unwrap();
        assert!(params.cohesion.radius.is_finite());
        let back = step("cohesion.radius", &params, &preset).stepped(STEP, &params);
        assert_eq!(back, Value::Number(f32::INFINITY));
    }
}
