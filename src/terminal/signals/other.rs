//! Systems without signals: a console that goes ends its programs itself.

use std::io;

use super::{Call, Who};

/// None.
#[derive(Debug)]
pub struct Signals(());

impl Signals {
    /// There are none to listen to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn of_the_end(_: impl Fn() + Send + 'static) -> io::Result<Self> {
        Ok(Self(()))
    }

    /// There are none to listen to.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn of_all(_: impl FnMut(Call) + Send + 'static) -> io::Result<Self> {
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
    pub fn stop(&self, _: Who) {}
}

/// Ends the process.
pub fn end(signal: i32) -> ! {
    std::process::exit(128 + signal)
}
