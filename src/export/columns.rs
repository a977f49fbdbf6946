//! The columns of the state as CSV, the sets of them that have a name, and the last tick of a file of states, from which a run
//! continues.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantNames};

use super::Shortest;
use super::metadata::ColumnInfo;
use crate::error::{InputError, did_you_mean_or};
use crate::sim::{Flock, Kind, Row, Setup, Snapshot};
use crate::tracks::Recording;

/// A column of the state as CSV, whose name in the header is that of the variant in lower case.
#[derive(Clone, Copy, Debug, EnumString, IntoStaticStr, PartialEq, Eq, VariantNames)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "`Column::info` describes them")]
pub enum Column {
    Tick,
    Frame,
    Time,
    Id,
    Kind,
    X,
    Y,
    Z,
    Vx,
    Vy,
    Vz,
    Mood,
    Bank,
}

impl Column {
    /// The columns that a file needs to continue a run.
    pub(super) const STATE: [Self; 9] =
        [Self::Tick, Self::Id, Self::Kind, Self::X, Self::Y, Self::Z, Self::Vx, Self::Vy, Self::Vz];

    /// The further columns that a flock uses.
    pub(super) fn optional(flock: Snapshot<'_>) -> impl Iterator<Item = Self> + use<> {
        let columns = [(Self::Mood, flock.uses_moods()), (Self::Bank, flock.uses_banks())];
        columns.into_iter().filter_map(|(column, is_used)| is_used.then_some(column))
    }

    /// The name in the header.
    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// The unit and the meaning, for metadata.
    pub(super) fn info(self) -> ColumnInfo {
        let (unit, description) = match self {
            Self::Tick => ("tick", "Number of ticks since the start of the flock."),
            Self::Frame => ("", "Number of the state in the file, counted from 0."),
            Self::Time => ("tick", "The same number as tick."),
            Self::Id => ("", "Number of the agent, the same in every tick."),
            Self::Kind => ("", "prey, predator, or caught for a boid that will respawn."),
            Self::X => ("u", "Position along the first axis."),
            Self::Y => ("u", "Position along the second axis."),
            Self::Z => ("u", "Position along the third axis, 0 in a flat world."),
            Self::Vx => ("u/tick", "Velocity along the first axis."),
            Self::Vy => ("u/tick", "Velocity along the second axis."),
            Self::Vz => ("u/tick", "Velocity along the third axis."),
            Self::Mood => (
                "",
                "Alarm of boids and fatigue of predators, 0 to 1; if negative, remaining ticks of rest; ticks until a caught boid \
                 respawns.",
            ),
            Self::Bank => ("radian", "Roll of a bird around its velocity, positive with the right wing down."),
        };
        ColumnInfo::new(self.name(), unit, description)
    }

    /// Writes the value of an agent. `frame` is the number of the state in the file.
    pub(super) fn write(self, agent: &WrittenAgent<'_>, frame: u64, out: &mut impl Write) -> io::Result<()> {
        let WrittenAgent { row, coordinates, tick, recording } = agent;
        let position = |axis: usize, out: &mut dyn Write| match coordinates {
            Some(coordinates) => write!(out, "{}", Shortest(coordinates[axis])),
            None => write!(out, "{}", Shortest(row.position[axis])),
        };
        if let (Self::Time, Some(Recording { frame_rate: Some(rate), start_time, .. })) = (self, recording) {
            let microseconds = ((start_time + *tick as f64 / rate) * 1e6).round();
            return write!(out, "{}", Shortest(microseconds / 1e6));
        }
        let number = match self {
            // Programs that analyze trajectories know ticks as time.
            Self::Tick | Self::Time => return write!(out, "{tick}"),
            Self::Frame => return write!(out, "{frame}"),
            Self::Id => {
                return match recording.and_then(|recording| recording.name(row.id)) {
                    Some(name) if name.contains([',', '"', '\n', '\r']) => {
                        write!(out, "\"{}\"", name.replace('"', "\"\""))
                    }
                    Some(name) => out.write_all(name.as_bytes()),
                    None => write!(out, "{}", row.id),
                };
            }
            Self::Kind => return out.write_all(row.kind.name().as_bytes()),
            Self::X => return position(0, out),
            Self::Y => return position(1, out),
            Self::Z => return position(2, out),
            Self::Vx => row.velocity[0],
            Self::Vy => row.velocity[1],
            Self::Vz => row.velocity[2],
            Self::Mood => row.mood,
            Self::Bank => row.bank,
        };
        write!(out, "{}", Shortest(number))
    }
}

/// An agent of a state that is written.
pub(super) struct WrittenAgent<'a> {
    pub row: Row,
    /// Its position in the file of a recording.
    pub coordinates: Option<[f64; 3]>,
    tick: u64,
    recording: Option<&'a Recording>,
}

