//! The layers of a picture that are not sums over cells, and those smoothed over time.

mod bird_poses;
pub(super) mod birds;
pub(super) mod bodies;
pub(super) mod glow;
pub(super) mod minimap;
pub(super) mod scenery;
pub(super) mod trails;
