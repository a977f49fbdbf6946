//! Reads the arrays of a file, and its last state.
//!
//! Of the last state, only its own numbers reach the memory, so a small file cannot exhaust it.

use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder};

use super::header::{ArrayHeader, Family, Order, Type};
use super::{Array, KINDS, NO_AGENT};
use crate::error::Error;
use crate::read::observations::{MAX_FRAMES, MAX_ROWS};
use crate::read::states::SavedState;
use flockscope_sim::{MAX_BOIDS, MAX_PREDATORS, MAX_TICK, Row};

/// Maximum size of a compressed array: a file of some megabytes can hold terabytes of zeros.
const MAX_COMPRESSED: u64 = 4 << 30;
/// The most numbers of a table with an array per column.
const MAX_CELLS: u64 = 20_000_000;

/// Reads the last tick from `input`; `file` is its name for errors.
///
/// # Errors
///
/// [`Error`] with the file.
pub fn read_states(input: impl Read + Seek, file: &Path) -> Result<SavedState, Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let state = ZipArchive::from_seekable(input, &mut buffer)
        .map_err(|error| no_archive(&error))
        .and_then(|archive| last_state(&Entries::find(&archive, &mut buffer, StateRange::Last, Array::name)?));
    let (tick, rows) = state.map_err(|message| Error::file(file, message))?;
    SavedState::new(file, tick, rows.into_iter().map(|row| (None, row)).collect())
}

/// The arrays of a file with an array per column, as a table of text; `None` if it has positions, or no columns.
///
/// # Errors
///
/// [`Error`] with the file.
pub(crate) fn read_columns(input: impl Read + Seek, file: &Path, position: &str) -> Result<Option<String>, Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let read = || {
        let archive = ZipArchive::from_seekable(input, &mut buffer).map_err(|error| no_archive(&error))?;
        let entries = Entries::find(&archive, &mut buffer, StateRange::All, |array| match array {
            Array::Position => position,
            array => array.name(),
        })?;
        let columns = if entries.has(Array::Position) { Vec::new() } else { entries.columns()? };
        if columns.len() < 3 {
            return Ok(None);
        }
        let line = |fields: Vec<String>| fields.join(",") + "\n";
        let mut text = line(columns.iter().map(|(name, _)| name.replace(',', " ")).collect());
        for at in 0..columns[0].1.count() {
            text += &line(columns.iter().map(|(_, values)| values.text(at)).collect());
        }
        Ok(Some(text))
    };
    read().map_err(|message: String| Error::file(file, message))
}

pub(super) fn no_archive(error: &rawzip::Error) -> String {
    format!("expected a complete NPZ file, as `run` and numpy.savez write it ({error})")
}

fn last_state<R: ReaderAt>(entries: &Entries<'_, R>) -> Result<(u64, Vec<Row>), String> {
    let agents = entries.needed(Array::Id, &[], 1)?.shape[0];
    let shape = [entries.needed(Array::Tick, &[], 1)?.shape[0], agents];
    entries.needed(Array::Kind, &shape, 2)?;
    let axes = entries.needed(Array::Position, &shape, 3)?.shape[2];
    entries.needed(Array::Velocity, &[shape[0], agents, axes], 3)?;
    entries.header(Array::Mood, &shape, 2)?;
    entries.header(Array::Bank, &shape, 2)?;

    let tick = entries.read(Array::Tick)?.integer(0);
    let tick = u64::try_from(tick).ok().filter(|tick| *tick <= MAX_TICK);
    let tick = tick.ok_or_else(|| format!("the last tick is out of range: expected 0 to {MAX_TICK}"))?;
    let [ids, kinds] = [entries.read(Array::Id)?, entries.read(Array::Kind)?].map(|array| array.integers());
    let [positions, velocities] =
        [entries.read(Array::Position)?, entries.read(Array::Velocity)?].map(|array| array.vectors());
    let optional = |array: Option<Values>| array.map_or(vec![0.0; ids.len()], |array| array.floats());
    let (moods, banks) = (optional(entries.get(Array::Mood)?), optional(entries.get(Array::Bank)?));
    let mut rows = Vec::new();
    for at in 0..ids.len() {
        if kinds[at] == i128::from(NO_AGENT) {
            continue;
        }
        let id = u32::try_from(ids[at]).map_err(|_| format!("id {} is out of range", ids[at]))?;
        let kind = usize::try_from(kinds[at]).ok().and_then(|code| KINDS.get(code)).ok_or_else(|| {
            format!("kind {} of id {id}: expected 0 (prey), 1 (predator), 2 (caught) or -1 (no agent)", kinds[at])
        })?;
        let (position, velocity, mood, bank) = (positions[at], velocities[at], moods[at], banks[at]);
        rows.push(Row { id, kind: *kind, position, velocity, mood, bank });
    }
    Ok((tick, rows))
}

