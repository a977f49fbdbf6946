//! Recordings of animals in files of other programs or of `run`.
//!
//! Every format is read into observations in f64, which become a [`Recording`].

mod atoms;
mod build;
mod choose;
mod clock;
mod column_names;
mod dates;
mod evidence;
mod fields;
mod header;
mod lammps;
mod layouts;
mod lost;
mod metadata;
mod notes;
pub mod npz;
mod observations;
mod plan;
mod planning;
mod projection;
mod proposals;
mod rows;
mod sample;
pub mod states;
mod table;
mod text;
mod unnamed;
mod xyz;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use choose::Opening;

pub use column_names::ColumnNames;
pub use layouts::{LAYOUTS, Layout};
use rows::TableReader;
use text::Lines;

use crate::error::{Error, Note, ReadOption};
use crate::recording::Recording;
use crate::values::{DateOrder, Interval, LengthUnit, Missing, TimeUnit};
use observations::{Animals, Observations};

/// How files are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The names of columns or arrays that differ from the known ones.
    pub columns: ColumnNames,
    /// The unit of length.
    pub unit: Option<LengthUnit>,
    /// Frames per second.
    pub frame_rate: Option<f64>,
    /// Whether rows without a position are left out.
    pub skips_missing: bool,
    /// Which body part is the position of an animal.
    pub body_part: Option<String>,
    /// The lowest likelihood of a position; 0.6 by default.
    pub likelihood: Option<f64>,
    /// The unit of times that are numbers.
    pub time_unit: Option<TimeUnit>,
    /// The time from one frame to the next, of which each has the nearest row of an animal.
    pub interval: Option<Interval>,
    /// What the file has in place of positions that are not known; they are left out.
    pub missing: Vec<Missing>,
    /// The order of days and months in dates such as 3/4/2021; without it, that of a date with a number above 12.
    pub dates: Option<DateOrder>,
    /// The names of the animals that are read; all if it is empty.
    pub only: Vec<String>,
}

/// The unit of longitude and latitude.
const DEGREES: &str = "deg";

/// A format of trajectories, by the extension of the file, or by its content if it is a dump of LAMMPS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Table,
    Xyz,
    Lammps,
    Npz,
    Npy,
}

/// The extensions of recordings. Those of text may be followed by `.gz`.
pub const EXTENSIONS: &str = ".csv, .tsv, .txt, .dat, .xyz, .extxyz, .lammpstrj, .dump, .npz or .npy";

impl Format {
    fn of(file: &Path) -> Option<Self> {
        if lammps::is_dump(file) {
            return Some(Self::Lammps);
        }
        let extension = |file: &Path| file.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        let last = extension(file)?;
        let is_compressed = last == "gz";
        let text = if is_compressed { extension(Path::new(file.file_stem()?))? } else { last };
        match &*text {
            "csv" | "tsv" | "txt" | "dat" => Some(Self::Table),
            "xyz" | "extxyz" => Some(Self::Xyz),
            "lammpstrj" | "dump" => Some(Self::Lammps),
            "npz" if !is_compressed => Some(Self::Npz),
            "npy" if !is_compressed => Some(Self::Npy),
            _ => None,
        }
    }
}

/// Whether a file holds a recording, by its extension, or as a dump of LAMMPS, which may have any.
pub fn is_recording(file: &Path) -> bool {
    Format::of(file).is_some()
}

/// Reads files of trajectories as one recording, and calls `watch` with the number of bytes of each read. Also returns notes on a
/// program's layout, rows that were left out, and doubtful numbers.
///
/// # Errors
///
/// [`Error`] with the file, the line and what would help.
pub fn read(
    files: &[impl AsRef<Path>],
    options: &ReadOptions,
    watch: &dyn Fn(u64),
) -> Result<(Recording, Vec<Note>), Error> {
    let files: Vec<PathBuf> = files.iter().map(|file| file.as_ref().to_owned()).collect();
    let mut reader = Reader::new(options, &files);
    for file in &files {
        if Format::of(file) != Format::of(&files[0]) {
            return Err(Error::file(file, "expected the format of the first file"));
        }
        if file.is_dir() {
            return Err(Error::io(file)(io::ErrorKind::IsADirectory.into()));
        }
        let Some(format) = Format::of(file) else {
            return Err(Error::file(file, format!("expected a recording ({EXTENSIONS})")));
        };
        if format == Format::Npz {
            reader.read_npz(File::open(file).map_err(Error::io(file))?, file)?;
        } else {
            reader.read_stream(text::open(file, watch).map_err(Error::io(file))?, file, format)?;
        }
    }
    reader.finish()
}

/// Reads the last tick of a file: NPZ for `.npz`, otherwise CSV, also from standard input for `-`.
///
/// # Errors
///
/// [`Error`] if it cannot be read, or is no file of states.
pub fn read_states(file: &Path) -> Result<states::SavedState, Error> {
    if file == Path::new("-") {
        return states::read_csv_states(io::stdin(), file);
    }
    let opened = File::open(file).map_err(Error::io(file))?;
    let is_npz = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz"));
    if is_npz { npz::read_states(opened, file) } else { states::read_csv_states(opened, file) }
}

