//! The file of a sweep. Rows are appended one by one in the order of the grid, so that a process that is killed loses
//! only its unfinished runs. A file with all rows has metadata beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use same_file::Handle;

use super::grid::SweepGrid;
use super::runner::{Runner, SweepRow};
use super::sweep_columns;
use crate::commands::args::{SweepArgs, SweepKey, SweepValue};
use crate::error::InputError;
use crate::export::metadata::{AxisInfo, Metadata, MetadataValue, RampInfo, SeedsInfo};
use crate::export::{OutputFile, Replaces, metadata, stdout};
use crate::sim::Value;
use crate::tracks::states;

/// The rows of a sweep, in its file and in memory.
pub(super) struct SweepFile<'a> {
    path: &'a Path,
    grid: &'a SweepGrid<'a>,
    /// `None` is standard output.
    file: Option<File>,
    /// Bytes of complete lines.
    length: u64,
    existing: ExistingRows,
    /// Existing rows that a run must give again before anything is written.
    unchecked: BTreeSet<usize>,
    /// Rows that are not in the file, in order.
    missing: Vec<usize>,
    /// How many of them have been appended.
    appended: usize,
    /// Finished rows that wait for earlier ones.
    waiting: BTreeMap<usize, String>,
    /// Whether there may be metadata of earlier content.
    may_have_metadata: bool,
}

impl<'a> SweepFile<'a> {
    /// The rows that exist already; none without `resume`. Nothing is written yet.
    pub(super) fn new(path: &'a Path, resume: bool, grid: &'a SweepGrid<'a>) -> Result<Self, InputError> {
        let has_content = !OutputFile::is_stdout(path)
            && fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
        if resume && (OutputFile::is_stdout(path) || OutputFile::may_wait(path)) {
            let flag = format!("--resume --output {}", path.display());
            return Err(InputError::flag(flag, "expected the name of a file to continue, such as sweep.csv"));
        }
        if has_content && !resume {
            return Err(already_exists(path));
        }
        let file = has_content.then(|| open_locked(path)).transpose()?;
        let read = |file| ExistingRows::read(path, file, grid);
        let existing = file.as_ref().map(read).transpose()?.unwrap_or_default();
        let rows = grid.runs().flat_map(|run| grid.rows(run));
        let missing = rows.filter(|row| !existing.rows.contains_key(row)).collect();
        let mut file = Self {
            path,
            grid,
            file,
            length: existing.length,
            existing,
            unchecked: BTreeSet::new(),
            missing,
            appended: 0,
            waiting: BTreeMap::new(),
            may_have_metadata: true,
        };
        file.unchecked = file.runs_to_check().into_iter().flat_map(|run| grid.rows(run)).collect();
        file.unchecked.retain(|row| file.existing.rows.contains_key(row));
        Ok(file)
    }

    /// The runs to do: those to check, then those with missing rows, in order.
    pub(super) fn jobs(&self) -> Vec<usize> {
        let checks = self.runs_to_check();
        let mut missing: Vec<usize> = self.missing.iter().map(|row| self.grid.run_of(*row)).collect();
        missing.dedup();
        missing.retain(|run| !checks.contains(run));
        checks.into_iter().chain(missing).collect()
    }

    /// The first and the last run in the file. If both give the same rows, it is the same sweep.
    fn runs_to_check(&self) -> BTreeSet<usize> {
        let rows = &self.existing.rows;
        let ends = rows.first_key_value().into_iter().chain(rows.last_key_value());
        ends.map(|(row, _)| self.grid.run_of(*row)).collect()
    }

