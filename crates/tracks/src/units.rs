//! Units of times, and the time between frames.

use std::str::FromStr;

use strum::{Display, EnumString, VariantArray};

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
}

impl TimeUnit {
    /// How many seconds it has.
    pub(crate) fn seconds(self) -> f64 {
        [1.0, 1e-3, 1e-6][self as usize]
    }
}

/// A time between frames.
#[derive(Clone, Copy, Debug, PartialEq, Display)]
pub enum Interval {
    /// In frames of the file.
    #[strum(to_string = "{0}")]
    Frames(f64),
    /// In seconds.
    #[strum(to_string = "{0}s")]
    Seconds(f64),
}

impl FromStr for Interval {
    /// What would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, f64); 5] = [("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];
        let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
        let number = |text: &str| text.trim().parse().ok().filter(|number| (1e-6..=1e9).contains(number));
        let interval = match unit {
            Some((text, seconds)) => number(text).map(|number: f64| Self::Seconds(number * seconds)),
            None => number(text).filter(|frames| *frames >= 1.0).map(Self::Frames),
        };
        interval.ok_or_else(|| "expected a time such as 60s, 5min or 1h, or a number of frames".to_owned())
    }
}
