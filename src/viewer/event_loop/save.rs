//! Saving pictures, measures and the session: on a key in the background, never over existing files; the session also on exit and
//! when the program ends by a signal or a panic. Clips are in [`clip`](super::clip).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::NamedTempFile;

use super::EventLoop;
use crate::config::{ConfigError, Preset, Theme, atomic_file};
use crate::engine::{STACK_SIZE, SessionReader};
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::export::{OutputFile, session};
use crate::sim::{SessionEvent, SessionLog};
use crate::terminal::Signals;
use crate::terminal::events::EventSender;
use crate::viewer::app::App;
use crate::viewer::plots::Plots;

/// How many file names to try.
const MAX_NAMES: usize = 1000;
/// How often the end of the program looks for signals while it waits for files …
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// … and after how long it reports that it waits.
const REPORT_AFTER: Duration = Duration::from_millis(500);
/// The minimum size of a picture of plots, in cells.
const PLOTS_SIZE: (u16, u16) = (80, 24);

/// Whether a test asks the thread to panic; in debug builds only.
#[cfg(debug_assertions)]
fn is_to_panic() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|what| what == "picture")
}

/// The end of a file's name, and its content.
type NewFile = (&'static str, Vec<u8>);

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
}

/// What a save that takes long tells the event loop, and the reverse.
#[derive(Default)]
struct SaveState {
    progress: Mutex<Option<String>>,
    is_cancelled: AtomicBool,
}

/// The end of a [`SaveState`] for the thread that saves.
pub(super) struct SaveMonitor {
    state: Arc<SaveState>,
    events: EventSender,
}

impl SaveMonitor {
    /// Shows how far it is.
    pub(super) fn report(&self, progress: String) {
        let is_new = {
            let mut known = self.state.lock_progress();
            known.replace(progress) != *known
        };
        if is_new {
            self.events.notify();
        }
    }

