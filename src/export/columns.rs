//! The columns of the state as CSV, and the sets of them that have a name.

use std::borrow::Cow;
use std::io::{self, Write};
use std::str::FromStr;

use strum::VariantNames;

use super::Shortest;
use super::metadata::ColumnInfo;
use crate::error::did_you_mean_or;
use crate::sim::{Row, Snapshot};
use crate::tracks::Recording;
use crate::tracks::states::Column;

/// The further columns that a flock uses.
pub(super) fn optional(flock: Snapshot<'_>) -> impl Iterator<Item = Column> + use<> {
    let columns = [(Column::Mood, flock.uses_moods), (Column::Bank, flock.uses_banks())];
    columns.into_iter().filter_map(|(column, is_used)| is_used.then_some(column))
}

/// The unit and the meaning, for metadata.
pub(super) fn info(column: Column) -> ColumnInfo {
    let (unit, description) = match column {
        Column::Tick => ("tick", "Number of ticks since the start of the flock."),
        Column::Frame => ("", "Number of the state in the file, counted from 0."),
        Column::Time => ("tick", "The same number as tick."),
        Column::Id => ("", "Number of the agent, the same in every tick."),
        Column::Kind => ("", "prey, predator, or caught for a boid that will respawn."),
        Column::X => ("u", "Position along the first axis."),
        Column::Y => ("u", "Position along the second axis."),
        Column::Z => ("u", "Position along the third axis, 0 in a flat world."),
        Column::Vx => ("u/tick", "Velocity along the first axis."),
        Column::Vy => ("u/tick", "Velocity along the second axis."),
        Column::Vz => ("u/tick", "Velocity along the third axis."),
        Column::Mood => (
            "",
            "Alarm of boids and fatigue of predators, 0 to 1; if negative, remaining ticks of rest; ticks until a caught boid \
             respawns.",
        ),
        Column::Bank => ("radian", "Roll of a bird around its velocity, positive with the right wing down."),
    };
    ColumnInfo::new(column.name(), unit, description)
}

/// Writes the value of an agent. `frame` is the number of the state in the file.
pub(super) fn write(column: Column, agent: &WrittenAgent<'_>, frame: u64, out: &mut impl Write) -> io::Result<()> {
    let WrittenAgent { row, coordinates, tick, recording } = agent;
    let position = |axis: usize, out: &mut dyn Write| match coordinates {
        Some(coordinates) => write!(out, "{}", Shortest(coordinates[axis])),
        None => write!(out, "{}", Shortest(row.position[axis])),
    };
    if let (Column::Time, Some(Recording { frame_rate: Some(rate), start_time, .. })) = (column, recording) {
        let microseconds = ((start_time + *tick as f64 / rate) * 1e6).round();
        return write!(out, "{}", Shortest(microseconds / 1e6));
    }
    let number = match column {
        // Programs that analyze trajectories know ticks as time.
        Column::Tick | Column::Time => return write!(out, "{tick}"),
        Column::Frame => return write!(out, "{frame}"),
        Column::Id => {
            return match recording.and_then(|recording| recording.name(row.id)) {
                Some(name) => out.write_all(quoted(name).as_bytes()),
                None => write!(out, "{}", row.id),
            };
        }
        Column::Kind => return out.write_all(row.kind.name().as_bytes()),
        Column::X => return position(0, out),
        Column::Y => return position(1, out),
        Column::Z => return position(2, out),
        Column::Vx => row.velocity[0],
        Column::Vy => row.velocity[1],
        Column::Vz => row.velocity[2],
        Column::Mood => row.mood,
        Column::Bank => row.bank,
    };
    write!(out, "{}", Shortest(number))
}

/// A field, in quotes if it needs them: names from files may have any character.
pub(crate) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
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
        let recorded = flock.recorded;
        flock.rows().into_iter().enumerate().map(move |(index, row)| {
            let coordinates = recorded.and_then(|frame| frame.coordinates.get(index).copied());
            Self { row, coordinates, tick: flock.tick, recording }
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
            Self::State => Column::STATE.into_iter().chain(optional(flock)).collect(),
            Self::Tracks if flock.world.dim() == 3 => vec![Id, Frame, Time, X, Y, Z, Kind],
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
