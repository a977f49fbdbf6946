//! Times and dates in the fields of a row.

use std::borrow::Cow;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};

use super::fields::{found, number};
use super::text::lossy;
use crate::error::{Fault, ReadOption};
use crate::read::observations::Observations;
use crate::values::{DateOrder, TimeUnit, seconds_of};

/// The forms of a date and a time, as R, ISO 8601, GPS loggers and spreadsheets write them, before a time zone.
const DATES: [&str; 14] = [
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y/%m/%d %H:%M",
    "%Y%m%d_%H%M%S",
    "%Y%m%d%H%M%S",
    "%d.%m.%Y %H:%M:%S%.f",
    "%d.%m.%Y %H:%M",
    "%d-%B-%Y %H:%M:%S%.f",
    "%d-%B-%Y %H:%M",
    "%d %B %Y %H:%M:%S%.f",
    "%d %B %Y %H:%M",
];
/// Those of a date alone: R leaves out the time at midnight.
const DAYS: [&str; 5] = ["%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%d.%m.%Y", "%d-%B-%Y"];
/// Those of a time without a date.
const CLOCK: [&str; 4] = ["%H:%M:%S%.f", "%H:%M", "%I:%M:%S%.f %p", "%I:%M %p"];
/// Seconds long before any recording.
const FAR: f64 = -1e12;
/// Times since 1970 from here on are in milliseconds, and a thousand and a million times later in micro- and nanoseconds. In seconds this is
/// the year 5138, and in milliseconds 1973.
const MILLISECONDS: f64 = 1e11;
const DAY: f64 = 86400.0;

/// Reads times.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// The unit of the option.
    unit: Option<TimeUnit>,
    /// The order of the option.
    order: Option<DateOrder>,
    /// Whether the day, or the month, comes first in a date that has no other reading.
    has_order: [bool; 2],
    /// A date in which either may be first.
    unclear: Option<String>,
    /// Dates count from the first one.
    first: Option<NaiveDateTime>,
    /// The form of the latest date.
    form: usize,
    /// The latest time without a date.
    clock: Option<f64>,
    /// What numbers are multiplied by.
    pub(super) factor: Option<f64>,
}

impl Times {
    pub(super) fn new(unit: Option<TimeUnit>, order: Option<DateOrder>) -> Self {
        Self { unit, order, ..Self::default() }
    }