/// Which states of the arrays are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateRange {
    Last,
    All,
}

/// The entries of an archive that hold arrays.
pub(super) struct Entries<'a, R> {
    archive: &'a ZipArchive<R>,
    /// All arrays in the file, by their names.
    found: Vec<(Option<Array>, String, ZipArchiveEntryWayfinder, CompressionMethod)>,
    states: StateRange,
}

impl<'a, R: ReaderAt> Entries<'a, R> {
    /// Finds the arrays, which have these names in the file.
    pub(super) fn find<'n>(
        archive: &'a ZipArchive<R>,
        buffer: &mut [u8],
        states: StateRange,
        name_of: impl Fn(Array) -> &'n str,
    ) -> Result<Self, String> {
        let mut found: Vec<(Option<Array>, String, _, _)> = Vec::new();
        let mut entries = archive.entries(buffer);
        while let Some(entry) = entries.next_entry().map_err(|error| no_archive(&error))? {
            let path = entry.file_path();
            let name = std::str::from_utf8(path.as_ref()).ok().and_then(|path| path.strip_suffix(".npy"));
            let Some(name) = name else { continue };
            let array = Array::ALL.iter().copied().find(|array| name_of(*array) == name);
            if let Some(array) = array.filter(|array| found.iter().any(|(other, ..)| *other == Some(*array))) {
                return Err(format!("the array `{}` occurs twice", array.name()));
            }
            found.push((array, name.to_owned(), entry.wayfinder(), entry.compression_method()));
        }
        Ok(Self { archive, found, states })
    }

    /// The names of all arrays.
    pub(super) fn names(&self) -> String {
        self.found.iter().map(|(_, name, ..)| &**name).collect::<Vec<_>>().join(", ")
    }

    /// The arrays of numbers that have one axis and most numbers, with their names. Their headers say how large they are before any is read.
    pub(super) fn columns(&self) -> Result<Vec<(&str, Values)>, String> {
        let length = |at: &usize| {
            let (header, _) = self.open(*at, |mut data, _| ArrayHeader::read(&mut data)).ok()?;
            if let [length] = header.shape[..] { Some(length) } else { None }
        };
        let lengths: Vec<_> = (0..self.found.len()).filter_map(|at| Some((at, length(&at)?))).collect();
        let most = lengths.iter().map(|(_, length)| *length).max().unwrap_or(0);
        let chosen: Vec<usize> = lengths.iter().filter(|(_, length)| *length == most).map(|(at, _)| *at).collect();
        if most.saturating_mul(chosen.len() as u64) > MAX_CELLS {
            return Err(format!(
                "has {} arrays of {most} numbers; expected at most {MAX_CELLS} numbers in all",
                chosen.len()
            ));
        }
        let read = |at: usize| Some((&*self.found[at].1, self.open(at, |data, _| Values::read(data, true)).ok()?));
        Ok(chosen.into_iter().filter_map(read).collect())
    }

    /// Whether the file has an array.
    pub(super) fn has(&self, array: Array) -> bool {
        self.found.iter().any(|(found, ..)| *found == Some(array))
    }

    /// The header of an array that every file has; otherwise as [`header`](Self::header).
    fn needed(&self, array: Array, start: &[u64], dimensions: usize) -> Result<ArrayHeader, String> {
        self.header(array, start, dimensions)?.ok_or_else(|| {
            format!("the array `{}` is missing; expected tick, id, kind, position and velocity", array.name())
        })
    }

    /// The header of an array whose shape has this `start` and this number of dimensions, if there is one. All headers are checked
    /// before any numbers are read.
    pub(super) fn header(&self, array: Array, start: &[u64], dimensions: usize) -> Result<Option<ArrayHeader>, String> {
        self.open_array(array, |mut data, size| {
            let (header, order) = ArrayHeader::read(&mut data)?;
            if order.is_fortran && self.states == StateRange::Last {
                return Err("is in Fortran order; save numpy.ascontiguousarray of it".to_owned());
            }
            check_shape(array, &header.shape, start, dimensions)?;
            self.check_type(array, header.element)?;
            if self.states == StateRange::All {
                check_length(&header.shape)?;
            }
            header.bytes().filter(|bytes| *bytes <= size).ok_or("is truncated")?;
            Ok(header)
        })
    }

    /// The numbers of an array whose header is checked; `None` if there is no such array.
    pub(super) fn get(&self, array: Array) -> Result<Option<Values>, String> {
        let is_whole = self.states == StateRange::All || array == Array::Id;
        self.open_array(array, |data, _| Values::read(data, is_whole))
    }

    /// The numbers of an array that is there.
    pub(super) fn read(&self, array: Array) -> Result<Values, String> {
        Ok(self.get(array)?.expect("an array with a header"))
    }

    /// As [`open`](Self::open), if there is such an array.
    fn open_array<T>(
        &self,
        array: Array,
        read: impl FnOnce(&mut dyn Read, u64) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let at = self.found.iter().position(|(found, ..)| *found == Some(array));
        at.map(|at| self.open(at, read))
            .transpose()
            .map_err(|message| format!("the array `{}` {message}", array.name()))
    }

    /// Applies `read` to the data of an array and their size.
    fn open<T>(&self, at: usize, read: impl FnOnce(&mut dyn Read, u64) -> Result<T, String>) -> Result<T, String> {
        let (_, _, wayfinder, method) = &self.found[at];
        let size = wayfinder.uncompressed_size_hint();
        let entry = self.archive.get_entry(*wayfinder).map_err(|error| error.to_string())?;
        let data: Box<dyn Read> = match *method {
            CompressionMethod::STORE => Box::new(entry.reader()),
            CompressionMethod::DEFLATE if size <= MAX_COMPRESSED => Box::new(DeflateDecoder::new(entry.reader())),
            CompressionMethod::DEFLATE => {
                return Err("is compressed and larger than 4 GiB; save it with numpy.savez".to_owned());
            }
            method => return Err(format!("has the compression {method}; save it with numpy.savez")),
        };
        read(&mut BufReader::new(entry.verifying_reader(data)), size)
    }

    /// Times may have a fraction, and recorded coordinates need none.
    fn check_type(&self, array: Array, element: Type) -> Result<(), String> {
        let expected = match (array, self.states) {
            (Array::Id | Array::Kind, _) | (Array::Tick, StateRange::Last) => "integers",
            (_, StateRange::Last) => "float32",
            (_, StateRange::All) => return Ok(()),
        };
        let is_expected = (element.family == Family::Float) == (expected == "float32");
        if is_expected { Ok(()) } else { Err(format!("has the type {element}; expected {expected}")) }
    }
}

