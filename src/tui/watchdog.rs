//! Ends the program where the viewer's loop cannot: it may wait for a terminal that takes nothing
//! more, or read, again and again, the end of one that has gone.

use std::io;

use crate::signals::Signals;

/// Watches from now on, for as long as the process lives: its last line too may meet a terminal
/// that takes nothing.
///
/// # Errors
///
/// Where the system refuses a pipe or a thread.
#[cfg(unix)]
pub fn watch(signals: Signals) -> io::Result<()> {
    let bell = Signals::bell()?;
    std::thread::Builder::new().name("watchdog".into()).spawn(move || {
        let signal = unix::wait(&bell, &signals);
        super::terminal::give_back();
        crate::signals::end(signal)
    })?;
    Ok(())
}

/// Where there are no signals, a console that goes ends its programs itself.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "its Unix twin can fail")]
pub fn watch(_: Signals) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use signal_hook::consts::SIGHUP;

    use crate::signals::Signals;

    /// How long the viewer's loop has to end by itself after a signal.
    const GRACE: Duration = Duration::from_millis(500);

    /// Waits until the program is to be ended, and says by which signal.
    pub fn wait(bell: &UnixStream, signals: &Signals) -> i32 {
        let terminal = io::stdout();
        // Nothing is asked of the terminal: that it has gone is told without.
        let mut watched = vec![PollFd::new(bell, PollFlags::IN), PollFd::new(&terminal, PollFlags::empty())];
        let signal = loop {
            if sleep(&mut watched, None) && watched.iter().any(gone) {
                return SIGHUP;
            }
            if let Some(signal) = signals.pending() {
                break signal;
            }
            // A system that cannot watch terminals says so, and would say so again and again.
            watched.retain(|watched| !watched.revents().contains(PollFlags::NVAL));
        };
        // The bell rings on: only the terminal is of interest now.
        if sleep(&mut watched[1..], Some(GRACE)) && watched.iter().any(gone) { SIGHUP } else { signal }
    }

    /// Sleeps until something is there, or the time is over. Says whether something is.
    fn sleep(watched: &mut [PollFd<'_>], time: Option<Duration>) -> bool {
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        poll(watched, time.as_ref()).is_ok_and(|ready| ready > 0)
    }

    fn gone(watched: &PollFd<'_>) -> bool {
        watched.revents().intersects(PollFlags::HUP | PollFlags::ERR)
    }
}