    /// Whether it is to end early.
    pub(super) fn is_cancelled(&self) -> bool {
        self.state.is_cancelled.load(Ordering::Relaxed)
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
    fn start(&mut self, save: SaveJob, events: EventSender) -> io::Result<()> {
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
        self.state.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// How far a save that takes long is.
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

impl EventLoop {
    /// Saves a screenshot of the flock in the background, unless something is being saved.
    pub(super) fn save_screenshot(&mut self) {
        self.save(|app, canvas| {
            let mut screenshot = Buffer::empty(canvas);
            app.draw_flock_alone(&mut screenshot);
            let (name, theme) = (file_name(app), app.context.theme.theme().into_owned());
            Box::new(move |_| {
                let paths = save_new(Path::new("."), &name, &[(".png", png(&screenshot, &theme)?)])?;
                Ok(Saved::new(format!("screenshot saved as {}", paths[0].display())))
            })
        });
    }

    /// Saves the measures of this run and a picture of their plots in the background, unless something is being saved.
    pub(super) fn save_plots(&mut self) {
        if self.app.plots.history.ticks().is_none() {
            return self.app.context.show_message("no measures to save yet");
        }
        self.save(|app, canvas| {
            let (width, height) = (canvas.width.max(PLOTS_SIZE.0), canvas.height.max(PLOTS_SIZE.1));
            let area = Rect { width, height, ..canvas };
            let mut picture = Buffer::empty(area);
            app.draw_plots_alone(&mut picture);
            let (name, theme) = (file_name(app), app.context.theme.theme().into_owned());
            let (history, changes) = (app.plots.history.clone(), Plots::changes(&app.timeline, &app.context));
            Box::new(move |_| {
                let measures = history.csv(&changes).into_bytes();
                let files = [("-measures.csv", measures), ("-plots.png", png(&picture, &theme)?)];
                let paths = save_new(Path::new("."), &name, &files)?;
                let [measures, plots] = [0, 1].map(|index| paths[index].display());
                Ok(Saved::new(format!("measures saved as {measures}, plots as {plots}")))
            })
        });
    }

    /// Saves the session in the background, unless something is being saved.
    pub(super) fn save_session(&mut self) {
        let session = self.session.clone();
        self.save(|app, _| {
            let name = file_name(app);
            // Before the requests of later keys.
            let read = session.reader.read();
            Box::new(move |_| {
                let mut bytes = Vec::new();
                session.write(read(TICK_TIMEOUT), &mut bytes).map_err(ConfigError::io("session"))?;
                let path = save_new(Path::new("."), &name, &[(".flock", bytes)])?.remove(0);
                Ok(Saved { message: format!("session saved as {}", path.display()), session: Some(path) })
            })
        });
    }

    /// Prepares what to save from the latest frame and the area of the flock, and saves it in the background.
    pub(super) fn save(&mut self, prepare: impl FnOnce(&App, Rect) -> SaveJob) {
        if self.saving.result.is_some() {
            return self.app.context.show_message("not saved: another file is still being saved");
        }
        if !self.has_frame {
            return;
        }
        let canvas = self.app.regions(self.buffer.area).flock;
        let job = prepare(&self.app, Rect::new(0, 0, canvas.width, canvas.height));
        if let Err(error) = self.saving.start(job, self.events.sender()) {
            self.app.context.show_message(error.to_string());
        }
        self.stale = true;
    }
}

/// Saves files.
pub(super) type SaveJob = Box<dyn FnOnce(&SaveMonitor) -> Result<Saved, ConfigError> + Send>;

/// The beginning of the names of files about the flock in a frame.
pub(super) fn file_name(app: &App) -> String {
    let frame = app.context.client.frame();
    format!("{}-{}-{}", app.context.presets.base.name, frame.controls.seed, frame.tick)
}

fn png(screen: &Buffer, theme: &Theme) -> Result<Vec<u8>, ConfigError> {
    let mut bytes = Vec::new();
    let written = PictureFormat::Png.write(screen, DefaultColors::of(theme), &mut bytes);
    written.map_err(ConfigError::io(Path::new("picture")))?;
    Ok(bytes)
}

/// `NAME`, `NAME-2` and so on.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    // A preset from a file may have any character in its name.
    let is_kept = |symbol: char| symbol.is_alphanumeric() || "-_".contains(symbol);
    let name: String = name.chars().map(|symbol| if is_kept(symbol) { symbol } else { '_' }).collect();
    (1..=MAX_NAMES).map(move |number| if number == 1 { name.clone() } else { format!("{name}-{number}") })
}

fn is_free(path: &Path) -> bool {
    path.symlink_metadata().is_err()
}

/// The error if all names are taken.
fn no_free_name(folder: &Path, name: &str) -> ConfigError {
    ConfigError::io(&folder.join(name))(io::ErrorKind::AlreadyExists.into())
}

/// Saves files that begin with `NAME`, or `NAME-2` if one of them exists, and so on. Returns their paths. After an error
/// none of them is left.
fn save_new(folder: &Path, name: &str, files: &[NewFile]) -> Result<Vec<PathBuf>, ConfigError> {
    for begin in numbered(name) {
        let paths: Vec<PathBuf> = files.iter().map(|(end, _)| folder.join(format!("{begin}{end}"))).collect();
        if !paths.iter().all(|path| is_free(path)) {
            continue;
        }
        for (number, (path, (_, bytes))) in paths.iter().zip(files).enumerate() {
            if let Err(error) = create(folder, path, bytes) {
                paths[..number].iter().for_each(|path| _ = fs::remove_file(path));
                return Err(error);
            }
        }
        return Ok(paths);
    }
    Err(no_free_name(folder, name))
}

/// A new file whose content comes bit by bit, and which appears when it is complete.
pub(super) struct GrowingFile {
    file: NamedTempFile,
    /// Its path, and those to take if that exists in the end.
    paths: Vec<PathBuf>,
}

impl GrowingFile {
    /// Begins a file `NAME` with this end of the name, or `NAME-2`, and so on.
    pub(super) fn create(folder: &Path, name: &str, end: &str) -> Result<Self, ConfigError> {
        let paths = numbered(name).map(|begin| folder.join(format!("{begin}{end}")));
        let paths: Vec<PathBuf> = paths.skip_while(|path| !is_free(path)).collect();
        let first = paths.first().ok_or_else(|| no_free_name(folder, name))?;
        let file = atomic_file(folder, None).map_err(ConfigError::io(first))?;
        Ok(Self { file, paths })
    }

    /// The path that it will probably have.
    pub(super) fn path(&self) -> &Path {
        &self.paths[0]
    }

    /// Writes the content. Returns the path and the number of bytes.
    pub(super) fn write(
        self,
        content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(PathBuf, u64), ConfigError> {
        let Self { mut file, paths } = self;
        let mut out = BufWriter::new(file.as_file());
        let written = content(&mut out).and_then(|()| out.flush());
        drop(out);
        let bytes =
            written.and_then(|()| file.as_file().sync_all()).and_then(|()| Ok(file.as_file().metadata()?.len()));
        let bytes = bytes.map_err(ConfigError::io(&paths[0]))?;
        for path in &paths {
            match file.persist_noclobber(path) {
                Ok(_) => return Ok((path.clone(), bytes)),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => file = failed.file,
                Err(failed) => return Err(ConfigError::io(path)(failed.error)),
            }
        }
        Err(ConfigError::io(&paths[0])(io::ErrorKind::AlreadyExists.into()))
    }
}

/// Writes a new file, which appears when it is complete.
fn create(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), ConfigError> {
    let io_error = ConfigError::io(path);
    let file = atomic_file(folder, None).map_err(&io_error)?;
    file.as_file().write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(&io_error)?;
    file.persist_noclobber(path).map_err(|error| io_error(error.error))?;
    Ok(())
}

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
    fn write(&self, (log, hash): (SessionLog, Option<u64>), out: impl Write) -> io::Result<()> {
        session::write((&self.preset, self.rate), &log, hash, out)
    }

    /// Whether the session repeats the one in a file, as far as it goes.
    pub(crate) fn repeats(&self, file: &SessionLog) -> bool {
        let mut expected = commands(file);
        self.reader.with_log(|log| commands(log).all(|command| expected.next() == Some(command)))
    }

    fn save(&self, path: &Path, timeout: Duration) -> Result<(), ConfigError> {
        let mut file = OutputFile::open(path)?;
        self.write(self.reader.read()(timeout), &mut file).and_then(|()| file.finish()).map_err(ConfigError::io(path))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::TempDir::new().unwrap()
    }

    #[test]
    fn existing_files_are_kept() {
        let folder = folder();
        let save = |name| save_new(folder.path(), name, &[(".png", b"picture".into())]).unwrap().remove(0);
        let names: Vec<PathBuf> = ["a-1-2", "a-1-2", "../b"].map(save).into();
        let expected = ["a-1-2.png", "a-1-2-2.png", "___b.png"].map(|name| folder.path().join(name));
        assert_eq!(names, expected);
        assert_eq!(fs::read(&names[0]).unwrap(), b"picture");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(save_new(Path::new("/no/such/folder"), "x", &[(".png", Vec::new())]).is_err());
    }

    #[test]
    fn files_of_a_group_have_the_same_number() {
        let folder = folder();
        fs::write(folder.path().join("a.png"), "old").unwrap();
        let files: [NewFile; 2] = [(".csv", b"new".into()), (".png", b"new".into())];
        let paths = save_new(folder.path(), "a", &files).unwrap();
        assert_eq!(paths, ["a-2.csv", "a-2.png"].map(|name| folder.path().join(name)));
        assert_eq!(fs::read(folder.path().join("a.png")).unwrap(), b"old");
    }

    #[test]
    fn after_an_error_no_file_is_left() {
        let folder = folder();
        let files: [NewFile; 2] = [(".csv", b"new".into()), ("/no/such/folder.png", b"new".into())];
        assert!(save_new(folder.path(), "a", &files).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
