//! One `--over` or `--ramp`: keys, and the values that they take.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use super::{FlockArgs, ParamSetting};
use crate::config::WorldSize;
use crate::error::{InputError, did_you_mean_or};
use crate::sim::{Domain, MAX_BOIDS, MAX_PREDATORS, Param, Start};

/// Longest list of values, so that a small step by mistake does not exhaust the memory.
const MAX_VALUES: f64 = 1e6;
/// The part of a step by which rounding may miss the end of a range.
const ROUNDING: f64 = 1e-6;

/// Keys of a sweep that change together, and the values that they take.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    pub(in crate::commands) keys: Vec<SweepKey>,
    /// A value for each key.
    pub(in crate::commands) points: Vec<Vec<SweepValue>>,
}

/// A setting that a sweep can change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::commands) enum SweepKey {
    Boids,
    Predators,
    World,
    Start,
    Param(&'static Param),
}

/// A key and its value in one run.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::commands) enum SweepValue {
    Boids(usize),
    Predators(usize),
    World(WorldSize),
    Start(Start),
    Param(ParamSetting),
}

/// The parameter of `--ramp`, and its values on the way up.
#[derive(Clone, Debug, PartialEq)]
pub struct RampAxis {
    pub(in crate::commands) param: &'static Param,
    pub(in crate::commands) values: Vec<ParamSetting>,
}

impl FromStr for SweepAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (keys, spec) = text.split_once('=').ok_or("expected KEY=SPEC, e.g. noise.angle=0:360:15")?;
        let keys: Vec<SweepKey> = keys.split(',').map(SweepKey::find).collect::<Result<_, _>>()?;
        let points = if let [key] = keys[..] {
            let values = spec.split(',').map(|item| key.values(item)).collect::<Result<Vec<_>, _>>()?;
            values.into_iter().flatten().map(|value| vec![value]).collect()
        } else {
            spec.split(';').map(|tuple| parse_tuple(&keys, tuple)).collect::<Result<_, _>>()?
        };
        let axis = Self { keys, points };
        let mut seen = HashSet::new();
        match (0..axis.points.len()).map(|at| axis.fields(at)).find(|fields| !seen.insert(fields.clone())) {
            Some(twice) => Err(format!("`{twice}` is listed twice")),
            None => Ok(axis),
        }
    }
}

