//! Values of options of the readers: units of lengths and times, intervals, the order of days and months, and codes of lost animals.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString, VariantArray};

use crate::text::{Shortest, is_unprintable};

/// The names of units of time in headers and options, in lower case, and their seconds.
const TIMES: [(&str, f64); 7] = [
    ("s sec secs second seconds", 1.0),
    ("ms msec msecs millisec millisecs millisecond milliseconds", 1e-3),
    ("us µs usec usecs microsec microsecond microseconds", 1e-6),
    ("ns nsec nanosec nanosecond nanoseconds", 1e-9),
    ("min mins minute minutes", 60.0),
    ("h hr hrs hour hours", 3600.0),
    ("d day days", 86400.0),
];
/// The same for lengths, and their meters.
const LENGTHS: [(&str, f64); 9] = [
    ("nm nanometers", 1e-9),
    ("um µm micron microns micrometers", 1e-6),
    ("mm millimeters millimetres", 1e-3),
    ("cm centimeters centimetres", 1e-2),
    ("dm", 1e-1),
    ("m meter meters metre metres", 1.0),
    ("km kilometers kilometres", 1e3),
    ("ft feet", 0.3048),
    ("inch inches", 0.0254),
];

fn size_in(units: &[(&str, f64)], unit: &str) -> Option<f64> {
    let unit = unit.to_lowercase();
    units.iter().find(|(names, _)| names.split(' ').any(|name| name == unit)).map(|(_, size)| *size)
}

/// The seconds of a unit of time.
pub(crate) fn seconds_of(unit: &str) -> Option<f64> {
    size_in(&TIMES, unit)
}

/// The meters of a unit of length.
pub(crate) fn meters_of(unit: &str) -> Option<f64> {
    size_in(&LENGTHS, unit)
}

/// The unit in which a recording is shown and measured, and its ratio to that of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthUnit {
    /// What coordinates are multiplied by.
    pub factor: f64,
    /// The name, such as `mm`.
    pub name: String,
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factor != 1.0 {
            write!(out, "{}", self.factor)?;
        }
        out.write_str(&self.name)
    }
}

impl FromStr for LengthUnit {
    /// The problem, and what would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a name such as px, or a length and its unit such as 0.42mm".to_owned();
        let begins = text.starts_with(|character: char| character.is_ascii_digit() || ".-+".contains(character));
        let mut ends = (0..=text.len()).rev().filter(|end| begins && text.is_char_boundary(*end));
        let digits = ends.find(|end| text[..*end].parse::<f64>().is_ok()).unwrap_or(0);
        let (number, name) = text.split_at(digits);
        let factor = if number.is_empty() { 1.0 } else { number.parse().map_err(|_| expected.clone())? };
        let name = name.trim();
        let is_name = !name.is_empty()
            && name.chars().count() <= 12
            && !name.contains(|c: char| is_unprintable(c) || ",/".contains(c));
        if is_name && (1e-9..=1e9).contains(&factor) {
            Ok(Self { factor, name: name.to_owned() })
        } else {
            Err(expected)
        }
    }
}

/// The unit of numbers in a column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantArray)]
pub enum TimeUnit {
    /// `s`
    #[strum(serialize = "s")]
    Seconds,
    /// `ms`
    #[strum(serialize = "ms")]
    Milliseconds,
    /// `us`
    #[strum(serialize = "us")]
    Microseconds,
    /// `min`
    #[strum(serialize = "min")]
    Minutes,
    /// `h`
    #[strum(serialize = "h")]
    Hours,
    /// `d`
    #[strum(serialize = "d")]
    Days,
}

impl TimeUnit {
    /// How many seconds it has.
    pub(crate) fn seconds(self) -> f64 {
        [1.0, 1e-3, 1e-6, 60.0, 3600.0, 86400.0][self as usize]
    }
}

