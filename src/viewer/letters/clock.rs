//! The time of day as text.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Local, Timelike};

/// How a clock counts hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockFormat {
    /// From 1 to 12.
    Hours12,
    /// From 00 to 23.
    #[default]
    Hours24,
}

/// Hours and minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay {
    hour: u32,
    minute: u32,
}

impl ClockFormat {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::Hours12, Self::Hours24];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hours12 => "12",
            Self::Hours24 => "24",
        }
    }

    /// The time in digits.
    #[must_use]
    pub fn text(self, TimeOfDay { hour, minute }: TimeOfDay) -> String {
        match self {
            Self::Hours12 => format!("{}:{minute:02}", (hour + 11) % 12 + 1),
            Self::Hours24 => format!("{hour:02}:{minute:02}"),
        }
    }
}

impl TimeOfDay {
    /// The local time at a moment.
    #[must_use]
    pub fn local(now: SystemTime) -> Self {
        let now = DateTime::<Local>::from(now);
        Self { hour: now.hour(), minute: now.minute() }
    }
}

impl FromStr for TimeOfDay {
    type Err = &'static str;

    /// Parses `HH:MM`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str, end: u32| {
            let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| is_number && *number < end)
        };
        let time = text.split_once(':').filter(|(_, minute)| minute.len() == 2);
        let time = time.and_then(|(hour, minute)| Some((number(hour, 24)?, number(minute, 60)?)));
        let (hour, minute) = time.ok_or("expected a time from 00:00 to 23:59, e.g. 12:34")?;
        Ok(Self { hour, minute })
    }
}

/// As on a 24-hour clock.
impl fmt::Display for TimeOfDay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&ClockFormat::Hours24.text(*self))
    }
}

/// How long the minute of a moment still lasts. Time zones differ by whole minutes.
pub(super) fn to_next_minute(now: SystemTime) -> Duration {
    const MINUTE: u128 = 60_000;
    let millis = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis() % MINUTE;
    Duration::from_millis((MINUTE - millis) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_count_to_12_or_24() {
        for (time, short, long) in [
            ("00:05", "12:05", "00:05"),
            ("9:07", "9:07", "09:07"),
            ("12:00", "12:00", "12:00"),
            ("13:59", "1:59", "13:59"),
            ("23:30", "11:30", "23:30"),
        ] {
            let time: TimeOfDay = time.parse().unwrap();
            assert_eq!((ClockFormat::Hours12.text(time), ClockFormat::Hours24.text(time)), (short.into(), long.into()));
        }
        for text in ["", "12", "24:00", "12:60", "12:5", "+1:00", "1:+0", "12:34:56", "a:00"] {
            assert!(text.parse::<TimeOfDay>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_minute_ends_within_a_minute() {
        let at = |seconds: u64| to_next_minute(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!((at(0), at(59), at(61)), (Duration::from_secs(60), Duration::from_secs(1), Duration::from_secs(59)));
    }
}
