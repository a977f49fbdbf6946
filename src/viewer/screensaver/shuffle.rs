//! A random sequence of scenes: the current time selects the scene and the progress of the transition to it.

use std::ops::RangeInclusive;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};

use crate::picture::{Aim, Coloring, Follow, View};

/// The duration of a scene in seconds, from the middle of one transition to the middle of the next.
const SCENE_SECONDS: RangeInclusive<f32> = 25.0..=40.0;
/// The duration of a transition. The scene changes in its middle.
const TRANSITION: Duration = Duration::from_secs(2);
/// The number of steps in a transition. Each step redraws the whole screen, so few steps save bandwidth.
const STEPS: f32 = 20.0;

/// The zoom of a close-up scene.
const NEAR: f32 = 1.8;

/// A flock and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The index of the preset; `None` keeps the current flock.
    pub preset: Option<usize>,
    /// The index of the theme.
    pub theme: usize,
    /// The view.
    pub view: View,
    /// The coloring; `None` is the default of the flock.
    pub coloring: Option<Coloring>,
    /// Whether it is a close-up.
    pub near: bool,
}

impl Scene {
    /// Where the camera looks.
    pub fn aim(&self) -> Aim {
        let near = Aim { zoom: NEAR, follow: Follow::Largest, ..Aim::default() };
        if self.near { near } else { Aim::default() }
    }

    /// Whether the flock fades out in the transition, because it is replaced or drawn differently.
    pub fn hides_flock(&self, next: &Self) -> bool {
        let drawn = |scene: &Self| (scene.view, scene.coloring, scene.near);
        next.preset.is_some_and(|preset| self.preset != Some(preset)) || drawn(self) != drawn(next)
    }
}

/// The scenes to choose from for one preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneChoices {
    /// The index of the preset; `None` keeps the current flock.
    pub preset: Option<usize>,
    /// The themes, at least one.
    pub themes: Vec<usize>,
    /// The views, at least one; repeated ones are more frequent.
    pub views: Vec<View>,
    /// The colorings, at least one; repeated ones are more frequent.
    pub colorings: Vec<Option<Coloring>>,
    /// Whether to show a close-up, with the same weighting.
    pub near: Vec<bool>,
}

/// Picks scenes in a random order that depends on a seed.
#[derive(Debug)]
pub struct SceneShuffle {
    rng: Xoshiro256PlusPlus,
    pub scene: Scene,
    next: Option<Scene>,
    /// When the next scene starts.
    due: Duration,
    /// The presets shown in this round: all are shown before one repeats.
    played: Vec<Option<usize>>,
}

impl SceneShuffle {
    /// Starts with a scene at time 0.
    pub fn new(seed: u64, scene: Scene) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let due = pace(&mut rng);
        Self { rng, scene, next: None, due, played: vec![scene.preset] }
    }

    /// Whether the scene at a time ends within a span.
    pub fn ends_within(&self, span: Duration, time: Duration) -> bool {
        let end = self.due.saturating_sub(TRANSITION / 2);
        (end.saturating_sub(span)..end).contains(&time)
    }

    /// The current or next scene and the progress of the transition to it, 0 … 1. The scene counts as shown from 0.5.
    /// `choices` is asked when another is to be chosen.
    pub fn at(&mut self, time: Duration, choices: impl FnOnce() -> Vec<SceneChoices>) -> (Scene, f32) {
        let Some(started) = time.checked_sub(self.due.saturating_sub(TRANSITION / 2)) else {
            return (self.scene, 1.0);
        };
        let next = self.next.take().unwrap_or_else(|| self.choose(&choices()));
        let share = (started.as_secs_f32() / TRANSITION.as_secs_f32() * STEPS).floor() / STEPS;
        if share < 1.0 {
            self.next = Some(next);
            return (next, share);
        }
        // Counted from now, so that a suspended machine does not catch up.
        (self.scene, self.due) = (next, time + pace(&mut self.rng));
        (next, 1.0)
    }

    fn choose(&mut self, choices: &[SceneChoices]) -> Scene {
        let Some(offer) = self.draw(choices) else { return self.scene };
        let other = offer.themes.iter().filter(|theme| **theme != self.scene.theme);
        let theme = other.choose(&mut self.rng).or(offer.themes.first());
        Scene {
            preset: offer.preset,
            theme: *theme.unwrap_or(&self.scene.theme),
            view: *offer.views.choose(&mut self.rng).unwrap_or(&self.scene.view),
            coloring: *offer.colorings.choose(&mut self.rng).unwrap_or(&self.scene.coloring),
            near: *offer.near.choose(&mut self.rng).unwrap_or(&self.scene.near),
        }
    }

    /// Draws the choices of a preset that has not been shown in this round.
    fn draw<'a>(&mut self, choices: &'a [SceneChoices]) -> Option<&'a SceneChoices> {
        if choices.iter().all(|offer| self.played.contains(&offer.preset)) {
            self.played = vec![self.scene.preset];
        }
        let left: Vec<_> = choices.iter().filter(|offer| !self.played.contains(&offer.preset)).collect();
        let offer = left.choose(&mut self.rng).copied().or(choices.first())?;
        self.played.push(offer.preset);
        Some(offer)
    }
}

