//! What a run writes: one file per format, behind one trait.

pub mod csv;
mod lines;
mod measures;
mod target;

use std::io;

pub use measures::MeasuresCsv;
pub use target::Target;

use crate::sim::Flock;

/// Something that a flock is written to, tick by tick.
pub trait Export {
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
