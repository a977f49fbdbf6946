//! The rows of a file of trajectories, in f64 and before anything is derived from them.

use std::collections::HashMap;

use crate::sim::Kind;

/// The most rows of a file, which take 2.3 GB of memory while they are read.
pub(in crate::export) const MAX_ROWS: usize = 10_000_000;
/// The largest id that is taken as it is.
const MAX_ID: u32 = u32::MAX / 2;

/// The state of an animal in one frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::export) struct Observation {
    /// The number of the animal in [`Animals`].
    pub animal: u32,
    /// The number of the frame, or the time.
    pub at: f64,
    pub position: [f64; 3],
    pub velocity: [f64; 3],
    pub kind: Kind,
    pub mood: f32,
    pub bank: f32,
    /// The line of the file; 0 if it has no lines.
    pub line: u64,
}

/// A cell along the axes.
#[derive(Clone, Copy, Debug)]
pub(in crate::export) struct UnitCell {
    pub sides: [f64; 3],
    pub periodic: [bool; 3],
    /// Its lowest coordinates.
    pub corner: [f64; 3],
}

/// The states in a file.
#[derive(Debug, Default)]
pub(in crate::export) struct Observations {
    pub rows: Vec<Observation>,
    pub animals: Animals,
    /// Whether rows have times instead of frame numbers.
    pub has_times: bool,
    pub has_velocities: bool,
    /// The cell around the animals, if the file has one.
    pub cell: Option<UnitCell>,
    /// Frames per second, if the file has both frames and times.
    pub frame_rate: Option<f64>,
}

impl Observations {
    /// Adds a row.
    ///
    /// # Errors
    ///
    /// If the animal has a row for this frame or a later one, or there are too many rows.
    pub(in crate::export) fn add(&mut self, row: Observation) -> Result<(), String> {
        if self.rows.len() == MAX_ROWS {
            return Err(format!("the file has more than {MAX_ROWS} rows; select fewer frames or animals"));
        }
        let unit = if self.has_times { "time" } else { "frame" };
        let (index, name) = (row.animal as usize, self.animals.name(row.animal).escape_debug());
        if let Some(before) = self.animals.last[index].map(|before| &self.rows[before]) {
            let (at, now) = (before.at, row.at);
            if at == now {
                let place = if before.line > 0 { format!(", in line {}", before.line) } else { String::new() };
                return Err(format!("animal {name} has {unit} {at} already{place}"));
            }
            if at > now {
                return Err(format!("{unit} {now} of animal {name} after {unit} {at}; sort the rows by {unit}"));
            }
        }
        self.animals.last[index] = Some(self.rows.len());
        self.rows.push(row);
        Ok(())
    }

    /// The steps of all animals: the index of each row after the index of the row before it with the same animal.
    pub(in crate::export) fn steps(&self) -> impl Iterator<Item = [usize; 2]> {
        let mut last = vec![None; self.animals.names.len()];
        let rows = self.rows.iter().enumerate();
        rows.filter_map(move |(index, row)| Some([last[row.animal as usize].replace(index)?, index]))
    }
}

/// The animals in the order in which they appear.
#[derive(Debug, Default)]
pub(in crate::export) struct Animals {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
    /// The index of the last row of each.
    last: Vec<Option<usize>>,
    latest: u32,
}

impl Animals {
    /// The number of the animal with a name.
    pub(in crate::export) fn number(&mut self, name: &str) -> u32 {
        // Files are often sorted by animal.
        if self.names.get(self.latest as usize).is_some_and(|latest| &**latest == name) {
            return self.latest;
        }
        self.latest = self.numbers.get(name).copied().unwrap_or_else(|| self.add(name));
        self.latest
    }

    fn add(&mut self, name: &str) -> u32 {
        let number = self.names.len() as u32;
        self.numbers.insert(name.into(), number);
        self.names.push(name.into());
        self.last.push(None);
        number
    }

    /// The name of an animal.
    pub(in crate::export) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// The id of each animal: its name if all names are different whole numbers, otherwise its number. Returns also the names in the
    /// second case.
    pub(in crate::export) fn ids(&self) -> (Vec<u32>, Vec<String>) {
        let id = |name: &str| {
            let whole = name.strip_suffix(".0").unwrap_or(name);
            whole.parse::<u32>().ok().filter(|id| *id <= MAX_ID)
        };
        let ids: Option<Vec<u32>> = self.names.iter().map(|name| id(name)).collect();
        let are_different = |ids: &Vec<u32>| {
            let mut sorted = ids.clone();
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        };
        match ids.filter(are_different) {
            Some(ids) => (ids, Vec::new()),
            None => (
                (0..self.names.len() as u32).collect(),
                self.names.iter().map(|name| name.clone().into_string()).collect(),
            ),
        }
    }
}
