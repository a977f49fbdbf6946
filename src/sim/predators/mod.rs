//! Predators.

pub(crate) mod alarm;
pub(crate) mod hunt;
pub(crate) mod respawn;
