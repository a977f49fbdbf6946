//! From the screen's cells to bytes: as few as possible, and no more than the other end takes.
//!
//! [`Backend`] is what ratatui draws on. It keeps two grids, what the screen should show and what
//! the terminal shows already, and [`Backend::encode`] writes the way from one to the other.
//! [`Pace`] says when, and how much of it: the other end acknowledges frames, and what it has not
//! seen yet is never piled up.

mod backend;
mod ceiling;
mod changes;
mod charset;
mod color;
mod cursor;
mod hand;
mod ink;
mod ladder;
mod likeness;
mod line;
mod link;
mod pace;
mod page;
mod pen;
mod plan;
mod screen;
mod swatches;

pub use backend::{Backend, Framing};
pub use charset::Charset;
pub use color::ColorDepth;
pub(crate) use color::{oklab, xterm};
pub use ink::{Ink, Tint};
pub use ladder::{Quality, Tolerance};
pub use line::Line;
pub use pace::{Pace, Turn};
