//! Which themes, views and colorings go with which flock, where nobody chooses.

use super::shuffle::SceneChoices;
use crate::canvas::View;
use crate::viewer::app::App;
use crate::viewer::theme::Coloring;

/// The themes that go with each preset, chosen by eye, for dark ground and for bright; a preset without
/// any is too plain to be looked at for long.
const PAIRS: &[(&str, &[&str])] = &[
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
];
/// Those that go with `starlings`, and with every other flock.
const OTHERS: &[&str] =
    &["dusk", "afterglow", "moon", "aurora", "abyss", "nebula", "storm", "ember", "washi", "dawn", "sakura", "paper"];

/// From so many boids on the crowd matters more than the ways of single ones.
const CROWD: usize = 1000;
const FEW: &[View] = &[View::Auto, View::Auto, View::Trails];
const MANY: &[View] = &[View::Auto, View::Auto, View::Auto, View::Heads];
/// How often a flock is seen from near.
const NEAR: &[bool] = &[false, false, true];
const COLORINGS: &[Option<Coloring>] = &[None, None, None, Some(Coloring::Speed)];

/// What somebody asked for, and what therefore stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The flock that flies.
    pub flock: bool,
    /// The theme.
    pub theme: bool,
    /// What is drawn of the flock.
    pub view: bool,
}

/// What may follow: a preset with what goes with it, or, where the flock is pinned, other ways to see it.
#[must_use]
pub fn scene_choices(app: &App, pinned: Pinned) -> Vec<SceneChoices> {
    let offer = |preset: Option<usize>, name: &str, boids: usize| {
        let names = PAIRS.iter().find(|(known, _)| *known == name).map_or(OTHERS, |(_, themes)| *themes);
        let views = if boids < CROWD { FEW } else { MANY };
        SceneChoices {
            preset,
            themes: if pinned.theme { vec![app.theme.active().0] } else { app.theme.suitable(names) },
            views: if pinned.view { vec![app.view()] } else { views.to_vec() },
            colorings: COLORINGS.to_vec(),
            near: NEAR.to_vec(),
        }
    };
    let flown = app.session();
    if pinned.flock {
        let seen = offer(None, &flown.preset().name, flown.boids());
        let plain = seen.themes.is_empty();
        return vec![if plain { offer(None, "", flown.boids()) } else { seen }];
    }
    let all = app.presets().iter().enumerate();
    let worth = all.filter(|(_, preset)| PAIRS.iter().all(|(name, themes)| *name != preset.name || !themes.is_empty()));
    worth.map(|(place, preset)| offer(Some(place), &preset.name, preset.boids)).collect()
}
