//! The state of a flock as CSV, and the measures of every tick.

use std::fmt::Display;
use std::io::{self, Write};

use super::Shortest;
use super::columns::{self, WrittenAgent};
use super::metadata::ColumnInfo;
use crate::sim::{Curve, Measure, Snapshot};
use crate::tracks::Recording;
use crate::tracks::states::Column;

/// Writes a row of fields.
pub(crate) fn write_row(fields: impl IntoIterator<Item = impl Display>, out: &mut impl Write) -> io::Result<()> {
    for (number, field) in fields.into_iter().enumerate() {
        write!(out, "{}{field}", if number == 0 { "" } else { "," })?;
    }
    writeln!(out)
}

/// Writes the header.
///
/// # Errors
///
/// I/O errors.
pub fn write_header(columns: &[Column], out: &mut impl Write) -> io::Result<()> {
    write_row(columns.iter().map(|column| column.name()), out)
}

/// Writes the state of every agent of a flock or of a frame of a recording, one row each. `frame` is the number of states written before.
///
/// # Errors
///
/// I/O errors.
pub fn write<'a>(
    flock: impl Into<Snapshot<'a>>,
    recording: Option<&'a Recording>,
    columns: &[Column],
    frame: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    for agent in WrittenAgent::of(flock.into(), recording) {
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                out.write_all(b",")?;
            }
            columns::write(*column, &agent, frame, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The columns of a file of measures. Those of a whole run have none.
pub(crate) fn measures_columns(measures: &[&Measure]) -> Vec<ColumnInfo> {
    let of_tick = measures.iter().filter(|measure| !measure.is_per_run());
    let info = |measure: &&Measure| ColumnInfo::new(measure.name, measure.unit, measure.summary);
    [columns::info(Column::Tick)].into_iter().chain(of_tick.map(info)).collect()
}

/// Writes the measures of a tick as a row.
pub(crate) fn write_measures(tick: u64, values: &[f64], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{tick}")?;
    // A value has the precision of the state, f32.
    values.iter().try_for_each(|value| write!(out, ",{}", Shortest(*value as f32)))?;
    writeln!(out)
}

/// Writes a curve: its header and its rows.
pub(crate) fn write_curve(curve: &Curve, rows: &[Vec<f64>], out: &mut impl Write) -> io::Result<()> {
    write_row(curve.columns.iter().map(|column| column.name), out)?;
    rows.iter().try_for_each(|row| write_row(row.iter().map(|value| Shortest(*value as f32)), out))
}
