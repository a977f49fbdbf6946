//! Rest: boids settle on a roost, perch there for a while, and take off again.
//!
//! A boid that perches stands still, and its mood is below 0: as many ticks as it still rests. It takes
//! off, at the mean of `speed.min` and `speed.max` and in a direction drawn for it, when its time is
//! over, when it fears a predator or is alarmed, when the pointer drives it off, or when others take it along: where
//! `|Σ v|` over the neighbours of its alignment, of whom those who rest count 0, is at least
//! `wake · speed.max`. A boid that flies settles on a roost with the probability `chance` in a tick,
//! where it is drowsy and none of this would make it take off; for how long is drawn evenly from half
//! of `rest` to one and a half of it.

use std::ops::Range;

use glam::{Vec2, Vec3};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::agents::{Kind, Motion};
use super::alarm::TAKE_OFF;
use super::field::is_drowsy;
use super::grounds::covers;
use super::params::Params;
use super::perception::Perceived;
use super::random::{Purpose, stream};
use super::sense::Senses;
use super::spot::Use;
use super::tick::Tick;
use super::vector::Vector;
use super::wide::Wide;

impl Tick<'_> {
    /// Lets the boids of a chunk, who have flown, settle, perch or take off.
    pub(super) fn rest<V: Vector, const D: usize>(
        &self,
        senses: &Senses,
        perceived: &Perceived,
        places: Range<usize>,
        chunk: &mut Motion<'_>,
    ) {
        let agents = &senses.flock.agents;
        for place in places.clone().filter(|&place| agents.kinds()[place] == Kind::Prey) {
            let (mood, position) = (agents.mood(place), agents.place_of(place));
            let index = place - places.start;
            let alarm = if senses.is_alarmed() { perceived.alarm.alarm(index) } else { 0.0 };
            let is_stirred = || {
                let afraid = senses.has_predators() && perceived.fear.load::<f32, D>(index).total.nonzero();
                afraid
                    || alarm >= TAKE_OFF
                    || self.takes_along(perceived.alignment.load::<f32, D>(index).total)
                    || self.field.drives_off::<D>(position)
            };
            if mood < 0.0 {
                let left = mood + 1.0;
                let (velocity, left) = if left >= 0.0 || is_stirred() {
                    (self.take_off(agents.ids()[place]), alarm)
                } else {
                    (Wide::zero(), left)
                };
                chunk.write(place, Wide::<f32, D>::splat(position), velocity);
                chunk.feel(place, left);
            } else if self.is_home(V::from_axes(chunk.position::<f32, D>(place).axes())) {
                let id = agents.ids()[place];
                let (roost, mut rng) = (&self.params.roost, stream(self.seed, self.number, id, Purpose::Rest));
                let settles = rng.random::<f32>() < roost.chance && is_drowsy(self.seed, self.number, id, roost.rest);
                if settles && !is_stirred() {
                    chunk.write(place, chunk.position::<f32, D>(place), Wide::zero());
                    chunk.feel(place, -(roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor());
                }
            }
        }
    }

    /// Whether a place is on a roost.
    fn is_home<V: Vector>(&self, at: V) -> bool {
        let roosts = self.field.spots.iter().filter(|spot| spot.r#use == Use::Roost);
        roosts.into_iter().any(|roost| covers(roost, at, &self.field.metric))
    }

    /// Whether those who fly by, by the sum of their velocities, take along who rests.
    fn takes_along<const D: usize>(&self, flight: Wide<f32, D>) -> bool {
        let least = self.params.roost.wake * self.params.speed.max;
        // Where everyone is a neighbour, nobody flies by.
        let local = self.params.alignment.radius.is_finite();
        local && least > 0.0 && flight.length() >= least
    }

    fn take_off<const D: usize>(&self, id: u32) -> Wide<f32, D> {
        Wide::splat(take_off(self.params, D, (self.seed, self.number), id))
    }
}

/// The velocity with which a boid takes off; `now` is seed and tick.
pub(super) fn take_off(params: &Params, dim: usize, now: (u64, u64), id: u32) -> [f32; 3] {
    fn direction<V: Vector>(rng: &mut Xoshiro256PlusPlus) -> [f32; 3] {
        V::direction(rng.random(), rng.random()).axes()
    }
    let mut rng = stream(now.0, now.1, id, Purpose::Rest);
    let heading = if dim == 2 { direction::<Vec2>(&mut rng) } else { direction::<Vec3>(&mut rng) };
    let speed = 0.5 * (params.speed.min + params.speed.max);
    heading.map(|along| along * speed)
}
