//! Reads the terminal's bytes. crossterm's own reader hides the replies that pacing needs, and takes late ones for keys.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::ttyname;

use super::InputDecoder;
use crate::terminal::events::TerminalEvent;

/// Reads and decodes input.
pub(in crate::terminal) struct InputReader {
    /// The terminal, if standard input is something else.
    terminal: Option<File>,
    decoder: InputDecoder,
}

/// The terminal's path. macOS cannot poll `/dev/tty`.
fn terminal_path() -> PathBuf {
    let name = if cfg!(target_vendor = "apple") { ttyname(io::stdout(), Vec::new()).ok() } else { None };
    name.and_then(|name| name.into_string().ok()).map_or_else(|| "/dev/tty".into(), PathBuf::from)
}

impl InputReader {
    pub(in crate::terminal) fn open() -> io::Result<Self> {
        let terminal = if io::stdin().is_terminal() { None } else { Some(File::open(terminal_path())?) };
        Ok(Self { terminal, decoder: InputDecoder::default() })
    }

    /// Waits for input. Returns the events in it, which may be none.
    pub(in crate::terminal) fn read(&mut self) -> io::Result<Vec<TerminalEvent>> {
        if !self.wait()? {
            return Ok(self.decoder.flush());
        }
        let mut bytes = [0; 1024];
        let count = match &mut self.terminal {
            Some(terminal) => terminal.read(&mut bytes),
            // The standard library's buffer would hold bytes that poll does not see.
            None => rustix::io::read(io::stdin(), &mut bytes).map_err(io::Error::from),
        };
        match count {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(self.decoder.feed(&bytes[..count])),
            // Another process made the shared terminal non-blocking, and read first.
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Waits for bytes to read, or for as long as the rest of a sequence may take. Returns whether there are any.
    fn wait(&self) -> io::Result<bool> {
        let timeout = self.decoder.timeout().and_then(|timeout| Timespec::try_from(timeout).ok());
        let stdin = io::stdin();
        let terminal: BorrowedFd<'_> = self.terminal.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        match poll(&mut [PollFd::new(&terminal, PollFlags::IN)], timeout.as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