    /// The first date, if times are dates.
    pub(super) fn start(&self) -> Option<String> {
        self.first.map(|first| first.and_utc().to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))
    }

    /// The first date in seconds since 1970.
    pub(super) fn epoch(&self) -> Option<f64> {
        self.first.map(|first| first.and_utc().timestamp() as f64)
    }

    /// Seconds from a time in a column whose name has a unit.
    pub(super) fn seconds(&mut self, field: &[u8], unit: Option<&str>, decimal_comma: bool) -> Result<f64, String> {
        if let Some(number) = number(field, decimal_comma).filter(|_| !is_digits_of_date(field)) {
            return Ok(self.scaled(number, unit) - self.epoch().unwrap_or(0.0));
        }
        let text = &lossy(field);
        if let Some(time) = time_of_day(text) {
            let time = f64::from(time.num_seconds_from_midnight()) + f64::from(time.nanosecond()) * 1e-9;
            // Half a day at most is between two rows, over midnight or not.
            let days = self.clock.map_or(0.0, |last| ((last - time) / DAY).round());
            return Ok(*self.clock.insert(time + days * DAY));
        }
        // Movebank may write a year before the first one.
        let year = text.strip_prefix('-').and_then(|text| text.split_once('-')?.0.parse::<u32>().ok());
        if year.is_some() {
            return Ok(FAR);
        }
        let date = self.date(text).ok_or_else(|| {
            let found = found("time", field);
            format!("{found}; expected seconds or a date such as 2015-09-10 07:00:00.04")
        })?;
        let since = date - *self.first.get_or_insert(date);
        Ok(since.num_seconds() as f64 + f64::from(since.subsec_nanos()) * 1e-9)
    }

    /// Seconds from a day, and a number in a column of times of the day: 235900 is a minute before midnight if the day is 20210320.
    pub(super) fn seconds_of_day(&mut self, day: &[u8], time: &[u8], unit: Option<&str>) -> Result<f64, String> {
        if is_digits_of_date(day) && unit.is_none() {
            return self.seconds(format!("{}{:0>6}", lossy(day), lossy(time)).as_bytes(), None, false);
        }
        let time = number(time, true).unwrap_or_default();
        Ok(self.seconds(day, None, false)? + self.scaled(time, unit))
    }

    /// Seconds from a number in such a column.
    pub(super) fn scaled(&mut self, number: f64, unit: Option<&str>) -> f64 {
        let option = self.unit.map(TimeUnit::seconds);
        number * *self.factor.get_or_insert_with(|| option.unwrap_or_else(|| factor(number, unit)))
    }

    fn date(&mut self, text: &str) -> Option<NaiveDateTime> {
        let text = text.strip_suffix('Z').or(text.strip_suffix(" UTC")).unwrap_or(text);
        let text = &*self.year_first(text);
        // All dates of a column have one form, so that of the date before is tried first.
        if let Ok(date) = NaiveDateTime::parse_from_str(text, DATES[self.form]) {
            return Some(date);
        }
        let parse = |form: &str| NaiveDateTime::parse_from_str(text, form).ok();
        if let Some((form, date)) = DATES.iter().enumerate().find_map(|(at, form)| Some((at, parse(form)?))) {
            self.form = form;
            return Some(date);
        }
        let date = DAYS.iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok()?.and_hms_opt(0, 0, 0));
        let date = date.or_else(|| DATES.iter().find_map(|form| parse(&format!("{} %p", form.replace("%H", "%I")))));
        date.or_else(|| {
            DATES.iter().find_map(|form| Some(DateTime::parse_from_str(text, &format!("{form}%#z")).ok()?.naive_utc()))
        })
    }

    /// A date such as 20/3/2021 with the year first. The day comes first if the order is not known yet.
    fn year_first<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let (date, time) = text.split_once(' ').unwrap_or((text, ""));
        let separator = if date.contains('/') { '/' } else { '-' };
        let parts: Vec<&str> = date.split(separator).collect();
        let [Ok(one), Ok(two), Ok(year)] = parts.iter().map(|part| part.parse::<u32>()).collect::<Vec<_>>()[..] else {
            return text.into();
        };
        if parts[0].len() > 2 || !(parts[2].len() == 4 || separator == '/' && parts[2].len() == 2) {
            return text.into();
        }
        self.has_order[0] |= one > 12;
        self.has_order[1] |= one <= 12 && two > 12;
        if one <= 12 && two <= 12 && one != two && self.unclear.is_none() {
            self.unclear = Some(date.to_owned());
        }
        let is_day_first = self.order.map_or(two <= 12, |order| order == DateOrder::DayFirst);
        let (day, month) = if is_day_first { (one, two) } else { (two, one) };
        let year = if year < 100 { 2000 + year } else { year };
        format!("{year}/{month}/{day}{}{time}", if time.is_empty() { "" } else { " " }).into()
    }

    /// Exchanges days and months if a date has shown that the month comes first.
    ///
    /// # Errors
    ///
    /// If no date has shown the order.
    pub(super) fn set_order(&mut self, observations: &mut Observations) -> Result<(), Fault> {
        let (Some(first), None) = (self.first, self.order) else { return Ok(()) };
        match (self.has_order, &self.unclear) {
            ([true, true], _) => {
                let message = "the day comes first in some dates, and the month in others; expected the same order";
                return Err(message.into());
            }
            ([false, true], Some(_)) => {}
            ([true, false], _) | (_, None) => return Ok(()),
            ([false, false], Some(unclear)) => {
                let message = format!("in dates such as {unclear}, either the day or the month comes first");
                let option = ReadOption::Dates(DateOrder::DayFirst);
                return Err(Fault::with_help(message, option, "or month-first says which"));
            }
        }
        let exchanged = |date: NaiveDateTime| {
            let other = NaiveDate::from_ymd_opt(date.year(), date.day(), date.month());
            other.map_or(date, |other| other.and_time(date.time()))
        };
        let start = exchanged(first);
        for row in &mut observations.rows {
            let since = TimeDelta::microseconds((row.at * 1e6).round() as i64);
            if let Some(date) = first.checked_add_signed(since) {
                let since = exchanged(date) - start;
                row.at = since.num_seconds() as f64 + f64::from(since.subsec_nanos()) * 1e-9;
            }
        }
        self.first = Some(start);
        Ok(())
    }
}

