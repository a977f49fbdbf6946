//! Rest: boids settle on a roost, stay for a while, and take off again.
//!
//! A resting boid does not move, and its mood is minus the number of ticks left. It takes off in a random direction, at
//! the mean of `speed.min` and `speed.max`, when any of these holds:
//!
//! - its time is over;
//! - it sees a predator, or its alarm reaches [`TAKE_OFF`];
//! - the pointer repels it;
//! - passing boids wake it: `|Σ v|` over its alignment neighbors is at least `wake · speed.max`.
//!
//! A drowsy boid that flies over a roost settles with probability `chance` per tick if none of these holds. Its resting
//! time is uniform between 0.5 and 1.5 times `roost.rest`.

use std::ops::Range;

use rand::RngExt;

use super::Environment;
use super::attraction::is_drowsy;
use super::zone::is_on_roost;
use crate::sim::agents::{AgentsMut, Kind};
use crate::sim::math::random::Purpose;
use crate::sim::math::vector::direction;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Perceived;
use crate::sim::neighbors::query::NeighborIndex;
use crate::sim::predators::alarm::TAKE_OFF;

impl Environment<'_> {
    /// Lets the boids of a chunk settle, rest on or take off, after they have moved.
    pub(crate) fn rest<const D: usize>(
        &self,
        neighbors: &NeighborIndex,
        perceived: &Perceived,
        places: Range<usize>,
        chunk: &mut AgentsMut<'_>,
    ) {
        let (agents, first, roost) = (&neighbors.flock.agents, places.start, &self.params.roost);
        for place in places.filter(|&place| agents.kinds()[place] == Kind::Prey) {
            let (id, slot) = (agents.ids()[place], place - first);
            let is_disturbed = || {
                (neighbors.has_predators() && perceived.fear.load::<f32, D>(slot).total.nonzero())
                    || neighbors.alarm(perceived, slot) >= TAKE_OFF
                    || self.is_woken::<D>(perceived, slot)
                    || self.repels::<D>(agents.position_array(place))
            };
            if agents.mood(place) < 0.0 {
                let mood = agents.mood(place) + 1.0;
                let takes_off = mood >= 0.0 || is_disturbed();
                let (velocity, mood) =
                    if takes_off { (self.take_off(id), neighbors.alarm(perceived, slot)) } else { ([0.0; 3], mood) };
                chunk.write::<f32, D>(place, agents.position(place), Wide::splat(velocity));
                chunk.set_mood(place, mood);
            } else if is_on_roost(self.zones, chunk.position::<f32, D>(place), &self.metric) {
                let mut rng = self.stream(id, Purpose::Rest);
                let settles = rng.random::<f32>() < roost.chance && is_drowsy(self.seed, self.tick, id, roost.rest);
                if settles && !is_disturbed() {
                    chunk.write_velocity::<f32, D>(place, Wide::zero());
                    chunk.set_mood(place, -(roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor());
                }
            }
        }
    }

    /// Whether passing boids wake a boid. With an infinite radius, no boid is passing.
    fn is_woken<const D: usize>(&self, perceived: &Perceived, slot: usize) -> bool {
        let threshold = self.params.roost.wake * self.params.speed.max;
        let local = self.params.alignment.radius.is_finite();
        local && threshold > 0.0 && perceived.alignment.load::<f32, D>(slot).total.length() >= threshold
    }

    /// The velocity of a boid that takes off.
    pub(crate) fn take_off(&self, id: u32) -> [f32; 3] {
        let mut rng = self.stream(id, Purpose::Rest);
        let heading = direction(self.world.dim(), rng.random(), rng.random());
        (heading * (0.5 * (self.params.speed.min + self.params.speed.max))).axes()
    }
}
