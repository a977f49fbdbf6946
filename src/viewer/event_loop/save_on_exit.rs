//! Saving the session when the program ends, also by a signal or a panic.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::config::Preset;
use crate::engine::SessionReader;
use crate::error::InputError;
use crate::export::{OutputFile, Replaces, session};
use crate::picture::GlyphTable;
use crate::sim::{SessionEvent, SessionLog};

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
    /// The glyphs of its perches.
    pub glyphs: GlyphTable,
    pub reader: SessionReader,
}

impl SessionSource {
    /// Writes a log of the session, with the hash at its last tick if that is known.
    pub(super) fn write(&self, log: &SessionLog, hash: Option<u64>, out: impl Write) -> io::Result<()> {
        session::write(&self.preset, self.rate, log, &self.glyphs, hash, out)
    }

    /// Whether the session repeats the one in a file, as far as it goes.
    pub(crate) fn repeats(&self, file: &SessionLog) -> bool {
        let mut expected = commands(file);
        commands(&self.reader.log.lock()).all(|command| expected.next() == Some(command))
    }

    /// Saves the session in a new file. Returns its path.
    fn save(&self, path: &Path, timeout: Duration) -> Result<PathBuf, InputError> {
        let mut file = OutputFile::open(path, Replaces::Nothing)?;
        let (log, hash) = self.reader.read()(timeout);
        self.write(&log, hash, &mut file).and_then(|()| file.finish()).map_err(InputError::io(path))
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
    pub(crate) fn new(session: Option<(SessionSource, PathBuf)>) -> Self {
        if let Ok(mut pending) = PENDING.lock() {
            *pending = session;
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
/// [`InputError`] if the file cannot be written.
pub(crate) fn save_pending(timeout: Duration) -> Result<Option<PathBuf>, InputError> {
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
    let path = source.save(&path, timeout)?;
    tracing::info!(?path, "session saved");
    Ok(Some(path))
}
