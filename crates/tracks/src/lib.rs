//! Recorded tracks of animals: readers, a player, and the rules that the animals follow.
//!
//! Positions and velocities are in the unit of the recording, times in frames. A [`Recording`] holds the states of the animals in
//! each frame, and a [`Player`] lends the frame that it shows as a [`Snapshot`](flockscope_sim::Snapshot), which measures, pictures
//! and files take like that of a simulated flock.

#[cfg(test)]
mod cases_tests;
mod error;
pub mod fit;
mod read;
mod recording;
#[doc(hidden)]
pub mod text;
mod transverse_mercator;
mod values;

pub use error::{Error, Help, Note, ReadOption, UnknownName};
pub use read::{ColumnNames, EXTENSIONS, LAYOUTS, Layout, ReadOptions, is_recording, read, read_states, read_text};
pub use read::{npz, states};
pub use recording::{Beside, Player, RecordedState, Recording};
pub use values::{DateOrder, Interval, LengthUnit, Missing, TimeUnit};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
