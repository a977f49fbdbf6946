//! Output files: one file per format.
//!
//! States (CSV, extended XYZ, NPZ), measures and sessions are written from a flock; pictures and clips from a buffer of cells that the caller has
//! drawn.

pub(crate) mod cast;
pub(crate) mod clip;
pub mod columns;
pub mod csv;
mod escaping_writer;
pub(crate) mod gif;
pub(crate) mod metadata;
pub mod npz;
mod output_file;
pub mod picture;
pub mod session;
pub mod state;
mod xyz;

pub(crate) use escaping_writer::escape_lines;
pub use escaping_writer::{stderr, stdout};
pub(crate) use flockscope_tracks::text::{Shortest, counted};
pub use output_file::{OutputFile, Replaces};
pub(crate) use output_file::{is_free, numbered};
