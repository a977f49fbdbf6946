//! Values that several commands read alike.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use clap::{Arg, ArgAction};

use crate::config::RATE_RANGE;
use crate::sim::MAX_BOIDS;

/// The most threads that can be asked for; the system bears so many with ease.
const MAX_THREADS: usize = 256;

pub(crate) fn boids(text: &str) -> Result<usize, String> {
    whole(text, 1, MAX_BOIDS)
}

pub(crate) fn ticks(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    whole(text, 1, MAX_THREADS).map(|threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "it takes a time, as `90s` or `1h 30m`".to_owned())
}

/// Ticks a second.
pub(crate) fn rate(text: &str) -> Result<f32, String> {
    number(text, RATE_RANGE.0, RATE_RANGE.1)
}

pub(crate) fn whole<T: Copy + FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a whole number from {least} to {most}"))
}

pub(crate) fn number(text: &str, least: f32, most: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a number from {least} to {most}"))
}

/// Lets a flag also be told to be off, against what a config file says: `--clean=false`.
pub(crate) fn switch(arg: Arg) -> Arg {
    if !matches!(arg.get_action(), ArgAction::SetTrue) || arg.is_global_set() {
        return arg;
    }
    let arg = arg.action(ArgAction::Set).num_args(0..=1).require_equals(true).value_name("BOOL");
    arg.default_value("false").default_missing_value("true").hide_default_value(true).value_parser(on_or_off)
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("it takes true or false".to_owned()),
    }
}
