//! A random sequence of scenes with transitions, and which themes, views and colorings go with which preset.

use std::time::Instant;

use super::Animation;
use super::shuffle::{Scene, SceneChoices, SceneShuffle};
use crate::canvas::View;
use crate::config::Preset;
use crate::viewer::context::Context;
use crate::viewer::theme::Coloring;

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

/// The themes that go with each preset, for dark and bright backgrounds. A preset without any is not shown.
const PAIRS: &[(&str, &[&str])] = &[
    ("murmuration", &["dusk", "afterglow", "ember", "moon", "dawn", "washi"]),
    ("stardisplay", &[]),
    ("drones", &["neon", "storm", "phosphor", "dusk", "nebula", "afterglow", "day"]),
    ("sparrows", &["afterglow", "ember", "moon", "washi", "sakura", "dawn", "paper"]),
    ("sphere", &["abyss", "aurora", "nebula", "moon", "dawn", "day"]),
    ("parker", &["abyss", "nebula", "neon", "aurora", "sakura", "day"]),
    ("coderholic", &[]),
    ("baitball", &["abyss", "moon", "dusk", "aurora", "paper", "dawn"]),
    ("locusts", &["dusk", "ember", "aurora", "phosphor", "day", "sakura"]),
    ("bats", &["dusk", "moon", "storm", "neon", "afterglow", "washi"]),
    ("mosquitoes", &["dusk", "ember", "phosphor", "nebula", "afterglow", "washi"]),
    ("herring", &["dusk", "nebula", "neon", "aurora", "ember", "day"]),
    ("trio", &["dusk", "okabe", "nebula", "day"]),
    ("geese", &["moon", "storm", "dusk", "afterglow", "dawn", "washi"]),
    ("sheep", &["storm", "moon", "aurora", "washi", "paper"]),
    ("pigeons", &["dusk", "neon", "ember", "storm", "washi"]),
    ("vicsek", &["dusk", "aurora", "nebula", "abyss", "dawn", "day"]),
    ("bands", &["dusk", "abyss", "afterglow", "storm", "paper", "dawn"]),
    ("couzin-swarm", &[]),
    ("couzin-torus", &["abyss", "nebula", "moon", "aurora", "day", "washi"]),
    ("couzin-dynamic", &["moon", "dusk", "afterglow", "storm", "dawn", "washi"]),
    ("couzin-parallel", &[]),
    ("netlogo", &["dusk", "ember", "aurora", "neon", "paper", "sakura"]),
    ("abm-small", &[]),
    ("abm-large", &[]),
];
/// The themes for all other presets.
const OTHERS: &[&str] =
    &["dusk", "afterglow", "moon", "aurora", "abyss", "nebula", "storm", "ember", "washi", "dawn", "sakura", "paper"];

/// The number of boids from which trails are too dense.
const CROWD: usize = 1000;
const FEW: &[View] = &[View::Auto, View::Auto, View::Trails];
const MANY: &[View] = &[View::Auto, View::Auto, View::Auto, View::Heads];
/// How often a scene is a close-up.
const NEAR: &[bool] = &[false, false, true];
const COLORINGS: &[Option<Coloring>] = &[None, None, None, Some(Coloring::Speed)];

/// The possible next scenes: each preset with suitable themes and views, or only those of the current flock.
#[must_use]
pub(super) fn scene_choices(context: &Context, mode: &Mode) -> Vec<SceneChoices> {
    let (keeps_theme, keeps_view) = match mode {
        Mode::Screensaver { keeps_theme, keeps_view } => (*keeps_theme, *keeps_view),
        Mode::Idle => (false, false),
    };
    let views = |boids| if boids < CROWD { FEW } else { MANY };
    let choices_for = |preset: Option<usize>, themes: &[&str], boids: usize| SceneChoices {
        preset,
        themes: if keeps_theme { vec![context.theme.active().0] } else { context.theme.suitable(themes) },
        views: if keeps_view { vec![context.display.view] } else { views(boids).to_vec() },
        colorings: COLORINGS.to_vec(),
        near: NEAR.to_vec(),
    };
    if matches!(mode, Mode::Idle) {
        let boids = context.client.controls().boids;
        let choices = choices_for(None, themes_for(&context.presets.base), boids);
        return vec![if choices.themes.is_empty() { choices_for(None, OTHERS, boids) } else { choices }];
    }
    let shown = context.presets.all.iter().enumerate().filter(|(_, preset)| !themes_for(preset).is_empty());
    shown.map(|(index, preset)| choices_for(Some(index), themes_for(preset), preset.boids)).collect()
}

fn themes_for(preset: &Preset) -> &'static [&'static str] {
    PAIRS.iter().find(|(name, _)| *name == preset.name).map_or(OTHERS, |(_, themes)| *themes)
}
