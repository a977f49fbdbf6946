//! The first rows of a table, on which plans are tried.

use std::path::Path;

use super::ReadOptions;
use super::plan::Plan;
use super::rows::TableReader;
use super::table::{Candidate, Table, split};
use super::text::Lines;
use crate::read::observations::Observations;
use crate::recording::quantile;

/// The most rows that a plan with a header is tried on.
pub(super) const TRIED: usize = 1000;
/// The fewest rows from which a constant position is no coordinate.
pub(super) const FILLERS: usize = 3;

/// The first rows after what may be a header.
pub(super) struct Sample<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) lines: &'a [(u64, Vec<u8>)],
    pub(super) file: &'a Path,
    pub(super) options: &'a ReadOptions,
}

/// What the first rows are with a plan.
pub(super) struct Trial {
    /// The number of positions.
    pub(super) positions: usize,
    /// The median step of the animals; `None` if none moves.
    pub(super) step: Option<f64>,
    /// Whether an animal does not move.
    pub(super) has_resting: bool,
    /// Whether all positions are the same.
    pub(super) is_filler: bool,
}

impl Sample<'_> {
    /// The different values of a column.
    pub(super) fn values(&self, column: usize) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for (_, line) in self.lines.iter().take(TRIED) {
            let value = split(self.candidate.separator, line).into_iter().nth(column).unwrap_or_default();
            if !value.is_empty() && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Tries a plan on the first rows; `None` if they cannot be read with it.
    pub(super) fn trial(&self, plan: &Plan, rows: usize) -> Option<Trial> {
        let lines = &self.lines[..self.lines.len().min(rows)];
        let text: Vec<u8> = lines.iter().flat_map(|(_, line)| line).copied().collect();
        let table = Table::new(self.candidate, plan.clone(), lines, self.options.skips_missing);
        let mut observations = Observations::default();
        let mut lines = Lines::new(&text[..], self.file).ok()?;
        TableReader::new(self.options).read(&mut lines, table, "", &mut observations).ok()?;
        observations.sort().ok()?;
        let rows = &observations.rows;
        let steps: Vec<f64> = observations.steps().map(|[from, to]| rows[from].distance(&rows[to])).collect();
        let moves = steps.iter().any(|step| *step > 0.0);
        let mut rest = vec![true; observations.animals.count()];
        for (step, [_, to]) in steps.iter().zip(observations.steps()) {
            rest[rows[to].animal as usize] &= *step == 0.0;
        }
        let is_filler = rows.len() >= FILLERS && rows.iter().all(|row| row.position[..2] == rows[0].position[..2]);
        let (positions, has_resting) = (rows.len(), rest.contains(&true));
        Some(Trial { positions, step: quantile(steps, 0.5).filter(|_| moves), has_resting, is_filler })
    }
}
