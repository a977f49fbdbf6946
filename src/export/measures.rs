//! The measures of every tick as CSV.

use std::io::{self, Write};

use super::csv::Shortest;
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

/// Writes the header.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    writeln!(out, "tick,{}", names.join(","))
}

/// Writes the measures of a tick as a row.
pub fn write(flock: &Flock, analyzer: &mut Analyzer, out: &mut impl Write) -> io::Result<()> {
    let (measures, flocks) = (analyzer.measure(flock, usize::MAX), analyzer.flocks(flock));
    let values: Vec<String> = COLUMNS.iter().map(|(_, value)| value(&measures, &flocks)).collect();
    writeln!(out, "{},{}", flock.tick(), values.join(","))
}
