//! States in NPZ, the format of `NumPy`: a ZIP archive with an array per file.
//!
//! Arrays have a row for each id that occurs in the file, so an agent keeps its place when others come and go.

mod header;
mod reader;
#[cfg(test)]
mod tests;
mod trajectories;

use strum::{IntoStaticStr, VariantArray};

use flockscope_sim::Kind;

pub use header::{ArrayHeader, Family, Order, Type};
pub(super) use reader::read_columns;
pub use reader::read_states;
pub(super) use trajectories::{read_array, read_trajectories};

/// An array, whose name is that of the variant in lower case.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the names of arrays")]
pub enum Array {
    Tick,
    Id,
    Kind,
    Position,
    Velocity,
    Mood,
    Bank,
}

/// The code in `kind` where a tick has no agent with the id; its numbers are NaN.
pub const NO_AGENT: i8 = -1;
/// The kinds in the order of their codes, which start at 0.
pub const KINDS: [Kind; 3] = [Kind::Prey, Kind::Predator, Kind::Caught];

impl Array {
    /// All arrays.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name in the file, without its extension.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
