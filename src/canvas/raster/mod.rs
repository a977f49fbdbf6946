//! Raster.

pub(crate) mod projection;
pub(crate) mod resolve;
pub(crate) mod sums;