/// Reads text from `input`. The extension of `file`, which is its name for errors, selects the format: a table without one.
///
/// # Errors
///
/// As [`read`].
pub fn read_text(input: impl Read, file: &Path, options: &ReadOptions) -> Result<(Recording, Vec<Note>), Error> {
    let files = [file.to_owned()];
    let mut reader = Reader::new(options, &files);
    reader.read_stream(input, file, Format::of(file).unwrap_or(Format::Table))?;
    reader.finish()
}

/// Reads files into one recording.
struct Reader<'a> {
    options: &'a ReadOptions,
    files: &'a [PathBuf],
    observations: Observations,
    notes: Vec<Note>,
    tables: TableReader<'a>,
}

impl<'a> Reader<'a> {
    fn new(options: &'a ReadOptions, files: &'a [PathBuf]) -> Self {
        let mut observations = Observations::default();
        observations.animals = Animals::only(&options.only);
        let notes = Vec::new();
        Self { options, files, observations, notes, tables: TableReader::new(options) }
    }

    fn read_stream(&mut self, input: impl Read, file: &Path, format: Format) -> Result<(), Error> {
        check(format, self.options)?;
        match format {
            Format::Xyz => xyz::read(input, file, &mut self.observations),
            Format::Lammps => lammps::read(input, file, &mut self.observations),
            Format::Npy => npz::read_array(input, file, &mut self.observations),
            Format::Table | Format::Npz => {
                self.observations.begin(file);
                let mut lines = Lines::new(input, file)?;
                let body_part = self.tables.body_part.clone();
                let opening = Opening { file, options: self.options, body_part: body_part.as_deref() };
                let table = opening.table(&mut lines)?;
                if self.observations.rows.is_empty() && file == &*self.files[0] {
                    let file = (self.files.len() > 1).then(|| file.to_owned());
                    self.notes.extend(table.plan.notice().map(|note| Note { file, ..note }));
                }
                self.tables.read(&mut lines, table, &self.animal_of(file), &mut self.observations)
            }
        }
    }

    fn read_npz(&mut self, input: File, file: &Path) -> Result<(), Error> {
        let handle = input.try_clone().map_err(Error::io(file))?;
        if let Some(text) = npz::read_columns(handle, file, self.options.columns.array("position"))? {
            return self.read_stream(text.as_bytes(), file, Format::Table);
        }
        check(Format::Npz, self.options)?;
        let columns = &self.options.columns;
        npz::read_trajectories(input, file, |array| columns.array(array), columns.given(), &mut self.observations)
    }

    /// The name of the animal in a file without a column for it: that of the file, or its whole path.
    fn animal_of(&self, file: &Path) -> String {
        let is_unique = self.files.iter().filter(|other| other.file_name() == file.file_name()).count() < 2;
        let name = if is_unique { file.file_stem().unwrap_or_default() } else { file.as_os_str() };
        name.to_string_lossy().into_owned()
    }

    fn finish(mut self) -> Result<(Recording, Vec<Note>), Error> {
        let finished = self.tables.finish(&mut self.observations, &mut self.notes);
        let selected = finished.and_then(|()| self.observations.animals.check_only());
        selected.map_err(|problem| Error::file(&self.files[0], problem))?;
        let recording = build::recording(&self.files[0], self.observations, self.options, &mut self.notes)?;
        Ok((recording, self.notes))
    }
}

/// Fails if the format has no use for an option.
fn check(format: Format, options: &ReadOptions) -> Result<(), Error> {
    let columns = || ReadOption::Columns(options.columns.to_string());
    let of_tables = [
        options.skips_missing.then_some((ReadOption::SkipMissing, "rows without a position")),
        options.body_part.clone().map(|part| (ReadOption::BodyPart(part), "body parts")),
        options.likelihood.map(|bound| (ReadOption::Likelihood(bound), "likelihoods")),
        options.time_unit.map(|unit| (ReadOption::TimeUnit(unit), "times of any unit")),
        options.missing.first().map(|missing| (ReadOption::Missing(missing.clone()), "values for missing positions")),
        options.dates.map(|order| (ReadOption::Dates(order), "dates")),
    ];
    if let Some((option, what)) = of_tables.into_iter().flatten().next().filter(|_| format != Format::Table) {
        return Err(Error::option(option, format!("only tables of text have {what}")));
    }
    match format {
        Format::Xyz | Format::Lammps | Format::Npy if !options.columns.is_empty() => {
            Err(Error::option(columns(), "only tables of text and NPZ have columns with other names"))
        }
        Format::Npz => options.columns.first_column().map_or(Ok(()), |name| {
            let message = format!("NPZ has no column {name}; expected position, velocity, id, tick or kind");
            Err(Error::option(columns(), message))
        }),
        _ => Ok(()),
    }
}
