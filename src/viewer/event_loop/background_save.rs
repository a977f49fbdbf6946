//! Saving in the background while the flock flies on, and saving the session when the program ends, also by a signal or a panic.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::config::{ConfigError, Preset};
use crate::engine::SessionReader;
use crate::export::{OutputFile, session};
use crate::sim::{STACK_SIZE, SessionEvent, SessionLog};
use crate::terminal::Signals;
use crate::terminal::events::EventSender;

/// How often the end of the program looks for signals while it waits for files …
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// … and when it reports that it waits.
const REPORT_AFTER: Duration = Duration::from_millis(500);

/// Whether a test asks the thread to panic; in debug builds only.
#[cfg(debug_assertions)]
fn is_to_panic() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|what| what == "picture")
}

/// Files that were saved.
pub(super) struct Saved {
    message: String,
    /// The file of the session, if it is one of them.
    session: Option<PathBuf>,
}

impl Saved {
    pub(super) fn new(message: String) -> Self {
        Self { message, session: None }
    }

    pub(super) fn session(path: PathBuf) -> Self {
        Self { message: format!("session saved as {}", path.display()), session: Some(path) }
    }
}

/// The progress of a save, and whether the user has canceled it.
#[derive(Default)]
struct SaveState {
    progress: Mutex<Option<String>>,
    is_canceled: AtomicBool,
}

/// The end of a [`SaveState`] for the thread that saves.
pub(super) struct SaveMonitor {
    state: Arc<SaveState>,
    events: EventSender,
}

impl SaveMonitor {
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

impl SaveState {
    fn lock_progress(&self) -> MutexGuard<'_, Option<String>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Saves files in the background, one group at a time.
#[derive(Default)]
pub(crate) struct BackgroundSave {
    /// The result of the thread that saves them.
    result: Option<Receiver<Result<Saved, ConfigError>>>,
    state: Arc<SaveState>,
    /// The last file of the session.
    pub(crate) session: Option<PathBuf>,
}

impl BackgroundSave {
    /// Runs `save` on a thread, which drops `events` at its end.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub(super) fn start(&mut self, save: SaveJob, events: EventSender) -> io::Result<()> {
        let (sender, result) = mpsc::channel();
        let state = Arc::<SaveState>::default();
        let monitor = SaveMonitor { state: state.clone(), events };
        let body = move || {
            // Dropped last, even by a panic.
            let monitor = monitor;
            let sender = sender;
            #[cfg(debug_assertions)]
            assert!(!is_to_panic(), "requested by TEST_FLOCKSCOPE_PANIC");
            let _ = sender.send(save(&monitor));
        };
        thread::Builder::new().name("save".into()).stack_size(STACK_SIZE).spawn(body)?;
        (self.result, self.state) = (Some(result), state);
        Ok(())
    }

    /// Whether files are being saved.
    pub(super) fn is_busy(&self) -> bool {
        self.result.is_some()
    }

    /// A message about files that have just been saved or could not be.
    pub(crate) fn poll(&mut self) -> Option<String> {
        let result = match self.result.as_ref()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            result => result.ok(),
        };
        self.finished(result)
    }

    /// Cancels a save that takes long.
    pub(super) fn cancel(&self) {
        self.state.is_canceled.store(true, Ordering::Relaxed);
    }

    /// The progress of a save that takes long.
    pub(crate) fn progress(&self) -> Option<String> {
        self.result.as_ref().and_then(|_| self.state.lock_progress().clone())
    }

    /// Waits for the files that are being saved, and prints what takes long. Returns a message about them, unless the thread panicked
    /// or a signal arrives.
    pub(crate) fn finish(&mut self, signals: &Signals) -> Option<String> {
        let start = Instant::now();
        let mut is_reported = false;
        loop {
            match self.result.as_ref()?.recv_timeout(SIGNAL_INTERVAL) {
                Err(RecvTimeoutError::Timeout) => {}
                result => return self.finished(result.ok()),
            }
            if signals.pending().is_some() {
                return None;
            }
            if let Some(progress) = self.progress().filter(|_| !is_reported && start.elapsed() > REPORT_AFTER) {
                is_reported = true;
                // Without standard error, the files are saved all the same.
                let _ = writeln!(io::stderr(), "{progress}; Ctrl-c cancels");
            }
        }
    }

