//! Flockscope: a flock of boids that flies in a terminal.

pub mod sim;

#[cfg(feature = "app")]
pub mod config;
