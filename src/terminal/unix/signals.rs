//! One thread receives signals and watches the terminal. If the program does not end in time after a signal, or the terminal is
//! gone, it ends the program.

use std::fs;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGWINCH, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;
use signal_hook::low_level::emulate_default_handler;

use crate::terminal::events::{EventSender, SignalEvent, SuspendScope, TerminalEvent};

const ENDING: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
const JOB_CONTROL: [i32; 2] = [SIGTSTP, SIGCONT];
/// How long the program has to notice a signal,
const REACTION: Duration = Duration::from_millis(200);
/// to end normally once it has,
const GRACE: Duration = Duration::from_millis(850);
/// and until it is ended, whatever hangs.
const LIMIT: Duration = Duration::from_millis(950);

/// Restores and saves what the end of the process would leave behind.
type Cleanup = fn();

/// The signals that have arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    pending: Arc<AtomicI32>,
    /// Whether the program has noticed the pending signal.
    noticed: Arc<AtomicBool>,
    /// The last job control signal; 0 once a SIGCONT has been handled.
    job_control: Arc<AtomicUsize>,
}

impl Signals {
    /// Notes ending signals from now on, for the caller to poll. If it does not end the program in time, `cleanup` runs and the
    /// process ends.
    pub(crate) fn for_termination(cleanup: Cleanup) -> io::Result<Self> {
        Self::watch(&ENDING, None, cleanup)
    }

    /// Sends signals as events from now on. If the event loop does not react to an ending one, or the terminal is gone, `cleanup`
    /// runs and the process ends.
    pub(crate) fn for_viewer(sender: EventSender, cleanup: Cleanup) -> io::Result<Self> {
        Self::watch(&[&ENDING[..], &JOB_CONTROL, &[SIGWINCH, SIGUSR1]].concat(), Some(sender), cleanup)
    }

    fn watch(handled: &[i32], viewer: Option<EventSender>, cleanup: Cleanup) -> io::Result<Self> {
        let signals = Self::default();
        let handled: Vec<i32> = handled.iter().copied().filter(|signal| !is_ignored(*signal)).collect();
        // The thread receives signals in any order, so their handlers note the last one.
        for signal in JOB_CONTROL.into_iter().filter(|signal| handled.contains(signal)) {
            flag::register_usize(signal, Arc::clone(&signals.job_control), signal as usize)?;
        }
        let (receiver, waker) = UnixStream::pair()?;
        let delivery = SignalDelivery::with_pipe(receiver, waker, SignalOnly, handled)?;
        let watchdog = Watchdog { signals: signals.clone(), delivery, viewer, cleanup, ending: None };
        thread::Builder::new().name("signals".into()).spawn(|| watchdog.run())?;
        Ok(signals)
    }

    /// Whether the last job control signal was to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        self.job_control.load(Ordering::SeqCst) == SIGTSTP as usize
    }

    /// Whether the last job control signal was to continue, and was not taken yet.
    pub(crate) fn take_resume(&self) -> bool {
        self.job_control.compare_exchange(SIGCONT as usize, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// The first ending signal, if one has arrived.
    pub(crate) fn pending(&self) -> Option<i32> {
        let pending = Some(self.pending.load(Ordering::SeqCst)).filter(|signal| *signal != 0);
        self.noticed.fetch_or(pending.is_some(), Ordering::SeqCst);
        pending
    }

    /// Stops until the shell continues the program. Returns at once if it has continued it already.
    pub(crate) fn stop(&self, scope: SuspendScope) {
        // SIGTSTP is caught, so SIGSTOP takes its place.
        match scope {
            SuspendScope::Job => drop(kill_current_process_group(Signal::STOP)),
            SuspendScope::Process if self.is_stopping() => drop(emulate_default_handler(SIGTSTP)),
            SuspendScope::Process => {}
        }
        // The caller resumes anyway.
        self.take_resume();
    }
}

/// Makes a write beyond the limit of file sizes an error.
pub fn prepare_process() {
    // If that fails, the signal ends the process.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Whether the process was started to ignore a signal, for instance by `nohup`, as far as `/proc` tells.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Receives signals, and ends the program when the event loop cannot: when it takes over or restores a terminal that accepts
/// nothing, or when the terminal is gone.
struct Watchdog {
    signals: Signals,
    delivery: SignalDelivery<UnixStream, SignalOnly>,
    /// The viewer's event loop, if it runs. Then the terminal is watched.
    viewer: Option<EventSender>,
    cleanup: Cleanup,
    /// The first ending signal, and when it arrived.
    ending: Option<(i32, Instant)>,
}

impl Watchdog {
    /// Watches for the rest of the process: even its last line can meet a terminal that accepts nothing.
    fn run(mut self) {
        let mut watches_terminal = self.viewer.is_some();
        loop {
            for signal in self.delivery.pending() {
                self.receive(signal);
            }
            let timeout = self.ending.map(|(signal, arrived)| {
                let limit = if self.signals.noticed.load(Ordering::SeqCst) { GRACE } else { REACTION };
                limit.checked_sub(arrived.elapsed()).unwrap_or_else(|| self.end(signal, LIMIT.saturating_sub(limit)))
            });
            let found = self.wait(timeout, watches_terminal);
            if found.intersects(PollFlags::HUP | PollFlags::ERR) {
                self.end(SIGHUP, LIMIT);
            }
            // A system that cannot poll terminals would report that again and again.
            watches_terminal &= !found.contains(PollFlags::NVAL);
        }
    }

    fn receive(&mut self, signal: i32) {
        let event = match signal {
            SIGWINCH => TerminalEvent::Resized,
            SIGTSTP => TerminalEvent::Signal(SignalEvent::Suspend),
            SIGCONT => TerminalEvent::Signal(SignalEvent::Resume),
            SIGUSR1 => TerminalEvent::Signal(SignalEvent::Reload),
            _ => {
                // A second signal must not extend the time that the program has.
                let (first, _) = *self.ending.get_or_insert((signal, Instant::now()));
                self.signals.pending.store(first, Ordering::SeqCst);
                TerminalEvent::Signal(SignalEvent::Terminate)
            }
        };
        if let Some(viewer) = &self.viewer {
            // Without a receiver the event loop has ended, and the program is about to.
            viewer.send(event);
        }
    }

    /// Waits for a signal, at most for `timeout`. Returns what happens to the terminal meanwhile.
    fn wait(&self, timeout: Option<Duration>, watches_terminal: bool) -> PollFlags {
        let terminal = io::stdout();
        let mut watched = vec![PollFd::new(self.delivery.get_read(), PollFlags::IN)];
        if watches_terminal {
            // A hangup is reported whether it is asked for or not.
            watched.push(PollFd::new(&terminal, PollFlags::empty()));
        }
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let _ = poll(&mut watched, timeout.as_ref());
        watched.get(1).map_or(PollFlags::empty(), PollFd::revents)
    }

    /// Runs the cleanup for at most `limit`, as anything in it may hang, and ends the process.
    fn end(&self, signal: i32, limit: Duration) -> ! {
        let (done, wait) = mpsc::channel();
        let cleanup = self.cleanup;
        let cleaner = thread::Builder::new().name("cleanup".into()).spawn(move || {
            cleanup();
            tracing::warn!(signal, "the program did not end in time, or the terminal is gone");
            let _ = done.send(());
        });
        if cleaner.is_ok() {
            let _ = wait.recv_timeout(limit);
        }
        // The default action shows the parent the cause.
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal)
    }
}