/// The numbers of an array: those of the last state, or all.
pub(super) struct Values {
    pub(super) header: ArrayHeader,
    order: Order,
    bytes: Vec<u8>,
}

impl Values {
    /// Reads an entry to its end, which checks its checksum.
    pub(super) fn read(mut data: &mut dyn Read, is_whole: bool) -> Result<Self, String> {
        let (header, order) = ArrayHeader::read(&mut data)?;
        if header.shape.contains(&0) {
            return Err("is empty".to_owned());
        }
        if header
            .shape
            .iter()
            .try_fold(1_u64, |all, length| all.checked_mul(*length))
            .is_none_or(|all| all > 3 * MAX_ROWS as u64)
        {
            return Err(format!("has more than {} numbers", 3 * MAX_ROWS));
        }
        let all = header.bytes().ok_or("is truncated")?;
        let last = if is_whole { all } else { all / header.shape[0] };
        let failed = |error: io::Error| format!("cannot be read: {error}");
        io::copy(&mut Read::take(&mut data, all - last), &mut io::sink()).map_err(failed)?;
        let mut bytes = Vec::new();
        Read::take(&mut data, last).read_to_end(&mut bytes).map_err(failed)?;
        let rest = data.read(&mut [0]).map_err(failed)?;
        match (bytes.len() as u64 == last, rest) {
            (true, 0) => Ok(Self { header, order, bytes }),
            (true, _) => Err("has more data than its shape".to_owned()),
            (false, _) => Err("is truncated".to_owned()),
        }
    }

    /// All numbers of an array of integers.
    pub(super) fn integers(&self) -> Vec<i128> {
        (0..self.count()).map(|at| self.integer(at)).collect()
    }

