//! What draws boids: food and roosts.
//!
//! A boid sees a spot whose rim is nearer than the rule's radius. It flies to the nearest one that it
//! sees, and arrives (Reynolds 1999, *arrival*): with `r` the offset to the middle and `d = |r|`, it adds
//!
//! `weight · left · (speed.max · min(1, d / radius of the spot) · r̂ − v)`
//!
//! `left` is the share of the spot that has not been eaten: 1 for a roost, and nobody sees food of which
//! nothing is left. A tick takes `appetite` of a food for each boid (no predator) that stood on it when the tick
//! began, and adds `regrow`.
//!
//! A roost is heeded by the drowsy alone. Whether a boid is drowsy is drawn anew for each span of
//! `roost.rest` ticks, one way as likely as the other, and spans begin at another tick for each boid: so
//! half of a flock is on its way home while the other half flies out.

use super::Field;
use super::zone::Use;
use crate::sim::agents::Agents;
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::coincidence::mixed;
use crate::sim::neighbors::simd::{Lanes, MOST_LANES};
use crate::sim::rules::Boids;

use rand::Rng;

/// The nearest spot that is seen, for each lane.
struct Nearest<F, const D: usize> {
    offset: Wide<F, D>,
    distance: F,
    radius: F,
    left: F,
}

impl Field<'_> {
    /// The flight to food.
    #[inline(always)]
    pub(crate) fn feed<F: Lanes, const D: usize>(&self, boids: &Boids<F, D>) -> Wide<F, D> {
        let rules = &self.params.food;
        self.arrive(boids, &self.nearest(boids, Use::Food, rules.radius), rules.weight)
    }

    /// The flight home of the drowsy.
    #[inline(always)]
    pub(crate) fn call_home<F: Lanes, const D: usize>(
        &self,
        boids: &Boids<F, D>,
        agents: &Agents,
        place: usize,
    ) -> Wide<F, D> {
        let rules = &self.params.roost;
        let nearest = self.nearest(boids, Use::Roost, rules.radius);
        if !F::any(nearest.left.nonzero()) {
            return Wide::zero();
        }
        let seen = nearest.left.array();
        let mut drowsy = [0.0; MOST_LANES];
        let ids = &agents.ids()[place..];
        for lane in 0..F::WIDTH.min(ids.len()) {
            if seen[lane] > 0.0 && is_drowsy(self.seed, self.tick, ids[lane], rules.rest) {
                drowsy[lane] = 1.0;
            }
        }
        self.arrive(boids, &nearest, rules.weight).only(F::load(&drowsy).nonzero())
    }

    #[inline(always)]
    fn nearest<F: Lanes, const D: usize>(&self, boids: &Boids<F, D>, r#use: Use, sight: f32) -> Nearest<F, D> {
        let none = F::splat(0.0);
        let mut nearest = Nearest { offset: Wide::zero(), distance: F::splat(f32::INFINITY), radius: none, left: none };
        for spot in self.spots {
            if spot.r#use != r#use || spot.left <= 0.0 {
                continue;
            }
            let offset: Wide<F, D> = self.toward(spot, boids.position);
            let distance = offset.length_squared().sqrt();
            let seen = F::both(distance.lt(F::splat(spot.radius + sight)), distance.lt(nearest.distance));
            nearest = Nearest {
                offset: Wide::select(seen, offset, nearest.offset),
                distance: F::select(seen, distance, nearest.distance),
                radius: F::select(seen, F::splat(spot.radius), nearest.radius),
                left: F::select(seen, F::splat(spot.left), nearest.left),
            };
        }
        nearest
    }

    #[inline(always)]
    fn arrive<F: Lanes, const D: usize>(
        &self,
        boids: &Boids<F, D>,
        nearest: &Nearest<F, D>,
        weight: f32,
    ) -> Wide<F, D> {
        let most = F::splat(self.params.speed.max);
        let speed = most * (nearest.distance / nearest.radius).min(F::splat(1.0));
        let wish = nearest.offset.unit().0 * speed;
        ((wish - boids.velocity) * (F::splat(weight) * nearest.left)).only(nearest.left.nonzero())
    }
}

/// Whether a boid looks for a roost at a tick; `rest` is `roost.rest`.
pub(crate) fn is_drowsy(seed: u64, tick: u64, id: u32, rest: f32) -> bool {
    let span = (rest as u64).max(1);
    let span_of_now = tick.wrapping_add(u64::from(mixed::<f32>(id)) % span) / span;
    stream(seed, span_of_now, id, Purpose::Drowsiness).next_u64() & 1 == 1
}