/// Which number of a date such as 3/4/2021 is the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
pub enum DateOrder {
    /// `day-first`
    #[strum(serialize = "day-first")]
    DayFirst,
    /// `month-first`
    #[strum(serialize = "month-first")]
    MonthFirst,
}

/// A time between frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// In frames of the file.
    Frames(f64),
    /// In seconds.
    Seconds(f64),
}

/// Units of intervals, the longest first.
const UNITS: [(&str, f64); 5] = [("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("ms", 1e-3), ("s", 1.0)];

impl fmt::Display for Interval {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frames(frames) => write!(out, "{frames}"),
            Self::Seconds(seconds) => {
                let whole = UNITS.iter().find(|(_, size)| *size >= 60.0 && seconds % size == 0.0);
                let (unit, size) = *whole.unwrap_or(&UNITS[4]);
                write!(out, "{}{unit}", seconds / size)
            }
        }
    }
}

impl Interval {
    /// About so many seconds, in few digits: a whole number of the longest unit within a twentieth.
    pub(crate) fn about(seconds: f64) -> Self {
        let mut whole = UNITS.iter().map(|(_, size)| (seconds / size).round() * size);
        let near = whole.find(|whole| (whole / seconds - 1.0).abs() < 0.05);
        Self::Seconds(near.unwrap_or(seconds))
    }
}

impl FromStr for Interval {
    /// What would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
        let number = |text: &str| text.trim().parse().ok().filter(|number| (1e-6..=1e9).contains(number));
        let interval = match unit {
            Some((text, seconds)) => number(text).map(|number: f64| Self::Seconds(number * seconds)),
            None => number(text).filter(|frames| *frames >= 1.0).map(Self::Frames),
        };
        interval.ok_or_else(|| "expected a time such as 60s, 5min or 1h, or a number of frames".to_owned())
    }
}

/// What a file has in place of a position that is not known.
#[derive(Clone, Debug, PartialEq)]
pub enum Missing {
    /// The text of a cell of a coordinate or an animal.
    Text(String),
    /// Coordinates, as in the file.
    Point(Vec<f64>),
}

impl FromStr for Missing {
    /// What would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split(',').map(|part| part.trim().parse().ok().filter(|number: &f64| number.is_finite()));
        match numbers.collect::<Option<Vec<f64>>>() {
            Some(numbers) if (2..=3).contains(&numbers.len()) => Ok(Self::Point(numbers)),
            _ if text.is_empty() || text.contains(',') => {
                Err("expected the text of a cell, such as -1 or ?, or coordinates such as 0,0".to_owned())
            }
            _ => Ok(Self::Text(text.to_owned())),
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Point(point) => {
                let numbers: Vec<String> = point.iter().map(|at| Shortest(*at).to_string()).collect();
                out.write_str(&numbers.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_a_name_and_perhaps_a_length() {
        let unit = |text: &str| text.parse::<LengthUnit>().ok().map(|unit| (unit.factor, unit.name));
        let expected = |factor, name: &str| Some((factor, name.to_owned()));
        assert_eq!(
            [unit("px"), unit("0.42mm"), unit("1e-3 m")],
            [expected(1.0, "px"), expected(0.42, "mm"), expected(1e-3, "m")]
        );
        assert_eq!([unit("body lengths"), unit("")], [expected(1.0, "body lengths"), None]);
        assert_eq!(
            [unit("2"), unit("0x"), unit("1/3mm"), unit("-1m"), unit("nan")],
            [None, None, None, None, expected(1.0, "nan")]
        );
    }

    #[test]
    fn intervals_are_short() {
        let about = |seconds: f64| Interval::about(seconds).to_string();
        assert_eq!([14_441.0, 61.0, 5.0, 0.04, 90_000.0].map(about), ["4h", "1min", "5s", "0.04s", "1d"]);
        let displayed = [60.0, 90.0, 7200.0, 0.5].map(|seconds| Interval::Seconds(seconds).to_string());
        assert_eq!(displayed, ["1min", "90s", "2h", "0.5s"]);
    }
}
