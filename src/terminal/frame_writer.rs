//! Writes frames on a thread, so that keys are read while a write blocks.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::events::{EventSender, TerminalEvent};
use super::tty;

/// A terminal that accepts a write sooner than this keeps up.
const PROMPT_WRITE: Duration = Duration::from_millis(20);
/// About as many bytes as a system buffers for a terminal.
const SYSTEM_BUFFER: usize = 8192;
/// Bytes per write to a terminal that does not keep up.
const SMALL_CHUNK: usize = 512;

/// Writes one frame at a time.
#[derive(Debug)]
pub(crate) struct FrameWriter {
    frames: Sender<Vec<u8>>,
    /// The buffer for the next frame; `None` while one is being written.
    buffer: Option<Vec<u8>>,
}

impl FrameWriter {
    /// Starts the thread. It sends [`TerminalEvent::FrameWritten`] after each frame, and ends with the writer.
    pub(crate) fn start(events: EventSender) -> io::Result<Self> {
        let (frames, inbox) = mpsc::channel::<Vec<u8>>();
        thread::Builder::new().name("writer".into()).spawn(move || {
            let mut chunk_size = SYSTEM_BUFFER;
            for mut frame in inbox {
                let result = write_in_chunks(&frame, &mut chunk_size);
                frame.clear();
                if !events.send(TerminalEvent::FrameWritten(frame, result)) {
                    return;
                }
            }
        })?;
        Ok(Self { frames, buffer: Some(Vec::new()) })
    }

    /// An empty buffer, to hand to [`write`](Self::write) or [`return_buffer`](Self::return_buffer); `None` while a frame is
    /// being written.
    pub(crate) fn take_buffer(&mut self) -> Option<Vec<u8>> {
        self.buffer.take()
    }

    /// Whether a frame is being written.
    pub(crate) fn is_busy(&self) -> bool {
        self.buffer.is_none()
    }

    /// Writes a frame.
    pub(crate) fn write(&mut self, frame: Vec<u8>) {
        // The thread only ends after the event loop.
        let _ = self.frames.send(frame);
    }

    /// Returns the buffer of a frame that was written or not worth writing.
    pub(crate) fn return_buffer(&mut self, buffer: Vec<u8>) {
        self.buffer = Some(buffer);
    }
}

/// Writes a frame. Bytes already handed to the system are shown before the restore sequences, so a slow terminal gets small
/// chunks.
fn write_in_chunks(frame: &[u8], chunk_size: &mut usize) -> io::Result<()> {
    let (begun, mut rest) = (Instant::now(), frame);
    while !rest.is_empty() {
        let start = Instant::now();
        let Some(count) = tty::write(&rest[..rest.len().min(*chunk_size)])? else { break };
        rest = &rest[count..];
        if start.elapsed() > PROMPT_WRITE {
            *chunk_size = SMALL_CHUNK;
        }
    }
    if begun.elapsed() <= PROMPT_WRITE {
        *chunk_size = if frame.len() > SYSTEM_BUFFER { usize::MAX } else { (*chunk_size).max(SYSTEM_BUFFER) };
    }
    Ok(())
}
