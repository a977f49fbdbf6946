//! The simulation as a library: positions, velocities and hashes, without the program.

#[path = "../common/bounds.rs"]
mod bounds;

mod determinism;
mod edges;
mod environment;
mod largest_flock;
mod measures;
mod memory;
mod models;
mod morph;
mod murmuration;
mod parameter_ranges;
mod perception;
mod perches;
mod predators;
mod random_worlds;
mod sessions;
mod simd;
mod statistics;
mod zones;
