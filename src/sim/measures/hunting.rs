//! Predators that hunt or rest, and the prey that they see.

use super::Analyzer;
use crate::sim::agents::Kind;
use crate::sim::flock::Flock;
use crate::sim::math::Wide;
use crate::sim::params::PredatorMode;

/// Numbers of agents in the hunt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hunters {
    pub hunting: usize,
    pub resting: usize,
    pub prey_in_sight: usize,
}

impl Analyzer {
    pub(super) fn hunt<const D: usize>(&mut self, flock: &Flock) -> Hunters {
        let mut hunt = Hunters::default();
        if flock.predators() == 0 || flock.params().hunt.mode == PredatorMode::Flock {
            return hunt;
        }
        let metric = flock.metric();
        let radius = flock.params().hunt.radius;
        self.seen.clear();
        self.seen.resize(self.prey.agents.len(), false);
        let agents = flock.agents();
        for (index, _) in agents.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Predator) {
            if agents.mood_of(index).is_predator_at_rest(flock.params()) {
                hunt.resting += 1;
                continue;
            }
            let at: Wide<f32, D> = agents.position(index);
            let mut sees = false;
            self.prey.within(&metric, at, radius, |other, _, _| {
                self.seen[other] = true;
                sees = true;
            });
            hunt.hunting += usize::from(sees);
        }
        hunt.prey_in_sight = self.seen.iter().filter(|seen| **seen).count();
        hunt
    }
}
