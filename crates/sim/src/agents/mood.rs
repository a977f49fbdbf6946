//! The mood of an agent: one number, with a meaning for each kind of agent and each model.
//!
//! | agent | meaning of the number |
//! | --- | --- |
//! | boid | its alarm, 0 … 1; below 0 minus the ticks left to rest |
//! | predator | its fatigue, 0 … 1; below 0 minus the ticks left to rest |
//! | caught boid | the ticks until it respawns |
//! | boid of the model stardisplay | 1 when it starts to escape, falling to 0, when it can escape again |

use super::{Kind, Row};
use crate::params::Params;
use crate::simd::Lanes;

/// Longest time, in ticks, that a mood can represent: 1.5 times the largest `roost.rest`.
const MAX_MOOD: f32 = 1.5e6;

/// The mood of an agent, or of one agent in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mood<F = f32>(pub(super) F);

impl<F: Lanes> Mood<F> {
    /// The moods in some lanes of a column; 0 past its end.
    #[inline(always)]
    pub(crate) fn load(column: &[f32]) -> Self {
        Self(F::load_or(column, 0.0))
    }

    /// The alarm of boids; 0 while they rest.
    #[inline(always)]
    pub(crate) fn alarm(self) -> F {
        self.0.max(F::splat(0.0))
    }

    /// The remaining fraction of an escape, 0 … 1.
    #[inline(always)]
    pub(crate) fn escape(self) -> F {
        self.0
    }

    /// Boids with this remaining fraction of an escape.
    #[inline(always)]
    pub(crate) fn escaping(left: F) -> Self {
        Self(left)
    }
}

impl Mood {
    /// No alarm, no fatigue, no rest.
    pub(crate) const CALM: Self = Self(0.0);

    /// A boid with this alarm.
    pub(crate) fn alarmed(alarm: f32) -> Self {
        Self(alarm)
    }

    /// A boid or predator that rests for so many more ticks.
    pub(crate) fn resting(ticks: f32) -> Self {
        // Not `-ticks`, which is −0 for 0.
        Self(0.0 - ticks)
    }

    /// A predator with this fatigue.
    pub(crate) fn tired(fatigue: f32) -> Self {
        Self(fatigue)
    }

    /// A caught boid that respawns after so many ticks.
    pub(crate) fn respawning(ticks: f32) -> Self {
        Self(ticks)
    }

    /// The ticks that a boid or predator still rests; 0 if it does not.
    #[inline]
    pub(crate) fn rest(self) -> f32 {
        if self.0 < 0.0 { -self.0 } else { 0.0 }
    }

    /// Whether a predator rests, which it only does if these parameters let predators get exhausted or catch prey.
    #[inline]
    pub(crate) fn is_predator_at_rest(self, params: &Params) -> bool {
        self.0 < 0.0 && params.predators_rest()
    }

    /// The fatigue of a predator; 0 while it rests.
    pub(crate) fn fatigue(self) -> f32 {
        self.0.max(0.0)
    }

    /// The ticks until a caught boid respawns.
    pub(crate) fn respawn(self) -> f32 {
        self.0
    }
}

impl Row {
    /// The mood.
    pub(crate) fn mood(&self) -> Mood {
        Mood(self.mood)
    }

    /// The same agent in another mood.
    pub(crate) fn with_mood(self, mood: Mood) -> Self {
        Self { mood: mood.0, ..self }
    }

    /// The valid numbers of moods of a kind of agent.
    pub(crate) fn mood_range(kind: Kind) -> [f32; 2] {
        match kind {
            Kind::Caught => [0.0, MAX_MOOD],
            Kind::Prey | Kind::Predator => [-MAX_MOOD, 1.0],
        }
    }
}
