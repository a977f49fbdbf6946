//! Rest: boids settle on a roost, perch there for a while, and take off again.
//!
//! A boid that perches stands still, and its mood is below 0: as many ticks as it still rests. It takes
//! off, at the mean of `speed.min` and `speed.max` and in a direction drawn for it, when its time is
//! over, when it fears a predator or is alarmed, when the pointer drives it off, or when others take it along: where
//! `|Σ v|` over the neighbors of its alignment, of whom those who rest count 0, is at least
//! `wake · speed.max`. A boid that flies settles on a roost with the probability `chance` in a tick,
//! where it is drowsy and none of this would make it take off; for how long is drawn evenly from half
//! of `rest` to one and a half of it.

use std::ops::Range;

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::is_drowsy;
use super::zones::is_on_roost;
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
    /// Lets the boids of a chunk, who have elapsed, settle, perch or take off.
    pub(crate) fn rest<V: Vector, const D: usize>(
        &self,
        senses: &NeighborIndex,
        perceived: &Perceived,
        places: Range<usize>,
        chunk: &mut MotionMut<'_>,
    ) {
        let (agents, first) = (&senses.flock.agents, places.start);
        for place in places.filter(|&place| agents.kinds()[place] == Kind::Prey) {
            let boid: Sleeper<D> = Sleeper { tick: self, senses, perceived, place, index: place - first };
            if agents.mood(place) < 0.0 {
                boid.perch(chunk);
            } else if boid.is_home::<V>(chunk) {
                boid.settle(chunk);
            }
        }
    }
}

/// A boid that rests, or may.
struct Sleeper<'a, const D: usize> {
    tick: &'a Tick<'a>,
    senses: &'a NeighborIndex,
    perceived: &'a Perceived,
    /// Its place in memory.
    place: usize,
    /// Its number in what its chunk perceives.
    index: usize,
}

impl<const D: usize> Sleeper<'_, D> {
    /// Rests for another tick, or takes off.
    fn perch(&self, chunk: &mut MotionMut<'_>) {
        let agents = &self.senses.flock.agents;
        let left = agents.mood(self.place) + 1.0;
        let wakes = left >= 0.0 || self.is_stirred();
        let (velocity, mood) = if wakes { (self.take_off(), self.alarm()) } else { (Wide::zero(), left) };
        chunk.write(self.place, Wide::<f32, D>::splat(agents.position_array(self.place)), velocity);
        chunk.set_mood(self.place, mood);
    }

    /// Whether it has elapsed onto a roost.
    fn is_home<V: Vector>(&self, chunk: &MotionMut<'_>) -> bool {
        let at = V::from_axes(chunk.position::<f32, D>(self.place).axes());
        is_on_roost(self.tick.environment.zones, at, &self.tick.environment.metric)
    }

    /// Settles where it stands, if it is drowsy and nothing would make it take off.
    fn settle(&self, chunk: &mut MotionMut<'_>) {
        let &Tick { params, seed, number, .. } = self.tick;
        let (roost, mut rng) = (&params.roost, stream(seed, number, self.id(), Purpose::Rest));
        let settles = rng.random::<f32>() < roost.chance && is_drowsy(seed, number, self.id(), roost.rest);
        if settles && !self.is_stirred() {
            chunk.write(self.place, chunk.position::<f32, D>(self.place), Wide::zero());
            chunk.set_mood(self.place, -(roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor());
        }
    }

    /// Whether anything would make it take off.
    fn is_stirred(&self) -> bool {
        self.is_afraid()
            || self.alarm() >= TAKE_OFF
            || self.is_taken_along()
            || self.tick.environment.repels::<D>(self.senses.flock.agents.position_array(self.place))
    }

    fn is_afraid(&self) -> bool {
        self.senses.has_predators() && self.perceived.fear.load::<f32, D>(self.index).total.nonzero()
    }

    fn alarm(&self) -> f32 {
        if self.senses.is_alarmed() { self.perceived.alarm.alarm(self.index) } else { 0.0 }
    }

    /// Whether those who fly by take it along.
    fn is_taken_along(&self) -> bool {
        let params = self.tick.params;
        let least = params.roost.wake * params.speed.max;
        // Where everyone is a neighbor, nobody flies by.
        let local = params.alignment.radius.is_finite();
        local && least > 0.0 && self.perceived.alignment.load::<f32, D>(self.index).total.length() >= least
    }

    fn take_off(&self) -> Wide<f32, D> {
        Wide::splat(take_off(self.tick.params, D, (self.tick.seed, self.tick.number), self.id()))
    }

    fn id(&self) -> u32 {
        self.senses.flock.agents.ids()[self.place]
    }
}

/// The velocity with which a boid takes off; `now` is seed and tick.
pub(crate) fn take_off(params: &Params, dim: usize, now: (u64, u64), id: u32) -> [f32; 3] {
    fn direction<V: Vector>(rng: &mut Xoshiro256PlusPlus) -> [f32; 3] {
        V::direction(rng.random(), rng.random()).axes()
    }
    let mut rng = stream(now.0, now.1, id, Purpose::Rest);
    let heading = if dim == 2 { direction::<Vec2>(&mut rng) } else { direction::<Vec3>(&mut rng) };
    let speed = 0.5 * (params.speed.min + params.speed.max);
    heading.map(|along| along * speed)
}
