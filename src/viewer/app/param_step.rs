//! What a press of an arrow makes of a tunable's value, and how full its gauge is.

use crate::sim::{Domain, Param, Params, Value};

/// So near to the preset's value, as a share of the bar, a hand means that.
const SNAP: f32 = 0.02;

/// How far a press goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepSize {
    /// 1 % of the preset's value.
    Fine,
    /// 5 %.
    Normal,
    /// 25 %.
    Coarse,
}

impl StepSize {
    fn share(self) -> f32 {
        match self {
            Self::Fine => 0.01,
            Self::Normal => 0.05,
            Self::Coarse => 0.25,
        }
    }
}

/// A tunable under the hand: its row, its value now, and the preset's.
#[derive(Clone, Copy, Debug)]
pub struct ParamStep {
    /// The row.
    pub row: &'static Param,
    /// The value now.
    pub value: Value,
    /// The preset's value.
    pub home: Value,
}

impl ParamStep {
    /// The knob for a row.
    #[must_use]
    pub fn new(row: &'static Param, now: &Params, preset: &Params) -> Self {
        Self { row, value: row.get(now), home: row.get(preset) }
    }

    /// The row and its value, as `speed.max = 4 u/tick`.
    #[must_use]
    pub fn told(&self) -> String {
        let key = self.row.key;
        match (self.row.domain, self.value) {
            (Domain::Number { unit, .. }, Value::Number(number)) => {
                format!("{key} = {} {unit}", format_number(number)).trim_end().to_owned()
            }
            (_, value) => format!("{key} = {value}"),
        }
    }

    /// Whether the value is not the preset's.
    #[must_use]
    pub fn is_turned(&self) -> bool {
        self.value != self.home
    }

    /// The value after one press, up or down. `speed.min` and `speed.max` stop at each other.
    #[must_use]
    pub fn turned(&self, up: bool, stride: StepSize, rules: &Params) -> Value {
        match (self.row.domain, self.value) {
            (Domain::Number { .. }, Value::Number(now)) => {
                let next = self.next_number(now, up, stride);
                Value::Number(self.stop(next, rules))
            }
            (Domain::Choice(words), Value::Choice(now)) => {
                let at = words.iter().position(|word| *word == now).unwrap_or(0);
                Value::Choice(words[if up { (at + 1).min(words.len() - 1) } else { at.saturating_sub(1) }])
            }
            (Domain::Switch, _) => Value::Switch(up),
            (_, value) => value,
        }
    }

    /// The end of the gauge's bar; from there on the least or the greatest value there is.
    #[must_use]
    pub fn end(&self, up: bool, rules: &Params) -> Value {
        match (self.row.domain, self.value) {
            (Domain::Number { least, most, infinite, .. }, Value::Number(now)) => {
                let most = if infinite && rules.edge.mode != crate::sim::Edge::Wrap { f32::INFINITY } else { most };
                let (low, high) = self.bar();
                let end = match up {
                    true if now < high => high,
                    true => most,
                    false if now > low => low,
                    false => least,
                };
                Value::Number(self.stop(end.clamp(least, most), rules))
            }
            (Domain::Choice(words), _) => Value::Choice(words[if up { words.len() - 1 } else { 0 }]),
            (Domain::Switch, _) => Value::Switch(up),
            (Domain::Number { .. }, value) => value,
        }
    }

    /// The value at a share of the gauge's bar, 0 … 1; a whole number where the row takes no other. Near the
    /// preset's value it is that.
    #[must_use]
    pub fn at(&self, share: f32, rules: &Params) -> Value {
        let Domain::Number { least, most, whole, .. } = self.row.domain else { return self.value };
        let (low, high) = self.bar();
        let number = low + (high - low) * share.clamp(0.0, 1.0);
        let number = if whole { number.round() } else { self.round(number) };
        let number = match self.home {
            Value::Number(home) if (number - home).abs() <= SNAP * (high - low) => home,
            _ => number.clamp(least, most),
        };
        Value::Number(self.stop(number, rules))
    }

    fn next_number(&self, now: f32, up: bool, stride: StepSize) -> f32 {
        let Domain::Number { least, most, infinite, whole, .. } = self.row.domain else { return now };
        let end = self.bar_end();
        if now.is_infinite() {
            return if up { now } else { end.min(most) };
        }
        // Where the preset has infinity, the way up leads back to it past the bar's end.
        if infinite && up && now >= end && self.home == Value::Number(f32::INFINITY) {
            return f32::INFINITY;
        }
        let step = self.unit() * stride.share();
        let step = if whole { step.max(1.0).round() } else { step };
        let next = self.round(if up { now + step } else { now - step }).clamp(least, most);
        // A press that misses the preset's value by rounding lands on it.
        match self.home {
            Value::Number(home) if (next - home).abs() < 0.01 * step => home,
            _ if next.abs() < 1e-3 * step => 0.0,
            _ => next,
        }
    }

