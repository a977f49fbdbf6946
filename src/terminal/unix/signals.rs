//! Signals are blocked in every thread, and one thread waits for them. No handler is installed, so their default actions, to
//! stop or end the process, remain available.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::terminate;
use crate::terminal::events::{EventSender, SignalEvent, SuspendScope, TerminalEvent};

const TERMINATING: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];
const JOB_CONTROL: [Signal; 2] = [Signal::SIGTSTP, Signal::SIGCONT];
const RELOAD: Signal = Signal::SIGUSR1;
/// Some programs send a signal to the process and to its group: two within this time count as one.
const DUPLICATE: Duration = Duration::from_millis(200);
/// How long the event loop has to end after a signal.
const GRACE: Duration = Duration::from_millis(150);

/// The signals that have arrived.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    pending: Arc<AtomicI32>,
    /// Whether the last job control signal was to stop.
    stopping: Arc<AtomicBool>,
}

impl Signals {
    /// Notes terminating signals from now on, in this thread and those that it starts later. The first one is for the caller
    /// to poll; a second one calls `cleanup` and ends the process, since the caller may be stuck.
    pub(crate) fn for_termination(cleanup: impl Fn() + Send + 'static) -> io::Result<Self> {
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
    pub(crate) fn for_viewer(sender: EventSender, cleanup: fn()) -> io::Result<Self> {
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
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// The first terminating signal, if one has arrived.
    pub(crate) fn pending(&self) -> Option<i32> {
        Some(self.pending.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }

    /// Stops until the shell continues the program. Returns at once if no shell controls it, or if it has continued it already.
    pub(crate) fn stop(&self, scope: SuspendScope) {
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

/// Ends the program when the event loop cannot: when it takes over or restores a terminal that accepts nothing, or when the
/// terminal is gone.
#[derive(Debug)]
struct Watchdog(UnixStream);

/// Tells the watchdog of a terminating signal.
#[derive(Debug)]
struct Alarm(UnixStream);

impl Alarm {
    fn raise(&mut self, signal: i32) {
        // A watchdog that is gone has ended the program.
        let _ = self.0.write_all(&[signal as u8]);
    }
}

impl Watchdog {
    fn new() -> io::Result<(Self, Alarm)> {
        UnixStream::pair().map(|(receiver, sender)| (Self(receiver), Alarm(sender)))
    }

    /// Watches for the rest of the process: even its last line can meet a terminal that accepts nothing.
    fn start(self, cleanup: fn()) -> io::Result<()> {
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
