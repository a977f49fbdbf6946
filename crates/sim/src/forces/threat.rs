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

use super::perception::{AlarmSums, NeighborQuery};
use crate::agents::{Agents, AgentsMut, Kind, Mood};
use crate::math::Wide;
use crate::neighbors::{Block, COINCIDENT, CellList, FieldOfView, NUDGE, nudge_direction};
use crate::params::{Params, Perceived, Sum};
use crate::simd::{Lanes, Task};

/// Smaller alarms become 0.
const ALARM_MIN: f32 = 0.01;
/// A boid only takes on alarms that exceed its own by this factor.
const HEARING_RATIO: f32 = 8.0;
/// A resting boid takes off at this alarm.
pub(super) const TAKE_OFF: f32 = 0.2;

/// Sets the moods of boids after this tick, if any rule depends on moods.
pub(crate) fn update_moods(agents: &Agents, perceived: &Perceived, boids: Range<usize>, chunk: &mut AgentsMut<'_>) {
    if !agents.has_moods {
        return;
    }
    for (slot, index) in boids.enumerate() {
        let (before, alarm) = (agents.mood_of(index), perceived.alarm[slot]);
        let mood = match agents.kinds()[index] {
            // A boid that rests is only woken by a strong alarm.
            Kind::Prey if before.rest() > 0.0 && alarm < TAKE_OFF => before,
            Kind::Prey => Mood::alarmed(alarm),
            // A predator that flocks does not hunt, and never tires.
            Kind::Predator | Kind::Caught => Mood::CALM,
        };
        chunk.set_mood(index, mood);
    }
}

/// Fills in the predators that a chunk of boids sees, and their alarm.
pub(crate) fn perceive<const D: usize>(query: &NeighborQuery<'_>, boids: Range<usize>, perceived: &mut Perceived) {
    if !query.neighbors.is_alarmed {
        perceived.alarm.fill(0.0);
    }
    if query.neighbors.has_predators() || query.neighbors.is_alarmed {
        query.simd.run(Perceive::<D> { query, boids, perceived });
    }
}

/// A chunk of boids sees the predators in its field of view, and updates its alarm.
struct Perceive<'a, const D: usize> {
    query: &'a NeighborQuery<'a>,
    boids: Range<usize>,
    perceived: &'a mut Perceived,
}

impl<const D: usize> Task for Perceive<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { query, boids, perceived } = self;
        let (neighbors, first) = (query.neighbors, boids.start);
        let flock = &neighbors.flock;
        for boids in flock.blocks(boids, F::WIDTH) {
            let slots = boids.start - first..boids.end - first;
            let block: Block<F, D> = Block::new(&flock.agents, boids.clone());
            let (fear, is_near) = see_predators(query, &block, &neighbors.predators);
            perceived.fear.store(slots.start, Sum { total: fear, count: F::splat(0.0) });
            if neighbors.is_alarmed {
                let own: F = Mood::load(&flock.agents.moods()[boids]).alarm();
                if !neighbors.finds_alarm {
                    let (strongest, flight) = neighbor_alarm(query, &block, flock);
                    strongest.store(&mut perceived.alarm[slots.start..]);
                    perceived.flight.store(slots.start, flight);
                }
                let strongest = F::load(&perceived.alarm[slots.start..]);
                alarm(query.params, own, strongest, is_near).store_slice(&mut perceived.alarm[slots]);
            }
        }
    }
}

/// The alarm after a tick, from that before, the strongest of the neighbors, and whether a predator is near.
#[inline(always)]
fn alarm<F: Lanes>(params: &Params, own: F, strongest: F, is_near: F::Mask) -> F {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    let received = strongest * F::splat(params.alarm.spread);
    let received = F::select((own * F::splat(HEARING_RATIO)).lt(received), received, zero);
    let left = own * F::splat(1.0 - params.alarm.decay);
    let alarm = F::select(is_near, one, zero).max(received).max(left);
    F::select(alarm.lt(F::splat(ALARM_MIN)), zero, alarm)
}

/// The strongest alarm `a` among the neighbors of a block, and `Σ a·v` and `Σ a` over them.
#[inline(always)]
fn neighbor_alarm<F: Lanes, const D: usize>(
    query: &NeighborQuery<'_>,
    block: &Block<'_, F, D>,
    flock: &CellList,
) -> (F, Sum<F, D>) {
    let (agents, radius) = (&flock.agents, query.params.alarm.radius);
    let mut sums = AlarmSums::new(radius);
    for (run, _) in flock.runs(flock.window(block.bounds(), radius)) {
        for index in run {
            let alarm = agents.mood_of(index).alarm();
            if alarm == 0.0 {
                continue;
            }
            let straight = Wide::splat(agents.position_array(index)) - block.position;
            let d2 = query.metric.minimum_image(straight).length_squared() + block.self_distance(index);
            let alarm = F::splat(alarm);
            sums.add(d2, alarm, Wide::splat(agents.velocity_array(index)) * alarm);
        }
    }
    sums.end()
}

/// `Σ f(d)·r` over the predators that boids see, and whether one is near, seen or not.
#[inline(always)]
fn see_predators<F: Lanes, const D: usize>(
    query: &NeighborQuery<'_>,
    block: &Block<'_, F, D>,
    predators: &CellList,
) -> (Wide<F, D>, F::Mask) {
    let radius = query.params.flee.radius;
    let view = query.view.map(|_| FieldOfView::new(block.velocity(), query.view));
    let (mut fear, mut nearest): (Wide<F, D>, F) = (Wide::zero(), F::splat(f32::INFINITY));
    for (run, _) in predators.runs(predators.window(block.bounds(), radius)) {
        for index in run.filter(|&index| !predators.agents.mood_of(index).is_predator_at_rest(query.params)) {
            let straight = Wide::splat(predators.agents.position_array(index)) - block.position;
            let offset: Wide<F, D> = query.metric.minimum_image(straight);
            nearest = offset.length_squared().min(nearest);
            fear += self::fear(query, block, view.as_ref(), &predators.agents, index, offset);
        }
    }
    (fear, nearest.lt(F::splat(radius * radius)))
}

/// `f(d)·r` to a predator at an offset where it is in sight, and 0 elsewhere.
#[inline(always)]
fn fear<F: Lanes, const D: usize>(
    query: &NeighborQuery<'_>,
    block: &Block<'_, F, D>,
    view: Option<&FieldOfView<F, D>>,
    predators: &Agents,
    index: usize,
    mut offset: Wide<F, D>,
) -> Wide<F, D> {
    let flee = &query.params.flee;
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
    (offset * flee.falloff.factor(d2, F::splat(flee.radius))).masked(seen)
}
