//! Which scene plays when, where nobody plays: time in, scenes out. It knows no clock, no screen and no flock.

use std::ops::RangeInclusive;
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};

use crate::canvas::View;
use crate::viewer::theme::Coloring;

/// For how many seconds a scene plays, from the middle of one change to the middle of the next.
pub const SCENE_SECONDS: RangeInclusive<f32> = 25.0..=40.0;
/// How long a change from one scene to the next takes; at its half the next one is on.
pub const TRANSITION: Duration = Duration::from_secs(2);
/// In how many steps it goes: each of them paints the whole screen anew, which a wire must carry.
const STEPS: f32 = 20.0;

/// What is seen, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The place of its preset; none keeps the flock that flies.
    pub preset: Option<usize>,
    /// The place of its theme.
    pub theme: usize,
    /// What is drawn of the flock.
    pub view: View,
    /// What colors tell; none is what suits the flock.
    pub coloring: Option<Coloring>,
    /// Whether it is seen from near.
    pub near: bool,
}

impl Scene {
    /// Whether the flock is to be hidden while it changes: it will be another, or drawn in another way.
    #[must_use]
    pub fn hides_flock(&self, next: &Self) -> bool {
        let drawn = |scene: &Self| (scene.view, scene.coloring, scene.near);
        next.preset.is_some_and(|preset| self.preset != Some(preset)) || drawn(self) != drawn(next)
    }
}

/// Scenes that go together with one preset, or with the flock that flies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneChoices {
    /// The preset.
    pub preset: Option<usize>,
    /// The themes; at least one.
    pub themes: Vec<usize>,
    /// The views, one that is wanted more often standing there more often; at least one.
    pub views: Vec<View>,
    /// What colors may tell, likewise.
    pub colorings: Vec<Option<Coloring>>,
    /// Whether it may be seen from near, likewise.
    pub near: Vec<bool>,
}

/// Wanders from scene to scene. The order is drawn from a seed.
#[derive(Debug)]
pub struct SceneShuffle {
    rng: Xoshiro256PlusPlus,
    scene: Scene,
    next: Option<Scene>,
    /// When the next scene is on.
    due: Duration,
    /// The presets that have played in this round: each gets its turn before any gets another.
    played: Vec<Option<usize>>,
}

impl SceneShuffle {
    /// Begins with a scene at time 0.
    #[must_use]
    pub fn new(seed: u64, scene: Scene) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let due = pace(&mut rng);
        Self { rng, scene, next: None, due, played: vec![scene.preset] }
    }

    /// The scene that plays or is being changed to, and how far the change to it has gone, 0 … 1; from a
    /// half on the scene is on. `choices` is asked when another is to be chosen.
    pub fn at(&mut self, time: Duration, choices: impl FnOnce() -> Vec<SceneChoices>) -> (Scene, f32) {
        let Some(begun) = time.checked_sub(self.due.saturating_sub(TRANSITION / 2)) else {
            return (self.scene, 1.0);
        };
        let next = match self.next {
            Some(next) => next,
            None => self.choose(&choices()),
        };
        let share = (begun.as_secs_f32() / TRANSITION.as_secs_f32() * STEPS).floor() / STEPS;
        if share < 1.0 {
            self.next = Some(next);
            return (next, share);
        }
        // From now on, not from when it was due: a machine that slept does not catch up.
        (self.scene, self.next, self.due) = (next, None, time + pace(&mut self.rng));
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

    /// An offer of a preset whose turn has not come in this round.
    fn draw<'a>(&mut self, choices: &'a [SceneChoices]) -> Option<&'a SceneChoices> {
        let waiting = |played: &[Option<usize>]| -> Vec<&'a SceneChoices> {
            choices.iter().filter(|offer| !played.contains(&offer.preset)).collect()
        };
        let mut left = waiting(&self.played);
        if left.is_empty() {
            self.played = vec![self.scene.preset];
            left = waiting(&self.played);
        }
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
        let offer = |preset| SceneChoices {
            preset: Some(preset),
            themes: vec![0, 1, 2 + preset],
            views: vec![View::Auto, View::Trails],
            colorings: vec![None],
            near: vec![false, true],
        };
        (0..4).map(offer).collect()
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
    fn scenes_change_at_a_calm_pace_and_the_seed_says_how() {
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
    fn every_preset_has_its_turn_before_any_has_another() {
        for seed in 0..20 {
            let mut turns: Vec<Option<usize>> = wander(seed, 3).iter().map(|(_, scene)| scene.preset).take(4).collect();
            turns.sort_unstable();
            assert_eq!(turns, [Some(0), Some(1), Some(2), Some(3)]);
        }
    }

    #[test]
    fn a_change_goes_in_steps_and_ends_whole() {
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
    fn a_machine_that_slept_sees_one_change_and_then_a_whole_scene() {
        let mut shuffle = SceneShuffle::new(3, scene(Some(0)));
        shuffle.at(Duration::ZERO, choices);
        let hour = Duration::from_secs(3600);
        let (next, share) = shuffle.at(hour, choices);
        assert!(share == 1.0 && next.preset != Some(0));
        assert_eq!(shuffle.at(hour + Duration::from_secs(20), choices), (next, 1.0));
    }

    #[test]
    fn with_nothing_to_choose_from_the_scene_stays() {
        let mut shuffle = SceneShuffle::new(3, scene(None));
        assert_eq!(shuffle.at(Duration::from_secs(60), Vec::new).0, scene(None));
        let single = || {
            vec![SceneChoices {
                preset: None,
                themes: vec![0],
                views: vec![View::Auto],
                colorings: vec![None],
                near: vec![false],
            }]
        };
        assert_eq!(shuffle.at(Duration::from_secs(120), single).0, scene(None));
    }

    #[test]
    fn the_flock_is_hidden_where_it_would_jump() {
        let now = scene(Some(1));
        assert!(now.hides_flock(&scene(Some(2))));
        assert!(!now.hides_flock(&scene(Some(1))) && !now.hides_flock(&scene(None)));
        assert!(now.hides_flock(&Scene { near: true, ..now }));
        assert!(now.hides_flock(&Scene { view: View::Glow, ..now }) && !now.hides_flock(&Scene { theme: 4, ..now }));
    }
}
