//! Measures of every tick as CSV.

use std::io;

use csv::Writer;

use super::csv::{finish, io_error, shortest};
use super::{FlockWriter, OutputFile};
use crate::sim::{Analyzer, Flock, Flocks, Measures};

/// One column: its name, and its value.
type Column = (&'static str, fn(&Measures, &Flocks) -> String);

/// The columns after `tick`.
const COLUMNS: &[Column] = &[
    ("polarization", |measures, _| shortest(measures.polarization)),
    ("rotation", |measures, _| shortest(measures.rotation)),
    ("mean_speed", |measures, _| shortest(measures.mean_speed)),
    ("speed_deviation", |measures, _| shortest(measures.speed_deviation)),
    ("nearest_neighbor", |measures, _| shortest(measures.nearest_neighbor)),
    ("neighbors", |measures, _| shortest(measures.neighbors)),
    ("flocks", |_, flocks| flocks.count.to_string()),
    ("largest_flock", |_, flocks| flocks.largest.to_string()),
    ("predators", |measures, _| measures.predators.to_string()),
    ("hunting", |measures, _| measures.hunting.to_string()),
    ("prey_in_sight", |measures, _| measures.prey_in_sight.to_string()),
    ("resting", |measures, _| measures.resting.to_string()),
    ("caught", |measures, _| measures.caught.to_string()),
];

/// Writes measures, one row a tick.
#[derive(Debug)]
pub struct MeasuresCsv {
    out: Writer<OutputFile>,
    analyzer: Analyzer,
}

impl MeasuresCsv {
    /// Begins a file with its header.
    ///
    /// # Errors
    ///
    /// What the file answers.
    pub fn new(target: OutputFile) -> io::Result<Self> {
        let mut out = Writer::from_writer(target);
        let names = COLUMNS.iter().map(|(name, _)| *name);
        out.write_record(std::iter::once("tick").chain(names)).map_err(io_error)?;
        Ok(Self { out, analyzer: Analyzer::new() })
    }
}

impl FlockWriter for MeasuresCsv {
    fn write(&mut self, flock: &Flock) -> io::Result<()> {
        let measures = self.analyzer.measure(flock, usize::MAX);
        let flocks = self.analyzer.flocks(flock);
        let values = COLUMNS.iter().map(|(_, value)| value(&measures, &flocks));
        self.out.write_record(std::iter::once(flock.tick().to_string()).chain(values)).map_err(io_error)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        finish(self.out)
    }
}
