//! Saves screenshots on a thread.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use ratatui::buffer::Buffer;

use super::viewer::SaveScreenshot;
use crate::config::{Error, Theme};

/// Whether a test asks the thread to panic; in debug builds only.
#[cfg(debug_assertions)]
fn is_to_panic() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|what| what == "picture")
}

/// Saves one screenshot at a time.
pub(crate) struct ScreenshotWriter {
    save_picture: SaveScreenshot,
    /// Receives the result of the screenshot that is being saved.
    result: Option<Receiver<Result<PathBuf, Error>>>,
}

impl ScreenshotWriter {
    pub(crate) fn new(save_picture: SaveScreenshot) -> Self {
        Self { save_picture, result: None }
    }

    /// Whether a screenshot is being saved.
    pub(crate) fn is_busy(&self) -> bool {
        self.result.is_some()
    }

    /// Saves a screenshot in a theme's colors, in a file whose name begins with `name`.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub(crate) fn save(&mut self, picture: Buffer, theme: Theme, name: String) -> io::Result<()> {
        let save_picture = self.save_picture;
        let (sender, result) = mpsc::channel();
        let body = move || {
            #[cfg(debug_assertions)]
            assert!(!is_to_panic(), "a test wants to see how this thread ends");
            // The viewer may have ended by a signal.
            let _ = sender.send(save_picture(&picture, &theme, &name));
        };
        thread::Builder::new().name("picture".into()).spawn(body)?;
        self.result = Some(result);
        Ok(())
    }

    /// A message about a screenshot that has just been saved or could not be.
    pub(crate) fn poll(&mut self) -> Option<String> {
        let saved = match self.result.as_ref()?.try_recv() {
            Ok(saved) => Some(saved),
            Err(TryRecvError::Empty) => return None,
            // The thread panicked.
            Err(TryRecvError::Disconnected) => None,
        };
        self.result = None;
        saved.map(message)
    }

    /// Waits for the screenshot that is being saved. Returns a message about it.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.result.take()?.recv().ok().map(message)
    }
}

fn message(saved: Result<PathBuf, Error>) -> String {
    saved.map_or_else(|error| error.to_string(), |path| format!("a picture, in {}", path.display()))
}
