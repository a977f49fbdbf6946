//! A random sequence of scenes with transitions, and which themes, views and colorings go with which preset.

use std::time::{Duration, Instant};

use super::shuffle::{Scene, SceneChoices, SceneShuffle};
use crate::picture::{Coloring, View};
use crate::viewer::context::Context;
use crate::viewer::theme::preset_themes::{OTHERS, themes_of};

/// What a running animation changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Animation {
    /// Whether the screen changed.
    pub changed: bool,
    /// Whether a slideshow of an idle viewer is to start.
    pub starts_idle: bool,
    /// The next scene to show, and the one before.
    pub scene: Option<(Scene, Scene)>,
}

/// A running slideshow.
#[derive(Debug)]
pub(super) struct Slideshow {
    shuffle: SceneShuffle,
    pub(super) begun: Instant,
    /// The scene on the screen.
    shown: Scene,
    /// The name of its preset, and how visible it is, 0 … 1.
    pub(super) caption: Option<(String, f32)>,
    /// When the preset of the scene was first shown.
    shown_since: Instant,
    pub(super) mode: SlideshowMode,
}

/// What a slideshow changes, and what the input that ends it does.
#[derive(Debug)]
pub enum SlideshowMode {
    /// Changes also the flock, but not a theme or a view that the user chose. Input quits the program.
    Screensaver { keeps_theme: bool, keeps_view: bool },
    /// Keeps the flock. Input restores the screen.
    Idle,
}

impl Slideshow {
    /// A slideshow that starts with what the screen shows.
    pub(super) fn new(now: Instant, mode: SlideshowMode, context: &Context) -> Self {
        let shown = Scene {
            preset: context.presets.index().filter(|_| !matches!(mode, SlideshowMode::Idle)),
            theme: context.theme.active().0,
            view: context.display.view,
            coloring: context.display.coloring,
            near: false,
        };
        let shuffle = SceneShuffle::new(context.client.controls().setup.seed, shown);
        Self { shuffle, begun: now, shown, caption: None, shown_since: now, mode }
    }

    /// Shows the slideshow at a time.
    pub(super) fn play(&mut self, now: Instant, context: &mut Context) -> Animation {
        let changed = self.update_caption(now, context);
        let from = self.shuffle.scene;
        let (to, share) = self.shuffle.at(now - self.begun, || scene_choices(context, &self.mode));
        if from == to && share == 1.0 {
            return Animation { changed, ..Animation::default() };
        }
        let hidden = if from.hides_flock(&to) { 1.0 - (2.0 * share - 1.0).abs() } else { 0.0 };
        let faded = context.theme.cross_fade(to.theme, share);
        let changed = context.theme.set_flock_fade(hidden) || faded || changed;
        let is_next = share >= 0.5 && self.shown != to;
        if is_next {
            if self.shown.preset != to.preset {
                self.shown_since = now;
            }
            self.shown = to;
        }
        Animation { changed, starts_idle: false, scene: is_next.then_some((from, to)) }
    }

    /// Whether boids are to form letters, before the scene ends.
    pub(super) fn shows_letters(&self, now: Instant) -> bool {
        !matches!(self.mode, SlideshowMode::Idle) && self.shuffle.ends_within(LETTERS, now - self.begun)
    }

    /// Fades the name of the preset in and out. Returns whether it changed.
    fn update_caption(&mut self, now: Instant, context: &Context) -> bool {
        let opacity = caption_opacity((now - self.shown_since).as_secs_f32());
        let opacity = if context.theme.skips_fades { opacity.ceil() } else { opacity };
        let name = self.shown.preset.filter(|_| opacity > 0.0).and_then(|preset| context.presets.all.get(preset));
        let caption = name.map(|preset| (preset.name.clone(), opacity));
        let changed = self.caption != caption;
        self.caption = caption;
        changed
    }
}

/// How long boids form letters at the end of a scene.
const LETTERS: Duration = Duration::from_secs(14);
/// The times in seconds at which a caption starts to fade in, and to fade out.
const CAPTION: (f32, f32) = (1.0, 6.0);
/// How long a fade of a caption takes, in seconds, and its number of steps.
const CAPTION_FADE: f32 = 1.0;
const CAPTION_STEPS: f32 = 8.0;

/// How visible a caption is, 0 … 1, this long after its scene appeared.
fn caption_opacity(seconds: f32) -> f32 {
    let share = ((seconds - CAPTION.0) / CAPTION_FADE).min(1.0 - (seconds - CAPTION.1) / CAPTION_FADE);
    (share.clamp(0.0, 1.0) * CAPTION_STEPS).floor() / CAPTION_STEPS
}

/// The number of boids from which trails are too dense.
const CROWD: usize = 1000;
const FEW: &[View] = &[View::Auto, View::Auto, View::Trails];
const MANY: &[View] = &[View::Auto, View::Auto, View::Auto, View::Heads];
/// How often a scene is a close-up.
const NEAR: &[bool] = &[false, false, true];
const COLORINGS: &[Option<Coloring>] = &[None, None, None, Some(Coloring::Speed)];

/// The possible next scenes: each preset with suitable themes and views, or only those of the current flock.
pub(super) fn scene_choices(context: &Context, mode: &SlideshowMode) -> Vec<SceneChoices> {
    let (keeps_theme, keeps_view) = match mode {
        SlideshowMode::Screensaver { keeps_theme, keeps_view } => (*keeps_theme, *keeps_view),
        SlideshowMode::Idle => (false, false),
    };
    let choices_for = |preset: Option<usize>, themes: Vec<usize>, boids: usize| SceneChoices {
        preset,
        themes: if keeps_theme { vec![context.theme.active().0] } else { themes },
        views: match boids {
            _ if keeps_view => vec![context.display.view],
            ..CROWD => FEW.to_vec(),
            _ => MANY.to_vec(),
        },
        colorings: COLORINGS.to_vec(),
        near: NEAR.to_vec(),
    };
    if matches!(mode, SlideshowMode::Idle) {
        let themes = context.theme.suitable(themes_of(&context.presets.base.name).unwrap_or(OTHERS));
        let themes = if themes.is_empty() { context.theme.suitable(OTHERS) } else { themes };
        return vec![choices_for(None, themes, context.client.controls().setup.boids)];
    }
    let shown = context.presets.all.iter().enumerate().filter_map(|(index, preset)| {
        let themes = context.theme.suitable(themes_of(&preset.name)?);
        Some(choices_for(Some(index), themes.into_iter().take(1).collect(), preset.boids))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Preset, Theme};
    use crate::viewer::theme::preset_themes::SHOW_PIECES;

    #[test]
    fn show_pieces_and_their_themes_exist() {
        let (presets, themes) = (Preset::builtin(), Theme::builtin());
        for (name, of) in SHOW_PIECES {
            assert!(presets.iter().any(|preset| preset.name == *name), "{name}");
            for theme in *of {
                assert!(themes.iter().any(|known| known.name == *theme), "{name}: {theme}");
            }
        }
    }

    #[test]
    fn a_caption_fades_in_and_out() {
        let opacities = [0.5, 1.5, 3.0, 6.5, 7.5].map(caption_opacity);
        assert_eq!((opacities[0], opacities[2], opacities[4]), (0.0, 1.0, 0.0));
        assert!((0.1..0.9).contains(&opacities[1]) && (0.1..0.9).contains(&opacities[3]), "{opacities:?}");
    }
}
