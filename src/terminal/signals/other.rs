//! Systems without signals: a console that goes ends its programs itself.

use std::io;

use super::{SignalEvent, SuspendScope};

/// None.
#[derive(Debug)]
pub struct Signals(());

impl Signals {
    /// There are none to listen to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn for_termination(_: impl Fn() + Send + 'static) -> io::Result<Self> {
        Ok(Self(()))
    }

    /// There are none to listen to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn for_viewer(_: impl FnMut(SignalEvent) + Send + 'static) -> io::Result<Self> {
        Ok(Self(()))
    }

    /// None ever comes.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        None
    }

    /// Nobody ever tells it to.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        false
    }

    /// Nobody could let the program go on.
    pub fn stop(&self, _: SuspendScope) {}
}

/// Ends the process.
pub fn end(signal: i32) -> ! {
    std::process::exit(128 + signal)
}
