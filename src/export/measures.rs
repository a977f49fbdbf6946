//! Measures of every tick as CSV.

use std::io;

use csv::Writer;

use super::csv::shortest;
use super::{Export, Target};
use crate::sim::{Flock, Flocks, Measures, Observer};

/// One column: its name, and its value.
type Column = (&'static str, fn(&Measures, &Flocks) -> String);

/// The columns after `tick`.
const COLUMNS: &[Column] = &[
    ("polarisation", |measures, _| shortest(measures.polarisation)),
    ("rotation", |measures, _| shortest(measures.rotation)),
    ("mean_speed", |measures, _| shortest(measures.mean_speed)),
    ("speed_spread", |measures, _| shortest(measures.speed_spread)),
    ("nearest_neighbor", |measures, _| shortest(measures.nearest_neighbor)),
    ("neighbors", |measures, _| shortest(measures.neighbors)),
    ("flocks", |_, flocks| flocks.count.to_string()),
    ("largest_flock", |_, flocks| flocks.largest.to_string()),
    ("predators", |measures, _| measures.predators.to_string()),
    ("hunting", |measures, _| measures.hunting.to_string()),
    ("prey_in_sight", |measures, _| measures.prey_in_sight.to_string()),
];

/// Writes measures, one row a tick.
#[derive(Debug)]
pub struct MeasuresCsv {
    out: Writer<Target>,
    observer: Observer,
}

impl MeasuresCsv {
    /// Begins a file with its header.
    ///
    /// # Errors
    ///
    /// What the file answers.
    pub fn new(target: Target) -> io::Result<Self> {
        let mut out = Writer::from_writer(target);
        out.write_field("tick")?;
        out.write_record(COLUMNS.iter().map(|(name, _)| name))?;
        Ok(Self { out, observer: Observer::new() })
    }
}

impl Export for MeasuresCsv {
    fn write(&mut self, flock: &Flock) -> io::Result<()> {
        let measures = self.observer.measure(flock, usize::MAX);
        let flocks = self.observer.flocks(flock);
        self.out.write_field(flock.tick().to_string())?;
        self.out.write_record(COLUMNS.iter().map(|(_, value)| value(&measures, &flocks)))?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.into_inner().map_err(|error| io::Error::new(error.error().kind(), error.to_string()))?.finish()
    }
}
