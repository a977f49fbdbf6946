//! The measures of every tick as CSV.

use std::io::{self, Write};

use super::csv::Shortest;
use super::{FlockWriter, OutputFile};
use crate::sim::{Analyzer, Flock, Flocks, Measures};

/// The name and the value of a column.
type Column = (&'static str, fn(&Measures, &Flocks) -> String);

/// The columns after `tick`.
const COLUMNS: &[Column] = &[
    ("polarization", |measures, _| Shortest(measures.polarization).to_string()),
    ("rotation", |measures, _| Shortest(measures.rotation).to_string()),
    ("mean_speed", |measures, _| Shortest(measures.mean_speed).to_string()),
    ("speed_deviation", |measures, _| Shortest(measures.speed_deviation).to_string()),
    ("nearest_neighbor", |measures, _| Shortest(measures.nearest_neighbor).to_string()),
    ("neighbors", |measures, _| Shortest(measures.neighbors).to_string()),
    ("flocks", |_, flocks| flocks.count.to_string()),
    ("largest_flock", |_, flocks| flocks.largest.to_string()),
    ("predators", |measures, _| measures.predators.to_string()),
    ("hunting", |measures, _| measures.hunting.to_string()),
    ("prey_in_sight", |measures, _| measures.prey_in_sight.to_string()),
    ("resting", |measures, _| measures.resting.to_string()),
    ("caught", |measures, _| measures.caught.to_string()),
];

/// Writes the measures of a flock, one row per tick.
pub struct MeasuresCsv {
    out: OutputFile,
    analyzer: Analyzer,
}

impl MeasuresCsv {
    /// Starts a file with its header.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn new(mut out: OutputFile) -> io::Result<Self> {
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        writeln!(out, "tick,{}", names.join(","))?;
        Ok(Self { out, analyzer: Analyzer::new() })
    }
}

impl FlockWriter for MeasuresCsv {
    fn write(&mut self, flock: &Flock) -> io::Result<()> {
        let (measures, flocks) = (self.analyzer.measure(flock, usize::MAX), self.analyzer.flocks(flock));
        let values: Vec<String> = COLUMNS.iter().map(|(_, value)| value(&measures, &flocks)).collect();
        writeln!(self.out, "{},{}", flock.tick(), values.join(","))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.finish()
    }
}