impl<'a> WrittenAgent<'a> {
    /// The agents of a flock, or of a frame of a recording, in order of ids.
    pub(super) fn of(flock: Snapshot<'a>, recording: Option<&'a Recording>) -> impl ExactSizeIterator<Item = Self> {
        let recorded = flock.recorded();
        flock.rows().into_iter().enumerate().map(move |(index, row)| {
            let coordinates = recorded.and_then(|frame| frame.coordinates.get(index).copied());
            Self { row, coordinates, tick: flock.tick(), recording }
        })
    }
}

/// The value of `--columns`: a list of columns, or a set of them by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// `state`: the columns that `--input` needs to continue the run.
    #[default]
    State,
    /// `tracks`: the columns that programs for the analysis of trajectories read.
    Tracks,
    /// These columns, in this order.
    List(Vec<Column>),
}

impl Columns {
    /// The names of the sets.
    const SETS: [&'static str; 2] = ["state", "tracks"];

    /// The columns for a flock: some have no meaning in 2-D, or without moods or banks.
    pub(crate) fn of(&self, flock: Snapshot<'_>) -> Vec<Column> {
        use Column::{Frame, Id, Kind, Time, X, Y, Z};
        match self {
            Self::State => Column::STATE.into_iter().chain(Column::optional(flock)).collect(),
            Self::Tracks if flock.world().dim() == 3 => vec![Id, Frame, Time, X, Y, Z, Kind],
            Self::Tracks => vec![Id, Frame, Time, X, Y, Kind],
            Self::List(columns) => columns.clone(),
        }
    }
}

impl FromStr for Columns {
    /// The problem, and what would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "state" => return Ok(Self::State),
            "tracks" => return Ok(Self::Tracks),
            _ => {}
        }
        let mut columns = Vec::new();
        for name in text.split(',').map(str::trim) {
            let column = Column::from_str(name).map_err(|_| unknown(name))?;
            if columns.contains(&column) {
                return Err(format!("duplicate column `{name}`"));
            }
            columns.push(column);
        }
        Ok(Self::List(columns))
    }
}

fn unknown(name: &str) -> String {
    if Columns::SETS.contains(&name) {
        return format!("`{name}` is a set of columns, which cannot be part of a list");
    }
    if name.contains(char::is_whitespace) {
        return format!("unknown column `{name}`; separate columns by commas, e.g. id,tick,x,y");
    }
    let all = format!("; expected {}, or a list of {}", Columns::SETS.join(", "), Column::VARIANTS.join(", "));
    let names = Column::VARIANTS.iter().copied().chain(Columns::SETS);
    format!("unknown column `{name}`{}", did_you_mean_or(name, names, &all))
}

/// The last tick of a file of states.
#[derive(Clone, Debug)]
pub struct SavedState {
    file: PathBuf,
    /// The tick.
    pub tick: u64,
    /// Each agent, with the number of its line if the file has lines.
    pub rows: Vec<(Option<u64>, Row)>,
}

impl SavedState {
    /// # Errors
    ///
    /// [`InputError`] if there are no boids.
    pub(super) fn new(file: &Path, tick: u64, rows: Vec<(Option<u64>, Row)>) -> Result<Self, InputError> {
        let state = Self { file: file.to_owned(), tick, rows };
        if state.counts().0 == 0 {
            let line = state.rows.first().and_then(|(line, _)| *line);
            return Err(state.error(line, format!("no boids at tick {tick}")));
        }
        Ok(state)
    }

    /// The numbers of boids, including caught ones, and of predators.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let predators = self.rows.iter().filter(|(_, row)| row.kind == Kind::Predator).count();
        (self.rows.len() - predators, predators)
    }

    /// The flock that continues from this state.
    ///
    /// # Errors
    ///
    /// [`InputError::Line`] or [`InputError::File`] if a row does not fit the setup, or [`InputError::Sim`] if the setup itself
    /// is invalid.
    pub fn into_flock(mut self, setup: &Setup) -> Result<Flock, InputError> {
        self.rows.sort_unstable_by_key(|(line, row)| (row.id, *line));
        let rows: Vec<Row> = self.rows.iter().map(|(_, row)| *row).collect();
        Flock::from_rows(setup, self.tick, &rows).map_err(|error| self.invalid_row(setup).unwrap_or(error.into()))
    }

    /// The first duplicate id or row that does not fit the setup.
    fn invalid_row(&self, setup: &Setup) -> Option<InputError> {
        let duplicate = self.rows.windows(2).find(|pair| pair[0].1.id == pair[1].1.id).map(|pair| &pair[1]);
        if let Some((line, row)) = duplicate {
            return Some(self.error(*line, format!("duplicate id {}", row.id)));
        }
        let invalid = self.rows.iter().filter_map(|(line, row)| Some((*line, row.id, setup.check_row(row).err()?)));
        let (line, id, why) = invalid.min_by_key(|(line, ..)| *line)?;
        let agent = if line.is_some() { String::new() } else { format!("id {id}: ") };
        let message = format!("{agent}{why}; use the preset and the world that the file was written with");
        Some(self.error(line, message))
    }

    fn error(&self, line: Option<u64>, message: String) -> InputError {
        match line {
            Some(line) => InputError::line(&self.file, line, message),
            None => InputError::file(&self.file, message),
        }
    }
}