    /// Opens the file for writing, and writes the header if there are no rows.
    pub(super) fn open(&mut self) -> Result<(), InputError> {
        let is_new = !self.path.exists();
        if self.file.is_none() && !OutputFile::is_stdout(self.path) {
            let file = open_locked(self.path)?;
            // It may have appeared since the options were checked.
            if file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
                return Err(already_exists(self.path));
            }
            self.file = Some(file);
        }
        if !self.existing.rows.is_empty() {
            return Ok(());
        }
        self.length = 0;
        let header = self.grid.writes_header.then(|| self.grid.header.clone());
        let written = self.truncate().and_then(|()| header.map_or(Ok(()), |header| self.append(header)));
        if written.is_err() && is_new && self.file.is_some() {
            let _ = fs::remove_file(self.path);
        }
        written
    }

    /// Takes a finished row, and appends it and those that wait for it, if it is the next one.
    pub(super) fn add(&mut self, row: SweepRow) -> Result<(), InputError> {
        if let Some(existing) = self.existing.rows.get(&row.number) {
            if existing.text != row.text {
                let message = format!(
                    "the file belongs to another sweep: with these options, and this version of flockscope, the run has \
                     other values; {USE_OTHERS}"
                );
                return Err(InputError::line(self.path, existing.line, message));
            }
            if self.unchecked.remove(&row.number) && self.unchecked.is_empty() {
                self.truncate()?;
            }
        } else {
            self.waiting.insert(row.number, row.text);
        }
        if self.unchecked.is_empty() {
            while let Some(text) = self.missing.get(self.appended).and_then(|next| self.waiting.remove(next)) {
                self.append(text)?;
                self.appended += 1;
            }
        }
        Ok(())
    }

    /// The numbers of rows in the file, and of all rows.
    pub(super) fn progress(&self) -> (usize, usize) {
        let existing = self.existing.rows.len();
        (existing + self.appended, existing + self.missing.len())
    }

    /// Appends the rows that still wait, and writes the file again if it is not as a sweep writes it. Returns the numbers of rows in the
    /// file, and of all rows.
    pub(super) fn finish(mut self) -> Result<(usize, usize), InputError> {
        if !self.unchecked.is_empty() {
            return Ok(self.progress());
        }
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.append(text)?;
            self.appended += 1;
        }
        let last_existing = self.existing.rows.last_key_value().map(|(row, _)| *row);
        let first_appended = self.missing.first().copied().filter(|_| self.appended > 0);
        let follows = first_appended.is_none_or(|first| last_existing.is_none_or(|last| first > last));
        if self.existing.is_untidy || !follows {
            self.sort()?;
        }
        Ok(self.progress())
    }

    /// Replaces the file by one with one header, and the same rows in the order of the grid.
    fn sort(&mut self) -> Result<(), InputError> {
        self.remove_metadata()?;
        let Some(file) = &self.file else { return Ok(()) };
        let io_error = InputError::io(self.path);
        let sorted = ExistingRows::read(self.path, file, self.grid)?;
        let mut out = OutputFile::open(self.path, Replaces::Any)?;
        writeln!(out, "{}", self.grid.header).map_err(&io_error)?;
        for row in sorted.rows.values() {
            writeln!(out, "{}", row.text).map_err(&io_error)?;
        }
        // The lock is held until the file is replaced, except where it would prevent that.
        if cfg!(windows) {
            self.file = None;
        }
        out.finish().map_err(&io_error).map(drop)
    }

    /// Cuts off an incomplete last line.
    fn truncate(&mut self) -> Result<(), InputError> {
        let Some(file) = self.file.as_mut().filter(|_| !OutputFile::may_wait(self.path)) else { return Ok(()) };
        let cut = file.set_len(self.length).and_then(|()| file.seek(SeekFrom::Start(self.length)));
        cut.map(drop).map_err(InputError::io(self.path))
    }

    /// Removes the metadata of earlier content, once.
    fn remove_metadata(&mut self) -> Result<(), InputError> {
        if std::mem::take(&mut self.may_have_metadata) { metadata::remove(self.path) } else { Ok(()) }
    }

    fn append(&mut self, mut line: String) -> Result<(), InputError> {
        self.remove_metadata()?;
        line.push('\n');
        let written = if let Some(file) = &mut self.file {
            file.write_all(line.as_bytes())
        } else {
            let mut out = stdout();
            out.write_all(line.as_bytes()).and_then(|()| out.flush())
        };
        if let Err(error) = written {
            // A full disk may have room for a part of the line.
            let _ = self.truncate();
            return Err(InputError::io(self.path)(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Opens a file for reading and writing, or a new one, and locks it against other processes.
fn open_locked(path: &Path) -> Result<File, InputError> {
    let io_error = InputError::io(path);
    if OutputFile::may_wait(path) {
        return File::options().write(true).open(path).map_err(io_error);
    }
    OutputFile::check_links(path).map_err(&io_error)?;
    loop {
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(&io_error)?;
        // Some file systems have no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let message = "another flockscope writes this file; wait until it ends, or choose another name";
            return Err(io_error(io::Error::new(ErrorKind::ResourceBusy, message)));
        }
        // The process that had the lock before may have replaced the file.
        let locked = file.try_clone().and_then(Handle::from_file).map_err(&io_error)?;
        if Handle::from_path(path).is_ok_and(|current| current == locked) {
            return Ok(file);
        }
    }
}

fn already_exists(path: &Path) -> InputError {
    let message = "the file exists; continue it with --resume, delete it, or choose another name";
    InputError::io(path)(io::Error::new(ErrorKind::AlreadyExists, message))
}

/// Maximum length of a line, so that a file without line breaks cannot exhaust the memory.
const MAX_LINE: u64 = 1 << 16;

/// The advice if a file belongs to another sweep.
pub(super) const USE_OTHERS: &str = "use the options that wrote it, or another file";

/// The complete rows of a file; by default, those of a file that does not exist.
#[derive(Debug, Default)]
pub(super) struct ExistingRows {
    /// Rows by their place in the order of the grid.
    pub rows: BTreeMap<usize, ExistingRow>,
    /// Bytes up to the end of the last complete line.
    pub length: u64,
    /// Whether there are several headers, rows out of order, or bytes that another program added.
    pub is_untidy: bool,
    has_header: bool,
    /// The size of the flock and of its world, if they are the same in all rows.
    flock: Option<Vec<String>>,
}

/// A row of a file.
#[derive(Debug)]
pub(super) struct ExistingRow {
    /// Counted from 1.
    pub line: u64,
    pub text: String,
}

impl ExistingRows {
    /// Reads an open file from its beginning. A last line without line break is ignored: the process ended while it wrote it.
    pub(super) fn read(path: &Path, mut file: &File, grid: &SweepGrid<'_>) -> Result<Self, InputError> {
        file.rewind().map_err(InputError::io(path))?;
        let mut input = BufReader::new(file);
        let mut existing = Self::default();
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).map_err(InputError::io(path))?;
            let Some(complete) = bytes.strip_suffix(b"\n") else {
                let is_cut_header = line == 1 && grid.header.as_bytes().starts_with(&bytes);
                if (line == 1 && !is_cut_header) || bytes.len() as u64 == MAX_LINE {
                    let columns = &grid.header;
                    let message = format!("the file is not a sweep with the columns `{columns}`; {USE_OTHERS}");
                    return Err(InputError::line(path, line, message));
                }
                break;
            };
            existing.add(line, complete, grid).map_err(|message| InputError::line(path, line, message))?;
            existing.length += bytes.len() as u64;
        }
        Ok(existing)
    }

    fn add(&mut self, line: u64, bytes: &[u8], grid: &SweepGrid<'_>) -> Result<(), String> {
        let text =
            states::line_text(line, bytes).map_err(|message| format!("{message}; expected the CSV file of a sweep"))?;
        let text = states::fields_of(text).collect::<Vec<_>>().join(",");
        self.is_untidy |= text.is_empty() || text.as_bytes() != bytes;
        if text.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.has_header, true) && text != grid.header {
            let columns = &grid.header;
            return Err(format!(
                "the file belongs to another sweep: its columns are `{text}`, not `{columns}`; {USE_OTHERS}"
            ));
        }
        // Shards that were concatenated as they are have several headers.
        if text == grid.header {
            self.is_untidy |= line > 1;
            return Ok(());
        }
        let row = grid.find_row(&text);
        let row = row
            .ok_or_else(|| format!("the file belongs to another sweep: this one has no run `{text}`; {USE_OTHERS}"))?;
        sweep_columns::check(&grid.header, &text).map_err(|message| format!("{message}; {USE_OTHERS}"))?;
        let flock = grid.flock_fields(&text);
        if self.flock.get_or_insert_with(|| flock.clone()) != &flock {
            return Err(format!("the flock or its world is another one than in the first row; {USE_OTHERS}"));
        }
        self.is_untidy |= self.rows.last_key_value().is_some_and(|(last, _)| *last >= row);
        match self.rows.insert(row, ExistingRow { line, text }) {
            Some(twice) => {
                Err(format!("the run of line {} again: expected each run once; delete one of the lines", twice.line))
            }
            None => Ok(()),
        }
    }
}

