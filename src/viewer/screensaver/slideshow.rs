//! A random sequence of scenes, with transitions between them.

use std::time::Instant;

use super::Animation;
use super::scenes::scene_choices;
use super::shuffle::{Scene, SceneShuffle};
use crate::viewer::context::Context;

/// A running slideshow.
#[derive(Debug)]
pub(super) struct Slideshow {
    shuffle: SceneShuffle,
    begun: Instant,
    /// The scene on the screen.
    shown: Scene,
    pub(super) mode: Mode,
}

/// What a slideshow changes, and what the input that ends it does.
#[derive(Debug)]
pub(super) enum Mode {
    /// Changes also the flock, but not a theme or a view that the user chose. Input quits the program.
    Screensaver { keeps_theme: bool, keeps_view: bool },
    /// Keeps the flock. Input restores the screen.
    Idle,
}

impl Slideshow {
    /// A slideshow that starts with what the screen shows.
    pub(super) fn new(now: Instant, mode: Mode, context: &Context) -> Self {
        let shown = Scene {
            preset: context.presets.index().filter(|_| !matches!(mode, Mode::Idle)),
            theme: context.theme.active().0,
            view: context.display.view,
            coloring: context.display.coloring,
            near: false,
        };
        let shuffle = SceneShuffle::new(context.client.controls().seed, shown);
        Self { shuffle, begun: now, shown, mode }
    }

    /// Shows the slideshow at a time.
    pub(super) fn play(&mut self, now: Instant, context: &mut Context) -> Animation {
        let from = self.shuffle.scene();
        let (to, share) = self.shuffle.at(now - self.begun, || scene_choices(context, &self.mode));
        if from == to && share == 1.0 {
            return Animation::default();
        }
        let hidden = if from.hides_flock(&to) { 1.0 - (2.0 * share - 1.0).abs() } else { 0.0 };
        let faded = context.theme.cross_fade(to.theme, share);
        let changed = context.theme.set_flock_fade(hidden) || faded;
        let is_next = share >= 0.5 && self.shown != to;
        if is_next {
            self.shown = to;
        }
        Animation { changed, starts_idle: false, scene: is_next.then_some((from, to)) }
    }
}
