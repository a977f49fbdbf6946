//! The state of the intro and the slideshow.

use std::time::{Duration, Instant};

use super::intro::Intro;
use super::shuffle::{Scene, SceneShuffle};
use crate::viewer::app::display::SavedScreen;

/// The running intro or slideshow, and the idle timer.
#[derive(Debug, Default)]
pub struct Screensaver {
    pub(super) play: Option<Playing>,
    /// The time without input after which a slideshow starts; `None` is never.
    pub(super) idle_timeout: Option<Duration>,
    /// The time of the last input.
    pub(super) last_activity: Option<Instant>,
}

#[derive(Debug)]
pub(super) enum Playing {
    /// The intro, and when its first frame was shown.
    Intro(Intro, Option<Instant>),
    Scenes(Box<Slideshow>),
}

/// A random sequence of scenes.
#[derive(Debug)]
pub(super) struct Slideshow {
    pub(super) shuffle: SceneShuffle,
    pub(super) begun: Instant,
    /// The current scene.
    pub(super) on: Scene,
    /// The transition in progress.
    pub(super) transition: Option<Transition>,
    /// What stays as it is.
    pub(super) pinned: Pinned,
    /// The screen to restore at the end; `None` if the program quits instead.
    pub(super) saved: Option<SavedScreen>,
}

/// A transition from one scene to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) to: Scene,
    /// The previous theme.
    pub(super) from: usize,
    /// Whether the flock fades out and in again.
    pub(super) hides_flock: bool,
}

/// What stays as it is during a slideshow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The flock.
    pub flock: bool,
    /// The theme.
    pub theme: bool,
    /// The view.
    pub view: bool,
}

impl Screensaver {
    /// The running intro.
    #[must_use]
    pub fn intro(&self) -> Option<&Intro> {
        match &self.play {
            Some(Playing::Intro(intro, _)) => Some(intro),
            _ => None,
        }
    }

    /// Whether a slideshow runs that must not change the user's flock.
    #[must_use]
    pub fn keeps_flock(&self) -> bool {
        matches!(&self.play, Some(Playing::Scenes(slideshow)) if slideshow.pinned.flock)
    }
}
