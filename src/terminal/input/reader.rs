//! What comes from the terminal: keys, the mouse, and its answers, read on a thread of their own.
//!
//! crossterm keeps the terminal's answers to itself, and takes a late one for keys. So where
//! frames are acknowledged the bytes are read here and parsed by termina, which hands out both.

use std::io;
use std::path::PathBuf;
use std::thread;

use crossterm::event::{KeyEvent, MouseEvent};

use super::event_queue::EventSender;
use crate::config::{Error, Rgb};
use crate::terminal::signals::SignalEvent;

/// Something has happened that the viewer's loop wants to know.
#[derive(Debug)]
pub enum TerminalEvent {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was pressed, released, dragged or scrolled.
    Mouse(MouseEvent),
    /// Text was pasted; of a long one only the beginning is here.
    Paste(String),
    /// The window has lost the focus.
    FocusLost,
    /// A picture has been taken and saved, or could not be.
    ScreenshotSaved(Result<PathBuf, Error>),
    /// The terminal has answered.
    Reply(Reply),
    /// The window may have another size.
    Resized,
    /// Nothing more comes from the terminal.
    InputClosed(io::Error),
    /// A signal has come.
    Signal(SignalEvent),
    /// A frame has been written, or could not be; its room comes back.
    FrameWritten(Vec<u8>, io::Result<()>),
}

impl TerminalEvent {
    /// Whether it need not wake the loop: it can be taken in when the next frame is due, unless that frame waits for it.
    #[must_use]
    pub fn can_wait(&self) -> bool {
        matches!(self, Self::Reply(Reply::Row(_)) | Self::FrameWritten(_, Ok(())))
    }
}

/// What a terminal answers when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The cursor stands in this row, counted from 0: all before that question has been shown.
    Row(u16),
    /// Whether it knows synchronized output (mode 2026).
    Synchronized(bool),
    /// The color of its background (OSC 11).
    Background(Rgb),
    /// It has set a color of 24 bits (DECRQSS).
    Truecolor,
}

/// Whether the terminal's answers are told from keys: a Windows console hands both out as keys, so nothing is asked there.
pub const REPLIES_SUPPORTED: bool = cfg!(unix);

/// Listens from now on, for as long as the process lives.
///
/// # Errors
///
/// Where there is no terminal to listen to.
pub fn listen(teller: EventSender) -> io::Result<()> {
    let mut reader = platform::Reader::open()?;
    let body = move || {
        let last = loop {
            match reader.read(|happening| teller.tell(happening)) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => break error,
            }
        };
        // A loop that has ended has no use for it.
        teller.tell(TerminalEvent::InputClosed(last));
    };
    thread::Builder::new().name("input".into()).spawn(body)?;
    Ok(())
}

#[cfg(unix)]
mod platform {
    use std::fs::File;
    use std::io::{self, IsTerminal, Read};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::path::PathBuf;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::ttyname;

    use super::TerminalEvent;
    use crate::terminal::input::decoder::InputDecoder;

    /// An escape sequence that stops for so long was the Escape key.
    const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    /// What the terminal tells may stop for longer on its way, and its rest is no key.
    const LAG: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

    /// And a paste for longer still: its rest would be many keys.
    const PASTE: Timespec = Timespec { tv_sec: 10, tv_nsec: 0 };

    /// What the terminal is called. At the name that it has for every process macOS cannot wait.
    fn own_name() -> PathBuf {
        let called = if cfg!(target_vendor = "apple") { ttyname(io::stdout(), Vec::new()).ok() } else { None };
        called.and_then(|name| name.into_string().ok()).map_or_else(|| "/dev/tty".into(), PathBuf::from)
    }

    /// The terminal's bytes.
    pub struct Reader {
        /// Where standard input is no terminal, the terminal itself.
        terminal: Option<File>,
        ear: InputDecoder,
    }

    impl Reader {
        pub fn open() -> io::Result<Self> {
            let terminal = if io::stdin().is_terminal() { None } else { Some(File::open(own_name())?) };
            Ok(Self { terminal, ear: InputDecoder::default() })
        }

        /// Waits for bytes, and tells what they mean. Says whether anybody still listens.
        pub fn read(&mut self, mut tell: impl FnMut(TerminalEvent) -> bool) -> io::Result<bool> {
            let patience = if self.ear.may_hold_key() {
                PAUSE
            } else if self.ear.is_in_paste() {
                PASTE
            } else {
                LAG
            };
            if self.ear.held() > 0 && !self.waits(Some(&patience))? && !self.ear.pause(&mut tell) {
                return Ok(false);
            }
            if !self.waits(None)? {
                return Ok(true);
            }
            let mut bytes = [0; 1024];
            let count = match &mut self.terminal {
                Some(terminal) => terminal.read(&mut bytes),
                // Not through the standard library's buffer: what it holds could not be waited for.
                None => rustix::io::read(io::stdin(), &mut bytes).map_err(io::Error::from),
            };
            let count = match count {
                // Somebody who shares the terminal has made it one that does not wait, and was quicker.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                    return Ok(true);
                }
                count => count?,
            };
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Ok(self.ear.hear(&bytes[..count], tell))
        }

        /// Waits until there is something to read. Says whether there is.
        fn waits(&self, time: Option<&Timespec>) -> io::Result<bool> {
            let stdin = io::stdin();
            let terminal: BorrowedFd<'_> = self.terminal.as_ref().map_or_else(|| stdin.as_fd(), AsFd::as_fd);
            match poll(&mut [PollFd::new(&terminal, PollFlags::IN)], time) {
                Ok(ready) => Ok(ready > 0),
                Err(rustix::io::Errno::INTR) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use std::io;

    use crossterm::event::{self, Event, KeyEventKind};

    use super::TerminalEvent;

    /// The console's events, as crossterm reads them; an answer would be one of a key.
    pub struct Reader;

    impl Reader {
        pub fn open() -> io::Result<Self> {
            Ok(Self)
        }

        /// Waits for an event, and tells it. Says whether anybody still listens.
        pub fn read(&mut self, mut tell: impl FnMut(TerminalEvent) -> bool) -> io::Result<bool> {
            Ok(match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => tell(TerminalEvent::Key(key)),
                Event::Mouse(mouse) => tell(TerminalEvent::Mouse(mouse)),
                Event::FocusLost => tell(TerminalEvent::FocusLost),
                Event::Resize(..) => tell(TerminalEvent::Resized),
                _ => true,
            })
        }
    }
}
