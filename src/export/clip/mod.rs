//! A clip: a sequence of drawn screens and their times.

pub(crate) mod palette;
pub(crate) mod timing;

use std::io;

use ratatui::buffer::Buffer;

use timing::ClipTiming;

/// What frames are added to, one by one.
pub(crate) trait ClipWriter {
    /// Adds a screen, which is number `frame`.
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()>;

    /// Ends it, when the last frame's time is over.
    fn finish(self, timing: ClipTiming) -> io::Result<()>;
}
