//! From the screen's cells to bytes: as few as possible, and no more than the other end takes.
//!
//! [`Backend`] is what ratatui draws on. It keeps two grids, what the screen should show and what
//! the terminal shows already, and [`Backend::encode`] writes the way from one to the other.
//! [`Pacer`] says when, and how much of it: the other end acknowledges frames, and what it has not
//! seen yet is never piled up.

pub(crate) mod charset;
pub(crate) mod color;
pub(crate) mod encoder;
pub(crate) mod frame_writer;
pub(crate) mod input;
pub(crate) mod pacing;
#[cfg(feature = "app")]
pub mod signals;
pub(crate) mod tty;

pub use charset::Charset;
pub use color::ColorDepth;
pub(crate) use color::{oklab, xterm};
pub use encoder::backend::{Backend, FrameOptions};
pub use encoder::cell_row::CellRow;
pub use encoder::packed_cell::{PackedCell, PackedColor};
pub use pacing::pacer::{Pacer, SendDecision};
pub use pacing::quality::{QualityLevel, Tolerance};
