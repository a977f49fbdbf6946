//! Smoothing.

pub(crate) mod blur;
pub(crate) mod exposure;
pub(crate) mod scroll;
