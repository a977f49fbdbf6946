//! Unix: everything that needs file descriptors, terminal modes or signals.

mod decoder;
mod escape_splitter;
mod key_sequences;
mod signals;

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::terminal::WindowSize;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{getpgrp, getsid};
use rustix::termios::{
    OptionalActions, QueueSelector, tcflush, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr, ttyname,
};

use crate::terminal::events::TerminalEvent;
pub use decoder::InputDecoder;
pub(crate) use signals::Signals;
pub use signals::prepare_process;

/// The window's size in cells and, if known, in pixels. crossterm would open the terminal again for each frame.
pub(crate) fn window_size() -> io::Result<WindowSize> {
    let size = tcgetwinsize(io::stdout())?;
    Ok(WindowSize { rows: size.ws_row, columns: size.ws_col, width: size.ws_xpixel, height: size.ws_ypixel })
}

/// Whether another job is in the foreground and owns the terminal's modes. That happens when the script that started the
/// program was stopped first.
pub(crate) fn is_in_background() -> bool {
    tcgetpgrp(io::stdout()).is_ok_and(|foreground| foreground != getpgrp())
}

/// Whether the terminal's input belongs to this process: it is standard input and controls the process, or standard input is a text. With
/// `/dev/null` another program reads it.
pub(super) fn owns_input() -> bool {
    let stdin = io::stdin();
    if stdin.is_terminal() { tcgetpgrp(&stdin).is_ok() } else { matches!(PipedInput::open(), Ok(Some(_))) }
}

/// Whether a shell can continue this process once it stops: a shell with job control runs each job in a separate group, which is not
/// that of the session leader.
pub(crate) fn has_job_control() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Waits until the terminal accepts output, at most for `timeout`. Returns whether it does.
pub(super) fn wait_writable(timeout: Option<Duration>) -> bool {
    poll_until(&io::stdout(), PollFlags::OUT, timeout.map(|timeout| Instant::now() + timeout)).unwrap_or(false)
}

/// Waits until a file is ready, but not beyond the deadline. Returns whether it is.
fn poll_until(file: &impl AsFd, ready: PollFlags, until: Option<Instant>) -> io::Result<bool> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut [PollFd::new(file, ready)], left.as_ref()) {
            Err(Errno::INTR) => {}
            count => return Ok(count? > 0),
        }
    }
}

/// Drops output that the terminal has not accepted.
pub(super) fn discard_output() {
    let out = io::stdout();
    if !is_in_background() {
        let _ = tcflush(&out, QueueSelector::OFlush);
        // Setting the modes wakes a thread whose write waits, so that its frame does not block others.
        let _ = tcgetattr(&out).and_then(|modes| tcsetattr(&out, OptionalActions::Now, &modes));
    }
}

/// Writes as much as the system accepts; returns how many bytes that was. It bypasses the lock of standard output, so that
/// restoring the terminal does not wait for a write that hangs.
pub(super) fn write(bytes: &[u8]) -> io::Result<usize> {
    match rustix::io::write(io::stdout(), bytes) {
        Ok(count) => Ok(count),
        Err(Errno::INTR) => Ok(0),
        // Another process made the shared terminal non-blocking.
        Err(Errno::AGAIN) => {
            wait_writable(None);
            Ok(0)
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads and decodes the terminal's bytes. crossterm's own reader hides the replies that pacing needs, and takes late ones
/// for keys.
pub(crate) struct InputReader {
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
    pub(crate) fn open() -> io::Result<Self> {
        let terminal = if io::stdin().is_terminal() { None } else { Some(File::open(terminal_path())?) };
        Ok(Self { terminal, decoder: InputDecoder::default() })
    }

    /// Waits for input. Returns the events in it, which may be none.
    pub(super) fn read(&mut self) -> io::Result<Vec<TerminalEvent>> {
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
        let timeout = self.decoder.splitter.timeout().and_then(|timeout| Timespec::try_from(timeout).ok());
        let stdin = io::stdin();
        let terminal: BorrowedFd<'_> = self.terminal.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
        match poll(&mut [PollFd::new(&terminal, PollFlags::IN)], timeout.as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The most bytes of one read.
const BLOCK: usize = 4096;

/// A pipe, a socket or a regular file.
#[derive(Debug)]
pub(crate) struct PipedInput(File);

impl PipedInput {
    /// Standard input; `None` if it is a terminal, another device such as `/dev/null`, or a folder.
    pub(crate) fn open() -> io::Result<Option<Self>> {
        Self::new(io::stdin().as_fd().try_clone_to_owned()?)
    }

    pub(crate) fn new(input: OwnedFd) -> io::Result<Option<Self>> {
        let file = File::from(input);
        let kind = file.metadata()?.file_type();
        Ok((kind.is_fifo() || kind.is_socket() || kind.is_file()).then_some(Self(file)))
    }

    /// The next bytes, or none at the end; `None` after this long without a byte.
    pub(crate) fn read(&mut self, timeout: Duration) -> io::Result<Option<Vec<u8>>> {
        let until = Instant::now() + timeout;
        let mut bytes = vec![0; BLOCK];
        // Bytes or the end may come.
        while poll_until(&self.0, PollFlags::IN, Some(until))? {
            match self.0.read(&mut bytes) {
                Ok(count) => {
                    bytes.truncate(count);
                    return Ok(Some(bytes));
                }
                // Another process shares the pipe: it made it non-blocking, and read first.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Write, pipe};
    use std::os::unix::net::UnixStream;

    const NO_TIME: Duration = Duration::ZERO;
    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn pipes_sockets_and_files_are_read_to_their_end() {
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(b"pipe").unwrap();
        drop(writer);
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(b"socket").unwrap();
        drop(theirs);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"file").unwrap();
        let file = file.reopen().unwrap();
        for (input, expected) in [(OwnedFd::from(reader), "pipe"), (ours.into(), "socket"), (file.into(), "file")] {
            let mut input = PipedInput::new(input).unwrap().unwrap();
            assert_eq!(input.read(LONG).unwrap().unwrap(), expected.as_bytes());
            assert_eq!(input.read(LONG).unwrap(), Some(Vec::new()), "{expected}");
        }
    }

    #[test]
    fn devices_and_folders_have_no_text() {
        for path in ["/dev/null", "/dev/zero", "/"] {
            assert!(PipedInput::new(File::open(path).unwrap().into()).unwrap().is_none(), "{path}");
        }
    }

    #[test]
    fn a_silent_pipe_is_not_awaited() {
        let (reader, mut writer) = pipe().unwrap();
        let mut input = PipedInput::new(reader.into()).unwrap().unwrap();
        assert_eq!(input.read(NO_TIME).unwrap(), None);
        writer.write_all(b"late").unwrap();
        assert_eq!(input.read(LONG).unwrap().unwrap(), b"late");
    }
}
