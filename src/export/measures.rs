//! The measures of every tick as CSV.

use std::io::{self, Write};

use super::Shortest;
use crate::sim::Measure;

/// Writes the header. Measures of a whole run have no column.
pub fn write_header(measures: &[&Measure], out: &mut impl Write) -> io::Result<()> {
    let of_tick = measures.iter().filter(|measure| !measure.is_per_run());
    let names: Vec<&str> = ["tick"].into_iter().chain(of_tick.map(|measure| measure.name)).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes the values of a tick as a row.
pub fn write(tick: u64, values: &[f64], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{tick}")?;
    // A value has the precision of the state, f32.
    values.iter().try_for_each(|value| write!(out, ",{}", Shortest(*value as f32)))?;
    writeln!(out)
}