    fn finished(&mut self, result: Option<Result<Saved, ConfigError>>) -> Option<String> {
        self.result = None;
        match result? {
            Ok(saved) => {
                self.session = saved.session.or(self.session.take());
                Some(saved.message)
            }
            Err(error) => Some(error.to_string()),
        }
    }
}

/// Saves files.
pub(super) type SaveJob = Box<dyn FnOnce(&SaveMonitor) -> Result<Saved, ConfigError> + Send>;

/// How long to wait for the end of a tick, to save its hash.
pub(crate) const TICK_TIMEOUT: Duration = Duration::from_secs(10);
/// The same after a signal or a panic.
pub(crate) const TICK_TIMEOUT_ON_SIGNAL: Duration = Duration::from_millis(100);
/// How long the end of the program waits for a file that another thread is writing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// The session, and what its file says about its start.
#[derive(Clone, Debug)]
pub(crate) struct SessionSource {
    /// The preset at the start.
    pub preset: Preset,
    /// The tick rate at the start.
    pub rate: f32,
    pub reader: SessionReader,
}

impl SessionSource {
    /// Writes a log of the session, with the hash at its last tick if that is known.
    pub(super) fn write(&self, log: &SessionLog, hash: Option<u64>, out: impl Write) -> io::Result<()> {
        session::write(&self.preset, self.rate, log, hash, out)
    }

    /// Whether the session repeats the one in a file, as far as it goes.
    pub(crate) fn repeats(&self, file: &SessionLog) -> bool {
        let mut expected = commands(file);
        commands(&self.reader.log.lock()).all(|command| expected.next() == Some(command))
    }

    fn save(&self, path: &Path, timeout: Duration) -> Result<(), ConfigError> {
        let mut file = OutputFile::open(path)?;
        let (log, hash) = self.reader.read()(timeout);
        self.write(&log, hash, &mut file).and_then(|()| file.finish()).map_err(ConfigError::io(path))
    }
}

/// The commands of a session, each with its tick.
fn commands(log: &SessionLog) -> impl Iterator<Item = &(u64, SessionEvent)> {
    log.events().iter().filter(|(_, event)| matches!(event, SessionEvent::Command(_)))
}

/// The session to save when the program ends, and its file.
static PENDING: Mutex<Option<(SessionSource, PathBuf)>> = Mutex::new(None);

/// Saves the session when the program ends, however it ends.
#[derive(Debug)]
pub(crate) struct SaveOnExit;

impl SaveOnExit {
    pub(crate) fn new(source: SessionSource, path: Option<PathBuf>) -> Self {
        if let Ok(mut pending) = PENDING.lock() {
            *pending = path.map(|path| (source, path));
        }
        Self
    }
}

/// A panic of the viewer ends here.
impl Drop for SaveOnExit {
    fn drop(&mut self) {
        if let Err(error) = save_pending(TICK_TIMEOUT_ON_SIGNAL) {
            tracing::error!(error = error.to_string(), "session not saved");
        }
    }
}

/// Saves the session that is to be saved on exit, unless that has been done. Returns its path.
///
/// # Errors
///
/// [`ConfigError`] if the file cannot be written.
pub(crate) fn save_pending(timeout: Duration) -> Result<Option<PathBuf>, ConfigError> {
    let start = Instant::now();
    // Another thread may be saving it. The file is complete once that thread unlocks.
    let mut pending = loop {
        match PENDING.try_lock() {
            Ok(pending) => break pending,
            Err(TryLockError::WouldBlock) if start.elapsed() < WRITE_TIMEOUT => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(_) => return Ok(None),
        }
    };
    let Some((source, path)) = pending.take() else { return Ok(None) };
    source.save(&path, timeout)?;
    tracing::info!(?path, "session saved");
    Ok(Some(path))
}
