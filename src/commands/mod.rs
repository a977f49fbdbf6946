//! The subcommands, and what they share: options, settings, log, progress and error messages.

pub mod args;
pub mod bench;
pub mod breed;
pub mod completions;
pub mod errors;
pub mod fit;
mod flock_setup;
pub mod lists;
pub mod man;
mod output;
pub mod pictures;
pub mod replay;
mod replay_file;
pub mod run;
pub mod settings;
pub mod sweep;
pub mod watch;

pub use crate::terminal::prepare_process;