    /// To a hundredth of the finest press or finer, so that what a hand has turned is as short as what it types.
    fn round(&self, number: f32) -> f32 {
        let places = 2 - (self.unit() * StepSize::Fine.share()).log10().floor() as i32;
        let grid = 10_f64.powi(places);
        ((f64::from(number) * grid).round() / grid) as f32
    }

    /// What 100 % is: the preset's value, or 20 of the row's smallest steps where that is 0.
    fn unit(&self) -> f32 {
        let Domain::Number { step, .. } = self.row.domain else { return 1.0 };
        match (self.home, self.row.default()) {
            (Value::Number(home), _) if home.is_finite() && home != 0.0 => home.abs(),
            (Value::Number(home), Value::Number(usual)) if home.is_infinite() && usual.is_finite() => usual,
            _ => step / StepSize::Normal.share(),
        }
    }

    /// Where the gauge's bar ends: at four times the preset's value, but not past the row's range.
    fn bar_end(&self) -> f32 {
        let Domain::Number { most, .. } = self.row.domain else { return 1.0 };
        (4.0 * self.unit()).min(most)
    }

    /// What the gauge's bar stands for, from end to end: both sides of 0 alike where the row goes below it.
    fn bar(&self) -> (f32, f32) {
        let Domain::Number { least, .. } = self.row.domain else { return (0.0, 1.0) };
        let high = self.bar_end();
        (if least < 0.0 { -high } else { least.min(high) }, high)
    }

    fn stop(&self, value: f32, rules: &Params) -> f32 {
        match self.row.key {
            "speed.min" => value.min(rules.speed.max),
            "speed.max" => value.max(rules.speed.min),
            _ => value,
        }
    }

