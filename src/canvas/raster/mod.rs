//! The rasterizer: from agents to cells.

pub(super) mod projection;
pub(super) mod resolve;
pub(super) mod sums;
