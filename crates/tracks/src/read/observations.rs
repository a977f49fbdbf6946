//! The rows of files of trajectories, in f64 and before anything is derived from them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta};

use crate::error::{Error, Fault, ReadOption};
use crate::text::Shortest;
use flockscope_sim::Kind;

/// The most rows of a recording, which take 2 GB of memory.
pub(crate) const MAX_ROWS: usize = 30_000_000;
/// The most frames between the first and the last one.
pub(crate) const MAX_FRAMES: u32 = 10_000_000;
/// One of at least so many rows may be a second fix of an animal at one time.
const FEW_FIXES: usize = 10;
/// The largest id that is taken as it is.
const MAX_ID: u32 = u32::MAX / 2;

/// The state of an animal in one frame. Its size limits the length of recordings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation {
    /// The number of the frame, or the time.
    pub at: f64,
    pub position: [f64; 3],
    pub velocity: [f32; 3],
    /// The number of the animal in [`Animals`].
    pub animal: u32,
    /// The number of rows before it in the files.
    order: u32,
    pub kind: Kind,
}

impl Observation {
    /// An animal without a velocity.
    pub(crate) fn new(animal: u32, at: f64, position: [f64; 3]) -> Self {
        Self { at, position, velocity: [0.0; 3], animal, order: 0, kind: Kind::Prey }
    }

    /// The distance to another position.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let squares = [0, 1, 2].map(|axis| (other.position[axis] - self.position[axis]).powi(2));
        squares.iter().sum::<f64>().sqrt()
    }
}

/// A cell along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnitCell {
    pub sides: [f64; 3],
    pub periodic: [bool; 3],
    /// Its lowest coordinates.
    pub corner: [f64; 3],
}

impl UnitCell {
    /// The longest side that a world can have.
    pub(crate) const MAX_SIDE: f64 = 1e9;

    /// The cell with these vectors; `None` if it has no periodic axis and cannot be the world.
    pub(crate) fn new(vectors: [[f64; 3]; 3], corner: [f64; 3], periodic: [bool; 3]) -> Result<Option<Self>, String> {
        let mut sides = [0, 1, 2].map(|axis| vectors[axis][axis]);
        if sides[2] == 0.0 && !periodic[2] {
            sides[2] = 1.0;
        }
        let is_along_axes = (0..9).all(|at| at % 4 == 0 || vectors[at / 3][at % 3] == 0.0);
        let is_in_range = sides.iter().all(|side| *side > 0.0 && *side <= Self::MAX_SIDE);
        if is_along_axes && is_in_range && corner.iter().all(|at| at.is_finite()) {
            return Ok(Some(Self { sides, periodic, corner }));
        }
        if periodic == [false; 3] {
            return Ok(None);
        }
        Err("the cell is periodic, and tilted, empty or too large; expected an orthogonal one with sides up to 1e9"
            .to_owned())
    }
}

/// A problem with a row, or with the whole file.
#[derive(Debug)]
pub(crate) struct RowProblem {
    order: Option<u32>,
    problem: Fault,
}

impl From<Fault> for RowProblem {
    fn from(problem: Fault) -> Self {
        Self { order: None, problem }
    }
}

impl RowProblem {
    pub(crate) fn new(row: &Observation, problem: impl Into<Fault>) -> Self {
        Self { order: Some(row.order), problem: problem.into() }
    }
}

