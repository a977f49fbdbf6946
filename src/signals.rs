//! Signals from outside, and stopping by the shell's job control.

use std::io;

/// The signals that end the program in good order.
#[derive(Debug)]
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
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let pending = std::sync::Arc::default();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&pending), signal as usize)?;
        }
        Ok(Self { pending })
    }

    /// The signal that has come, if one has.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        match self.pending.load(std::sync::atomic::Ordering::SeqCst) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }
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

    /// None ever comes.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        None
    }
}

/// Stops this process, until the shell lets it go on; where nothing can be stopped it goes on at once.
pub fn stop() {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}