impl SweepAxis {
    /// The values of a point as fields of a CSV row.
    pub(in crate::commands) fn fields(&self, point: usize) -> String {
        self.points[point].iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

/// A value for each key, separated by commas.
fn parse_tuple(keys: &[SweepKey], tuple: &str) -> Result<Vec<SweepValue>, String> {
    let values: Vec<&str> = tuple.split(',').collect();
    if values.len() != keys.len() {
        let names: Vec<&str> = keys.iter().map(SweepKey::name).collect();
        let (found, expected) = (values.len(), keys.len());
        return Err(format!("number of values in `{tuple}` is {found}: expected {expected} ({})", names.join(",")));
    }
    keys.iter().zip(values).map(|(key, value)| key.parse(value)).collect()
}

impl SweepKey {
    fn find(text: &str) -> Result<Self, String> {
        const OPTIONS: [SweepKey; 4] = [SweepKey::Boids, SweepKey::Predators, SweepKey::World, SweepKey::Start];
        let text = text.trim();
        let param = || Param::meant(text).map(Self::Param);
        OPTIONS.into_iter().find(|key| key.name() == text).or_else(param).ok_or_else(|| {
            let names = Param::table().iter().map(|param| param.key).chain(OPTIONS.iter().map(Self::name));
            let hint = match text {
                "seed" | "seeds" | "s" => {
                    "; --seeds N repeats each combination with N seeds, from --seed on".to_owned()
                }
                "n" => "; did you mean `boids`?".to_owned(),
                _ => did_you_mean_or(text, names, "; `flockscope params` lists them"),
            };
            InputError::Unknown { what: "parameter", name: text.to_owned(), hint }.to_string()
        })
    }

    pub(in crate::commands) fn name(&self) -> &'static str {
        match self {
            Self::Boids => "boids",
            Self::Predators => "predators",
            Self::World => "world",
            Self::Start => "start",
            Self::Param(param) => param.key,
        }
    }

    /// The values of an item of a list: of a range `A:B:STEP`, or the item itself.
    fn values(self, item: &str) -> Result<Vec<SweepValue>, String> {
        let is_number = match self {
            Self::World | Self::Start => false,
            Self::Boids | Self::Predators => true,
            Self::Param(param) => matches!(param.domain, Domain::Number { .. }),
        };
        if !is_number || !item.contains(':') {
            return Ok(vec![self.parse(item)?]);
        }
        let points = range(item)?.map(|number| match self {
            // Parameters are f32: the shortest text of 3 × 0.1 is then 0.3.
            Self::Param(_) => self.parse(&(number as f32).to_string()),
            _ => self.parse(&number.to_string()),
        });
        points.collect()
    }

    fn parse(self, text: &str) -> Result<SweepValue, String> {
        let text = text.trim();
        let count = |min: usize, max: usize| {
            let count = text.parse().ok().filter(|count| (min..=max).contains(count));
            count.ok_or_else(|| format!("{} = {text}: expected a whole number from {min} to {max}", self.name()))
        };
        match self {
            Self::Boids => Ok(SweepValue::Boids(count(1, MAX_BOIDS)?)),
            Self::Predators => Ok(SweepValue::Predators(count(0, MAX_PREDATORS)?)),
            Self::World => text.parse().map(SweepValue::World).map_err(|error: InputError| error.to_string()),
            Self::Start => {
                let start = Start::from_name(text).map(SweepValue::Start);
                start.ok_or_else(|| format!("start = {text} is not one of {}", Start::NAMES.join(", ")))
            }
            Self::Param(param) => {
                let value = param.parse(text).map_err(|error| error.to_string())?;
                Ok(SweepValue::Param(ParamSetting { key: param.key, value }))
            }
        }
    }
}

/// The numbers of a range `A:B:STEP`.
fn range(text: &str) -> Result<impl Iterator<Item = f64>, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Option<Vec<f64>> = text.split(':').map(number).collect();
    let Some(&[from, to, step]) = numbers.as_deref() else {
        return Err(format!("`{text}` is not a range: expected A:B:STEP, e.g. 0:360:15"));
    };
    if step == 0.0 {
        let sign = if from <= to { "positive" } else { "negative" };
        return Err(format!("the step of {text} is 0: expected a {sign} number"));
    }
    let steps = (to - from) / step + ROUNDING;
    if steps < 0.0 {
        return Err(format!("the range {text} is empty: a step of {step} does not lead from {from} to {to}"));
    }
    if steps >= MAX_VALUES {
        return Err(format!("the range {text} has {:.0} values: expected at most {MAX_VALUES}", steps.floor() + 1.0));
    }
    Ok((0..=steps as u32).map(move |index| from + f64::from(index) * step))
}

impl SweepValue {
    pub(in crate::commands) fn apply(&self, args: &mut FlockArgs) {
        match self {
            Self::Boids(boids) => args.boids = Some(*boids),
            Self::Predators(predators) => args.predators = Some(*predators),
            Self::World(world) => args.world = Some(*world),
            Self::Start(start) => args.start = Some(*start),
            Self::Param(param) => args.set.push(param.clone()),
        }
    }
}

impl fmt::Display for SweepValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boids(count) | Self::Predators(count) => count.fmt(out),
            Self::World(world) => world.fmt(out),
            Self::Start(start) => out.write_str(start.name()),
            Self::Param(param) => param.value.fmt(out),
        }
    }
}

impl FromStr for RampAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let axis = SweepAxis::from_str(text)?;
        let [SweepKey::Param(param)] = axis.keys[..] else {
            return Err("expected one parameter, as only parameters change during a run".into());
        };
        let values = axis.points.into_iter().flatten().filter_map(|value| match value {
            SweepValue::Param(param) => Some(param),
            _ => None,
        });
        let values: Vec<ParamSetting> = values.collect();
        if values.len() < 2 {
            return Err(format!("{} has one value: expected at least two, e.g. A:B:STEP", param.key));
        }
        Ok(Self { param, values })
    }
}

