//! Unix: everything that needs file descriptors, terminal modes or signals.

mod decoder;
mod escape_splitter;
mod reader;
mod signals;
mod watchdog;

use std::io;
use std::time::{Duration, Instant};

use crossterm::terminal::WindowSize;
use nix::sys::signal::{SigSet, Signal, raise};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{tcgetpgrp, tcgetwinsize};

pub use decoder::InputDecoder;
pub(super) use reader::InputReader;
pub use signals::Signals;

/// Whether requests to the terminal are answered by events: the decoder tells replies from keys.
pub(crate) const REPLIES_SUPPORTED: bool = true;

#[expect(clippy::unnecessary_wraps, reason = "consoles elsewhere can refuse")]
pub(super) fn enable(_mouse: bool) -> io::Result<()> {
    Ok(())
}

pub(super) fn disable(_mouse: bool) {}

/// The window's size in cells and, if known, in pixels. crossterm would open the terminal again for each frame.
///
/// # Errors
///
/// What the terminal reports.
pub(crate) fn window_size() -> io::Result<WindowSize> {
    let size = tcgetwinsize(io::stdout())?;
    Ok(WindowSize { rows: size.ws_row, columns: size.ws_col, width: size.ws_xpixel, height: size.ws_ypixel })
}

/// Whether another job is in the foreground and owns the terminal's modes. That happens when the script that started the
/// program was stopped first.
pub(crate) fn is_in_background() -> bool {
    tcgetpgrp(io::stdout()).is_ok_and(|foreground| foreground != rustix::process::getpgrp())
}

/// Waits until the terminal accepts output, at most for `timeout`. Returns whether it does.
pub(super) fn wait_writable(timeout: Option<Duration>) -> bool {
    let (out, until) = (io::stdout(), timeout.map(|timeout| Instant::now() + timeout));
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut [PollFd::new(&out, PollFlags::OUT)], left.as_ref()) {
            Err(Errno::INTR) => {}
            ready => return ready.is_ok_and(|ready| ready > 0),
        }
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

/// Ends the process by the signal's default action, so that the parent sees the cause.
fn terminate(signal: i32) -> ! {
    if let Ok(signal) = Signal::try_from(signal)
        && SigSet::from_iter([signal]).thread_unblock().is_ok()
    {
        let _ = raise(signal);
    }
    std::process::exit(128 + signal)
}
