//! What draws boids: food and roosts.
//!
//! A boid sees a zone whose rim is nearer than the rule's radius. It flies to the nearest one that it
//! sees, and arrives (Reynolds 1999, *arrival*): with `r` the offset to the middle and `d = |r|`, it adds
//!
//! `weight · left · (speed.max · min(1, d / radius of the zone) · r̂ − v)`
//!
//! `left` is the share of the zone that has not been eaten: 1 for a roost, and nobody sees food of which
//! nothing is left. A tick takes `consumption` of a food for each boid (no predator) that stood on it when the tick
//! began, and adds `regrowth`.
//!
//! A roost is heeded by the drowsy alone. Whether a boid is drowsy is drawn anew for each span of
//! `roost.rest` ticks, one way as likely as the other, and spans begin at another tick for each boid: so
//! half of a flock is on its way home while the other half flies out.

use super::Environment;
use super::zone::ZoneKind;
use crate::sim::agents::Agents;
use crate::sim::math::random::murmur_mix;
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::{Lanes, MAX_LANES};
use crate::sim::rules::BoidLanes;

use rand::Rng;

/// The nearest zone that is seen, for each lane.
struct NearestZone<F, const D: usize> {
    offset: Wide<F, D>,
    distance: F,
    radius: F,
    left: F,
}

impl Environment<'_> {
    /// The flight to food.
    #[inline(always)]
    pub(crate) fn attract_to_food<F: Lanes, const D: usize>(&self, boids: &BoidLanes<F, D>) -> Wide<F, D> {
        let rules = &self.params.food;
        self.arrive(boids, &self.nearest(boids, ZoneKind::Food, rules.radius), rules.weight)
    }

    /// The flight home of the drowsy.
    #[inline(always)]
    pub(crate) fn attract_to_roosts<F: Lanes, const D: usize>(
        &self,
        boids: &BoidLanes<F, D>,
        agents: &Agents,
        place: usize,
    ) -> Wide<F, D> {
        let rules = &self.params.roost;
        let nearest = self.nearest(boids, ZoneKind::Roost, rules.radius);
        if !F::any(nearest.left.nonzero()) {
            return Wide::zero();
        }
        let seen = nearest.left.to_array();
        let mut drowsy = [0.0; MAX_LANES];
        let ids = &agents.ids()[place..];
        for lane in 0..F::WIDTH.min(ids.len()) {
            if seen[lane] > 0.0 && is_drowsy(self.seed, self.tick, ids[lane], rules.rest) {
                drowsy[lane] = 1.0;
            }
        }
        self.arrive(boids, &nearest, rules.weight).masked(F::load(&drowsy).nonzero())
    }

    #[inline(always)]
    fn nearest<F: Lanes, const D: usize>(
        &self,
        boids: &BoidLanes<F, D>,
        kind: ZoneKind,
        sight: f32,
    ) -> NearestZone<F, D> {
        let none = F::splat(0.0);
        let mut nearest =
            NearestZone { offset: Wide::zero(), distance: F::splat(f32::INFINITY), radius: none, left: none };
        for zone in self.zones {
            if zone.kind != kind || zone.left <= 0.0 {
                continue;
            }
            let offset: Wide<F, D> = self.toward(zone, boids.position);
            let distance = offset.length_squared().sqrt();
            let seen = F::and(distance.lt(F::splat(zone.radius + sight)), distance.lt(nearest.distance));
            nearest = NearestZone {
                offset: Wide::select(seen, offset, nearest.offset),
                distance: F::select(seen, distance, nearest.distance),
                radius: F::select(seen, F::splat(zone.radius), nearest.radius),
                left: F::select(seen, F::splat(zone.left), nearest.left),
            };
        }
        nearest
    }

    #[inline(always)]
    fn arrive<F: Lanes, const D: usize>(
        &self,
        boids: &BoidLanes<F, D>,
        nearest: &NearestZone<F, D>,
        weight: f32,
    ) -> Wide<F, D> {
        let most = F::splat(self.params.speed.max);
        let speed = most * (nearest.distance / nearest.radius).min(F::splat(1.0));
        let desired = nearest.offset.unit().0 * speed;
        ((desired - boids.velocity) * (F::splat(weight) * nearest.left)).masked(nearest.left.nonzero())
    }
}

/// Whether a boid looks for a roost at a tick; `rest` is `roost.rest`.
pub(crate) fn is_drowsy(seed: u64, tick: u64, id: u32, rest: f32) -> bool {
    let span = (rest as u64).max(1);
    let span_of_now = tick.wrapping_add(u64::from(murmur_mix::<f32>(id)) % span) / span;
    stream(seed, span_of_now, id, Purpose::Drowsiness).next_u64() & 1 == 1
}
