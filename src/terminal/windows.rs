//! Windows: the console as crossterm presents it. There is no job control, and no signal to handle: a console that closes ends
//! its programs.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crossterm::Command;
use crossterm::event::{self, Event, KeyEventKind};
use crossterm::terminal::WindowSize;

use super::events::{EventSender, SuspendScope, TerminalEvent};

/// Reads console events.
pub(crate) struct InputReader;

impl InputReader {
    pub(crate) fn open() -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) fn read(&mut self) -> io::Result<Vec<TerminalEvent>> {
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => vec![TerminalEvent::Key(key.into())],
            Event::Mouse(mouse) => vec![TerminalEvent::Mouse(mouse)],
            Event::FocusGained => vec![TerminalEvent::Focus(true)],
            Event::FocusLost => vec![TerminalEvent::Focus(false)],
            Event::Resize(..) => vec![TerminalEvent::Resized],
            _ => Vec::new(),
        })
    }
}

/// Whether the console's input belongs to this process.
pub(super) fn owns_input() -> bool {
    true
}

/// The most bytes of one read.
const BLOCK: usize = 4096;
/// How many blocks are read ahead.
const AHEAD: usize = 4;

/// Standard input that is no console. A thread reads it, since a pipe cannot be polled; it ends with the process.
#[derive(Debug)]
pub(crate) struct PipedInput(Receiver<io::Result<Vec<u8>>>);

impl PipedInput {
    /// Standard input; `None` if it is a console.
    pub(crate) fn open() -> io::Result<Option<Self>> {
        if io::stdin().is_terminal() {
            return Ok(None);
        }
        let (sender, blocks) = mpsc::sync_channel(AHEAD);
        thread::Builder::new().name("piped input".into()).spawn(move || {
            loop {
                let mut block = vec![0; BLOCK];
                let read = io::stdin().read(&mut block).map(|count| {
                    block.truncate(count);
                    block
                });
                let is_last = !matches!(&read, Ok(block) if !block.is_empty());
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Some(Self(blocks)))
    }

    /// The next bytes, or none at the end; `None` after this long without a byte.
    pub(crate) fn read(&mut self, timeout: Duration) -> io::Result<Option<Vec<u8>>> {
        match self.0.recv_timeout(timeout) {
            Ok(block) => block.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Vec::new())),
        }
    }
}

/// Lets the console interpret escape sequences, and report the mouse if asked to.
pub(super) fn enable(mouse: bool) -> io::Result<()> {
    crossterm::ansi_support::supports_ansi();
    if mouse { event::EnableMouseCapture.execute_winapi() } else { Ok(()) }
}

/// Ends mouse reports.
pub(super) fn disable(mouse: bool) {
    if mouse {
        let _ = event::DisableMouseCapture.execute_winapi();
    }
}

/// The window's size in cells.
pub(crate) fn window_size() -> io::Result<WindowSize> {
    let (columns, rows) = crossterm::terminal::size()?;
    Ok(WindowSize { rows, columns, width: 0, height: 0 })
}

pub(crate) fn is_in_background() -> bool {
    false
}

pub(crate) fn has_job_control() -> bool {
    false
}

/// Writes to a console never wait for long.
pub(super) fn wait_writable(_: Option<Duration>) -> bool {
    true
}

/// A console accepts everything.
pub(super) fn discard_output() {}

/// Writes as much as fits; returns how many bytes that was.
pub(super) fn write(bytes: &[u8]) -> io::Result<usize> {
    let mut out = io::stdout().lock();
    let count = out.write(bytes)?;
    out.flush().map(|()| count)
}

/// Has nothing to prepare.
pub fn prepare_process() {}

/// No signals.
#[derive(Debug)]
pub(crate) struct Signals(());

impl Signals {
    /// Has nothing to handle.
    pub(crate) fn for_termination(_: fn()) -> io::Result<Self> {
        Ok(Self(()))
    }

    /// Has nothing to handle.
    pub(crate) fn for_viewer(_: EventSender, _: fn()) -> io::Result<Self> {
        Ok(Self(()))
    }

    /// `None`.
    pub(crate) fn pending(&self) -> Option<i32> {
        None
    }

    /// `false`.
    pub(crate) fn is_stopping(&self) -> bool {
        false
    }

    /// `false`.
    pub(crate) fn take_resume(&self) -> bool {
        false
    }

    /// Does nothing, since no shell could continue the program.
    pub(crate) fn stop(&self, _: SuspendScope) {}
}
