//! Recorded trajectories of animals, from files of other programs or of `run`, as sessions.
//!
//! Every format is read into [`Observations`](super::observations::Observations), which become [`Trajectories`](crate::sim::Trajectories).

mod clock;
mod columns;
mod csv;
mod setup;
mod sidecar;
mod unit;
mod xyz;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use columns::ColumnNames;
pub use unit::LengthUnit;

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
#[must_use]
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
    if Format::of(file) == Some(Format::Npz) {
        let observations = npz::read_trajectories(opened, file, |array| options.columns.array(array))?;
        return setup::session(file, observations, options);
    }
    read_text(opened, file, options)
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
    setup::session(file, observations, options)
}
