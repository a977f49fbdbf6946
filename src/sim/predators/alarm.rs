//! Alarm: hunted boids alarm their neighbors, which spreads faster than any boid flies.
//!
//! A boid's alarm after a tick is the maximum of
//!
//! - 1 if a hunting predator is nearer than `flee.radius`;
//! - `alarm.spread` times the strongest alarm among neighbors nearer than `alarm.radius`, if that is more than eight
//!   times its own;
//! - `1 − alarm.decay` times its own;
//!
//! or 0 if that is below 0.01. The factor of eight makes alarm run outward as a wave that does not return: the flock is
//! calm behind it, and a predator that stays causes one wave after another.

use std::ops::Range;

use crate::sim::math::metric::Metric;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::block::Block;
use crate::sim::neighbors::perceived::{Perceived, Sum};
use crate::sim::neighbors::query::NeighborIndex;
use crate::sim::neighbors::simd::{Lanes, Task};
use crate::sim::params::Params;

/// Smaller alarms become 0.
const ALARM_MIN: f32 = 0.01;
/// A boid only takes on alarms that exceed its own by this factor.
const HEARING_RATIO: f32 = 8.0;
/// A resting boid takes off at this alarm.
pub(crate) const TAKE_OFF: f32 = 0.2;

/// A boid's mood after a tick with this alarm.
pub(crate) fn mood(before: f32, alarm: f32) -> f32 {
    if before < 0.0 && alarm < TAKE_OFF { before } else { alarm }
}

/// Updates the alarm of a chunk of boids.
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
    /// The strongest alarm `a` among the neighbors, and `Σ a·v` and `Σ a` over them.
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

    /// 1 for boids near a hunting predator, 0 for others.
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
