//! Work in the background while the flock flies on, one piece at a time.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::test_hooks;
use crate::error::InputError;
use crate::export::stderr;
use crate::sim::STACK_SIZE;
use crate::terminal::Signals;
use crate::terminal::events::EventSender;

/// How often the end of the program looks for signals while it waits for files …
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// … when it reports that it waits …
const REPORT_AFTER: Duration = Duration::from_millis(500);
/// … and the time that a canceled job has to end.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(100);

/// The progress of a job, and whether the user has canceled it.
#[derive(Default)]
struct JobState {
    progress: Mutex<Option<String>>,
    is_canceled: AtomicBool,
}

/// The end of a [`JobState`] for the thread that works.
pub(super) struct JobMonitor {
    state: Arc<JobState>,
    events: EventSender,
}

impl JobMonitor {
    /// Shows the progress.
    pub(super) fn report(&self, progress: String) {
        let is_new = {
            let mut known = self.state.lock_progress();
            known.replace(progress) != *known
        };
        if is_new {
            self.events.notify();
        }
    }

    /// Whether the user has canceled it.
    pub(super) fn is_canceled(&self) -> bool {
        self.state.is_canceled.load(Ordering::Relaxed)
    }
}

impl JobState {
    fn lock_progress(&self) -> MutexGuard<'_, Option<String>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work that takes long, and its result.
pub(super) type Job<T> = Box<dyn FnOnce(&JobMonitor) -> Result<T, InputError> + Send>;

/// Runs one job at a time on another thread.
pub(crate) struct BackgroundJob<T> {
    result: Option<Receiver<Result<T, InputError>>>,
    state: Arc<JobState>,
}

impl<T> Default for BackgroundJob<T> {
    fn default() -> Self {
        Self { result: None, state: Arc::default() }
    }
}

impl<T: Send + 'static> BackgroundJob<T> {
    /// Runs a job on a thread, which drops `events` at its end.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub(super) fn start(&mut self, job: Job<T>, events: EventSender) -> io::Result<()> {
        let (sender, result) = mpsc::channel();
        let state = Arc::<JobState>::default();
        let monitor = JobMonitor { state: state.clone(), events };
        thread::Builder::new().name("background".into()).stack_size(STACK_SIZE).spawn(move || {
            // Dropped last, even by a panic.
            let monitor = monitor;
            let sender = sender;
            assert!(!test_hooks::panics_at("picture"), "{} is set", test_hooks::PANIC);
            let _ = sender.send(job(&monitor));
        })?;
        (self.result, self.state) = (Some(result), state);
        Ok(())
    }

    /// Whether a job is running.
    pub(super) fn is_busy(&self) -> bool {
        self.result.is_some()
    }

    /// The result of a job that has just ended, unless it panicked.
    pub(crate) fn poll(&mut self) -> Option<Result<T, InputError>> {
        let result = match self.result.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            result => result.ok(),
        };
        self.result = None;
        result
    }

    /// Asks the job to end early.
    pub(super) fn cancel(&self) {
        self.state.is_canceled.store(true, Ordering::Relaxed);
    }

    /// The progress of a job that takes long.
    pub(crate) fn progress(&self) -> Option<String> {
        self.result.as_ref().and_then(|_| self.state.lock_progress().clone())
    }

    /// Waits for the end of the job, but not long if it is canceled, and prints what takes long. Returns its result, unless it
    /// panicked or a signal arrives.
    pub(crate) fn finish(&mut self, signals: &Signals) -> Option<Result<T, InputError>> {
        let start = Instant::now();
        let mut is_reported = false;
        loop {
            match self.result.as_ref()?.recv_timeout(SIGNAL_INTERVAL) {
                Err(RecvTimeoutError::Timeout) => {}
                result => {
                    self.result = None;
                    return result.ok();
                }
            }
            let is_canceled = self.state.is_canceled.load(Ordering::Relaxed);
            if signals.pending().is_some() || is_canceled && start.elapsed() > CANCEL_TIMEOUT {
                return None;
            }
            if let Some(progress) = self.progress().filter(|_| !is_reported && start.elapsed() > REPORT_AFTER) {
                is_reported = true;
                // Without standard error, the files are saved all the same.
                let _ = writeln!(stderr(), "{progress}; Ctrl-c cancels");
            }
        }
    }
}
