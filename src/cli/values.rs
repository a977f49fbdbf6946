//! Values that several commands read alike.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::sim::MAX_BOIDS;

/// The most threads that can be asked for; the system bears so many with ease.
const MAX_THREADS: usize = 256;

pub(super) fn boids(text: &str) -> Result<usize, String> {
    whole(text, 1, MAX_BOIDS)
}

pub(super) fn ticks(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    whole(text, 1, MAX_THREADS).map(|threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

pub(super) fn whole<T: Copy + FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a whole number from {least} to {most}"))
}

pub(super) fn number(text: &str, least: f32, most: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a number from {least} to {most}"))
}