/// The states in files.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    pub rows: Vec<Observation>,
    pub animals: Animals,
    /// Whether rows have times instead of frame numbers.
    pub has_times: bool,
    pub has_velocities: bool,
    /// The number of axes of positions.
    pub axes: usize,
    /// Whether x and y are longitude and latitude.
    pub are_degrees: bool,
    /// The unit of length, if the file has it.
    pub unit: Option<String>,
    /// The unit holds if coordinates have fractions and stay below this.
    pub unit_below: Option<f64>,
    /// What the coordinates of a table were multiplied by.
    pub factors: [f64; 3],
    /// What numbers of times were multiplied by, if times are numbers.
    pub time_factor: Option<f64>,
    /// The highest likelihood of the positions that are left out for it, if there are any.
    pub likeliest: Option<f64>,
    /// The names of the columns of x and y, if these are in a table.
    pub position_columns: Option<[String; 2]>,
    /// How many rows without a position a layout leaves out.
    pub skipped: usize,
    /// The cell around the animals, if the file has one.
    pub cell: Option<UnitCell>,
    /// Why the cell is not the world.
    pub cell_problem: Option<&'static str>,
    /// Frames per second, if the file has both frames and times.
    pub frame_rate: Option<f64>,
    /// The name of the column of animals; empty if there is none.
    pub id_column: String,
    /// The name of the column of times.
    pub time_column: String,
    /// The instant of time 0, if times are dates.
    pub start_date: Option<String>,
    /// The mood and the bank of each row in the order of the files, if the files have them.
    moods_and_banks: Vec<[f32; 2]>,
    files: Vec<PathBuf>,
    stretches: Vec<Stretch>,
}

/// Rows in successive lines of a file, or in one line: errors can name the line of a row without a number in each of millions of rows.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The order of its first row.
    first: u32,
    /// The number of files up to this one.
    file: u32,
    /// The line of the first row; 0 if the file has no lines.
    line: u32,
    is_one_line: bool,
}

impl Observations {
    /// Adds the rows of this file from now on.
    pub(crate) fn begin(&mut self, file: &Path) {
        self.files.push(file.to_owned());
    }

    /// Sets the cell of a frame. One that changes cannot be the world.
    pub(crate) fn set_cell(&mut self, cell: Option<UnitCell>) {
        if self.rows.is_empty() {
            self.cell = cell;
        } else if self.cell != cell {
            let is_late = self.cell.is_none() && self.cell_problem.is_none();
            self.cell = None;
            self.cell_problem.get_or_insert(if is_late { "only later frames have a cell" } else { "the cell changes" });
        }
    }

    /// Declares whether the following rows have times, velocities, and how many axes.
    ///
    /// # Errors
    ///
    /// If rows before differ.
    pub(crate) fn declare(&mut self, has_times: bool, has_velocities: bool, axes: usize) -> Result<(), String> {
        let what = |has_times, axes| format!("{} and {axes} axes", if has_times { "times" } else { "frames" });
        let (before, now) = (what(self.has_times, self.axes), what(has_times, axes));
        if !self.rows.is_empty() && before != now {
            return Err(format!("{now} after {before}; expected the same columns in all files"));
        }
        self.has_velocities = has_velocities && (self.rows.is_empty() || self.has_velocities);
        (self.has_times, self.axes) = (has_times, axes);
        Ok(())
    }

    /// Adds a row, with its mood and its bank if the file has them, from a line, which is 0 if the file has no lines.
    ///
    /// # Errors
    ///
    /// If there are too many rows.
    pub(crate) fn add(&mut self, row: Observation, mood_and_bank: Option<[f32; 2]>, line: u64) -> Result<(), String> {
        if self.rows.len() == MAX_ROWS {
            return Err(format!("the recording has more than {MAX_ROWS} rows; select fewer frames or animals"));
        }
        let (order, line, file) = (self.rows.len() as u32, line as u32, self.files.len() as u32);
        match self.stretches.last_mut() {
            Some(last) if last.file == file && last.line == line && (last.is_one_line || order - last.first == 1) => {
                last.is_one_line = true;
            }
            Some(last) if last.file == file && !last.is_one_line && last.line + (order - last.first) == line => {}
            _ => self.stretches.push(Stretch { first: order, file, line, is_one_line: false }),
        }
        if let Some(values) = mood_and_bank {
            self.moods_and_banks.resize(self.rows.len(), [0.0; 2]);
            self.moods_and_banks.push(values);
        }
        self.rows.push(Observation { order, ..row });
        Ok(())
    }

