//! Recorded tracks of animals.
//!
//! Positions and velocities are in the unit of the recording, times in frames. A [`Recording`] holds the states of the animals in
//! each frame, and a [`Player`] lends the frame that it shows as a [`Snapshot`](flockscope_sim::Snapshot), which measures, pictures
//! and files take like that of a simulated flock.

mod recording;

pub use recording::{Player, RecordedState, Recording};
