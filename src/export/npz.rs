//! The states of a flock as NPZ: see [`tracks::npz`](crate::tracks::npz).
//!
//! Writes states to temporary files, one for each array, and in the end the archive.
//!
//! The archive has one array after the other, and the shape before its numbers, so nothing can be written to it before
//! the last state. Memory holds one state, and the ids each time they change.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use rawzip::ZipArchiveWriter;

use super::OutputFile;
use super::columns;
use super::metadata::ColumnInfo;
use crate::sim::{Row, Snapshot};
use crate::tracks::npz::{Array, ArrayHeader, KINDS, NO_AGENT, Type};
use crate::tracks::states::Column;

/// The states that were written so far.
#[derive(Debug)]
pub(super) struct NpzWriter {
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
    pub(super) fn new(output: &Path, flock: Snapshot<'_>) -> io::Result<Self> {
        let (dim, is_recorded) = (flock.world.dim(), flock.recorded.is_some());
        let arrays = per_agent(flock).map(|array| {
            let length = if matches!(array, Array::Position | Array::Velocity) { dim } else { 1 };
            let file = BufWriter::new(OutputFile::temporary(output)?);
            Ok(Spool { array, element: element(array, is_recorded), length, file })
        });
        let arrays = arrays.collect::<io::Result<_>>()?;
        Ok(Self { dim, ticks: Vec::new(), periods: Vec::new(), arrays })
    }

    /// The arrays, for metadata.
    pub(super) fn columns(&self) -> Vec<ColumnInfo> {
        let arrays = self.arrays.iter().map(|spool| spool.array);
        [Array::Tick, Array::Id].into_iter().chain(arrays).map(info).collect()
    }

    /// Adds a state.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub(super) fn write(&mut self, flock: Snapshot<'_>) -> io::Result<()> {
        let (rows, recorded) = (flock.rows(), flock.recorded);
        self.ticks.push(flock.tick);
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
                        bytes.extend(frame.coordinates[index][..self.dim].iter().flat_map(|at| at.to_le_bytes()));
                    }
                    None => push(spool.array, row, self.dim, &mut bytes),
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
    pub(super) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        let mut ids: Vec<u32> = self.periods.iter().flat_map(|period| &period.ids).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut archive = ZipArchiveWriter::new(out);
        let states = self.ticks.len() as u64;
        let header = |array: Array, shape| ArrayHeader { element: element(array, false), shape };
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

/// The type of the numbers; recorded coordinates need f64.
fn element(array: Array, is_recorded: bool) -> Type {
    match array {
        Array::Position if is_recorded => Type::FLOAT64,
        Array::Tick => Type::INT64,
        Array::Id => Type::UINT32,
        Array::Kind => Type::INT8,
        Array::Position | Array::Velocity | Array::Mood | Array::Bank => Type::FLOAT32,
    }
}

/// The unit and the meaning, for metadata.
fn info(array: Array) -> ColumnInfo {
    let (unit, description) = match array {
        Array::Tick => ("tick", "Number of ticks since the start of the flock; one per state."),
        Array::Id => ("", "Number of the agent; one per agent, in increasing order."),
        Array::Kind => (
            "",
            "0 prey, 1 predator, 2 caught boid that will respawn, -1 no agent with this id at this tick; ticks x agents.",
        ),
        Array::Position => ("u", "Position; ticks x agents x axes."),
        Array::Velocity => ("u/tick", "Velocity; ticks x agents x axes."),
        Array::Mood => return columns::info(Column::Mood).with_shape("ticks x agents"),
        Array::Bank => return columns::info(Column::Bank).with_shape("ticks x agents"),
    };
    ColumnInfo::new(array.name(), unit, description)
}

/// Appends the bytes of an agent, in a world with this number of dimensions.
fn push(array: Array, row: &Row, dim: usize, bytes: &mut Vec<u8>) {
    let numbers = match array {
        Array::Position => &row.position[..dim],
        Array::Velocity => &row.velocity[..dim],
        Array::Mood => std::slice::from_ref(&row.mood),
        Array::Bank => std::slice::from_ref(&row.bank),
        Array::Kind => {
            bytes.extend(KINDS.iter().zip(0..).find(|(kind, _)| **kind == row.kind).map(|(_, code): (_, u8)| code));
            return;
        }
        Array::Tick | Array::Id => unreachable!("they have no value per state and agent"),
    };
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// The arrays with a value per state and agent.
fn per_agent(flock: Snapshot<'_>) -> impl Iterator<Item = Array> {
    let optional = [(Array::Mood, flock.uses_moods), (Array::Bank, flock.uses_banks())];
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::config::Preset;
    use crate::sim::{Command, Flock, Scratch};
    use crate::tracks::npz::read_states;

    /// The bytes of an array in an archive without compression, after its header.
    fn numbers<'a>(archive: &'a [u8], name: &str) -> (ArrayHeader, &'a [u8]) {
        let at = archive.windows(name.len()).position(|window| window == name.as_bytes()).unwrap() + name.len();
        let mut rest = &archive[at..];
        rest = &rest[rest.windows(6).position(|window| window == b"\x93NUMPY").unwrap()..];
        let (header, _) = ArrayHeader::read(&mut rest).unwrap();
        (header.clone(), &rest[..header.bytes().unwrap() as usize])
    }

    #[test]
    fn agents_keep_their_places_when_others_come_and_go() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6).with_boids(4);
        let mut flock = Flock::new(&setup).unwrap();
        let mut npz = NpzWriter::new(Path::new("-"), (&flock).into()).unwrap();
        let mut states = Vec::new();
        for boids in [4, 6, 6, 5] {
            flock.apply(&Command::SetBoids(boids)).unwrap();
            flock.step(&mut Scratch::new());
            npz.write((&flock).into()).unwrap();
            states.push(flock.rows());
        }
        let mut archive = Vec::new();
        npz.finish(&mut archive).unwrap();

        let (ids, bytes) = numbers(&archive, "id.npy");
        let ids: Vec<u32> = {
            assert!(ids.element == Type::UINT32);
            bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect()
        };
        let (header, positions) = numbers(&archive, "position.npy");
        assert_eq!(header.shape, [4, ids.len() as u64, 2]);
        let (_, kinds) = numbers(&archive, "kind.npy");
        for (at, state) in states.iter().enumerate() {
            for (place, id) in ids.iter().enumerate() {
                let at = at * ids.len() + place;
                let x = f32::from_le_bytes(positions[8 * at..][..4].try_into().unwrap());
                match state.iter().find(|row| row.id == *id) {
                    Some(row) => assert_eq!((x, kinds[at]), (row.position[0], row.kind as u8)),
                    None => assert!(x.is_nan() && kinds[at] == 255, "id {id} is missing"),
                }
            }
        }
        let state = read_states(Cursor::new(archive), Path::new("f.npz")).unwrap();
        assert_eq!(state.sorted_rows(), flock.rows());
    }
}
