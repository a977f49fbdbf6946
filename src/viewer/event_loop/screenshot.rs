//! Saving screenshots on a thread, in the current folder, never over an existing file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::EventLoop;
use crate::config::{ConfigError, Theme, atomic_file};
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::viewer::views;
use crate::viewer::views::layout::Regions;

/// How many file names to try.
const MAX_NAMES: usize = 1000;

/// Whether a test asks the thread to panic; in debug builds only.
#[cfg(debug_assertions)]
fn is_to_panic() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|what| what == "picture")
}

/// Saves one screenshot at a time.
#[derive(Default)]
pub(crate) struct ScreenshotWriter {
    /// The thread that saves it.
    thread: Option<JoinHandle<Result<PathBuf, ConfigError>>>,
}

impl ScreenshotWriter {
    /// Saves a screenshot in a theme's colors, in a file whose name begins with `name`.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    fn save(&mut self, screenshot: Buffer, theme: Theme, name: String) -> io::Result<()> {
        let body = move || {
            #[cfg(debug_assertions)]
            assert!(!is_to_panic(), "requested by TEST_FLOCKSCOPE_PANIC");
            save_to(Path::new("."), &screenshot, &theme, &name)
        };
        self.thread = Some(thread::Builder::new().name("screenshot".into()).spawn(body)?);
        Ok(())
    }

    /// A message about a screenshot that has just been saved or could not be.
    pub(crate) fn poll(&mut self) -> Option<String> {
        if self.thread.as_ref()?.is_finished() { self.finish() } else { None }
    }

    /// Waits for the screenshot that is being saved. Returns a message about it, unless the thread panicked.
    pub(crate) fn finish(&mut self) -> Option<String> {
        let saved = self.thread.take()?.join().ok()?;
        Some(saved.map_or_else(|error| error.to_string(), |path| format!("screenshot saved as {}", path.display())))
    }
}

impl EventLoop {
    /// Saves a screenshot of the flock in the background, unless one is being saved.
    pub(super) fn save_screenshot(&mut self) {
        if self.screenshots.thread.is_some() {
            return;
        }
        let Some(frame) = self.engine.frame() else { return };
        let canvas = Regions::new(self.buffer.area, self.app.display.clean).flock;
        let mut screenshot = Buffer::empty(Rect::new(0, 0, canvas.width, canvas.height));
        views::draw_flock(&mut screenshot, &self.app, frame);
        let name = format!("{}-{}-{}", self.app.session.preset.name, frame.seed, frame.tick);
        let theme = self.app.theme.theme().into_owned();
        if let Err(error) = self.screenshots.save(screenshot, theme, name) {
            self.app.show_message(error.to_string());
        }
        self.stale = true;
    }
}

/// Saves `NAME.png`, or `NAME-2.png` if that exists, and so on. Returns the path.
fn save_to(folder: &Path, screenshot: &Buffer, theme: &Theme, name: &str) -> Result<PathBuf, ConfigError> {
    // A preset from a file may have any character in its name.
    let name: String = name
        .chars()
        .map(|symbol| if symbol.is_alphanumeric() || "-_".contains(symbol) { symbol } else { '_' })
        .collect();
    let path =
        |number: usize| folder.join(if number == 1 { format!("{name}.png") } else { format!("{name}-{number}.png") });
    let file_error = |source: io::Error| ConfigError::File { path: path(1), source };
    // Encoded before the file is created, since the program may end in the meantime.
    let mut bytes = Vec::new();
    PictureFormat::Png.write(screenshot, DefaultColors::of(theme), &mut bytes).map_err(file_error)?;
    let mut file = atomic_file(folder, None).map_err(file_error)?;
    file.as_file().write_all(&bytes).map_err(file_error)?;
    for path in (1..=MAX_NAMES).map(path) {
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(file_error(error.error)),
        }
    }
    Err(file_error(io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_kept() {
        let folder = tempfile::TempDir::new().unwrap();
        let screenshot = Buffer::empty(Rect::new(0, 0, 4, 2));
        let theme = Theme::load("dusk").unwrap();
        let save = |name| save_to(folder.path(), &screenshot, &theme, name).unwrap();
        let names: Vec<PathBuf> = ["a-1-2", "a-1-2", "../b"].map(save).into();
        let expected = ["a-1-2.png", "a-1-2-2.png", "___b.png"].map(|name| folder.path().join(name));
        assert_eq!(names, expected);
        assert!(std::fs::read(&names[0]).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(save_to(Path::new("/no/such/folder"), &screenshot, &theme, "x").is_err());
    }
}
