//! Which themes, views and colorings go with which preset in a slideshow.

use super::shuffle::SceneChoices;
use super::state::Pinned;
use crate::canvas::View;
use crate::viewer::app::App;
use crate::viewer::theme::Coloring;

/// The themes that go with each preset, for dark and bright backgrounds. A preset without any is not shown.
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

/// The possible next scenes: each preset with suitable themes and views, or only those of a pinned flock.
#[must_use]
pub fn scene_choices(app: &App, pinned: Pinned) -> Vec<SceneChoices> {
    let choices_for = |preset: Option<usize>, name: &str, boids: usize| {
        let names = PAIRS.iter().find(|(known, _)| *known == name).map_or(OTHERS, |(_, themes)| *themes);
        let views = if boids < CROWD { FEW } else { MANY };
        SceneChoices {
            preset,
            themes: if pinned.theme { vec![app.theme.active().0] } else { app.theme.suitable(names) },
            views: if pinned.view { vec![app.display.view] } else { views.to_vec() },
            colorings: COLORINGS.to_vec(),
            near: NEAR.to_vec(),
        }
    };
    let (name, boids) = (&app.session.preset.name, app.session.state().boids);
    if pinned.flock {
        let choices = choices_for(None, name, boids);
        let plain = choices.themes.is_empty();
        return vec![if plain { choices_for(None, "", boids) } else { choices }];
    }
    let all = app.presets.iter().enumerate();
    let worth = all.filter(|(_, preset)| PAIRS.iter().all(|(name, themes)| *name != preset.name || !themes.is_empty()));
    worth.map(|(place, preset)| choices_for(Some(place), &preset.name, preset.boids)).collect()
}
