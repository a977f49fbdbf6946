//! The states of a flock as NPZ, the format of `NumPy`: a ZIP archive with an array per file.
//!
//! Arrays have a row for each id that occurs in the file, so an agent keeps its place when others come and go.

mod header;
mod reader;
#[cfg(test)]
mod tests;
mod trajectories;
mod writer;

use strum::IntoStaticStr;

pub use reader::{read, read_from};
pub(super) use trajectories::read_trajectories;
pub(super) use writer::NpzWriter;

use super::columns::Column;
use super::metadata::ColumnInfo;
use crate::sim::{Kind, Row};
use header::Type;

/// An array, whose name is that of the variant in lower case.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Array {
    Tick,
    Id,
    Kind,
    Position,
    Velocity,
    Mood,
    Bank,
}

/// The code in `kind` where a tick has no agent with the id; its numbers are NaN.
const NO_AGENT: i8 = -1;
/// The kinds in the order of their codes, which start at 0.
const KINDS: [Kind; 3] = [Kind::Prey, Kind::Predator, Kind::Caught];

impl Array {
    pub(super) const ALL: [Self; 7] =
        [Self::Tick, Self::Id, Self::Kind, Self::Position, Self::Velocity, Self::Mood, Self::Bank];

    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// The type of the numbers; recorded coordinates need f64.
    fn element(self, is_recorded: bool) -> Type {
        match self {
            Self::Position if is_recorded => Type::FLOAT64,
            Self::Tick => Type::INT64,
            Self::Id => Type::UINT32,
            Self::Kind => Type::INT8,
            Self::Position | Self::Velocity | Self::Mood | Self::Bank => Type::FLOAT32,
        }
    }

    /// The unit and the meaning, for metadata.
    fn info(self) -> ColumnInfo {
        let (unit, description) = match self {
            Self::Tick => ("tick", "Number of ticks since the start of the flock; one per state."),
            Self::Id => ("", "Number of the agent; one per agent, in increasing order."),
            Self::Kind => (
                "",
                "0 prey, 1 predator, 2 caught boid that will respawn, -1 no agent with this id at this tick; ticks x agents.",
            ),
            Self::Position => ("u", "Position; ticks x agents x axes."),
            Self::Velocity => ("u/tick", "Velocity; ticks x agents x axes."),
            Self::Mood => return Column::Mood.info().with_shape("ticks x agents"),
            Self::Bank => return Column::Bank.info().with_shape("ticks x agents"),
        };
        ColumnInfo::new(self.name(), unit, description)
    }

    /// Appends the bytes of an agent, in a world with this number of dimensions.
    fn push(self, row: &Row, dim: usize, bytes: &mut Vec<u8>) {
        let numbers = match self {
            Self::Position => &row.position[..dim],
            Self::Velocity => &row.velocity[..dim],
            Self::Mood => std::slice::from_ref(&row.mood),
            Self::Bank => std::slice::from_ref(&row.bank),
            Self::Kind => {
                bytes.extend(KINDS.iter().zip(0..).find(|(kind, _)| **kind == row.kind).map(|(_, code): (_, u8)| code));
                return;
            }
            Self::Tick | Self::Id => unreachable!("they have no value per state and agent"),
        };
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}