/// A part of a sweep: `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    pub(in crate::commands) part: usize,
    /// The number of parts.
    pub(in crate::commands) parts: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        numbers
            .filter(|(part, parts)| (1..=*parts).contains(part))
            .map(|(part, parts)| Self { part, parts })
            .ok_or_else(|| "expected I/N with I from 1 to N, e.g. 3/16".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        let axis = SweepAxis::from_str(text).unwrap();
        (0..axis.points.len()).map(|point| axis.fields(point)).collect()
    }

    fn error(text: &str) -> String {
        SweepAxis::from_str(text).unwrap_err()
    }

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(fields("noise.angle=0:90:30"), ["0", "30", "60", "90"]);
        assert_eq!(fields("noise.angle=0:100:30"), ["0", "30", "60", "90"]);
        assert_eq!(fields("noise.angle=5:5:1"), ["5"]);
        assert_eq!(fields("noise.angle=30:0:-10"), ["30", "20", "10", "0"]);
        assert_eq!(fields("boids=10:30:10"), ["10", "20", "30"]);
    }

    #[test]
    fn decimals_are_those_that_one_would_type() {
        let tenths = fields("noise.angle=0:1:0.1");
        assert_eq!(tenths.join(" "), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
        assert_eq!(fields("noise.angle=0.1:0.7:0.2"), ["0.1", "0.3", "0.5", "0.7"]);
        assert_eq!(fields("noise.angle=1:2:1e-1").len(), 11);
    }

    #[test]
    fn lists_hold_values_and_ranges() {
        assert_eq!(fields("noise.angle=0:20:10, 45,90"), ["0", "10", "20", "45", "90"]);
        assert_eq!(fields("separation.falloff=flat,linear"), ["flat", "linear"]);
        assert_eq!(fields("world=3.1x3.1,round:50,auto"), ["3.1x3.1", "round:50", "auto"]);
        assert_eq!(fields("predators=0,1"), ["0", "1"]);
        assert_eq!(fields("start=scatter,rest"), ["scatter", "rest"]);
    }

    #[test]
    fn joined_keys_take_tuples() {
        assert_eq!(fields("boids,world=40,3.1x3.1;100,5x5"), ["40,3.1x3.1", "100,5x5"]);
        let wrong = error("boids,world=40,3.1x3.1;100");
        assert_eq!(wrong, "number of values in `100` is 1: expected 2 (boids,world)");
    }

    #[test]
    fn errors_name_valid_values() {
        for (text, expected) in [
            ("noise.angle", "expected KEY=SPEC"),
            ("noise.angel=1", "unknown parameter `noise.angel`; did you mean `noise.angle`?"),
            ("biods=1", "did you mean `boids`?"),
            ("n=10,20", "did you mean `boids`?"),
            ("seed=1:9:1", "--seeds N repeats each combination"),
            ("noise.angle=", "expected a number (0 to 360)"),
            ("noise.angle=0:360", "expected A:B:STEP"),
            ("noise.angle=0:360:", "expected A:B:STEP"),
            ("noise.angle=0:inf:1", "expected A:B:STEP"),
            ("noise.angle=0:360:0", "the step of 0:360:0 is 0"),
            ("noise.angle=360:0:15", "the range 360:0:15 is empty"),
            ("noise.angle=0:360:-15", "the range 0:360:-15 is empty"),
            ("noise.angle=0:360:1e-9", "expected at most 1000000"),
            ("noise.angle=0:720:90", "noise.angle = 450 is out of range: expected 0 to 360"),
            ("noise.angle=1,1.0", "`1` is listed twice"),
            ("boids=0", "boids = 0: expected a whole number from 1 to 10000000"),
            ("boids=10:20:2.5", "boids = 12.5: expected a whole number"),
            ("world=800", "WIDTHxHEIGHT"),
            ("start=flok", "start = flok is not one of scatter, rest, streams, drift, flocks, flock, ring"),
            ("separation.falloff=cubic", "inverse-cube"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
    }

    #[test]
    fn a_ramp_changes_one_parameter() {
        assert_eq!(RampAxis::from_str("noise.angle=0:30:10").unwrap().values.len(), 4);
        for (text, expected) in [
            ("boids=10:30:10", "only parameters change during a run"),
            ("noise.angle,boids=1,2;3,4", "only parameters change during a run"),
            ("noise.angle=5", "at least two"),
        ] {
            let error = RampAxis::from_str(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
