//! Alarm: prey that is hunted frightens its neighbours, and they theirs, faster than anybody flies.
//!
//! A boid's alarm after a tick is the greatest of
//!
//! - its fright: 1 where a predator that hunts is nearer than `flee.radius`;
//! - what it hears, `alarm.spread` of the greatest alarm among neighbours nearer than `alarm.radius`, where
//!   that is more than eight times its own;
//! - what is left of its own, `1 − alarm.decay` of it;
//!
//! and below 0.01 it is none. As who is alarmed is deaf to what is not much louder, alarm runs on as a wave
//! and not back: there is a calm behind it, and a predator that stays sends out one wave after another.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use crate::sim::math::metric::Metric;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::kernel::Block;
use crate::sim::neighbors::perceived::{Perceived, Sum};
use crate::sim::neighbors::query::Senses;
use crate::sim::neighbors::simd::{Lanes, Task};
use crate::sim::params::Params;

/// Less alarm is none.
const QUIET: f32 = 0.01;
/// How much louder than one's own an alarm has to be to be heard.
const LOUDER: f32 = 8.0;
/// From this alarm on a boid that rests takes off.
pub(crate) const TAKE_OFF: f32 = 0.2;

/// A boid's mood after a tick in which it was alarmed as much as this.
pub(crate) fn mood(before: f32, alarm: f32) -> f32 {
    if before < 0.0 && alarm < TAKE_OFF { before } else { alarm }
}

/// A chunk of boids sees predators that hunt, and hears its neighbours.
pub(crate) struct Hear<'a, const D: usize> {
    pub params: &'a Params,
    pub metric: Metric,
    pub senses: &'a Senses,
    pub places: Range<usize>,
    pub perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Hear<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(mut self) {
        let first = self.places.start;
        let flock = &self.senses.flock;
        for places in flock.blocks(self.places.clone(), F::WIDTH) {
            let index = places.start - first;
            let own = F::load_or(&flock.agents.moods()[places.clone()], 0.0).max(F::splat(0.0));
            let block: Block<F, D> = Block::new(&flock.agents, places);
            let (loudest, flight) = self.hear(&block);
            let heard = loudest * F::splat(self.params.alarm.spread);
            let heard = F::select((own * F::splat(LOUDER)).lt(heard), heard, F::splat(0.0));
            let left = own * F::splat(1.0 - self.params.alarm.decay);
            let alarm = self.fright(&block).max(heard).max(left);
            let alarm = F::select(alarm.lt(F::splat(QUIET)), F::splat(0.0), alarm);
            self.perceived.alarm.store(index, alarm, flight);
        }
    }
}

impl<const D: usize> Hear<'_, D> {
    /// The greatest alarm among a block's neighbours; and `Σ a·v` and `Σ a` over them, `a` being their
    /// alarms and `v` their velocities.
    #[inline(always)]
    fn hear<F: Lanes>(&mut self, block: &Block<'_, F, D>) -> (F, Sum<F, D>) {
        let radius = self.params.alarm.radius;
        let (flock, metric) = (&self.senses.flock, self.metric);
        let (agents, moods) = (&flock.agents, self.senses.flock.agents.moods());
        let (mut loudest, mut total, mut count) = (F::splat(0.0), Wide::<F, D>::zero(), F::splat(0.0));
        for (run, _) in flock.runs(flock.window(block.bounds(), radius)) {
            for place in run {
                let alarm = moods[place];
                if alarm <= 0.0 {
                    continue;
                }
                let offset: Wide<F, D> = metric.shortest(Wide::splat(agents.place_of(place)) - block.at);
                let d2 = offset.length_squared() + block.itself(place);
                let near = d2.lt(F::splat(radius * radius));
                let alarm = F::splat(alarm);
                let velocity: Wide<F, D> = Wide::splat(agents.motion_of(place)) * alarm;
                loudest = F::select(near, alarm.max(loudest), loudest);
                total = Wide::new(|axis| total[axis].add_where(near, velocity[axis]));
                count = count.add_where(near, alarm);
            }
        }
        (loudest, Sum { total, count })
    }

    /// The fright of a block's boids: 1 where a predator that hunts is near, and 0 elsewhere.
    #[inline(always)]
    fn fright<F: Lanes>(&self, block: &Block<'_, F, D>) -> F {
        let radius = self.params.flee.radius;
        let (predators, metric) = (&self.senses.predators, self.metric);
        let mut nearest = F::splat(f32::INFINITY);
        for (run, _) in predators.runs(predators.window(block.bounds(), radius)) {
            for place in run.filter(|&place| !self.params.rests(predators.agents.mood(place))) {
                let offset: Wide<F, D> = metric.shortest(Wide::splat(predators.agents.place_of(place)) - block.at);
                nearest = offset.length_squared().min(nearest);
            }
        }
        F::select(nearest.lt(F::splat(radius * radius)), F::splat(1.0), F::splat(0.0))
    }
}
