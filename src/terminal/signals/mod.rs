//! Signals from outside, and stopping by the shell's job control.

#[cfg(not(unix))]
pub(crate) mod other;
#[cfg(unix)]
pub(crate) mod unix;
pub(crate) mod watchdog;

#[cfg(not(unix))]
pub use other::{Signals, end};
#[cfg(unix)]
pub use unix::{Signals, end};

/// What a signal calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEvent {
    /// The program is to end, by this signal.
    End(i32),
    /// The program is to stop, until the shell lets it go on.
    Stop,
    /// The config is to be read again.
    Reload,
    /// The program goes on after it was stopped by somebody else: the terminal may be another one now.
    Resume,
}

/// SuspendScope is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspendScope {
    /// This process, and those that it was started with, as the terminal's own Ctrl-z would.
    Job,
    /// This process alone, which somebody has asked for.
    Process,
}