/// Whether a number is a date such as 20210320, perhaps with a time as in 20210320235900.
pub(super) fn is_digits_of_date(field: &[u8]) -> bool {
    let is_in_century = field.starts_with(b"19") || field.starts_with(b"20");
    is_in_century && matches!(field.len(), 8 | 14) && NaiveDate::parse_from_str(&lossy(&field[..8]), "%Y%m%d").is_ok()
}

/// Whether a field has a time without a date.
pub(super) fn is_time_of_day(field: &[u8]) -> bool {
    time_of_day(&lossy(field)).is_some()
}

fn time_of_day(text: &str) -> Option<NaiveTime> {
    CLOCK.iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

/// What numbers in a column are multiplied by.
fn factor(first: f64, unit: Option<&str>) -> f64 {
    let by_size = [(MILLISECONDS * 1e6, 1e-9), (MILLISECONDS * 1e3, 1e-6), (MILLISECONDS, 1e-3)];
    let of_size = by_size.into_iter().find(|(least, _)| first >= *least).map(|(_, factor)| factor);
    unit.and_then(seconds_of).or(of_size).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_many_forms() {
        for (texts, expected) in [
            (["2015-09-10 07:00:00.04", "2015-09-10 07:00:01"], 0.96),
            (["2015-09-10T07:00:00Z", "2015-09-10 07:00:02 UTC"], 2.0),
            (["2015-09-10 07:00:00+00", "2015-09-10 07:00:00+00:30"], -1800.0),
            (["2015-09-10 07:00", "2015-09-10 07:01"], 60.0),
            (["2015/09/10 7:00:09", "2015/09/10 7:00:10"], 1.0),
            (["2015-09-10", "2015-09-11"], 86400.0),
            (["7:00:09", "7:01:09.5"], 60.5),
            (["23:59:59", "0:00:01"], 2.0),
            (["0:00:01", "23:59:59"], -2.0),
            (["11:59:00 AM", "12:01:00 PM"], 120.0),
            (["20/03/2021 00:20", "20/03/2021 00:21"], 60.0),
            (["3/20/2021 11:59 PM", "3/21/2021 12:01 AM"], 120.0),
            (["20/3/21", "21/3/21"], 86400.0),
            (["20-Mar-2021 00:20:00", "1-Apr-2021 00:20:00"], 12.0 * 86400.0),
            (["20 March 2021 00:20", "20 March 2021 00:21"], 60.0),
            (["20-03-2021 00:20", "21-03-2021 00:20"], 86400.0),
            (["1420182000000", "1420182000500"], 0.5),
        ] {
            let mut times = Times::default();
            let [first, second] = texts.map(|text| times.seconds(text.as_bytes(), None, false).unwrap());
            assert!((second - first - expected).abs() < 1e-6, "{texts:?}: {first} {second}");
        }
        let mut times = Times::default();
        assert_eq!(times.seconds(b"1500", Some("ms"), false), Ok(1.5));
        assert!(Times::default().seconds(b"noon", None, false).is_err());
    }
}
