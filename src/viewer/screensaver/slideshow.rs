//! A random sequence of scenes, with transitions between them.

use std::time::Instant;

use super::Playing;
use super::scenes::scene_choices;
use super::shuffle::{Scene, SceneShuffle};
use crate::canvas::{Aim, Follow};
use crate::viewer::app::App;
use crate::viewer::app::display::SavedScreen;

/// The zoom of a close-up scene.
const NEAR: f32 = 1.8;

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
    Idle(SavedScreen),
}

impl App {
    pub(super) fn start_slideshow(&mut self, now: Instant, mode: Mode) {
        let shown = Scene {
            preset: self.preset_index().filter(|_| !matches!(mode, Mode::Idle(_))),
            theme: self.theme.active().0,
            view: self.display.view,
            coloring: self.display.coloring,
            near: false,
        };
        let shuffle = SceneShuffle::new(self.session.state().seed, shown);
        let slideshow = Slideshow { shuffle, begun: now, shown, mode };
        self.screensaver.play = Some(Playing::Scenes(Box::new(slideshow)));
    }

    /// Shows a slideshow at a time. Returns whether the screen changed.
    pub(super) fn play_scene(&mut self, slideshow: &mut Slideshow, now: Instant) -> bool {
        let from = slideshow.shuffle.scene();
        let (to, share) = slideshow.shuffle.at(now - slideshow.begun, || scene_choices(self, &slideshow.mode));
        if from == to && share == 1.0 {
            return false;
        }
        let hidden = if from.hides_flock(&to) { 1.0 - (2.0 * share - 1.0).abs() } else { 0.0 };
        let faded = self.theme.cross_fade(to.theme, share);
        let changed = self.theme.set_flock_fade(hidden) || faded;
        if share >= 0.5 && slideshow.shown != to {
            slideshow.shown = to;
            self.show_scene(from, to);
        }
        changed
    }

    /// Shows a scene, replacing the last one.
    fn show_scene(&mut self, last: Scene, scene: Scene) {
        if let Some(preset) = scene.preset.filter(|_| scene.preset != last.preset) {
            self.load_preset(preset);
            self.clear_message();
        }
        let near = Aim { zoom: NEAR, follow: Follow::Largest, ..Aim::default() };
        self.show_as(scene.view, scene.coloring, if scene.near { near } else { Aim::default() });
    }
}
