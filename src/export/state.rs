//! The formats of states, by file extension.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::columns::{self, Columns};
use super::metadata::ColumnInfo;
use super::npz::NpzWriter;
use super::{OutputFile, csv, xyz};
use crate::error::InputError;
use crate::sim::Snapshot;
use crate::tracks::Recording;
use crate::tracks::states::Column;

/// The format of the states of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormat {
    /// CSV with these columns.
    Csv(Columns),
    /// Extended XYZ.
    Xyz,
    /// NPZ with this path, beside which temporary files are made.
    Npz(PathBuf),
}

impl StateFormat {
    /// The format for a file extension: extended XYZ for `.xyz` and `.extxyz`, NPZ for `.npz`, otherwise CSV.
    ///
    /// # Errors
    ///
    /// [`InputError::Flag`] if `columns` are given for another format than CSV.
    pub fn of(path: &Path, columns: Option<&Columns>) -> Result<Self, InputError> {
        let format = match &*OutputFile::extension(path) {
            "xyz" | "extxyz" => Self::Xyz,
            "npz" => Self::Npz(path.to_owned()),
            _ => return Ok(Self::Csv(columns.cloned().unwrap_or_default())),
        };
        if columns.is_some() {
            let csv = path.with_extension("csv");
            let message = format!("--columns is for CSV; use a name such as {}, or no --columns", csv.display());
            return Err(InputError::flag(format!("--output {}", path.display()), message));
        }
        Ok(format)
    }
}

/// Writes the states of a run, one after the other, to one file.
#[derive(Debug)]
pub struct StateWriter {
    format: Writer,
    recording: Option<Arc<Recording>>,
    /// The number of states written so far.
    frame: u64,
}

#[derive(Debug)]
enum Writer {
    Csv(Vec<Column>),
    Xyz {
        /// The name of the preset.
        preset: String,
    },
    Npz(NpzWriter),
}

impl StateWriter {
    /// A writer for the states of this flock, which was made from a preset with this name, or for frames of a recording.
    ///
    /// # Errors
    ///
    /// [`InputError::File`] if the format needs temporary files that cannot be made.
    pub fn new<'a>(
        format: &StateFormat,
        flock: impl Into<Snapshot<'a>>,
        recording: Option<&Arc<Recording>>,
        preset: &str,
    ) -> Result<Self, InputError> {
        let flock = flock.into();
        let format = match format {
            StateFormat::Csv(columns) => Writer::Csv(columns.of(flock)),
            StateFormat::Xyz => Writer::Xyz { preset: preset.to_owned() },
            StateFormat::Npz(path) => Writer::Npz(NpzWriter::new(path, flock).map_err(InputError::io(path))?),
        };
        Ok(Self { format, recording: recording.cloned(), frame: 0 })
    }

    /// The columns, for metadata.
    pub(crate) fn columns(&self, flock: Snapshot<'_>) -> Vec<ColumnInfo> {
        match &self.format {
            Writer::Csv(columns) => columns.iter().copied().map(columns::info).collect(),
            Writer::Xyz { .. } => xyz::columns(flock),
            Writer::Npz(npz) => npz.columns(),
        }
    }

    /// Writes what precedes the first state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write_header(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.format {
            Writer::Csv(columns) => csv::write_header(columns, out),
            Writer::Xyz { .. } | Writer::Npz(_) => Ok(()),
        }
    }

    /// Writes a state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write<'a>(&mut self, flock: impl Into<Snapshot<'a>>, out: &mut impl Write) -> io::Result<()> {
        let (flock, recording) = (flock.into(), self.recording.as_deref());
        match &mut self.format {
            Writer::Csv(columns) => csv::write(flock, recording, columns, self.frame, out)?,
            Writer::Xyz { preset } => xyz::write(flock, recording, preset, out)?,
            Writer::Npz(npz) => npz.write(flock)?,
        }
        self.frame += 1;
        Ok(())
    }

    /// Writes what follows the last state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn finish(self, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Writer::Csv(_) | Writer::Xyz { .. } => Ok(()),
            Writer::Npz(npz) => npz.finish(out),
        }
    }
}
