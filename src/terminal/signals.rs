//! Signals and job control.

pub use super::system::{Signals, terminate};

/// A signal for the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEvent {
    /// End the program, by this signal.
    Terminate(i32),
    /// Suspend until the shell continues the program.
    Suspend,
    /// Read the config again.
    Reload,
    /// The program continues after being stopped; the terminal may have another state or size.
    Resume,
}

/// Which processes to suspend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspendScope {
    /// The process group, as Ctrl-Z does.
    Job,
    /// This process only, since the signal was sent to it alone.
    Process,
}
