//! What fills the world, and moves boids beside their own rules: obstacles, gusts of wind, what draws
//! them, and the pointer.
//!
//! | what | contribution to the steering `a` |
//! | --- | --- |
//! | obstacle | `weight · (1 − g/L) · (\|v\|·t̂ − v)` for the nearest one ahead: see [`obstacle`] |
//! | gust | `strength · n(x, t)` on each axis: see [`gust`] |
//! | food, roost | `weight · left · (speed.max · min(1, d/radius) · r̂ − v)`: see [`lure`] |
//! | pointer | `weight · speed.max · 4q(1 − q) · r̂` where it draws, `− weight · speed.max · (1 − q) · r̂` where it drives off: see [`pointer`] |
//!
//! Those who flock heed all of it; predators that hunt, obstacles alone.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

pub(crate) mod attraction;
pub(crate) mod edges;
pub(crate) mod gusts;
pub(crate) mod obstacles;
pub(crate) mod pointer;
pub(crate) mod rest;
pub(crate) mod zone;
pub(crate) mod zones;

use gusts::GustField;
use pointer::PointerForce;

use super::agents::Agents;
use super::math::metric::Metric;
use super::math::wide::Wide;
use super::neighbors::simd::Lanes;
use super::params::Params;
use super::rules::BoidLanes;
use super::world::World;
use zone::{Pointer, Zone, ZoneKind, clear};

pub(crate) use attraction::is_drowsy;

/// What fills the world in one tick.
#[derive(Debug)]
pub(crate) struct Environment<'a> {
    pub params: &'a Params,
    pub zones: &'a [Zone],
    pub metric: Metric,
    pub seed: u64,
    pub tick: u64,
    /// How far off an obstacle's rim boids are put, in u.
    clear: f32,
    obstacles: bool,
    food: bool,
    roosts: bool,
    gusts: Option<GustField>,
    pointer_force: Option<PointerForce>,
}

impl<'a> Environment<'a> {
    pub(crate) fn new(
        params: &'a Params,
        world: &World,
        zones: &'a [Zone],
        pointer: Option<Pointer>,
        (seed, tick): (u64, u64),
    ) -> Self {
        let has = |kind| zones.iter().any(|zone| zone.kind == kind);
        Self {
            params,
            zones,
            metric: Metric::new(params, world),
            seed,
            tick,
            clear: clear(world),
            obstacles: has(ZoneKind::Obstacle),
            food: has(ZoneKind::Food),
            roosts: has(ZoneKind::Roost),
            gusts: (params.gusts.strength > 0.0).then(|| GustField::new(params, world, seed, tick)),
            pointer_force: pointer
                .filter(|_| params.pointer.weight > 0.0)
                .map(|pointer| PointerForce::new(pointer, params, world)),
        }
    }

    /// Whether there is nothing at all that could move anybody.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        !self.obstacles && !self.food && !self.roosts && self.gusts.is_none() && self.pointer_force.is_none()
    }

    /// Whether there is anything to stand off from.
    #[inline(always)]
    pub(crate) fn has_obstacles(&self) -> bool {
        self.obstacles
    }

    /// Whether there is anywhere to rest.
    pub(crate) fn has_roosts(&self) -> bool {
        self.roosts
    }

    /// What it adds to the steering of those who flock, from a place in memory on, in u/tick².
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(
        &self,
        boids: &BoidLanes<F, D>,
        agents: &Agents,
        place: usize,
    ) -> Wide<F, D> {
        let mut force = Wide::zero();
        if let Some(gusts) = &self.gusts {
            force += gusts.push(boids.position);
        }
        if self.food {
            force += self.attract_to_food(boids);
        }
        if self.roosts {
            force += self.attract_to_roosts(boids, agents, place);
        }
        if let Some(pointer_force) = &self.pointer_force {
            force += pointer_force.steer(boids.position, &self.metric);
        }
        if self.obstacles {
            force += self.avoid(boids);
        }
        force
    }

    /// Whether the pointer drives off who stands here.
    pub(crate) fn repels<const D: usize>(&self, position: [f32; 3]) -> bool {
        self.pointer_force
            .is_some_and(|pointer_force| pointer_force.repels(Wide::<f32, D>::splat(position), &self.metric))
    }

    /// The offset to a zone's middle.
    #[inline(always)]
    fn toward<F: Lanes, const D: usize>(&self, zone: &Zone, position: Wide<F, D>) -> Wide<F, D> {
        self.metric.minimum_image(Wide::splat(zone.center) - position)
    }

    /// Puts an agent that stands in an obstacle on its rim, because it came there or the obstacle did.
    pub(crate) fn push_out(&self, position: [f32; 3], velocity: [f32; 3], dim: usize) -> ([f32; 3], [f32; 3]) {
        fn put<const D: usize>(
            environment: &Environment<'_>,
            position: [f32; 3],
            velocity: [f32; 3],
        ) -> ([f32; 3], [f32; 3]) {
            let (position, velocity) = environment.keep_out::<f32, D>(Wide::splat(position), Wide::splat(velocity));
            (position.axes(), velocity.axes())
        }
        match dim {
            2 => put::<2>(self, position, velocity),
            _ => put::<3>(self, position, velocity),
        }
    }
}
