//! Recorded trajectories of animals, from files of other programs or of `run`, as sessions.
//!
//! Every format is read into observations in f64, which become [`Trajectories`](crate::sim::Trajectories).

mod clock;
mod column_names;
mod csv;
mod recording;
mod xyz;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

pub use column_names::ColumnNames;

use super::session::SessionFile;
use super::{OutputFile, npz};
use crate::config::ConfigError;

/// How a file of trajectories is read.
#[derive(Clone, Debug, Default)]
pub struct TrajectoryOptions {
    /// The names of columns or arrays that differ from the known ones.
    pub columns: ColumnNames,
    /// The unit of length.
    pub unit: Option<LengthUnit>,
    /// Frames per second.
    pub frame_rate: Option<f64>,
    /// Whether rows without a position are left out.
    pub skips_missing: bool,
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
        let is_number = |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
        let begins = text.starts_with(|character: char| character.is_ascii_digit() || ".-+".contains(character));
        let digits = if begins { (0..=text.len()).rev().find(is_number).unwrap_or(0) } else { 0 };
        let (number, name) = text.split_at(digits);
        let factor = if number.is_empty() { 1.0 } else { number.parse().map_err(|_| expected.clone())? };
        let name = name.trim();
        let is_name = !name.is_empty()
            && name.chars().count() <= 12
            && !name.contains(|c: char| c.is_control() || ",/".contains(c));
        if is_name && (1e-9..=1e9).contains(&factor) {
            Ok(Self { factor, name: name.to_owned() })
        } else {
            Err(expected)
        }
    }
}

/// A format of trajectories, by the extension of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    Xyz,
    Npz,
}

impl Format {
    fn of(file: &Path) -> Option<Self> {
        match &*OutputFile::extension(file) {
            "csv" | "tsv" | "txt" => Some(Self::Csv),
            "xyz" | "extxyz" => Some(Self::Xyz),
            "npz" => Some(Self::Npz),
            _ => None,
        }
    }
}

/// Whether a file holds recorded trajectories, by its extension.
pub fn is_trajectory(file: &Path) -> bool {
    Format::of(file).is_some()
}

/// Reads a file of trajectories.
///
/// # Errors
///
/// [`ConfigError::File`] or [`ConfigError::Line`].
pub fn read(file: &Path, options: &TrajectoryOptions) -> Result<SessionFile, ConfigError> {
    if file.is_dir() {
        return Err(ConfigError::io(file)(io::ErrorKind::IsADirectory.into()));
    }
    let opened = File::open(file).map_err(ConfigError::io(file))?;
    check(Format::of(file), options)?;
    if Format::of(file) == Some(Format::Npz) {
        let columns = &options.columns;
        let observations = npz::read_trajectories(opened, file, |array| columns.array(array), columns.given())?;
        return recording::session(file, observations, options);
    }
    read_text(opened, file, options)
}

/// Fails if the format has no use for an option.
fn check(format: Option<Format>, options: &TrajectoryOptions) -> Result<(), ConfigError> {
    let columns = format!("--columns-of {}", options.columns);
    if options.skips_missing && format != Some(Format::Csv) {
        return Err(ConfigError::flag("--skip-missing", "only CSV has rows without a position"));
    }
    match format {
        Some(Format::Xyz) if !options.columns.is_empty() => {
            Err(ConfigError::flag(columns, "only CSV and NPZ have columns with other names"))
        }
        Some(Format::Npz) => options.columns.first_column().map_or(Ok(()), |name| {
            let message = format!("NPZ has no column {name}; expected position, velocity, id, tick or kind");
            Err(ConfigError::flag(columns, message))
        }),
        _ => Ok(()),
    }
}

/// Reads extended XYZ or CSV from `input`. The extension of `file`, which is its name for errors, selects the format.
///
/// # Errors
///
/// As [`read`].
pub fn read_text(input: impl Read, file: &Path, options: &TrajectoryOptions) -> Result<SessionFile, ConfigError> {
    let observations = match Format::of(file) {
        Some(Format::Xyz) => xyz::read(input, file)?,
        _ => csv::read(input, file, options)?,
    };
    recording::session(file, observations, options)
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
}
