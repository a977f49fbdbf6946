//! Signals are blocked in every thread, and one thread waits for them. No handler is installed, so their default actions, to
//! stop or end the process, remain available.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal, kill};
#[cfg(any(target_os = "linux", target_os = "android"))]
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::terminate;
use crate::terminal::events::{EventSender, SignalEvent, SuspendScope, TerminalEvent};

const JOB_CONTROL: [Signal; 2] = [Signal::SIGTSTP, Signal::SIGCONT];
/// The smallest stack, in bytes: parsers of deep files and of the command line need most of it.
const MIN_STACK: u64 = 1 << 20;
const RELOAD: Signal = Signal::SIGUSR1;
/// Signals that do not end the program by default, and those that cannot or must not be blocked. SIGSEGV and SIGBUS also report a stack
/// overflow, for which the standard library has a handler. A blocked fault of the program itself ends it on Linux; elsewhere it may repeat.
const NOT_TERMINATING: &[Signal] = &[
    Signal::SIGKILL,
    Signal::SIGSTOP,
    Signal::SIGTTIN,
    Signal::SIGTTOU,
    Signal::SIGTSTP,
    Signal::SIGCONT,
    Signal::SIGCHLD,
    Signal::SIGURG,
    Signal::SIGWINCH,
    Signal::SIGPIPE,
    Signal::SIGXFSZ,
    Signal::SIGBUS,
    Signal::SIGSEGV,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGFPE,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGILL,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGSYS,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGTRAP,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGINFO,
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    Signal::SIGEMT,
];
/// Some programs send a signal to the process and to its group: two within this time count as one.
const DUPLICATE: Duration = Duration::from_millis(200);
/// How long the program has to notice a signal,
const REACTION: Duration = Duration::from_millis(200);
/// to end normally once it has,
const GRACE: Duration = Duration::from_millis(850);
/// and until the watchdog ends it, whatever hangs.
const LIMIT: Duration = Duration::from_millis(950);

/// Restores and saves what the end of the process would leave behind.
type Cleanup = fn();

/// The signals that have arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    pending: Arc<AtomicI32>,
    /// Whether the program has noticed the pending signal.
    noticed: Arc<AtomicBool>,
    /// Whether the last job control signal was to stop.
    stopping: Arc<AtomicBool>,
}

impl Signals {
    /// Notes terminating signals from now on, in this thread and those that it starts later. The first one is for the caller
    /// to poll. If the caller is stuck, or a second one arrives, `cleanup` runs and the process ends.
    pub(crate) fn for_termination(cleanup: Cleanup) -> io::Result<Self> {
        let signals = Self::default();
        let arrived = signals.clone();
        let mut first: Option<Instant> = None;
        listen(terminating(), move |signal| {
            arrived.note_end(signal);
            match first {
                None => {
                    let now = *first.insert(Instant::now());
                    let watched = arrived.clone();
                    let watchdog = move || end_in_time(signal, now, &watched, cleanup);
                    if thread::Builder::new().name("watchdog".into()).spawn(watchdog).is_err() {
                        end(signal, cleanup, LIMIT);
                    }
                }
                Some(first) if first.elapsed() >= DUPLICATE => end(signal, cleanup, LIMIT),
                Some(_) => {}
            }
        })?;
        Ok(signals)
    }

    /// Sends all handled signals as events from now on. If the event loop does not react to a terminating one, a watchdog
    /// runs `cleanup` and ends the process.
    pub(crate) fn for_viewer(sender: EventSender, cleanup: Cleanup) -> io::Result<Self> {
        let (watchdog, mut alarm) = Watchdog::new()?;
        let signals = Self::default();
        let arrived = signals.clone();
        let mut handled = terminating();
        handled.extend(JOB_CONTROL.into_iter().chain([Signal::SIGWINCH]));
        listen(handled, move |signal| {
            if signal == Signal::SIGWINCH as i32 {
                sender.send(TerminalEvent::Resized);
                return;
            }
            let event = arrived.note(signal);
            if let SignalEvent::Terminate(signal) = event {
                alarm.raise(signal);
            }
            // Without a receiver the event loop has ended, and the program is about to.
            sender.send(TerminalEvent::Signal(event));
        })?;
        watchdog.start(signals.clone(), cleanup)?;
        Ok(signals)
    }

    fn note(&self, signal: i32) -> SignalEvent {
        match Signal::try_from(signal) {
            Ok(Signal::SIGTSTP) => {
                self.stopping.store(true, Ordering::SeqCst);
                SignalEvent::Suspend
            }
            Ok(Signal::SIGCONT) => {
                self.stopping.store(false, Ordering::SeqCst);
                SignalEvent::Resume
            }
            Ok(RELOAD) => SignalEvent::Reload,
            _ => {
                self.note_end(signal);
                SignalEvent::Terminate(signal)
            }
        }
    }

