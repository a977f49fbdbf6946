//! Output files: one file per format.
//!
//! CSV is written from a flock; pictures and clips from a buffer of cells that the caller has drawn.

pub(crate) mod cast;
pub(crate) mod clip;
pub mod csv;
pub(crate) mod gif;
pub(crate) mod measures;
mod output_file;
pub(crate) mod palette;
pub mod picture;
pub(crate) mod png;
pub(crate) mod svg;
pub(crate) mod text;

pub use output_file::OutputFile;
