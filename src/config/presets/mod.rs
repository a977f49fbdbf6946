//! Presets.

pub(crate) mod preset;
pub(crate) mod reproduce;
pub(crate) mod world_size;
pub(crate) mod writer;
pub(crate) mod zones;
