//! The terminal: what it can do, what it sends, and the bytes that make it show the screen.
//!
//! - [`CharsetGuess`] and `color_depth`: its capabilities.
//! - [`tty`]: raw mode, the alternate screen, suspend and restore.
//! - [`events`]: keys, the mouse, the terminal's replies and signals, queued for the event loop.
//! - `Signals`: signals and job control.
//! - `widths`: how many cells it takes for a character.
//! - `encoder`: [`ScreenEncoder`] compares what the screen should show with what it shows, and writes the difference.
//! - `pacing`: `Pacer` decides when a frame goes out, so that little output waits in front of a key on a slow link.
//! - `frame_writer`: writes frames on a thread.
//! - `unix`, `windows`: everything that depends on the system.

#![allow(clippy::disallowed_methods, reason = "its output is control sequences")]

mod charset;
mod color_depth;
pub(crate) mod encoder;
pub mod events;
pub(crate) mod frame_writer;
pub(crate) mod pacing;
pub mod tty;
#[cfg(unix)]
mod unix;
pub(crate) mod widths;
#[cfg(not(unix))]
mod windows;

pub use charset::CharsetGuess;
pub(crate) use color_depth::{background_from_env, color_depth_from_env};
pub(crate) use encoder::encode_lines;
pub use encoder::{FrameOptions, ScreenEncoder, Tolerance};
pub(crate) use pacing::{Pacer, SendDecision};
pub use system::prepare_process;
pub(crate) use system::{PipedInput, Signals};
#[cfg(unix)]
use unix as system;
#[cfg(unix)]
pub use unix::InputDecoder;
#[cfg(not(unix))]
use windows as system;
