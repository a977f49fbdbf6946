//! Ends the program where the viewer's loop cannot: it may wait for a terminal that takes nothing
//! more, or read, again and again, the end of one that has gone.

#[cfg(not(unix))]
pub use elsewhere::Watchdog;
#[cfg(unix)]
pub use unix::Watchdog;

#[cfg(unix)]
mod unix {
    use std::io::{self, Read, Write};
    use std::os::unix::net::UnixStream;
    use std::thread;
    use std::time::Duration;

    use nix::sys::signal::Signal;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use crate::config::remove_temp_files;
    use crate::terminal::signals;
    use crate::terminal::tty;

    /// How long the viewer's loop has to end by itself after a signal.
    const GRACE: Duration = Duration::from_millis(150);

    /// Waits for a pull at its rope.
    #[derive(Debug)]
    pub struct Watchdog {
        bell: UnixStream,
    }

    /// What wakes it.
    #[derive(Debug)]
    pub struct WatchdogHandle(UnixStream);

    impl Watchdog {
        /// One that sleeps, and its rope.
        ///
        /// # Errors
        ///
        /// Where the system refuses a pipe.
        pub fn with_handle() -> io::Result<(Self, WatchdogHandle)> {
            UnixStream::pair().map(|(bell, rope)| (Self { bell }, WatchdogHandle(rope)))
        }

        /// Watches from now on, for as long as the process lives: its last line too may meet a terminal
        /// that takes nothing.
        ///
        /// # Errors
        ///
        /// Where the system refuses a thread.
        pub fn watch(self) -> io::Result<()> {
            let body = move || {
                let signal = self.wait();
                tty::restore();
                tracing::warn!(signal, "the viewer's loop does not end by itself, or the terminal has gone");
                remove_temp_files();
                signals::end(signal)
            };
            thread::Builder::new().name("watchdog".into()).spawn(body).map(|_| ())
        }

        /// Waits until the program is to be ended, and says by which signal.
        fn wait(mut self) -> i32 {
            let (terminal, gone) = (io::stdout(), Signal::SIGHUP as i32);
            let mut signal = [0];
            {
                // Nothing is asked of the terminal: that it has gone is told without.
                let bell = PollFd::new(&self.bell, PollFlags::IN);
                let mut watched = vec![bell, PollFd::new(&terminal, PollFlags::empty())];
                while !(sleep(&mut watched, None) && watched[0].revents().contains(PollFlags::IN)) {
                    if watched.iter().any(is_gone) {
                        return gone;
                    }
                    // A system that cannot watch terminals says so, and would say so again and again.
                    watched.retain(|watched| !watched.revents().contains(PollFlags::NVAL));
                }
            }
            let told = self.bell.read_exact(&mut signal).map_or(gone, |()| i32::from(signal[0]));
            let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
            if sleep(&mut watched, Some(GRACE)) && watched.iter().any(is_gone) { gone } else { told }
        }
    }

    impl WatchdogHandle {
        /// Wakes the watchdog: the program is to end by this signal.
        pub fn pull(&mut self, signal: i32) {
            // One that has gone has ended the program.
            let _ = self.0.write_all(&[signal as u8]);
        }
    }

    /// Sleeps until something is there, or the time is over. Says whether something is.
    fn sleep(watched: &mut [PollFd<'_>], time: Option<Duration>) -> bool {
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        poll(watched, time.as_ref()).is_ok_and(|ready| ready > 0)
    }

    fn is_gone(watched: &PollFd<'_>) -> bool {
        watched.revents().intersects(PollFlags::HUP | PollFlags::ERR)
    }
}

/// Where there are no signals, a console that goes ends its programs itself.
#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    /// Has nothing to do.
    #[derive(Debug)]
    pub struct Watchdog(());

    /// Wakes nobody.
    #[derive(Debug)]
    pub struct WatchdogHandle(());

    impl Watchdog {
        /// One that sleeps, and its rope.
        ///
        /// # Errors
        ///
        /// Never.
        pub fn with_handle() -> io::Result<(Self, WatchdogHandle)> {
            Ok((Self(()), WatchdogHandle(())))
        }

        /// Does nothing.
        ///
        /// # Errors
        ///
        /// Never.
        pub fn watch(self) -> io::Result<()> {
            Ok(())
        }
    }

    impl WatchdogHandle {
        /// Does nothing.
        pub fn pull(&mut self, _: i32) {}
    }
}