fn pace(rng: &mut Xoshiro256PlusPlus) -> Duration {
    Duration::from_secs_f32(rng.random_range(SCENE_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(preset: Option<usize>) -> Scene {
        Scene { preset, theme: 0, view: View::Auto, coloring: None, near: false }
    }

    fn choices() -> Vec<SceneChoices> {
        let choices = (0..4).map(|preset| SceneChoices {
            preset: Some(preset),
            themes: vec![0, 1, 2 + preset],
            views: vec![View::Auto, View::Trails],
            colorings: vec![None],
            near: vec![false, true],
        });
        choices.collect()
    }

    /// The scenes of some minutes, each with the time at which it was on, seen thirty times a second.
    fn wander(number: u64, minutes: u64) -> Vec<(f32, Scene)> {
        let mut shuffle = SceneShuffle::new(number, scene(Some(0)));
        let mut seen = vec![(0.0, scene(Some(0)))];
        for frame in 0..minutes * 60 * 30 {
            let time = frame as f32 / 30.0;
            let (scene, share) = shuffle.at(Duration::from_secs_f32(time), choices);
            if share >= 0.5 && seen.last().unwrap().1 != scene {
                seen.push((time, scene));
            }
        }
        seen
    }

    #[test]
    fn the_pace_is_calm_and_the_order_depends_on_the_seed() {
        let seen = wander(7, 20);
        assert!((20 * 60 / 41..=20 * 60 / 24).contains(&seen.len()), "{}", seen.len());
        for pair in seen.windows(2) {
            let time = pair[1].0 - pair[0].0;
            // A little longer: a change begins with a frame.
            assert!((24.9..=41.2).contains(&time), "{time}");
            assert!(pair[0].1.preset != pair[1].1.preset && pair[0].1.theme != pair[1].1.theme);
        }
        assert_eq!(seen, wander(7, 20));
        assert_ne!(seen, wander(8, 20));
    }

    #[test]
    fn all_presets_are_shown_before_one_repeats() {
        for seed in 0..20 {
            let mut turns: Vec<Option<usize>> = wander(seed, 3).iter().map(|(_, scene)| scene.preset).take(4).collect();
            turns.sort_unstable();
            assert_eq!(turns, [Some(0), Some(1), Some(2), Some(3)]);
        }
    }

    #[test]
    fn a_transition_has_steps_and_completes() {
        let mut shuffle = SceneShuffle::new(3, scene(Some(0)));
        let mut shares = Vec::new();
        for frame in 0..45 * 60 {
            let (_, share) = shuffle.at(Duration::from_millis(frame * 50 / 3), choices);
            if shares.last() != Some(&share) {
                shares.push(share);
            }
        }
        assert_eq!((shares[0], shares[1]), (1.0, 0.0));
        assert_eq!(shares.len(), 2 + STEPS as usize, "{shares:?}");
        assert!(shares[1..].is_sorted() && shares.last() == Some(&1.0));
    }

    #[test]
    fn a_suspended_machine_skips_to_the_next_scene() {
        let mut shuffle = SceneShuffle::new(3, scene(Some(0)));
        shuffle.at(Duration::ZERO, choices);
        let hour = Duration::from_secs(3600);
        let (next, share) = shuffle.at(hour, choices);
        assert!(share == 1.0 && next.preset != Some(0));
        assert_eq!(shuffle.at(hour + Duration::from_secs(20), choices), (next, 1.0));
    }

    #[test]
    fn without_choices_the_scene_stays() {
        let mut shuffle = SceneShuffle::new(3, scene(None));
        assert_eq!(shuffle.at(Duration::from_secs(60), Vec::new).0, scene(None));
        let (single, ..) = shuffle.at(Duration::from_secs(120), || {
            vec![SceneChoices {
                preset: None,
                themes: vec![0],
                views: vec![View::Auto],
                colorings: vec![None],
                near: vec![false],
            }]
        });
        assert_eq!(single, scene(None));
    }

    #[test]
    fn the_flock_fades_if_it_would_jump() {
        let now = scene(Some(1));
        assert!(now.hides_flock(&scene(Some(2))));
        assert!(!now.hides_flock(&scene(Some(1))) && !now.hides_flock(&scene(None)));
        assert!(now.hides_flock(&Scene { near: true, ..now }));
        assert!(now.hides_flock(&Scene { view: View::Glow, ..now }) && !now.hides_flock(&Scene { theme: 4, ..now }));
    }
}
