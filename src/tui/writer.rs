//! Frames on their way out, on a thread of their own: keys are read while a write waits.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::input::Happening;
use super::mailbox::Teller;
use super::terminal;

/// Writes one frame at a time.
#[derive(Debug)]
pub struct Writer {
    frames: Sender<Vec<u8>>,
    /// Room for the next frame; none while one is being written.
    room: Option<Vec<u8>>,
}

impl Writer {
    /// Begins a thread that tells when a frame is done, and ends with the writer.
    ///
    /// # Errors
    ///
    /// Where the system refuses a thread.
    pub fn start(teller: Teller) -> io::Result<Self> {
        let (frames, inbox) = mpsc::channel::<Vec<u8>>();
        let body = move || {
            for mut frame in inbox {
                let sent = terminal::write(&frame);
                frame.clear();
                if !teller.tell(Happening::Written(frame, sent)) {
                    return;
                }
            }
        };
        thread::Builder::new().name("writer".into()).spawn(body)?;
        Ok(Self { frames, room: Some(Vec::new()) })
    }

    /// Empty room for a frame, to be handed to [`write`](Self::write) or [`done`](Self::done); none while one
    /// is being written.
    pub fn room(&mut self) -> Option<Vec<u8>> {
        self.room.take()
    }

    /// Whether a frame is being written.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.room.is_none()
    }

    /// Writes a frame.
    pub fn write(&mut self, frame: Vec<u8>) {
        // A thread that has ended takes no frames; the loop that would ask has ended too.
        let _ = self.frames.send(frame);
    }

    /// A frame has been written, or was not worth it: its room comes back.
    pub fn done(&mut self, room: Vec<u8>) {
        self.room = Some(room);
    }
}
