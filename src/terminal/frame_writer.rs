//! Frames on their way out, on a thread of their own: keys are read while a write waits.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::input::event_queue::EventSender;
use super::input::reader::TerminalEvent;
use super::tty;

/// What is taken sooner than this is taken by a terminal that keeps up.
const AT_ONCE: Duration = Duration::from_millis(20);
/// About so many bytes a system takes for a terminal that reads none.
const ROOM: usize = 8192;
/// How many bytes are written at a time to a terminal that does not keep up.
const PIECE: usize = 512;

/// Writes one frame at a time.
#[derive(Debug)]
pub struct FrameWriter {
    frames: Sender<Vec<u8>>,
    /// Room for the next frame; none while one is being written.
    room: Option<Vec<u8>>,
}

impl FrameWriter {
    /// Begins a thread that tells when a frame is done, and ends with the writer.
    ///
    /// # Errors
    ///
    /// Where the system refuses a thread.
    pub fn start(teller: EventSender) -> io::Result<Self> {
        let (frames, inbox) = mpsc::channel::<Vec<u8>>();
        let body = move || {
            let mut manner = ChunkSize { most: ROOM };
            for mut frame in inbox {
                let sent = manner.write(&frame);
                frame.clear();
                if !teller.tell(TerminalEvent::FrameWritten(frame, sent)) {
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

/// How frames are handed to the system: in one piece where the terminal keeps up. What the system has got it goes on
/// writing when the terminal is given back, and what the terminal is told then has to wait for it.
#[derive(Debug)]
struct ChunkSize {
    /// The most bytes at a time.
    most: usize,
}

impl ChunkSize {
    fn write(&mut self, frame: &[u8]) -> io::Result<()> {
        let (begun, mut rest) = (Instant::now(), frame);
        while !rest.is_empty() {
            let start = Instant::now();
            let Some(count) = tty::write(&rest[..rest.len().min(self.most)])? else { break };
            rest = &rest[count..];
            if start.elapsed() > AT_ONCE {
                self.most = PIECE;
            }
        }
        if begun.elapsed() <= AT_ONCE {
            self.most = if frame.len() > ROOM { usize::MAX } else { self.most.max(ROOM) };
        }
        Ok(())
    }
}
