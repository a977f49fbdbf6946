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

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::attraction::is_drowsy;
use super::zone::is_on_roost;
use crate::sim::agents::{Kind, MotionMut};
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Perceived;
use crate::sim::neighbors::query::NeighborIndex;
use crate::sim::params::Params;
use crate::sim::predators::alarm::TAKE_OFF;
use crate::sim::tick::Tick;

impl Tick<'_> {
    /// Lets the boids of a chunk settle, rest on or take off, after they have moved.
    pub(crate) fn rest<V: Vector, const D: usize>(
        &self,
        neighbors: &NeighborIndex,
        perceived: &Perceived,
        places: Range<usize>,
        chunk: &mut MotionMut<'_>,
    ) {
        let (agents, first) = (&neighbors.flock.agents, places.start);
        for place in places.filter(|&place| agents.kinds()[place] == Kind::Prey) {
            let boid: Sleeper<D> = Sleeper { tick: self, neighbors, perceived, place, index: place - first };
            if agents.mood(place) < 0.0 {
                boid.rest_on(chunk);
            } else if boid.is_on_roost::<V>(chunk) {
                boid.settle(chunk);
            }
        }
    }
}

/// A boid that rests, or could.
struct Sleeper<'a, const D: usize> {
    tick: &'a Tick<'a>,
    neighbors: &'a NeighborIndex,
    perceived: &'a Perceived,
    /// Index among all agents.
    place: usize,
    /// Index in `perceived`.
    index: usize,
}

impl<const D: usize> Sleeper<'_, D> {
    /// Rests for another tick, or takes off.
    fn rest_on(&self, chunk: &mut MotionMut<'_>) {
        let agents = &self.neighbors.flock.agents;
        let mood = agents.mood(self.place) + 1.0;
        let (velocity, mood) = if mood >= 0.0 || self.is_disturbed() {
            let Tick { params, seed, number, .. } = self.tick;
            (Wide::splat(take_off(params, D, (*seed, *number), self.id())), self.alarm())
        } else {
            (Wide::zero(), mood)
        };
        chunk.write(self.place, Wide::<f32, D>::splat(agents.position_array(self.place)), velocity);
        chunk.set_mood(self.place, mood);
    }

    fn is_on_roost<V: Vector>(&self, chunk: &MotionMut<'_>) -> bool {
        let position = V::from_axes(chunk.position::<f32, D>(self.place).axes());
        is_on_roost(self.tick.environment.zones, position, &self.tick.environment.metric)
    }

    fn settle(&self, chunk: &mut MotionMut<'_>) {
        let &Tick { params, seed, number, .. } = self.tick;
        let (roost, mut rng) = (&params.roost, stream(seed, number, self.id(), Purpose::Rest));
        let settles = rng.random::<f32>() < roost.chance && is_drowsy(seed, number, self.id(), roost.rest);
        if settles && !self.is_disturbed() {
            chunk.write(self.place, chunk.position::<f32, D>(self.place), Wide::zero());
            chunk.set_mood(self.place, -(roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor());
        }
    }

    /// Whether anything makes it take off before its time is over.
    fn is_disturbed(&self) -> bool {
        self.sees_predator()
            || self.alarm() >= TAKE_OFF
            || self.is_woken()
            || self.tick.environment.repels::<D>(self.neighbors.flock.agents.position_array(self.place))
    }

    fn sees_predator(&self) -> bool {
        self.neighbors.has_predators() && self.perceived.fear.load::<f32, D>(self.index).total.nonzero()
    }

    fn alarm(&self) -> f32 {
        if self.neighbors.is_alarmed() { self.perceived.alarm.alarm(self.index) } else { 0.0 }
    }

    /// Whether passing boids wake it. With an infinite radius, no boid is passing.
    fn is_woken(&self) -> bool {
        let params = self.tick.params;
        let threshold = params.roost.wake * params.speed.max;
        let local = params.alignment.radius.is_finite();
        local && threshold > 0.0 && self.perceived.alignment.load::<f32, D>(self.index).total.length() >= threshold
    }

    fn id(&self) -> u32 {
        self.neighbors.flock.agents.ids()[self.place]
    }
}

/// The velocity of a boid that takes off; `now` is seed and tick.
pub(crate) fn take_off(params: &Params, dim: usize, now: (u64, u64), id: u32) -> [f32; 3] {
    fn direction<V: Vector>(rng: &mut Xoshiro256PlusPlus) -> [f32; 3] {
        V::direction(rng.random(), rng.random()).axes()
    }
    let mut rng = stream(now.0, now.1, id, Purpose::Rest);
    let heading = if dim == 2 { direction::<Vec2>(&mut rng) } else { direction::<Vec3>(&mut rng) };
    let speed = 0.5 * (params.speed.min + params.speed.max);
    heading.map(|along| along * speed)
}
