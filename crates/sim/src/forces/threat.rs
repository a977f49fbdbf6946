//! The threat of predators: boids flee those that they see, and hunted boids alarm their neighbors. Alarm spreads faster
//! than any boid flies.
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

use super::perception::{NeighborIndex, NeighborQuery, Perceived, Sum, falloff_factor};
use crate::agents::{Agents, Mood};
use crate::math::Wide;
use crate::neighbors::{Block, COINCIDENT, FieldOfView, NUDGE, nudge_direction};
use crate::params::Params;
use crate::simd::{Lanes, Task};
use crate::world::Metric;

/// Smaller alarms become 0.
const ALARM_MIN: f32 = 0.01;
/// A boid only takes on alarms that exceed its own by this factor.
const HEARING_RATIO: f32 = 8.0;
/// A resting boid takes off at this alarm.
pub(crate) const TAKE_OFF: f32 = 0.2;

/// A boid's mood after a tick with this alarm: a boid that rests is only woken by a strong one.
pub(crate) fn mood(before: Mood, alarm: f32) -> Mood {
    if before.rest() > 0.0 && alarm < TAKE_OFF { before } else { Mood::alarmed(alarm) }
}

/// Fills in the predators that a chunk of boids sees, and their alarm.
pub(crate) fn perceive<const D: usize>(
    query: &NeighborQuery<'_>,
    neighbors: &NeighborIndex,
    boids: Range<usize>,
    perceived: &mut Perceived,
) {
    if neighbors.has_predators() {
        query.simd.run(SeePredators::<D> { query, neighbors, boids: boids.clone(), perceived });
    }
    if neighbors.is_alarmed() {
        query.simd.run(SpreadAlarm::<D> { params: query.params, metric: query.metric, neighbors, boids, perceived });
    }
}

/// Updates the alarm of a chunk of boids.
struct SpreadAlarm<'a, const D: usize> {
    params: &'a Params,
    metric: Metric,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for SpreadAlarm<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(mut self) {
        let first = self.boids.start;
        let flock = &self.neighbors.flock;
        for places in flock.blocks(self.boids.clone(), F::WIDTH) {
            let index = places.start - first;
            let own: F = Mood::load(&flock.agents.moods()[places.clone()]).alarm();
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
        let agents = &flock.agents;
        let (mut strongest, mut total, mut count) = (F::splat(0.0), Wide::<F, D>::zero(), F::splat(0.0));
        for (run, _) in flock.runs(flock.window(block.bounds(), radius)) {
            for place in run {
                let alarm = agents.mood_of(place).alarm();
                if alarm == 0.0 {
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
            for place in run.filter(|&place| !predators.agents.mood_of(place).is_predator_at_rest(self.params)) {
                let offset: Wide<F, D> =
                    metric.minimum_image(Wide::splat(predators.agents.position_array(place)) - block.position);
                nearest = offset.length_squared().min(nearest);
            }
        }
        F::select(nearest.lt(F::splat(radius * radius)), F::splat(1.0), F::splat(0.0))
    }
}

/// A chunk of boids sees the predators in its field of view.
struct SeePredators<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    neighbors: &'a NeighborIndex,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for SeePredators<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, neighbors, boids, perceived } = self;
        let (flock, predators, first) = (&neighbors.flock, &neighbors.predators, boids.start);
        for boids in flock.blocks(boids, F::WIDTH) {
            let slot = boids.start - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let view = query.view.map(|_| FieldOfView::new(block.velocity(), query.view));
            let mut fear: Wide<F, D> = Wide::zero();
            for (run, _) in predators.runs(predators.window(block.bounds(), query.params.flee.radius)) {
                for index in run.filter(|&index| !predators.agents.mood_of(index).is_predator_at_rest(query.params)) {
                    fear += self::fear(query, &block, view.as_ref(), &predators.agents, index);
                }
            }
            perceived.fear.store(slot, Sum { total: fear, count: F::splat(0.0) });
        }
    }
}

/// `f(d)·r` to a predator where it is in sight, and 0 elsewhere.
#[inline(always)]
fn fear<F: Lanes, const D: usize>(
    query: &NeighborQuery<'_>,
    block: &Block<'_, F, D>,
    view: Option<&FieldOfView<F, D>>,
    predators: &Agents,
    index: usize,
) -> Wide<F, D> {
    let flee = &query.params.flee;
    let straight = Wide::splat(predators.position_array(index)) - block.position;
    let mut offset: Wide<F, D> = query.metric.minimum_image(straight);
    let mut d2 = offset.length_squared();
    let mut seen = d2.lt(F::splat(flee.radius * flee.radius));
    let coincident = d2.le(F::splat(COINCIDENT));
    if let Some(view) = view {
        seen = F::and(seen, F::or(coincident, view.sees(offset, d2)));
    }
    if F::any(coincident) {
        let id = predators.ids()[index];
        let (own, other) = (block.ids(id), F::splat_words(id));
        let is_other = F::or(F::less_words(own, other), F::less_words(other, own));
        seen = F::and(seen, F::or(F::and(coincident, is_other), F::splat(COINCIDENT).lt(d2)));
        let distance = F::splat(flee.radius * NUDGE);
        offset = Wide::select(coincident, nudge_direction(own, id) * distance, offset);
        d2 = F::select(coincident, distance * distance, d2);
    }
    (offset * falloff_factor(flee.falloff, d2, F::splat(flee.radius))).masked(seen)
}
