//! Attraction to food and roosts, and rest on roosts.
//!
//! A boid sees a zone if its border is nearer than the radius of the rule. It flies to the nearest zone in sight and
//! arrives (Reynolds 1999, *arrival*): with `r` the offset to the center, `d = |r|` and `amount` the remaining food
//! (1 for roosts), it adds `weight · amount · (speed.max · min(1, d / radius of the zone) · r̂ − v)`.
//!
//! Only drowsy boids seek roosts. Whether a boid is drowsy is drawn with equal odds for each span of `roost.rest`
//! ticks. Spans start at a different tick for each boid, so half of the flock flies home while the other half leaves.
//!
//! A resting boid does not move. It takes off in a random direction, at the mean of `speed.min` and `speed.max`, when any
//! of these holds:
//!
//! - its time is over;
//! - it sees a predator, or its alarm reaches [`TAKE_OFF`];
//! - the pointer repels it;
//! - passing boids wake it: `|Σ v|` over its alignment neighbors is at least `wake · speed.max`.
//!
//! A drowsy boid that flies over a roost settles with probability `chance` per tick if none of these holds. Its resting
//! time is uniform between 0.5 and 1.5 times `roost.rest`.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::zone::is_on_roost;
use super::{Environment, ZoneKind};
use crate::agents::{Agents, AgentsMut, Kind, Mood};
use crate::forces::BoidLanes;
use crate::forces::perception::{NeighborIndex, Perceived};
use crate::forces::threat::TAKE_OFF;
use crate::math::{Purpose, Wide, direction, murmur_mix, stream};
use crate::simd::{Lanes, MAX_LANES};

/// The nearest zone in sight, for each lane.
struct NearestZone<F, const D: usize> {
    offset: Wide<F, D>,
    distance: F,
    radius: F,
    amount: F,
}

#[inline(always)]
pub(super) fn attract_to_food<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    boids: &BoidLanes<F, D>,
) -> Wide<F, D> {
    let food = &environment.params.food;
    let nearest = nearest_zone(environment, boids, ZoneKind::Food, food.radius);
    arrive(environment, boids, &nearest, food.weight)
}

#[inline(always)]
pub(super) fn attract_to_roosts<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    boids: &BoidLanes<F, D>,
    agents: &Agents,
    first: usize,
) -> Wide<F, D> {
    let rule = &environment.params.roost;
    let nearest = nearest_zone(environment, boids, ZoneKind::Roost, rule.radius);
    if !F::any(nearest.amount.nonzero()) {
        return Wide::zero();
    }
    let seen = nearest.amount.to_array();
    let mut drowsy = [0.0; MAX_LANES];
    let ids = &agents.ids()[first..];
    for lane in 0..F::WIDTH.min(ids.len()) {
        if seen[lane] > 0.0 && is_drowsy(environment.seed, environment.tick, ids[lane], rule.rest) {
            drowsy[lane] = 1.0;
        }
    }
    arrive(environment, boids, &nearest, rule.weight).masked(F::load(&drowsy).nonzero())
}

#[inline(always)]
fn nearest_zone<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    boids: &BoidLanes<F, D>,
    kind: ZoneKind,
    sight: f32,
) -> NearestZone<F, D> {
    let none = F::splat(0.0);
    let mut nearest =
        NearestZone { offset: Wide::zero(), distance: F::splat(f32::INFINITY), radius: none, amount: none };
    for zone in environment.zones.iter().filter(|zone| zone.kind == kind && !zone.is_depleted()) {
        let offset: Wide<F, D> = environment.toward(zone, boids.position);
        let distance = offset.length_squared().sqrt();
        let seen = F::and(distance.lt(F::splat(zone.radius + sight)), distance.lt(nearest.distance));
        nearest = NearestZone {
            offset: Wide::select(seen, offset, nearest.offset),
            distance: F::select(seen, distance, nearest.distance),
            radius: F::select(seen, F::splat(zone.radius), nearest.radius),
            amount: F::select(seen, F::splat(zone.amount), nearest.amount),
        };
    }
    nearest
}

