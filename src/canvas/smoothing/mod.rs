//! Smooths values per cell in space and time, so that the picture does not flicker.

pub(super) mod exposure;
pub(super) mod mean;
pub(super) mod scroll;
