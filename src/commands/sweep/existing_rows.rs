//! The rows of a file that a sweep continues.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::grid::SweepGrid;
use crate::config::ConfigError;

/// Maximum length of a line, so that a file without line breaks cannot exhaust the memory.
const MAX_LINE: u64 = 1 << 16;

/// The advice if a file belongs to another sweep.
pub(super) const USE_OTHERS: &str = "use the options that wrote it, or another file";

/// The complete rows of a file.
#[derive(Debug)]
pub(super) struct ExistingRows {
    /// Rows by their place in the order of the grid.
    pub rows: BTreeMap<usize, ExistingRow>,
    /// Bytes up to the end of the last complete line.
    pub length: u64,
    /// Whether the header is the only line that is no row, and the rows are in order.
    pub is_sorted: bool,
}

/// A row of a file.
#[derive(Debug)]
pub(super) struct ExistingRow {
    /// Counted from 1.
    pub line: u64,
    pub text: String,
}

impl Default for ExistingRows {
    /// Those of a file that does not exist.
    fn default() -> Self {
        Self { rows: BTreeMap::new(), length: 0, is_sorted: true }
    }
}

impl ExistingRows {
    /// Reads a file. A last line without line break is ignored: the process ended while it wrote it.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Line`] if the file is not one of this sweep and shard, or [`ConfigError::File`].
    pub(super) fn read(path: &Path, grid: &SweepGrid<'_>) -> Result<Self, ConfigError> {
        let mut input = BufReader::new(File::open(path).map_err(ConfigError::io(path))?);
        let mut existing = Self::default();
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).map_err(ConfigError::io(path))?;
            let Some(complete) = bytes.strip_suffix(b"\n") else {
                let is_cut_header = line == 1 && grid.header().as_bytes().starts_with(&bytes);
                if (line == 1 && !is_cut_header) || bytes.len() as u64 == MAX_LINE {
                    let columns = grid.header();
                    let message = format!("the file is not a sweep with the columns `{columns}`; {USE_OTHERS}");
                    return Err(line_error(path, line, &message));
                }
                break;
            };
            let text = std::str::from_utf8(complete)
                .map_err(|_| line_error(path, line, "not valid UTF-8; expected the CSV file of a sweep"))?;
            existing.add(line, text, grid).map_err(|message| line_error(path, line, &message))?;
            existing.length += bytes.len() as u64;
        }
        Ok(existing)
    }

    fn add(&mut self, line: u64, text: &str, grid: &SweepGrid<'_>) -> Result<(), String> {
        if line == 1 && text != grid.header() {
            let columns = grid.header();
            return Err(format!(
                "the file belongs to another sweep: its columns are `{text}`, not `{columns}`; {USE_OTHERS}"
            ));
        }
        // Shards that were concatenated as they are have several headers.
        if text == grid.header() {
            self.is_sorted &= line == 1;
            return Ok(());
        }
        let row = grid.find_row(text);
        let row = row
            .ok_or_else(|| format!("the file belongs to another sweep: this one has no run `{text}`; {USE_OTHERS}"))?;
        self.is_sorted &= self.rows.last_key_value().is_none_or(|(last, _)| *last < row);
        match self.rows.insert(row, ExistingRow { line, text: text.to_owned() }) {
            Some(twice) => {
                Err(format!("the run of line {} again: expected each run once; delete one of the lines", twice.line))
            }
            None => Ok(()),
        }
    }
}

pub(super) fn line_error(path: &Path, line: u64, message: &str) -> ConfigError {
    ConfigError::Line { file: path.display().to_string(), line, message: message.to_owned() }
}
