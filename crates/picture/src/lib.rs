//! Pictures of a flock, in cells of a terminal.
//!
//! A [`Canvas`] draws a [`Snapshot`](flockscope_sim::Snapshot) of a flock or of a recording into a [`Picture`]: dots, light and
//! other layers, without colors. A [`ResolvedTheme`] has colors for them, and [`FlockWidget`] shows the picture in these colors.
//! It is a widget of ratatui, built on `ratatui-core`.

pub(crate) mod bits;
mod canvas;
mod cell;
mod color;
mod painter;
mod theme;

#[doc(hidden)]
pub use bits::{WORD, set_bits};
pub use canvas::*;
pub use cell::*;
pub use color::*;
pub use glam;
pub use painter::*;
pub use theme::*;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
