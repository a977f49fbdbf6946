//! What a run writes: one file per format, behind one trait.

pub(crate) mod ansi;
pub(crate) mod cast;
pub(crate) mod clip;
pub mod csv;
pub(crate) mod gif;
pub(crate) mod line_limit;
pub(crate) mod measures;
pub(crate) mod output_file;
pub mod picture;
pub(crate) mod png;
pub(crate) mod svg;
pub(crate) mod txt;

use std::io;

pub use measures::MeasuresCsv;
pub use output_file::OutputFile;

use crate::sim::Flock;

/// Something that a flock is written to, tick by tick.
pub trait FlockWriter {
    /// Writes the flock as it is now.
    ///
    /// # Errors
    ///
    /// What the file answers.
    fn write(&mut self, flock: &Flock) -> io::Result<()>;

    /// Ends the file. Only then does it stand under its name.
    ///
    /// # Errors
    ///
    /// What the file answers; nothing stands under the name then that did not before.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
