//! The formats of states, by file extension.

use std::io::{self, Write};
use std::path::Path;

use super::columns::{Column, Columns};
use super::metadata::ColumnInfo;
use super::{OutputFile, csv, xyz};
use crate::config::ConfigError;
use crate::sim::Flock;

/// The format of the states of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormat {
    /// CSV with these columns.
    Csv(Columns),
    /// Extended XYZ.
    Xyz,
}

impl StateFormat {
    /// Whether a file name selects extended XYZ.
    pub(crate) fn is_xyz(path: &Path) -> bool {
        matches!(&*OutputFile::extension(path), "xyz" | "extxyz")
    }

    /// The format for a file extension: extended XYZ for `.xyz` and `.extxyz`, otherwise CSV.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Flag`] if `columns` are given for extended XYZ.
    pub fn of(path: &Path, columns: Option<&Columns>) -> Result<Self, ConfigError> {
        if !Self::is_xyz(path) {
            return Ok(Self::Csv(columns.cloned().unwrap_or_default()));
        }
        if columns.is_some() {
            let csv = path.with_extension("csv");
            let message = format!("--columns is for CSV; use a name such as {}, or no --columns", csv.display());
            return Err(ConfigError::flag(format!("--output {}", path.display()), message));
        }
        Ok(Self::Xyz)
    }
}

/// Writes the states of a run, one after the other, to one file.
#[derive(Debug)]
pub struct StateWriter {
    /// The columns of CSV, or extended XYZ.
    columns: Option<Vec<Column>>,
    /// The name of the preset.
    preset: String,
    /// The number of states written so far.
    frame: u64,
}

impl StateWriter {
    /// A writer for the states of this flock, which was made from a preset with this name.
    #[must_use]
    pub fn new(format: &StateFormat, flock: &Flock, preset: &str) -> Self {
        let columns = match format {
            StateFormat::Csv(columns) => Some(columns.of(flock)),
            StateFormat::Xyz => None,
        };
        Self { columns, preset: preset.to_owned(), frame: 0 }
    }

    /// The columns, for metadata.
    pub(crate) fn columns(&self, flock: &Flock) -> Vec<ColumnInfo> {
        match &self.columns {
            Some(columns) => columns.iter().map(|column| column.info()).collect(),
            None => xyz::columns(flock),
        }
    }

    /// Writes what precedes the first state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        self.columns.as_ref().map_or(Ok(()), |columns| csv::write_header(columns, out))
    }

    /// Writes a state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write(&mut self, flock: &Flock, out: &mut impl Write) -> io::Result<()> {
        match &self.columns {
            Some(columns) => csv::write(flock, columns, self.frame, out)?,
            None => xyz::write(flock, &self.preset, out)?,
        }
        self.frame += 1;
        Ok(())
    }
}
