//! Value parsers shared by several commands.

use std::ffi::OsStr;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction};
use strum::{ParseError, VariantNames};

use crate::commands::lists::ALL_MEASURES;
use crate::config::{Preset, RATE_RANGE, Theme};
use crate::sim::{Measure, Param, Start};
use crate::viewer::Action;

const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// A number that an option takes.
pub(super) trait Number: Copy + Display + FromStr + PartialOrd + Send + Sync + 'static {}

impl<T: Copy + Display + FromStr + PartialOrd + Send + Sync + 'static> Number for T {}

/// A number of threads.
pub(super) fn threads() -> impl TypedValueParser<Value = NonZeroUsize> {
    whole(NonZeroUsize::MIN, MAX_THREADS)
}

/// Ticks per second.
pub(super) fn rate() -> impl TypedValueParser<Value = f32> {
    number(RATE_RANGE.0, RATE_RANGE.1)
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "expected a duration, e.g. 90s or 1h 30m".to_owned())
}

/// A whole number in a range.
pub(super) fn whole<T: Number>(min: T, max: T) -> impl TypedValueParser<Value = T> {
    in_range("a whole number", min, max)
}

/// A number in a range.
pub(super) fn number(min: f32, max: f32) -> impl TypedValueParser<Value = f32> {
    in_range("a number", min, max)
}

fn in_range<T: Number>(what: &'static str, min: T, max: T) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("expected {what} from {min} to {max}"))
    }
}

/// A variant, by its name.
pub(super) fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: Clone + FromStr<Err = ParseError> + Send + Sync + VariantNames + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).map(|text| text.parse().expect("one of the possible values"))
}

/// An initial state.
pub(super) fn start() -> impl TypedValueParser<Value = Start> {
    PossibleValuesParser::new(Start::NAMES).map(|text| Start::from_name(&text).expect("one of the possible values"))
}

/// Any text, with a list of names for shell completion. The command reports unknown names.
#[derive(Clone)]
pub(super) struct KnownNames(fn() -> Vec<PossibleValue>);

impl TypedValueParser for KnownNames {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter()))
    }
}

/// A preset's name, or a file.
pub(super) fn preset() -> KnownNames {
    KnownNames(|| Preset::builtin().into_iter().map(|preset| named(preset.name, preset.summary)).collect())
}

/// A theme's name, or a file.
pub(super) fn theme() -> KnownNames {
    KnownNames(|| Theme::builtin().into_iter().map(|theme| named(theme.name, theme.colors.summary)).collect())
}

/// A parameter's key.
pub(super) fn param() -> KnownNames {
    KnownNames(|| Param::table().iter().map(|param| named(param.key, param.summary)).collect())
}

/// A measure's name, or `all`.
pub(super) fn measure() -> KnownNames {
    KnownNames(|| {
        let names = Measure::table().iter().map(|measure| named(measure.name, measure.summary));
        names.chain([named(ALL_MEASURES, "All measures.")]).collect()
    })
}

/// An action's name.
pub(super) fn action() -> KnownNames {
    KnownNames(|| Action::ALL.iter().map(|action| named(action.id(), action.summary())).collect())
}

fn named(name: impl Into<clap::builder::Str>, summary: impl Into<clap::builder::StyledStr>) -> PossibleValue {
    PossibleValue::new(name).help(summary)
}

/// Lets a flag take `=false`, to override a config file: `--clean=false`.
pub(super) fn negatable(arg: Arg) -> Arg {
    if !matches!(arg.get_action(), ArgAction::SetTrue) || arg.is_global_set() {
        return arg;
    }
    arg.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_name("BOOL")
        .default_value("false")
        .default_missing_value("true")
        .hide_default_value(true)
        .hide_possible_values(true)
}

/// Bytes per second. The minimum is what the status line alone needs.
pub(super) fn bandwidth(text: &str) -> Result<u32, String> {
    let rate = size(text, 4e3..=1e9).map(|bytes| bytes as u32);
    rate.ok_or_else(|| "expected bytes per second from 4K to 1000M, e.g. 64K (K = 1000)".to_owned())
}

/// Bytes of memory.
pub(super) fn history(text: &str) -> Result<usize, String> {
    let memory = size(text, 0.0..=1e12).map(|bytes| bytes as usize);
    memory.ok_or_else(|| "expected bytes from 0 to 1000G, e.g. 64M (M = 1000000)".to_owned())
}

/// A number of bytes within a range, with K, M or G.
fn size(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        Some((at, 'g' | 'G')) => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    digits.parse::<f64>().ok().map(|count| count * unit).filter(|bytes| range.contains(bytes))
}
