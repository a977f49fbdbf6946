//! Commands.

pub mod args;
pub mod bench;
pub mod completions;
pub mod errors;
pub mod lists;
pub mod log;
pub mod man;
pub(crate) mod progress;
pub mod record;
pub mod run;
pub mod settings;
pub mod setup;
pub mod shot;
pub mod version;
pub mod watch;
