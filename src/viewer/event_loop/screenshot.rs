//! Saves pictures on a thread of its own, which may take a while.

use std::io;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use ratatui::buffer::Buffer;

use super::viewer::SaveScreenshot;
use crate::config::{Error, Theme};
use crate::terminal::input::event_queue::{EventQueue, EventSender};
use crate::terminal::input::reader::TerminalEvent;

/// Whether a test wants to see what is left when the thread of a picture panics; in debug builds only.
#[cfg(debug_assertions)]
fn is_to_panic() -> bool {
    std::env::var_os("TEST_FLOCKSCOPE_PANIC").is_some_and(|what| what == "picture")
}

/// What has become of a picture, in words.
fn told(saved: Result<PathBuf, Error>) -> String {
    saved.map_or_else(|error| error.to_string(), |path| format!("a picture, in {}", path.display()))
}

/// One picture at a time, and what became of the last.
pub(crate) struct ScreenshotWriter {
    save_picture: SaveScreenshot,
    work: Option<JoinHandle<()>>,
    /// What has become of one that was not told on the screen.
    untold: Option<String>,
}

impl ScreenshotWriter {
    pub(crate) fn new(save_picture: SaveScreenshot) -> Self {
        Self { save_picture, work: None, untold: None }
    }

    /// Whether a picture is still being saved, or nobody has heard yet what has become of it.
    pub(crate) fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// Hears what has become of a picture, and says it.
    pub(crate) fn hear(&mut self, saved: Result<PathBuf, Error>) -> String {
        self.work = None;
        told(saved)
    }

    /// Saves a picture in a theme's colors under a name that begins so; what becomes of it is told to the teller.
    ///
    /// # Errors
    ///
    /// Where the system lets no thread begin.
    pub(crate) fn save(&mut self, picture: Buffer, theme: Theme, name: String, teller: EventSender) -> io::Result<()> {
        let save_picture = self.save_picture;
        let work = move || {
            #[cfg(debug_assertions)]
            assert!(!is_to_panic(), "a test wants to see how this thread ends");
            teller.tell(TerminalEvent::ScreenshotSaved(save_picture(&picture, &theme, &name)));
        };
        self.work = Some(thread::Builder::new().name("picture".into()).spawn(work)?);
        Ok(())
    }

    /// Keeps what has become of a picture while nobody can be told.
    pub(crate) fn keep(&mut self, saved: Result<PathBuf, Error>) {
        self.untold = Some(self.hear(saved));
    }

    /// What was kept.
    pub(crate) fn untold(&mut self) -> Option<String> {
        self.untold.take()
    }

    /// Waits for the picture that is still being saved, whose end is told to this mailbox. Says what has become of it.
    pub(crate) fn finish(&mut self, mailbox: &EventQueue) -> Option<String> {
        if let Some(work) = self.work.take() {
            // One that has panicked has said so.
            let _ = work.join();
            while let Some((_, happening)) = mailbox.take() {
                if let TerminalEvent::ScreenshotSaved(saved) = happening {
                    self.keep(saved);
                }
            }
        }
        self.untold()
    }
}