    /// Notes a terminating signal. The first one is the reason.
    fn note_end(&self, signal: i32) {
        let _ = self.pending.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Whether the last job control signal was to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// The first terminating signal, if one has arrived.
    pub(crate) fn pending(&self) -> Option<i32> {
        let pending = Some(self.pending.load(Ordering::SeqCst)).filter(|signal| *signal != 0);
        self.noticed.fetch_or(pending.is_some(), Ordering::SeqCst);
        pending
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

/// Calls `handle` with each of these signals on a thread.
fn listen(mut handled: SigSet, mut handle: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    for signal in ignored() {
        handled.remove(signal);
    }
    handled.thread_block()?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    translate_real_time_signals()?;
    let body = move || {
        loop {
            match handled.wait() {
                Ok(signal) => handle(signal as i32),
                Err(Errno::EINTR) => {}
                Err(error) => return tracing::error!(%error, "cannot wait for signals"),
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(body).map(|_| ())
}

/// Raises SIGTERM for each real-time signal. They have no names, which [`SigSet::wait`] panics about.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn translate_real_time_signals() -> io::Result<()> {
    let mut real_time = SigSet::all();
    Signal::iterator().for_each(|signal| real_time.remove(signal));
    real_time.thread_block()?;
    let arrived = SignalFd::with_flags(&real_time, SfdFlags::SFD_CLOEXEC)?;
    let body = move || {
        while let Ok(signal) = arrived.read_signal() {
            if signal.is_some() {
                let _ = kill(Pid::this(), Signal::SIGTERM);
            }
        }
    };
    thread::Builder::new().name("real-time".into()).spawn(body).map(|_| ())
}

/// Makes a write beyond the limit of file sizes an error, and checks the limit of the stack. It must be called before other threads start.
///
/// # Errors
///
/// The stack is too small for the program.
pub fn prepare_process() -> io::Result<()> {
    // If that fails, the signal ends the process.
    let _ = set(&[Signal::SIGXFSZ]).thread_block();
    match rustix::process::getrlimit(rustix::process::Resource::Stack).current {
        Some(bytes) if bytes < MIN_STACK => Err(io::Error::other(format!(
            "the stack is limited to {} KiB; expected at least {}, as after `ulimit -s {1}`",
            bytes >> 10,
            MIN_STACK >> 10
        ))),
        _ => Ok(()),
    }
}

/// The signals that the process was started to ignore, for instance by `nohup`, as far as `/proc` tells. A blocked signal
/// arrives even if it is ignored.
fn ignored() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored = |signal: &Signal| mask.unwrap_or(0) & (1_u64 << (*signal as u32 - 1)) != 0;
    Signal::iterator().filter(is_ignored).collect()
}

/// The signals with a name that end a program by default.
fn terminating() -> SigSet {
    Signal::iterator().filter(|signal| !NOT_TERMINATING.contains(signal)).collect()
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
    fn start(self, signals: Signals, cleanup: Cleanup) -> io::Result<()> {
        let body = move || match self.wait() {
            End::Signal(signal, arrived) => end_in_time(signal, arrived, &signals, cleanup),
            End::HungUp => end(Signal::SIGHUP as i32, cleanup, LIMIT),
        };
        thread::Builder::new().name("watchdog".into()).spawn(body).map(|_| ())
    }

    /// Waits until the program must end.
    fn wait(mut self) -> End {
        let terminal = io::stdout();
        {
            // A hangup is reported whether it is asked for or not.
            let alarm = PollFd::new(&self.0, PollFlags::IN);
            let mut watched = vec![alarm, PollFd::new(&terminal, PollFlags::empty())];
            while !(sleep(&mut watched, None) && watched[0].revents().contains(PollFlags::IN)) {
                if watched.iter().any(is_hung_up) {
                    return End::HungUp;
                }
                // A system that cannot poll terminals would report that again and again.
                watched.retain(|watched| !watched.revents().contains(PollFlags::NVAL));
            }
        }
        let mut signal = [0];
        if self.0.read_exact(&mut signal).is_err() {
            return End::HungUp;
        }
        let arrived = Instant::now();
        let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
        let is_gone = sleep(&mut watched, Some(REACTION)) && watched.iter().any(is_hung_up);
        if is_gone { End::HungUp } else { End::Signal(signal[0].into(), arrived) }
    }
}

/// Why the watchdog ends the program.
enum End {
    /// This signal arrived at this time.
    Signal(i32, Instant),
    HungUp,
}

/// Gives the program time to end normally after a signal, and ends it if it does not.
fn end_in_time(signal: i32, arrived: Instant, signals: &Signals, cleanup: Cleanup) {
    let sleep_until = |time: Duration| thread::sleep(time.saturating_sub(arrived.elapsed()));
    sleep_until(REACTION);
    if signals.noticed.load(Ordering::SeqCst) {
        sleep_until(GRACE);
    }
    end(signal, cleanup, LIMIT.saturating_sub(arrived.elapsed()));
}

/// Runs `cleanup` for at most `limit`, as anything in it may hang, and ends the process.
fn end(signal: i32, cleanup: Cleanup, limit: Duration) {
    let (done, wait) = mpsc::channel();
    let body = move || {
        cleanup();
        tracing::warn!(signal, "the program did not end in time, or the terminal is gone");
        let _ = done.send(());
    };
    if thread::Builder::new().name("cleanup".into()).spawn(body).is_ok() {
        let _ = wait.recv_timeout(limit);
    }
    terminate(signal)
}

/// Waits for an event, at most for `timeout`. Returns whether there is one.
fn sleep(watched: &mut [PollFd<'_>], timeout: Option<Duration>) -> bool {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    poll(watched, timeout.as_ref()).is_ok_and(|ready| ready > 0)
}

fn is_hung_up(watched: &PollFd<'_>) -> bool {
    watched.revents().intersects(PollFlags::HUP | PollFlags::ERR)
}
