//! Output files: one file per format.
//!
//! States (CSV, extended XYZ), measures and sessions are written from a flock; pictures and clips from a buffer of cells that the caller has drawn.

pub(crate) mod cast;
pub(crate) mod clip;
pub mod columns;
pub mod csv;
pub(crate) mod gif;
pub(crate) mod measures;
mod output_file;
pub(crate) mod palette;
pub mod picture;
pub(crate) mod png;
pub mod session;
pub mod state;
pub(crate) mod svg;
pub(crate) mod text;
mod xyz;

pub use output_file::OutputFile;
