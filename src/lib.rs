//! Flockscope: a flock of boids that flies in a terminal.

pub mod sim;

#[cfg(feature = "app")]
pub mod canvas;
#[cfg(feature = "app")]
pub mod config;
#[cfg(feature = "app")]
pub mod engine;
#[cfg(feature = "app")]
pub mod tui;

#[cfg(feature = "app")]
pub mod cli;
#[cfg(feature = "app")]
pub mod export;
#[cfg(feature = "app")]
pub mod headless;
#[cfg(feature = "app")]
pub mod launch;
#[cfg(feature = "app")]
pub mod lists;
#[cfg(feature = "app")]
pub mod watch;
