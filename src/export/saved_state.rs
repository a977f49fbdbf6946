//! The last tick of a file of states, from which a run continues.

use std::path::{Path, PathBuf};

use crate::config::ConfigError;
use crate::sim::{Flock, Kind, Row, Setup};

/// The last tick of a file of states.
#[derive(Clone, Debug)]
pub struct SavedState {
    file: PathBuf,
    /// The tick.
    pub tick: u64,
    /// Each agent, with the number of its line if the file has lines.
    pub rows: Vec<(Option<u64>, Row)>,
}

impl SavedState {
    /// # Errors
    ///
    /// [`ConfigError`] if there are no boids.
    pub(super) fn new(file: &Path, tick: u64, rows: Vec<(Option<u64>, Row)>) -> Result<Self, ConfigError> {
        let state = Self { file: file.to_owned(), tick, rows };
        if state.counts().0 == 0 {
            let line = state.rows.first().and_then(|(line, _)| *line);
            return Err(state.error(line, format!("no boids at tick {tick}")));
        }
        Ok(state)
    }

    /// The numbers of boids, including caught ones, and of predators.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let predators = self.rows.iter().filter(|(_, row)| row.kind == Kind::Predator).count();
        (self.rows.len() - predators, predators)
    }

    /// The flock that continues from this state.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Line`] or [`ConfigError::File`] if a row does not fit the setup, or [`ConfigError::Sim`] if the setup itself
    /// is invalid.
    pub fn into_flock(mut self, setup: &Setup) -> Result<Flock, ConfigError> {
        self.rows.sort_unstable_by_key(|(line, row)| (row.id, *line));
        let rows: Vec<Row> = self.rows.iter().map(|(_, row)| *row).collect();
        Flock::from_rows(setup, self.tick, &rows).map_err(|error| self.invalid_row(setup).unwrap_or(error.into()))
    }

    /// The first duplicate id or row that does not fit the setup.
    fn invalid_row(&self, setup: &Setup) -> Option<ConfigError> {
        let duplicate = self.rows.windows(2).find(|pair| pair[0].1.id == pair[1].1.id).map(|pair| &pair[1]);
        if let Some((line, row)) = duplicate {
            return Some(self.error(*line, format!("duplicate id {}", row.id)));
        }
        let invalid = self.rows.iter().filter_map(|(line, row)| Some((*line, row.id, setup.check_row(row).err()?)));
        let (line, id, why) = invalid.min_by_key(|(line, ..)| *line)?;
        let agent = if line.is_some() { String::new() } else { format!("id {id}: ") };
        let message = format!("{agent}{why}; use the preset and the world that the file was written with");
        Some(self.error(line, message))
    }

    fn error(&self, line: Option<u64>, message: String) -> ConfigError {
        match line {
            Some(line) => ConfigError::line(&self.file, line, message),
            None => ConfigError::file(&self.file, message),
        }
    }
}
