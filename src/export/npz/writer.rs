//! Writes states to temporary files, one for each array, and in the end the archive.
//!
//! The archive has one array after the other, and the shape before its numbers, so nothing can be written to it before
//! the last state. Memory holds one state, and the ids each time they change.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use rawzip::ZipArchiveWriter;

use super::header::{ArrayHeader, Type};
use super::{Array, ColumnInfo, NO_AGENT};
use crate::export::OutputFile;
use crate::sim::Snapshot;

/// The states that were written so far.
#[derive(Debug)]
pub(in crate::export) struct NpzWriter {
    dim: usize,
    ticks: Vec<u64>,
    periods: Vec<Period>,
    arrays: Vec<Spool>,
}

/// Successive states that have the same agents.
#[derive(Debug)]
struct Period {
    states: usize,
    /// In increasing order.
    ids: Vec<u32>,
}

/// The numbers of an array, state after state, without rows for missing agents.
#[derive(Debug)]
struct Spool {
    array: Array,
    element: Type,
    /// The number of elements per agent.
    length: usize,
    file: BufWriter<File>,
}

impl NpzWriter {
    /// A writer for the states of this flock. The temporary files have the size of the output.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(in crate::export) fn new(output: &Path, flock: Snapshot<'_>) -> io::Result<Self> {
        let (dim, is_recorded) = (flock.world().dim(), flock.recorded().is_some());
        let spool = |array: Array| {
            let length = if matches!(array, Array::Position | Array::Velocity) { dim } else { 1 };
            let file = BufWriter::new(OutputFile::temporary(output)?);
            Ok(Spool { array, element: array.element(is_recorded), length, file })
        };
        Ok(Self {
            dim,
            ticks: Vec::new(),
            periods: Vec::new(),
            arrays: per_agent(flock).map(spool).collect::<io::Result<_>>()?,
        })
    }

    /// The arrays, for metadata.
    pub(in crate::export) fn columns(&self) -> Vec<ColumnInfo> {
        let arrays = self.arrays.iter().map(|spool| spool.array);
        [Array::Tick, Array::Id].into_iter().chain(arrays).map(Array::info).collect()
    }

    /// Adds a state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(in crate::export) fn write(&mut self, flock: Snapshot<'_>) -> io::Result<()> {
        let (rows, recorded) = (flock.rows(), flock.recorded());
        self.ticks.push(flock.tick());
        match self.periods.last_mut() {
            Some(period) if period.ids.iter().eq(rows.iter().map(|row| &row.id)) => period.states += 1,
            _ => self.periods.push(Period { states: 1, ids: rows.iter().map(|row| row.id).collect() }),
        }
        let mut bytes = Vec::new();
        for spool in &mut self.arrays {
            bytes.clear();
            for (index, row) in rows.iter().enumerate() {
                match recorded.filter(|_| spool.array == Array::Position) {
                    Some(frame) => {
                        bytes.extend(frame.coordinates[index][..self.dim].iter().flat_map(|at| at.to_le_bytes()))
                    }
                    None => spool.array.push(row, self.dim, &mut bytes),
                }
            }
            spool.file.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Writes the archive.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(in crate::export) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        let mut ids: Vec<u32> = self.periods.iter().flat_map(|period| &period.ids).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut archive = ZipArchiveWriter::new(out);
        let states = self.ticks.len() as u64;
        let header = |array: Array, shape| ArrayHeader { element: array.element(false), shape };
        add(&mut archive, Array::Tick, &header(Array::Tick, vec![states]), |out| {
            self.ticks.iter().try_for_each(|tick| out.write_all(&tick.to_le_bytes()))
        })?;
        add(&mut archive, Array::Id, &header(Array::Id, vec![ids.len() as u64]), |out| {
            ids.iter().try_for_each(|id| out.write_all(&id.to_le_bytes()))
        })?;
        for spool in self.arrays {
            let mut shape = vec![states, ids.len() as u64];
            if matches!(spool.array, Array::Position | Array::Velocity) {
                shape.push(self.dim as u64);
            }
            let header = ArrayHeader { element: spool.element, shape };
            add(&mut archive, spool.array, &header, |out| spool.copy(&self.periods, &ids, out))?;
        }
        archive.finish().map_err(io_error)?.flush()
    }
}

/// The arrays with a value per state and agent.
fn per_agent(flock: Snapshot<'_>) -> impl Iterator<Item = Array> {
    let optional = [(Array::Mood, flock.uses_moods()), (Array::Bank, flock.uses_banks())];
    let optional = optional.into_iter().filter_map(|(array, used)| used.then_some(array));
    [Array::Kind, Array::Position, Array::Velocity].into_iter().chain(optional)
}

/// Adds an array, without compression: it saves little for the digits of trajectories.
fn add<W: Write>(
    archive: &mut ZipArchiveWriter<W>,
    array: Array,
    header: &ArrayHeader,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let name = format!("{}.npy", array.name());
    let (mut entry, config) = archive.new_file(&*name).start().map_err(io_error)?;
    let mut out = config.wrap(&mut entry);
    header.write(&mut out)?;
    write(&mut out)?;
    let (_, descriptor) = out.finish().map_err(io_error)?;
    entry.finish(descriptor).map(drop).map_err(io_error)
}

impl Spool {
    /// Copies the numbers of all states, with a row for each of `all` ids.
    fn copy(self, periods: &[Period], all: &[u32], out: &mut dyn Write) -> io::Result<()> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut file = BufReader::new(file);
        let missing = match self.element {
            Type::FLOAT64 => f64::NAN.to_le_bytes().to_vec(),
            Type::FLOAT32 => f32::NAN.to_le_bytes().to_vec(),
            _ => NO_AGENT.to_le_bytes().to_vec(),
        };
        let missing = missing.repeat(self.length);
        for period in periods {
            let mut state = missing.repeat(period.ids.len());
            let mut row = missing.repeat(all.len());
            let places: Vec<usize> = period.ids.iter().filter_map(|id| all.binary_search(id).ok()).collect();
            for _ in 0..period.states {
                file.read_exact(&mut state)?;
                for (place, agent) in places.iter().zip(state.chunks_exact(missing.len())) {
                    row[place * missing.len()..][..missing.len()].copy_from_slice(agent);
                }
                out.write_all(&row)?;
            }
        }
        Ok(())
    }
}

/// The I/O error inside, so that the end of a pipe stays one.
fn io_error(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => error,
        kind => io::Error::other(kind.to_string()),
    }
}
