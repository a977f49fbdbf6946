//! Output files: one file per format.
//!
//! CSV is written from a flock; pictures and clips from a buffer of cells that the caller has drawn.

pub(crate) mod ansi;
pub(crate) mod cast;
pub(crate) mod clip;
pub mod csv;
pub(crate) mod gif;
mod measures;
mod output_file;
pub mod picture;
pub(crate) mod png;
pub(crate) mod svg;
pub(crate) mod txt;

use std::io;

pub use measures::MeasuresCsv;
pub use output_file::OutputFile;

use crate::sim::Flock;

/// Writes a flock to a file, one tick after the other.
pub trait FlockWriter {
    /// Appends the current tick.
    ///
    /// # Errors
    ///
    /// I/O errors.
    fn write(&mut self, flock: &Flock) -> io::Result<()>;

    /// Completes the file. An [`OutputFile`] appears under its name only now.
    ///
    /// # Errors
    ///
    /// I/O errors.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
