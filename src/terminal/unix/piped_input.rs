//! Standard input that is no terminal: what it is, and reading it with a timeout.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// The most bytes of one read.
const BLOCK: usize = 4096;

/// A pipe, a socket or a regular file. It has no thread, which would take signals from the viewer.
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
        while self.wait(until)? {
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

    /// Waits for bytes or the end. Returns whether it came in time.
    fn wait(&self, until: Instant) -> io::Result<bool> {
        loop {
            let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).ok();
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], left.as_ref()) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
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