    /// A number of an array of integers.
    pub(super) fn integer(&self, at: usize) -> i128 {
        let (bytes, size) = self.element(at);
        let is_signed = self.header.element.family == Family::Int;
        let is_negative = is_signed && bytes[size - 1] >= 0x80;
        let mut wide = [if is_negative { 0xff } else { 0 }; 16];
        wide[..size].copy_from_slice(&bytes[..size]);
        i128::from_le_bytes(wide)
    }

    pub(super) fn count(&self) -> usize {
        self.bytes.len() / self.header.element.size
    }

    /// The bytes of a number from the lowest one on, and how many it has; `at` counts in C order.
    fn element(&self, at: usize) -> ([u8; 8], usize) {
        let size = self.header.element.size;
        let mut place = at;
        if self.order.is_fortran {
            let (mut rest, mut stride) = (at, self.count());
            place = 0;
            for length in self.header.shape.iter().rev().map(|length| *length as usize) {
                stride /= length;
                place += rest % length * stride;
                rest /= length;
            }
        }
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.bytes[place * size..][..size]);
        if self.order.is_big_endian {
            bytes[..size].reverse();
        }
        (bytes, size)
    }

    /// Whether the numbers may have a fraction.
    pub(super) fn are_floats(&self) -> bool {
        self.header.element.family == Family::Float
    }

    /// A number of an array of any type.
    pub(super) fn number(&self, at: usize) -> f64 {
        if !self.are_floats() {
            return self.integer(at) as f64;
        }
        match self.element(at) {
            ([a, b, ..], 2) => half(u16::from_le_bytes([a, b])),
            ([a, b, c, d, ..], 4) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (bytes, _) => f64::from_le_bytes(bytes),
        }
    }

    /// A number in the shortest form that reads back as the same number of its type.
    fn text(&self, at: usize) -> String {
        let number = self.number(at);
        if self.header.element == Type::FLOAT32 { (number as f32).to_string() } else { number.to_string() }
    }

    /// Numbers of 8 bytes are rounded to 4.
    fn floats(&self) -> Vec<f32> {
        (0..self.count()).map(|at| self.number(at) as f32).collect()
    }

    /// One vector per agent; the third number is 0 in 2-D.
    fn vectors(&self) -> Vec<[f32; 3]> {
        let numbers = self.floats();
        let vectors = numbers.chunks_exact(self.header.shape[2] as usize);
        vectors.map(|vector| std::array::from_fn(|axis| vector.get(axis).copied().unwrap_or(0.0))).collect()
    }
}

/// A number of half precision: a sign, 5 bits of exponent and 10 of a fraction.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff) / 1024.0);
    let size = match exponent {
        0 => fraction * 2_f64.powi(-14),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Fails if a recording of this shape has too many states or frames.
fn check_length(shape: &[u64]) -> Result<(), String> {
    let numbers = shape.iter().take(2).fold(1_u64, |numbers, length| numbers.saturating_mul(*length));
    if numbers > MAX_ROWS as u64 {
        return Err(format!("has the positions of {numbers} states; expected at most {MAX_ROWS}"));
    }
    if shape[0] - 1 > MAX_FRAMES.into() {
        return Err(format!("has {} frames; expected at most {MAX_FRAMES}", shape[0]));
    }
    Ok(())
}

fn check_shape(array: Array, shape: &[u64], start: &[u64], dimensions: usize) -> Result<(), String> {
    let text = |lengths: &[String]| format!("({}{})", lengths.join(", "), if lengths.len() == 1 { "," } else { "" });
    let found = text(&shape.iter().map(u64::to_string).collect::<Vec<_>>());
    let names = match array {
        Array::Id => &["agents"][..],
        _ => &["ticks", "agents", "2 or 3"],
    };
    let expected = (0..dimensions).map(|at| start.get(at).map_or(names[at].to_owned(), u64::to_string));
    let expected = text(&expected.collect::<Vec<_>>());
    if shape.len() != dimensions
        || !shape.starts_with(start)
        || shape.get(2).is_some_and(|axes| !(2..=3).contains(axes))
    {
        return Err(format!("has the shape {found}; expected {expected}"));
    }
    if shape.contains(&0) {
        return Err(format!("is empty: its shape is {found}"));
    }
    if array == Array::Id && shape[0] > (MAX_BOIDS + MAX_PREDATORS) as u64 {
        return Err(format!("has too many agents: its shape is {found} (maximum {MAX_BOIDS} boids)"));
    }
    Ok(())
}