/// The metadata of a file with all rows.
pub(super) fn metadata_of(args: &SweepArgs, runner: &Runner<'_>, rows: usize) -> Result<Metadata, InputError> {
    let (preset, setup) = runner.first_setup()?;
    let ramp = args.ramp.as_ref().map(|ramp| RampInfo {
        key: ramp.param.key,
        values: ramp.values.iter().map(|setting| setting.value.into()).collect(),
        hold: args.hold.unwrap_or_default(),
    });
    let over = args.over.iter().map(|axis| AxisInfo {
        keys: axis.keys.iter().map(SweepKey::name).collect(),
        values: axis.points.iter().map(|point| point.iter().map(metadata_value).collect()).collect(),
    });
    let mut metadata = Metadata {
        seeds: Some(SeedsInfo { first: setup.seed, count: args.seeds }),
        ticks: args.measured_ticks(),
        warmup: args.measure.warmup,
        group_radius: args.measure.group_radius.map(|radius| Value::Number(radius).into()),
        columns: sweep_columns::of(args, &runner.measures),
        over: Some(over.collect()),
        ramp,
        rows: Some(rows),
        ..Metadata::new(preset, &setup).with_input(args.flock.input.as_deref())
    };
    let ramp = args.ramp.iter().map(|ramp| SweepKey::Param(ramp.param));
    for key in args.over.iter().flat_map(|axis| axis.keys.iter().copied()).chain(ramp) {
        match key {
            SweepKey::Boids => metadata.boids = None,
            SweepKey::Predators => metadata.predators = None,
            SweepKey::World => metadata.world = None,
            SweepKey::Start => metadata.start = None,
            SweepKey::Param(param) => metadata.params.retain(|(key, _)| *key != param.key),
        }
    }
    Ok(metadata)
}

