//! A flock's state as CSV: `tick,id,kind,x,y,z,vx,vy,vz`, and `mood` where any are kept.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Terminator, Writer};

use super::line_limit::LineLimit;
use super::{FlockWriter, OutputFile};
use crate::config::Error;
use crate::sim::{Flock, Kind, MAX_BOIDS, MAX_PREDATORS, MAX_TICK, Row, Setup};

/// The columns; the last one only where moods are kept.
const HEADER: [&str; 10] = ["tick", "id", "kind", "x", "y", "z", "vx", "vy", "vz", "mood"];
/// How many columns there are without moods.
const PLAIN: usize = HEADER.len() - 1;

/// Writes states.
#[derive(Debug)]
pub struct StateCsv {
    out: Writer<OutputFile>,
    columns: usize,
}

impl StateCsv {
    /// Begins a file with its header, with or without `moods`.
    ///
    /// # Errors
    ///
    /// What the file answers.
    pub fn new(target: OutputFile, moods: bool) -> io::Result<Self> {
        let mut out = Writer::from_writer(target);
        let columns = if moods { HEADER.len() } else { PLAIN };
        out.write_record(&HEADER[..columns]).map_err(io_error)?;
        Ok(Self { out, columns })
    }
}

impl FlockWriter for StateCsv {
    fn write(&mut self, flock: &Flock) -> io::Result<()> {
        let tick = flock.tick().to_string();
        for row in flock.rows() {
            let numbers = row.position.iter().chain(&row.velocity).chain([&row.mood]).map(|number| shortest(*number));
            let fields = [tick.clone(), row.id.to_string(), row.kind.name().to_owned()].into_iter().chain(numbers);
            self.out.write_record(fields.take(self.columns).map(String::into_bytes)).map_err(io_error)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        finish(self.out)
    }
}

/// Ends a table.
///
/// # Errors
///
/// What the file answers.
pub(crate) fn finish(out: Writer<OutputFile>) -> io::Result<()> {
    out.into_inner().map_err(|error| io::Error::new(error.error().kind(), error.to_string()))?.finish()
}

/// What the file answered, rather than what was made of it.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A number in the shortest form that reads back to the same f32.
#[must_use]
pub fn shortest(number: f32) -> String {
    if number == 0.0 || (1e-5..1e16).contains(&number.abs()) { number.to_string() } else { format!("{number:e}") }
}

/// A state that was read: the rows of a file's last tick, with the lines they stand on.
#[derive(Debug)]
pub struct SavedState {
    file: PathBuf,
    /// The tick.
    pub tick: u64,
    /// The line and the row of each agent.
    pub rows: Vec<(u64, Row)>,
}

impl SavedState {
    /// How many boids, those who are caught among them, and how many predators there are.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let predators = self.rows.iter().filter(|(_, row)| row.kind == Kind::Predator).count();
        (self.rows.len() - predators, predators)
    }

    /// The flock that goes on from here.
    ///
    /// # Errors
    ///
    /// [`Error::Line`] where a row cannot be of this flock; else what the setup itself is wrong in.
    pub fn into_flock(mut self, setup: &Setup) -> Result<Flock, Error> {
        self.rows.sort_unstable_by_key(|(line, row)| (row.id, *line));
        let rows: Vec<Row> = self.rows.iter().map(|(_, row)| *row).collect();
        Flock::from_rows(setup, self.tick, &rows).map_err(|error| self.complaint(setup).unwrap_or(error.into()))
    }

    /// What is wrong in the rows, and on which line: an id that stands there twice, or a row that
    /// cannot be of this flock.
    fn complaint(&self, setup: &Setup) -> Option<Error> {
        let twice = self.rows.windows(2).find(|pair| pair[0].1.id == pair[1].1.id).map(|pair| &pair[1]);
        let wrong = twice.map(|(line, row)| (*line, format!("id {} stands there twice", row.id))).or_else(|| {
            let hint = "; fly it with the preset and the world that it was written with";
            let wrong = |(line, row): &(u64, Row)| Some((*line, format!("{}{hint}", setup.check_row(row).err()?)));
            self.rows.iter().filter_map(wrong).min_by_key(|(line, _)| *line)
        });
        wrong.map(|(line, message)| at(&self.file, line, message))
    }
}

/// Reads the last tick of a file, or of standard input for `-`.
///
/// # Errors
///
/// [`Error::File`] or [`Error::Line`].
pub fn read(file: &Path) -> Result<SavedState, Error> {
    let wrong = |source| Error::File { path: file.to_owned(), source };
    if file == Path::new("-") {
        read_from(io::stdin(), file)
    } else {
        read_from(File::open(file).map_err(wrong)?, file)
    }
}

