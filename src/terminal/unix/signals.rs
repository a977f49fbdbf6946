//! Signals are blocked in every thread, and one thread waits for them. No handler is installed, so their default actions, to
//! stop or end the process, remain available.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;

use super::terminate;
use super::watchdog::Watchdog;
use crate::terminal::events::{EventSender, SignalEvent, SuspendScope, TerminalEvent};

const TERMINATING: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];
const JOB_CONTROL: [Signal; 2] = [Signal::SIGTSTP, Signal::SIGCONT];
const RELOAD: Signal = Signal::SIGUSR1;
/// Some programs send a signal to the process and to its group: two within this time count as one.
const DUPLICATE: Duration = Duration::from_millis(200);

/// The signals that have arrived.
#[derive(Clone, Debug)]
pub struct Signals {
    pending: Arc<AtomicI32>,
    /// Whether the last job control signal was to stop.
    stopping: Arc<AtomicBool>,
}

impl Signals {
    /// Notes terminating signals from now on, in this thread and those that it starts later. The first one is for the caller
    /// to poll; a second one calls `cleanup` and ends the process, since the caller may be stuck.
    ///
    /// # Errors
    ///
    /// If the system refuses to block signals or to start a thread.
    pub fn for_termination(cleanup: impl Fn() + Send + 'static) -> io::Result<Self> {
        let mut first = None;
        Self::listen(set(&TERMINATING), move |event| match event {
            SignalEvent::Terminate(signal) if first.is_some_and(|first: Instant| first.elapsed() >= DUPLICATE) => {
                cleanup();
                terminate(signal);
            }
            _ => _ = first.get_or_insert_with(Instant::now),
        })
    }

    /// Sends all handled signals as events from now on. If the event loop does not react to a terminating one, a watchdog
    /// calls `cleanup` and ends the process.
    ///
    /// # Errors
    ///
    /// If the system refuses to block signals, to start a thread or to open a pipe.
    pub fn for_viewer(sender: EventSender, cleanup: fn()) -> io::Result<Self> {
        let (watchdog, mut alarm) = Watchdog::new()?;
        let signals = Self::listen(set(&[&TERMINATING[..], &JOB_CONTROL, &[RELOAD]].concat()), move |event| {
            if let SignalEvent::Terminate(signal) = event {
                alarm.raise(signal);
            }
            // Without a receiver the event loop has ended, and the program is about to.
            sender.send(TerminalEvent::Signal(event));
        })?;
        watchdog.start(cleanup)?;
        Ok(signals)
    }

    fn listen(mut signals: SigSet, mut handle: impl FnMut(SignalEvent) + Send + 'static) -> io::Result<Self> {
        for signal in ignored() {
            signals.remove(signal);
        }
        signals.thread_block()?;
        let arrived = Self { pending: Arc::default(), stopping: Arc::default() };
        let listener = arrived.clone();
        let body = move || {
            while let Ok(signal) = signals.wait() {
                handle(listener.note(signal));
            }
        };
        thread::Builder::new().name("signals".into()).spawn(body)?;
        Ok(arrived)
    }

    fn note(&self, signal: Signal) -> SignalEvent {
        match signal {
            Signal::SIGTSTP => {
                self.stopping.store(true, Ordering::SeqCst);
                SignalEvent::Suspend
            }
            Signal::SIGCONT => {
                self.stopping.store(false, Ordering::SeqCst);
                SignalEvent::Resume
            }
            RELOAD => SignalEvent::Reload,
            signal => {
                // The first one is the reason.
                let _ = self.pending.compare_exchange(0, signal as i32, Ordering::SeqCst, Ordering::SeqCst);
                SignalEvent::Terminate(signal as i32)
            }
        }
    }

    /// Whether the last job control signal was to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// The first terminating signal, if one has arrived.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        Some(self.pending.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }

    /// Stops until the shell continues the program. Returns at once if no shell controls it, or if it has continued it already.
    pub fn stop(&self, scope: SuspendScope) {
        let process = match scope {
            // 0 means the process group.
            SuspendScope::Job => Pid::from_raw(0),
            SuspendScope::Process if self.stopping.swap(false, Ordering::SeqCst) => Pid::this(),
            SuspendScope::Process => return,
        };
        // Unblocked, the signal acts on this thread before `kill` returns. One that acted later could arrive after the shell has
        // continued the job, and stop it for good. SIGCONT is unblocked too, since it is no news then.
        let job_control = set(&JOB_CONTROL);
        if job_control.thread_unblock().is_ok() {
            let _ = kill(process, Signal::SIGTSTP);
            let _ = job_control.thread_block();
        }
    }
}

/// The signals that the process was started to ignore, for instance by `nohup`, as far as `/proc` tells. A blocked signal
/// arrives even if it is ignored.
fn ignored() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored = |signal: &Signal| mask.unwrap_or(0) & (1 << (*signal as u32 - 1)) != 0;
    TERMINATING.into_iter().chain(JOB_CONTROL).chain([RELOAD]).filter(is_ignored).collect()
}

fn set(signals: &[Signal]) -> SigSet {
    signals.iter().copied().collect()
}