    /// The mood and the bank of a row.
    pub(crate) fn mood_and_bank(&self, row: &Observation) -> [f32; 2] {
        self.moods_and_banks.get(row.order as usize).copied().unwrap_or_default()
    }

    /// Sorts the rows by frame or time and then by id, and leaves out rows that occur twice, and later fixes of an animal at one time. Returns
    /// the numbers of both.
    ///
    /// # Errors
    ///
    /// If an animal has two positions in a frame.
    pub(crate) fn sort(&mut self) -> Result<[usize; 2], RowProblem> {
        let ranks = self.animals.sort();
        for row in &mut self.rows {
            row.animal = ranks[row.animal as usize];
        }
        // The order in the files breaks ties: a stable sort would need more memory.
        self.rows.sort_unstable_by(|a, b| a.at.total_cmp(&b.at).then((a.animal, a.order).cmp(&(b.animal, b.order))));
        let count = self.rows.len();
        let is_same = |a: &Observation, b: &Observation| (a.at, a.animal) == (b.at, b.animal);
        self.rows.dedup_by(|b, a| is_same(a, b) && (a.position, a.velocity) == (b.position, b.velocity));
        let unique = self.rows.len();
        let fixes = self.rows.windows(2).filter(|pair| is_same(&pair[0], &pair[1])).count();
        // A few fixes of a receiver may have the same second; many are those of several animals.
        if self.has_times && !self.id_column.is_empty() && FEW_FIXES * fixes <= unique {
            self.rows.dedup_by(|b, a| is_same(a, b));
        }
        if let Some([first, second]) = self.rows.windows(2).find(|pair| is_same(&pair[0], &pair[1])) {
            let unit = if self.has_times { "time" } else { "frame" };
            let (file, line) = self.place(first.order);
            let (name, at) = (self.animals.name(first.animal).escape_debug(), self.time_of(first.at));
            let place = match (line, file == self.place(second.order).0) {
                (0, _) => String::new(),
                (line, true) => format!(", in line {line}"),
                (line, false) => {
                    format!(", in line {line} of {}", file.map_or(String::new(), |file| file.display().to_string()))
                }
            };
            let message = format!("animal {name} has {unit} {at} already{place}, at another position");
            let problem = if self.id_column.is_empty() && line > 0 {
                let option = ReadOption::Columns("id=NAME".to_owned());
                Fault::with_help(message, option, "names the column of animals, if the rows are those of several")
            } else {
                message.into()
            };
            return Err(RowProblem::new(second, problem));
        }
        Ok([count - unique, unique - self.rows.len()])
    }

    /// A frame number or a time as in the file: a date, if times are dates.
    pub(crate) fn time_of(&self, at: f64) -> String {
        let start = self.start_date.as_ref().and_then(|start| DateTime::parse_from_rfc3339(start).ok());
        let date = start.and_then(|start| start.checked_add_signed(TimeDelta::microseconds((at * 1e6).round() as i64)));
        date.map_or_else(|| Shortest(at).to_string(), |date| date.format("%Y-%m-%d %H:%M:%S%.f").to_string())
    }

    /// The file of a row.
    pub(crate) fn file_of(&self, row: &Observation) -> Option<&Path> {
        self.place(row.order).0
    }

    /// The file and the line of a row in the order of the files.
    fn place(&self, order: u32) -> (Option<&Path>, u64) {
        let at = self.stretches.partition_point(|stretch| stretch.first <= order);
        let Some(stretch) = at.checked_sub(1).map(|at| self.stretches[at]) else { return (None, 0) };
        let line = stretch.line + if stretch.is_one_line { 0 } else { order - stretch.first };
        ((stretch.file as usize).checked_sub(1).map(|file| &*self.files[file]), line.into())
    }

    /// The error for a row of a file, or of one of several.
    pub(crate) fn error(&self, RowProblem { order, problem }: RowProblem) -> Error {
        match order.map_or((self.files.first().map(|file| &**file), 0), |order| self.place(order)) {
            (Some(file), 0) => Error::file(file, problem),
            (file, line) => Error::line(file.unwrap_or(Path::new("-")), line, problem),
        }
    }

