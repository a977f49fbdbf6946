//! Attraction to food, roosts and the pointer.
//!
//! A boid sees a zone if its border is nearer than the radius of the rule. It flies to the nearest zone in sight and
//! arrives (Reynolds 1999, *arrival*): with `r` the offset to the center, `d = |r|` and `amount` the remaining food
//! (1 for roosts), it adds `weight · amount · (speed.max · min(1, d / radius of the zone) · r̂ − v)`.
//!
//! Only drowsy boids seek roosts. Whether a boid is drowsy is drawn with equal odds for each span of `roost.rest`
//! ticks. Spans start at a different tick for each boid, so half of the flock flies home while the other half leaves.
//!
//! The pointer attracts or repels boids. With `r` the offset to the pointer, `d = |r|` and `q = d / radius < 1`, a boid adds
//! `weight · speed.max · 4q(1 − q) · r̂` if the pointer attracts, and `− weight · speed.max · (1 − q) · r̂` if it repels.
//! Attraction also vanishes at the center, so that boids pass through instead of collapsing to a point. In 3-D the pointer is a
//! line along the line of sight, and `r` the offset to its nearest point. In a 2-D wrapping world, `r` is the shortest offset around
//! the torus.

use rand::{Rng, RngExt};

use super::{Environment, ZoneKind};
use crate::Error;
use crate::agents::Agents;
use crate::forces::BoidLanes;
use crate::math::{Purpose, Wide, direction, murmur_mix, stream};
use crate::params::Params;
use crate::simd::{Lanes, MAX_LANES};
use crate::world::{Metric, World};

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

/// The velocity of a boid that takes off.
pub(crate) fn take_off(environment: &Environment<'_>, id: u32) -> [f32; 3] {
    let mut rng = environment.stream(id, Purpose::Rest);
    let heading = direction(environment.world.dim(), rng.random(), rng.random());
    (heading * (0.5 * (environment.params.speed.min + environment.params.speed.max))).axes()
}

/// Whether a boid seeks a roost at a tick; `rest` is `roost.rest`.
pub(crate) fn is_drowsy(seed: u64, tick: u64, id: u32, rest: f32) -> bool {
    let span = (rest as u64).max(1);
    let current = tick.wrapping_add(u64::from(murmur_mix::<f32>(id)) % span) / span;
    stream(seed, current, id, Purpose::Drowsiness).next_u64() & 1 == 1
}

/// A pointer that attracts or repels boids, such as the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// A point on it, in u.
    pub at: [f32; 3],
    /// In 3-D, the direction of the line through `at` that it covers; 0 in 2-D.
    pub along: [f32; 3],
    /// Whether it attracts boids; otherwise it repels them.
    pub attracts: bool,
}

impl Pointer {
    /// Checks that all coordinates are finite.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`].
    pub fn check(&self) -> Result<(), Error> {
        let finite = self.at.iter().chain(&self.along).all(|number| number.is_finite());
        if finite { Ok(()) } else { Err(Error::Zone("invalid pointer: expected finite coordinates".into())) }
    }
}

/// The force of a pointer in one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerForce {
    at: [f32; 3],
    /// Unit vector along the line, in 3-D.
    along: Option<[f32; 3]>,
    attracts: bool,
    radius: f32,
    /// Maximum force, in u/tick².
    strength: f32,
}

impl PointerForce {
    pub(super) fn new(pointer: Pointer, params: &Params, world: &World) -> Self {
        let (along, is_line) = Wide::<f32, 3>::splat(pointer.along).unit();
        Self {
            at: pointer.at,
            along: (is_line && world.dim() == 3).then_some(along.axes()),
            attracts: pointer.attracts,
            radius: params.pointer.radius,
            strength: params.pointer.weight * params.speed.max,
        }
    }

    #[inline(always)]
    pub(super) fn steer<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let offset = self.offset(position, metric);
        let (toward, nonzero) = offset.unit();
        let (one, q) = (F::splat(1.0), offset.length() / F::splat(self.radius));
        let near = F::and(nonzero, q.lt(one));
        let rest = one - q;
        let push = if self.attracts { F::splat(4.0) * q * rest } else { -rest };
        (toward * (push * F::splat(self.strength))).masked(near)
    }

    /// The offset to the nearest point of the pointer.
    #[inline(always)]
    pub(super) fn offset<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let straight: Wide<F, D> = Wide::splat(self.at) - position;
        let Some(along) = self.along else {
            return metric.minimum_image(straight);
        };
        let along: Wide<F, D> = Wide::splat(along);
        straight - along * straight.dot(along)
    }

    pub(super) fn repels<const D: usize>(&self, position: Wide<f32, D>, metric: &Metric) -> bool {
        !self.attracts && self.offset(position, metric).length() < self.radius
    }
}