    /// How full the gauge is, 0 … 1. One that also goes below 0 is half full at 0.
    #[must_use]
    pub fn fill(&self) -> f32 {
        let Value::Number(now) = self.value else { return 0.0 };
        let (low, high) = self.bar();
        ((now - low) / (high - low).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
    }
}

/// A number with as many digits as a person reads at a glance.
#[must_use]
pub fn format_number(number: f32) -> String {
    if number.is_infinite() {
        return "inf".into();
    }
    let size = number.abs();
    if number == 0.0 {
        "0".into()
    } else if !(1e-5..1e5).contains(&size) {
        format!("{number:.1e}")
    } else {
        // Three significant digits, or all there are of a whole number.
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{number:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(key: &str, now: &Params, preset: &Params) -> ParamStep {
        ParamStep::new(Param::find(key).unwrap(), now, preset)
    }

    #[test]
    fn a_press_is_a_share_of_the_presets_value() {
        let mut preset = Params::default();
        preset.separation.weight = 2.0;
        let knob = knob("separation.weight", &preset, &preset);
        assert_eq!(knob.turned(true, StepSize::Normal, &preset), Value::Number(2.1));
        assert_eq!(knob.turned(false, StepSize::Coarse, &preset), Value::Number(1.5));
        assert_eq!(knob.turned(true, StepSize::Fine, &preset), Value::Number(2.02));
        assert_eq!(knob.fill(), 0.25);
    }

    #[test]
    fn what_presses_come_to_is_short_and_the_way_back_leads_home() {
        for home in [3.4, 0.01, 0.123_456_7, 7.0 / 3.0, 0.000_357] {
            let mut preset = Params::default();
            preset.separation.weight = home;
            let mut rules = preset;
            let turn = |rules: &mut Params, up, stride| {
                let value = knob("separation.weight", rules, &preset).turned(up, stride, rules);
                rules.set("separation.weight", value).unwrap();
                value.to_string()
            };
            for stride in [StepSize::Fine, StepSize::Normal, StepSize::Coarse] {
                for up in [true, false] {
                    for press in 1..=3 {
                        let told = turn(&mut rules, up, stride);
                        let digits = told.trim_start_matches(['0', '.']).replace('.', "").len();
                        assert!(digits <= 6 || press == 3 && !up, "{home}: {told}");
                    }
                }
                assert_eq!(rules, preset, "{home} {stride:?}");
            }
        }
    }

    #[test]
    fn from_zero_a_press_is_the_smallest_step_and_the_ends_hold() {
        let preset = Params::default();
        let wind = knob("wind.x", &preset, &preset);
        assert_eq!(wind.turned(true, StepSize::Normal, &preset), Value::Number(0.01));
        assert_eq!(wind.turned(false, StepSize::Normal, &preset), Value::Number(-0.01));
        let cap = knob("max_neighbors", &preset, &preset);
        assert_eq!(cap.turned(true, StepSize::Fine, &preset), Value::Number(1.0));
        assert_eq!(cap.turned(false, StepSize::Coarse, &preset), Value::Number(0.0));
    }

    #[test]
    fn gauge_hand_and_home_agree_where_the_bar_begins() {
        for row in Param::table().iter().filter(|row| matches!(row.domain, Domain::Number { .. })) {
            let mut rules = Params::default();
            rules.speed.min = 0.0;
            let home = ParamStep::new(row, &rules, &rules).end(false, &rules);
            assert_eq!(row.check(home), Ok(()), "{}", row.key);
            rules.set(row.key, home).unwrap();
            let knob = ParamStep::new(row, &rules, &Params::default());
            let Domain::Number { least, .. } = row.domain else { unreachable!() };
            if least >= 0.0 {
                assert_eq!((knob.fill(), knob.at(0.0, &rules)), (0.0, home), "{}", row.key);
            }
        }
        let mut preset = Params::default();
        (preset.speed.min, preset.speed.max) = (1.0, 5.0);
        let mut slower = preset;
        slower.speed.max = 0.5;
        slower.speed.min = 0.2;
        // A quarter of the bar is the preset's value, and above the greatest speed of now.
        assert_eq!(knob("speed.min", &slower, &preset).at(0.25, &slower), Value::Number(0.5));
    }

    #[test]
    fn home_and_end_lead_to_the_bars_ends_and_then_to_the_ranges() {
        let mut rules = Params::default();
        let row = Param::find("separation.radius").unwrap();
        let turn = |rules: &Params, up| ParamStep::new(row, rules, &Params::default()).end(up, rules);
        for (up, value) in [(true, 48.0), (true, 100_000.0), (false, 0.0), (false, 0.0)] {
            assert_eq!(turn(&rules, up), Value::Number(value));
            rules.set(row.key, Value::Number(value)).unwrap();
        }
    }

    #[test]
    fn a_hand_on_the_bar_gets_what_the_bar_shows() {
        let mut preset = Params::default();
        preset.separation.weight = 2.0;
        let weight = knob("separation.weight", &preset, &preset);
        for (share, value) in [(0.0, 0.0), (0.5, 4.0), (1.0, 8.0), (2.0, 8.0), (0.26, 2.0)] {
            assert_eq!(weight.at(share, &preset), Value::Number(value));
        }
        let mut turned = preset;
        turned.set("separation.weight", Value::Number(4.0)).unwrap();
        assert_eq!(knob("separation.weight", &turned, &preset).fill(), 0.5);
        let wind = knob("wind.x", &preset, &preset);
        assert_eq!(wind.at(0.5, &preset), Value::Number(0.0));
        assert!(matches!(wind.at(0.0, &preset), Value::Number(number) if number < 0.0));
        assert!(
            matches!(knob("max_neighbors", &preset, &preset).at(0.33, &preset), Value::Number(n) if n.fract() == 0.0)
        );
    }

    #[test]
    fn speeds_stop_at_each_other() {
        let mut rules = Params::default();
        (rules.speed.min, rules.speed.max) = (3.9, 4.0);
        let min = knob("speed.min", &rules, &Params::default());
        assert_eq!(min.turned(true, StepSize::Coarse, &rules), Value::Number(4.0));
        assert_eq!(min.end(true, &rules), Value::Number(4.0));
        assert_eq!(knob("speed.max", &rules, &rules).end(false, &rules), Value::Number(3.9));
    }

    #[test]
    fn the_way_from_infinity_leads_back_to_it() {
        let mut preset = Params::default();
        preset.edge.mode = crate::sim::Edge::Turn;
        preset.cohesion.radius = f32::INFINITY;
        let down = knob("cohesion.radius", &preset, &preset).turned(false, StepSize::Normal, &preset);
        let mut rules = preset;
        rules.set("cohesion.radius", down).unwrap();
        assert!(rules.cohesion.radius.is_finite());
        let back = knob("cohesion.radius", &rules, &preset).turned(true, StepSize::Normal, &rules);
        assert_eq!(back, Value::Number(f32::INFINITY));
    }

    #[test]
    fn figures_are_short_and_true() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (0.00005, "0.00005"),
            (12.345, "12.3"),
            (1234.0, "1234"),
            (-0.125, "-0.125"),
            (1e-9, "1.0e-9"),
            (f32::INFINITY, "inf"),
            (100_000.0, "1.0e5"),
            (99.96, "100"),
        ] {
            assert_eq!(format_number(number), text);
        }
    }
}
