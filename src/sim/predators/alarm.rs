//! Alarm: prey that is hunted frightens its neighbors, and they theirs, faster than anybody flies.
//!
//! A boid's alarm after a tick is the greatest of
//!
//! - its predator_alarm: 1 where a predator that hunts is nearer than `flee.radius`;
//! - what it hears, `alarm.spread` of the greatest alarm among neighbors nearer than `alarm.radius`, where
//!   that is more than eight times its own;
//! - what is left of its own, `1 − alarm.decay` of it;
//!
//! and below 0.01 it is none. As who is alarmed is deaf to what is not much louder, alarm runs on as a wave
//! and not back: there is a calm behind it, and a predator that stays sends out one wave after another.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use crate::sim::math::metric::Metric;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::block::Block;
use crate::sim::neighbors::perceived::{Perceived, Sum};
use crate::sim::neighbors::query::NeighborIndex;
use crate::sim::neighbors::simd::{Lanes, Task};
use crate::sim::params::Params;

/// Less alarm is none.
const ALARM_MIN: f32 = 0.01;
/// How much louder than one's own an alarm has to be to be received.
const HEARING_RATIO: f32 = 8.0;
/// From this alarm on a boid that rests takes off.
pub(crate) const TAKE_OFF: f32 = 0.2;

/// A boid's mood after a tick in which it was alarmed as much as this.
pub(crate) fn mood(before: f32, alarm: f32) -> f32 {
    if before < 0.0 && alarm < TAKE_OFF { before } else { alarm }
}

/// A chunk of boids sees predators that hunt, and hears its neighbors.
pub(crate) struct SpreadAlarm<'a, const D: usize> {
    pub params: &'a Params,
    pub metric: Metric,
    pub neighbors: &'a NeighborIndex,
    pub boids: Range<usize>,
    pub perceived: &'a mut Perceived,
}

impl<const D: usize> Task for SpreadAlarm<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(mut self) {
        let first = self.boids.start;
        let flock = &self.neighbors.flock;
        for places in flock.blocks(self.boids.clone(), F::WIDTH) {
            let index = places.start - first;
            let own = F::load_or(&flock.agents.moods()[places.clone()], 0.0).max(F::splat(0.0));
            let block: Block<F, D> = Block::new(&flock.agents, places);
            let (strongest, flight) = self.neighbor_alarm(&block);
            let received = strongest * F::splat(self.params.alarm.spread);
            let received = F::select((own * F::splat(HEARING_RATIO)).lt(received), received, F::splat(0.0));
            let left = own * F::splat(1.0 - self.params.alarm.decay);
            let alarm = self.predator_alarm(&block).max(received).max(left);
            let alarm = F::select(alarm.lt(F::splat(ALARM_MIN)), F::splat(0.0), alarm);
            self.perceived.alarm.store(index, alarm, flight);
        }
    }
}

impl<const D: usize> SpreadAlarm<'_, D> {
    /// The greatest alarm among a block's neighbors; and `Σ a·v` and `Σ a` over them, `a` being their
    /// alarms and `v` their velocities.
    #[inline(always)]
    fn neighbor_alarm<F: Lanes>(&mut self, block: &Block<'_, F, D>) -> (F, Sum<F, D>) {
        let radius = self.params.alarm.radius;
        let (flock, metric) = (&self.neighbors.flock, self.metric);
        let (agents, moods) = (&flock.agents, self.neighbors.flock.agents.moods());
        let (mut strongest, mut total, mut count) = (F::splat(0.0), Wide::<F, D>::zero(), F::splat(0.0));
        for (run, _) in flock.runs(flock.window(block.bounds(), radius)) {
            for place in run {
                let alarm = moods[place];
                if alarm <= 0.0 {
                    continue;
                }
                let offset: Wide<F, D> =
                    metric.minimum_image(Wide::splat(agents.position_array(place)) - block.position);
                let d2 = offset.length_squared() + block.self_distance(place);
                let near = d2.lt(F::splat(radius * radius));
                let alarm = F::splat(alarm);
                let velocity: Wide<F, D> = Wide::splat(agents.velocity_array(place)) * alarm;
                strongest = F::select(near, alarm.max(strongest), strongest);
                total = Wide::new(|axis| total[axis].add_where(near, velocity[axis]));
                count = count.add_where(near, alarm);
            }
        }
        (strongest, Sum { total, count })
    }

    /// The predator_alarm of a block's boids: 1 where a predator that hunts is near, and 0 elsewhere.
    #[inline(always)]
    fn predator_alarm<F: Lanes>(&self, block: &Block<'_, F, D>) -> F {
        let radius = self.params.flee.radius;
        let (predators, metric) = (&self.neighbors.predators, self.metric);
        let mut nearest = F::splat(f32::INFINITY);
        for (run, _) in predators.runs(predators.window(block.bounds(), radius)) {
            for place in run.filter(|&place| !self.params.rests(predators.agents.mood(place))) {
                let offset: Wide<F, D> =
                    metric.minimum_image(Wide::splat(predators.agents.position_array(place)) - block.position);
                nearest = offset.length_squared().min(nearest);
            }
        }
        F::select(nearest.lt(F::splat(radius * radius)), F::splat(1.0), F::splat(0.0))
    }
}
