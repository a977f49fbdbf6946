//! No handler is ever installed: the signals are held back from every thread, and one thread waits for them.
//! So what they do without us, to stop or to end the process, they can still do.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal, kill, raise};
use nix::unistd::Pid;

use super::{SignalEvent, SuspendScope};

/// What ends a program.
const ENDING: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];
/// What stops it, and lets it go on.
const STOPPING: [Signal; 2] = [Signal::SIGTSTP, Signal::SIGCONT];
/// One who ends a program often says so twice, to it and to its group: what comes so soon is no second thought.
const ONE_THOUGHT: Duration = Duration::from_millis(200);
/// What lets it read its config again.
const RELOAD: Signal = Signal::SIGUSR1;

/// The signals that this program answers to itself.
#[derive(Debug)]
pub struct Signals {
    pending: Arc<AtomicI32>,
    /// Whether of those that stop and let go on the last one has been to stop.
    stopping: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on for what ends the program; a second such signal, not right behind the first, ends it at
    /// once, as whatever it does may take long, or wait: `leave` is called before. Threads that begin after this know of
    /// nothing.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn for_termination(leave: impl Fn() + Send + 'static) -> io::Result<Self> {
        let mut told = None;
        Self::listen(set(&ENDING), move |call| match call {
            SignalEvent::End(signal) if told.is_some_and(|told: Instant| told.elapsed() >= ONE_THOUGHT) => {
                leave();
                end(signal);
            }
            SignalEvent::End(_) => _ = told.get_or_insert_with(Instant::now),
            SignalEvent::Stop | SignalEvent::Resume | SignalEvent::Reload => {}
        })
    }

    /// Listens from now on for all of them, and tells somebody at once. Threads that begin after this know of
    /// nothing.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn for_viewer(hear: impl FnMut(SignalEvent) + Send + 'static) -> io::Result<Self> {
        Self::listen(set(&[&ENDING[..], &STOPPING, &[RELOAD]].concat()), hear)
    }

    fn listen(mut signals: SigSet, mut hear: impl FnMut(SignalEvent) + Send + 'static) -> io::Result<Self> {
        for signal in ignored() {
            signals.remove(signal);
        }
        signals.thread_block()?;
        let pending = Arc::new(AtomicI32::new(0));
        let stopping = Arc::new(AtomicBool::new(false));
        let (note, halt) = (Arc::clone(&pending), Arc::clone(&stopping));
        let body = move || {
            while let Ok(signal) = signals.wait() {
                match signal {
                    Signal::SIGTSTP => {
                        halt.store(true, Ordering::SeqCst);
                        hear(SignalEvent::Stop);
                    }
                    Signal::SIGCONT => {
                        halt.store(false, Ordering::SeqCst);
                        hear(SignalEvent::Resume);
                    }
                    RELOAD => hear(SignalEvent::Reload),
                    ending => {
                        // The first one is the reason.
                        let _ = note.compare_exchange(0, ending as i32, Ordering::SeqCst, Ordering::SeqCst);
                        hear(SignalEvent::End(ending as i32));
                    }
                }
            }
        };
        thread::Builder::new().name("signals".into()).spawn(body)?;
        Ok(Self { pending, stopping })
    }

    /// Whether the program has been told to stop, and not to go on since.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// The signal that is to end the program, if one has come.
    #[must_use]
    pub fn pending(&self) -> Option<i32> {
        Some(self.pending.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }

    /// Stops until the shell lets the program go on; where no shell could, or it has done so already, it goes on at once.
    pub fn stop(&self, who: SuspendScope) {
        let process = match who {
            // A process of this number is the whole group.
            SuspendScope::Job => Pid::from_raw(0),
            SuspendScope::Process if self.stopping.swap(false, Ordering::SeqCst) => Pid::this(),
            SuspendScope::Process => return,
        };
        // The signal does what it does by itself, to this thread before it goes on: a shell that has seen others of
        // the job stop may let it go on at once, and what came later would stop it for ever. That it goes on again is
        // no news then either.
        let held_back = set(&STOPPING);
        if held_back.thread_unblock().is_ok() {
            let _ = kill(process, Signal::SIGTSTP);
            let _ = held_back.thread_block();
        }
    }
}

/// Ends the process as the signal would have, had nobody listened.
pub fn end(signal: i32) -> ! {
    if let Ok(known) = Signal::try_from(signal)
        && set(&[known]).thread_unblock().is_ok()
    {
        let _ = raise(known);
    }
    std::process::exit(128 + signal)
}

/// What this process was told to ignore when it was started, as by `nohup`, as far as the system tells: a signal
/// that is held back comes all the same.
fn ignored() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored = |signal: &Signal| mask.unwrap_or(0) & (1 << (*signal as u32 - 1)) != 0;
    ENDING.into_iter().chain(STOPPING).chain([RELOAD]).filter(is_ignored).collect()
}

fn set(signals: &[Signal]) -> SigSet {
    signals.iter().copied().collect()
}
