//! Signals from outside, and stopping by the shell's job control.

use std::io;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// What they are.
#[cfg(unix)]
const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// The signals that end the program in good order.
#[derive(Clone, Debug)]
pub struct Signals {
    #[cfg(unix)]
    pending: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

#[cfg(unix)]
impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn listen() -> io::Result<Self> {
        let pending = std::sync::Arc::default();
        for signal in ENDING {
            signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&pending), signal as usize)?;
        }
        Ok(Self { pending })
    }

    /// Lets a second signal end the process at once: whatever it does may take long, or wait.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn once(self) -> io::Result<Self> {
        use signal_hook::flag::{register, register_conditional_default};
        let again = std::sync::Arc::default();
        for signal in ENDING {
            // In this order: the first signal finds nothing told yet.
            register_conditional_default(signal, std::sync::Arc::clone(&again))?;
            register(signal, std::sync::Arc::clone(&again))?;
        }
        Ok(self)
    }

    /// The signal that has come, if one has.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        match self.pending.load(std::sync::atomic::Ordering::SeqCst) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }

    /// A pipe that has something to be read as soon as a signal has come.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn bell() -> io::Result<std::os::unix::net::UnixStream> {
        let (bell, rope) = std::os::unix::net::UnixStream::pair()?;
        for signal in ENDING {
            signal_hook::low_level::pipe::register(signal, rope.try_clone()?)?;
        }
        Ok(bell)
    }
}

/// Ends the process as the signal would have, had nobody listened.
#[cfg(unix)]
pub fn end(signal: i32) -> ! {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

#[cfg(not(unix))]
impl Signals {
    /// There are none to listen to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Nothing is to be done for it.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn once(self) -> io::Result<Self> {
        Ok(self)
    }

    /// None ever comes.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        None
    }
}

/// Stops this process and those it was started with, as the terminal's own Ctrl-z would, until the
/// shell lets them go on; where nothing can be stopped it goes on at once.
pub fn stop() {
    #[cfg(unix)]
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}