fn metadata_value(value: &SweepValue) -> MetadataValue {
    match value {
        SweepValue::Boids(count) | SweepValue::Predators(count) => MetadataValue::Count(*count),
        SweepValue::Param(param) => param.value.into(),
        SweepValue::World(_) | SweepValue::Start(_) => MetadataValue::Word(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::commands::args::SweepArgs;

    /// The arguments of a small sweep.
    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        sweep: SweepArgs,
    }

    #[test]
    fn a_file_that_appears_after_the_check_is_kept() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("rows.csv");
        let args = Words::parse_from(["flockscope", "-p", "drones", "-n", "5"]).sweep;
        let grid = SweepGrid::new(&args, &[]).unwrap();
        let mut file = SweepFile::new(&path, false, &grid).unwrap();
        fs::write(&path, "mine").unwrap();
        let error = file.open().unwrap_err().to_string();
        assert!(error.contains("the file exists"), "{error}");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_locked_file_is_the_one_at_its_path() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("rows.csv");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..500 {
                    let Ok(_lock) = open_locked(&path) else { continue };
                    let other = folder.path().join("other");
                    fs::write(&other, "").unwrap();
                    fs::rename(&other, &path).unwrap();
                }
            });
            scope.spawn(|| {
                for _ in 0..500 {
                    let Ok(file) = open_locked(&path) else { continue };
                    let (locked, current) = (Handle::from_file(file).unwrap(), Handle::from_path(&path).unwrap());
                    assert_eq!(locked, current);
                }
            });
        });
    }
}