    /// The steps of all animals: the index of each row after the index of the row before it with the same animal. Rows are sorted.
    pub(crate) fn steps(&self) -> impl Iterator<Item = [usize; 2]> {
        let mut last = vec![None; self.animals.names.len()];
        let rows = self.rows.iter().enumerate();
        rows.filter_map(move |(index, row)| Some([last[row.animal as usize].replace(index)?, index]))
    }
}

/// The animals.
#[derive(Debug, Default)]
pub(crate) struct Animals {
    /// The number of each name; `None` if the animal is not read.
    numbers: HashMap<Box<str>, Option<u32>>,
    names: Vec<Box<str>>,
    latest: u32,
    /// The names of those that are read; all if it is empty.
    only: Vec<String>,
}

impl Animals {
    /// Animals of which those with these names are read, or all without any.
    pub(crate) fn only(only: &[String]) -> Self {
        Self { only: only.to_vec(), ..Self::default() }
    }

    /// The number of the animal with a name; `None` if it is not read.
    pub(crate) fn number(&mut self, name: &str) -> Option<u32> {
        // Files are often sorted by animal.
        if self.names.get(self.latest as usize).is_some_and(|latest| &**latest == name) {
            return Some(self.latest);
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| self.add(name))?;
        self.latest = number;
        Some(number)
    }

    fn add(&mut self, name: &str) -> Option<u32> {
        let is_read = self.only.is_empty() || self.only.iter().any(|only| only == name);
        let number = is_read.then_some(self.names.len() as u32);
        self.numbers.insert(name.into(), number);
        self.names.extend(number.map(|_| name.into()));
        number
    }

    /// Fails if no animal has one of the selected names.
    pub(crate) fn check_only(&self) -> Result<(), Fault> {
        let Some(name) = self.only.iter().find(|name| !self.numbers.contains_key(&***name)) else { return Ok(()) };
        let mut known: Vec<&str> = self.numbers.keys().map(|name| &**name).collect();
        known.sort_unstable();
        Err(Fault::unknown(format!("no animal has the name `{}`", name.escape_debug()), name, known))
    }

    /// The name of an animal.
    pub(crate) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// The names of all animals.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The number of animals.
    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    /// The ids of the animals: their names if these are different whole numbers.
    fn numeric_ids(&self) -> Option<Vec<u32>> {
        let ids = self.names.iter().map(|name| {
            let whole = name.strip_suffix(".0").unwrap_or(name);
            whole.parse::<u32>().ok().filter(|id| *id <= MAX_ID)
        });
        let ids: Vec<u32> = ids.collect::<Option<_>>()?;
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.is_sorted_by(|a, b| a < b).then_some(ids)
    }

    /// The id of each animal: its name if all names are different whole numbers, otherwise its number. Also returns the names in the
    /// second case.
    pub(crate) fn ids(&self) -> (Vec<u32>, Vec<String>) {
        if let Some(ids) = self.numeric_ids() {
            return (ids, Vec::new());
        }
        let names = self.names.iter().map(|name| name.clone().into_string());
        ((0..self.names.len() as u32).collect(), names.collect())
    }

    /// Numbers the animals in the order of their ids. Returns the new number of each.
    fn sort(&mut self) -> Vec<u32> {
        let Some(ids) = self.numeric_ids() else { return (0..self.names.len() as u32).collect() };
        let mut order: Vec<u32> = (0..ids.len() as u32).collect();
        order.sort_unstable_by_key(|number| ids[*number as usize]);
        let mut ranks = vec![0; ids.len()];
        for (rank, number) in order.iter().enumerate() {
            ranks[*number as usize] = rank as u32;
        }
        self.names = order.iter().map(|number| self.names[*number as usize].clone()).collect();
        self.numbers.values_mut().flatten().for_each(|number| *number = ranks[*number as usize]);
        ranks
    }
}