#[inline(always)]
fn arrive<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    boids: &BoidLanes<F, D>,
    nearest: &NearestZone<F, D>,
    weight: f32,
) -> Wide<F, D> {
    let max = F::splat(environment.params.speed.max);
    let speed = max * (nearest.distance / nearest.radius).min(F::splat(1.0));
    let desired = nearest.offset.unit().0 * speed;
    ((desired - boids.velocity) * (F::splat(weight) * nearest.amount)).masked(nearest.amount.nonzero())
}

/// Lets the boids of a chunk settle, rest on or take off, after they have moved.
pub(crate) fn rest<const D: usize>(
    environment: &Environment<'_>,
    neighbors: &NeighborIndex,
    perceived: &Perceived,
    places: Range<usize>,
    chunk: &mut AgentsMut<'_>,
) {
    let (agents, first, roost) = (&neighbors.flock.agents, places.start, &environment.params.roost);
    for place in places.filter(|&place| agents.kinds()[place] == Kind::Prey) {
        let (id, slot) = (agents.ids()[place], place - first);
        let is_disturbed = || {
            (neighbors.has_predators() && perceived.fear.load::<f32, D>(slot).total.nonzero())
                || neighbors.alarm(perceived, slot) >= TAKE_OFF
                || is_woken::<D>(environment, perceived, slot)
                || environment.repels::<D>(agents.position_array(place))
        };
        let left = agents.mood_of(place).rest();
        if left > 0.0 {
            let takes_off = left <= 1.0 || is_disturbed();
            let (velocity, mood) = if takes_off {
                (take_off(environment, id), Mood::alarmed(neighbors.alarm(perceived, slot)))
            } else {
                ([0.0; 3], Mood::resting(left - 1.0))
            };
            chunk.write::<f32, D>(place, agents.position(place), Wide::splat(velocity));
            chunk.set_mood(place, mood);
        } else if is_on_roost(environment.zones, chunk.position::<f32, D>(place), &environment.metric) {
            let mut rng = environment.stream(id, Purpose::Rest);
            let settles =
                rng.random::<f32>() < roost.chance && is_drowsy(environment.seed, environment.tick, id, roost.rest);
            if settles && !is_disturbed() {
                chunk.write_velocity::<f32, D>(place, Wide::zero());
                let ticks = (roost.rest * (0.5 + rng.random::<f32>())).max(1.0).floor();
                chunk.set_mood(place, Mood::resting(ticks));
            }
        }
    }
}

/// Whether passing boids wake a boid. With an infinite radius, no boid is passing.
fn is_woken<const D: usize>(environment: &Environment<'_>, perceived: &Perceived, slot: usize) -> bool {
    let threshold = environment.params.roost.wake * environment.params.speed.max;
    let local = environment.params.alignment.radius.is_finite();
    local && threshold > 0.0 && perceived.alignment.load::<f32, D>(slot).total.length() >= threshold
}

/// The velocity of a boid that takes off.
pub(crate) fn take_off(environment: &Environment<'_>, id: u32) -> [f32; 3] {
    let mut rng = environment.stream(id, Purpose::Rest);
    let heading = direction(environment.world.dim(), rng.random(), rng.random());
    (heading * (0.5 * (environment.params.speed.min + environment.params.speed.max))).axes()
}

/// Whether a boid seeks a roost at a tick; `rest` is `roost.rest`.
fn is_drowsy(seed: u64, tick: u64, id: u32, rest: f32) -> bool {
    let span = (rest as u64).max(1);
    let current = tick.wrapping_add(u64::from(murmur_mix::<f32>(id)) % span) / span;
    stream(seed, current, id, Purpose::Drowsiness).next_u64() & 1 == 1
}