/// Reads the last tick of what stands in a file.
///
/// # Errors
///
/// [`Error::File`] or [`Error::Line`], which name the file.
pub fn read_from(input: impl Read, file: &Path) -> Result<SavedState, Error> {
    // LineLimit end in a line feed, the last one too, a carriage return before it is blank, and none goes on
    // within quotes: so the reader's count of lines is right behind every record.
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .quoting(false)
        .terminator(Terminator::Any(b'\n'))
        .from_reader(LineLimit::new(input.chain(&b"\n"[..])));
    let mut state = SavedState { file: file.to_owned(), tick: 0, rows: Vec::new() };
    let mut record = StringRecord::new();
    let mut columns = 0;
    while next(&mut reader, &mut record, file)? {
        let line = reader.position().line() - 1;
        if record.len() == 1 && record[0].trim().is_empty() {
            continue;
        }
        if columns == 0 {
            columns = record.len();
            let known = columns == PLAIN || columns == HEADER.len();
            if !known || !record.iter().map(bare).eq(HEADER.into_iter().take(columns)) {
                let plain = HEADER[..PLAIN].join(",");
                return Err(at(file, line, format!("the header is not {plain}, with or without {}", HEADER[PLAIN])));
            }
            continue;
        }
        let (tick, row) = parse(&record, columns).map_err(|message| at(file, line, message))?;
        if !state.rows.is_empty() && tick < state.tick {
            return Err(at(file, line, format!("tick {tick} stands behind tick {}", state.tick)));
        }
        if tick != state.tick {
            state.rows.clear();
            state.tick = tick;
        }
        if state.rows.len() == MAX_BOIDS + MAX_PREDATORS {
            return Err(at(file, line, format!("there are more than {MAX_BOIDS} boids")));
        }
        state.rows.push((line, row));
    }
    if state.rows.is_empty() {
        return Err(at(file, 1, "there are no rows".into()));
    }
    if state.counts().0 == 0 {
        return Err(at(file, state.rows[0].0, format!("there is no boid at tick {}", state.tick)));
    }
    Ok(state)
}

/// Reads a record; `false` at the end.
fn next<R: Read>(reader: &mut csv::Reader<R>, record: &mut StringRecord, file: &Path) -> Result<bool, Error> {
    reader.read_record(record).map_err(|error| {
        let behind = reader.position().line();
        let line = behind - 1;
        match error.into_kind() {
            // The line that is too long has not been passed.
            csv::ErrorKind::Io(long) if long.kind() == io::ErrorKind::InvalidData => at(file, behind, long.to_string()),
            csv::ErrorKind::Io(source) => Error::File { path: file.to_owned(), source },
            csv::ErrorKind::Utf8 { .. } => at(file, line, "this is not text in UTF-8".into()),
            other => at(file, line, format!("{other:?}")),
        }
    })
}

/// One row of a file.
fn parse(record: &StringRecord, columns: usize) -> Result<(u64, Row), String> {
    if record.len() != columns {
        return Err(format!("this row has {} fields, and the header names {columns}", record.len()));
    }
    let field = |column: usize| bare(&record[column]);
    let wrong =
        |column: usize, what: &str| format!("{} = {} is not {what}", HEADER[column], field(column).escape_debug());
    let tick = field(0).parse().map_err(|_| wrong(0, "a whole number"))?;
    if tick > MAX_TICK {
        return Err(format!("tick {tick} is above {MAX_TICK}"));
    }
    let id = field(1).parse().map_err(|_| wrong(1, "a whole number"))?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == field(2));
    let kind = kind.ok_or_else(|| wrong(2, "prey, predator or caught"))?;
    let number = |column: usize| {
        let number = field(column).parse().ok().filter(|number: &f32| number.is_finite());
        number.ok_or_else(|| wrong(column, "a finite number"))
    };
    let position = [number(3)?, number(4)?, number(5)?];
    let velocity = [number(6)?, number(7)?, number(8)?];
    let mood = if columns > PLAIN { number(PLAIN)? } else { 0.0 };
    Ok((tick, Row { id, kind, position, velocity, mood }))
}

/// A field without blanks and quotes around it, in which some programs put words.
fn bare(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

fn at(file: &Path, line: u64, message: String) -> Error {
    Error::Line { file: file.display().to_string(), line, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (number, text) in
            [(0.1, "0.1"), (100.0, "100"), (-0.0, "-0"), (1e-30, "1e-30"), (3.4e38, "3.4e38"), (1.0e-4, "0.0001")]
        {
            assert_eq!(shortest(number), text);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
    }
}
