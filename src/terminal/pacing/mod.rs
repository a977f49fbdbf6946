//! Pacing.

pub(crate) mod bandwidth;
pub(crate) mod link;
pub(crate) mod pacer;
pub(crate) mod quality;
