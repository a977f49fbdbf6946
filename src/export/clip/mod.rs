//! Timing and colors of clips, shared by the clip formats.

pub(crate) mod palette;
pub(crate) mod timing;

use std::io;

use ratatui::buffer::Buffer;

use timing::ClipTiming;

/// Writes a clip, one frame after the other.
pub(crate) trait ClipWriter {
    /// Appends a screen as frame number `frame`.
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()>;

    /// Completes the clip after the duration of the last frame.
    fn finish(self, timing: ClipTiming) -> io::Result<()>;
}
