//! Numbers, times and missing values in the fields of a row.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use super::text::lossy;
use crate::units::TimeUnit;
use flockscope_sim::MAX_TICK;

/// Fields for a value that is not known, in lower case.
const MISSING: &str = "na nan null none nil inf +inf -inf infinity -infinity n/a #n/a <na> -";
/// Extensions of images.
const IMAGES: &str = "png jpg jpeg tif tiff bmp";
/// The forms of a date and a time, as R, ISO 8601 and GPS loggers write them, before a time zone.
const DATES: [&str; 9] = [
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y/%m/%d %H:%M",
    "%Y%m%d_%H%M%S",
    "%d.%m.%Y %H:%M:%S%.f",
    "%d.%m.%Y %H:%M",
];
/// Seconds long before any recording.
const FAR: f64 = -1e12;
/// Times since 1970 from here on are in milliseconds, and a thousand and a million times later in micro- and nanoseconds.
const MILLISECONDS: f64 = 1e11;

/// Whether a field says that its value is not known.
pub(super) fn is_missing(field: &[u8]) -> bool {
    let is_known = |missing: &str| field.eq_ignore_ascii_case(missing.as_bytes());
    // Most fields are numbers, which need no comparison.
    field.is_empty() || !field[field.len() - 1].is_ascii_digit() && MISSING.split(' ').any(is_known)
}

/// A finite number, whose decimals a comma may separate.
pub(super) fn number(field: &[u8], decimal_comma: bool) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?;
    let number = match text.parse() {
        Err(_) if decimal_comma && text.contains(',') => text.replacen(',', ".", 1).parse().ok()?,
        number => number.ok()?,
    };
    Some(number).filter(|number: &f64| number.is_finite())
}

/// The numbers in a field such as `(1.5, 2)` or `[1.5 2.]`; none if it has no brackets.
pub(super) fn numbers_of(field: &[u8]) -> impl Iterator<Item = f64> {
    let inner = match field {
        [b'(' | b'[', inner @ .., b')' | b']'] => inner,
        _ => &[],
    };
    let parts = inner.split(|byte| b", ;".contains(byte)).filter(|part| !part.is_empty());
    parts.filter_map(|part| number(part, false))
}

/// The value of a key of a JSON object without nested ones; empty without the key.
pub(super) fn value_of<'a>(field: &'a [u8], key: &str) -> &'a [u8] {
    let text = std::str::from_utf8(field).unwrap_or_default();
    let after = text.split_once(&format!("\"{key}\"")).and_then(|(_, after)| after.trim_start().strip_prefix(':'));
    let value = after.and_then(|after| after.split([',', '}']).next()).unwrap_or_default();
    value.trim().trim_matches('"').as_bytes()
}

/// A field and its name, for an error.
pub(super) fn found(name: &str, field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field);
    if text.is_empty() { format!("{name} is empty") } else { format!("{name} = {}", text.escape_debug()) }
}

/// A frame number. Programs that allow missing values write 12.0, and labels have the name of an image.
pub(super) fn frame(field: &[u8]) -> Result<f64, String> {
    let image = || {
        let (name, extension) = std::str::from_utf8(field).ok()?.rsplit_once('.')?;
        let digits = name.len() - name.trim_end_matches(|character: char| character.is_ascii_digit()).len();
        let is_image = IMAGES.split(' ').any(|known| extension.eq_ignore_ascii_case(known));
        is_image.then(|| name[name.len() - digits..].parse().ok())?
    };
    let frame = number(field, false).or_else(image);
    let frame = frame.filter(|frame| frame.fract() == 0.0 && (0.0..=MAX_TICK as f64).contains(frame));
    frame.ok_or_else(|| {
        let found = found("frame", field);
        format!("{found}; expected a whole number from 0 to {MAX_TICK}; a column of times is named by time=NAME")
    })
}

/// Reads times.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// The unit of the option.
    unit: Option<TimeUnit>,
    /// Dates count from the first one.
    first: Option<NaiveDateTime>,
    /// The form of the latest date.
    form: usize,
    /// What numbers are multiplied by.
    pub(super) factor: Option<f64>,
}

impl Times {
    pub(super) fn new(unit: Option<TimeUnit>) -> Self {
        Self { unit, ..Self::default() }
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
        if let Some(number) = number(field, decimal_comma) {
            return Ok(self.scaled(number, unit) - self.epoch().unwrap_or(0.0));
        }
        let text = &lossy(field);
        if let Some(time) = time_of_day(text) {
            return Ok(f64::from(time.num_seconds_from_midnight()) + f64::from(time.nanosecond()) * 1e-9);
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

    /// Seconds from a number in such a column.
    pub(super) fn scaled(&mut self, number: f64, unit: Option<&str>) -> f64 {
        let option = self.unit.map(TimeUnit::seconds);
        number * *self.factor.get_or_insert_with(|| option.unwrap_or_else(|| factor(number, unit)))
    }

    fn date(&mut self, text: &str) -> Option<NaiveDateTime> {
        let text = text.strip_suffix('Z').or(text.strip_suffix(" UTC")).unwrap_or(text);
        if let Ok(date) = NaiveDateTime::parse_from_str(text, DATES[self.form]) {
            return Some(date);
        }
        let parse = |form: &str| NaiveDateTime::parse_from_str(text, form).ok();
        if let Some((form, date)) = DATES.iter().enumerate().find_map(|(at, form)| Some((at, parse(form)?))) {
            self.form = form;
            return Some(date);
        }
        // R leaves out the time at midnight.
        let midnight = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
        let with_zone = |form: &str| Some(DateTime::parse_from_str(text, &format!("{form}%#z")).ok()?.naive_utc());
        midnight().or_else(|| DATES.iter().find_map(|form| with_zone(form)))
    }
}

/// Whether a field has a time without a date.
pub(super) fn is_time_of_day(field: &[u8]) -> bool {
    time_of_day(&lossy(field)).is_some()
}

fn time_of_day(text: &str) -> Option<NaiveTime> {
    ["%H:%M:%S%.f", "%H:%M"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

/// What numbers in a column are multiplied by.
fn factor(first: f64, unit: Option<&str>) -> f64 {
    match unit.map(str::to_lowercase).as_deref() {
        Some("ms" | "msec" | "millisec" | "milliseconds") => 1e-3,
        Some("us" | "µs" | "microseconds") => 1e-6,
        Some("ns" | "nanoseconds") => 1e-9,
        Some("min" | "minutes") => 60.0,
        Some("h" | "hours") => 3600.0,
        None if first >= MILLISECONDS * 1e6 => 1e-9,
        None if first >= MILLISECONDS * 1e3 => 1e-6,
        None if first >= MILLISECONDS => 1e-3,
        _ => 1.0,
    }
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

    #[test]
    fn missing_values_have_many_forms() {
        for text in ["", "NA", "NaN", "inf", "#N/A", "None", "<NA>", "-", "NULL"] {
            assert!(is_missing(text.as_bytes()), "{text}");
            assert_eq!(number(text.as_bytes(), true), None, "{text}");
        }
        assert_eq!((is_missing(b"0"), number(b"1,5", true), number(b"1,5", false)), (false, Some(1.5), None));
    }
}
