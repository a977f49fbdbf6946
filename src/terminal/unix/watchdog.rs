//! Ends the program when the event loop cannot: when it takes over or restores a terminal that accepts nothing, or when the
//! terminal is gone.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::terminate;

/// How long the event loop has to end after a signal.
const GRACE: Duration = Duration::from_millis(150);

/// Waits for an alarm or for the terminal to hang up.
#[derive(Debug)]
pub(super) struct Watchdog(UnixStream);

/// Tells the watchdog of a terminating signal.
#[derive(Debug)]
pub(super) struct Alarm(UnixStream);

impl Alarm {
    pub(super) fn raise(&mut self, signal: i32) {
        // A watchdog that is gone has ended the program.
        let _ = self.0.write_all(&[signal as u8]);
    }
}

impl Watchdog {
    /// # Errors
    ///
    /// If the system refuses a pipe.
    pub(super) fn new() -> io::Result<(Self, Alarm)> {
        UnixStream::pair().map(|(receiver, sender)| (Self(receiver), Alarm(sender)))
    }

    /// Watches for the rest of the process: even its last line can meet a terminal that accepts nothing.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub(super) fn start(self, cleanup: fn()) -> io::Result<()> {
        let body = move || {
            let signal = self.wait();
            cleanup();
            tracing::warn!(signal, "the event loop did not end in time, or the terminal is gone");
            terminate(signal)
        };
        thread::Builder::new().name("watchdog".into()).spawn(body).map(|_| ())
    }

    /// Waits until the program must end. Returns the signal for it.
    fn wait(mut self) -> i32 {
        let (terminal, hangup) = (io::stdout(), Signal::SIGHUP as i32);
        {
            // A hangup is reported whether it is asked for or not.
            let alarm = PollFd::new(&self.0, PollFlags::IN);
            let mut watched = vec![alarm, PollFd::new(&terminal, PollFlags::empty())];
            while !(sleep(&mut watched, None) && watched[0].revents().contains(PollFlags::IN)) {
                if watched.iter().any(is_hung_up) {
                    return hangup;
                }
                // A system that cannot poll terminals would report that again and again.
                watched.retain(|watched| !watched.revents().contains(PollFlags::NVAL));
            }
        }
        let mut signal = [0];
        let signal = self.0.read_exact(&mut signal).map_or(hangup, |()| i32::from(signal[0]));
        let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
        if sleep(&mut watched, Some(GRACE)) && watched.iter().any(is_hung_up) { hangup } else { signal }
    }
}

/// Waits for an event, at most for `timeout`. Returns whether there is one.
fn sleep(watched: &mut [PollFd<'_>], timeout: Option<Duration>) -> bool {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    poll(watched, timeout.as_ref()).is_ok_and(|ready| ready > 0)
}

fn is_hung_up(watched: &PollFd<'_>) -> bool {
    watched.revents().intersects(PollFlags::HUP | PollFlags::ERR)
}
