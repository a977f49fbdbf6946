//! Forces and limits from outside the flock: the border, obstacles, wind gusts, food, roosts and the pointer.
//!
//! | source | contribution to the steering `a` |
//! | --- | --- |
//! | obstacle | `weight · (1 − g/L) · (\|v\|·t̂ − v)` for the nearest one ahead: see [`obstacles`] |
//! | gusts | `strength · n(x, t)` on each axis: see [`gusts`] |
//! | food, roost | `weight · amount · (speed.max · min(1, d/radius) · r̂ − v)`: see [`attraction`] |
//! | pointer | attracts: `weight · speed.max · 4q(1 − q) · r̂`; repels: `− weight · speed.max · (1 − q) · r̂`: see [`attraction`] |
//!
//! Boids and predators that flock follow all of them; hunting predators only avoid obstacles.

mod attraction;
pub(crate) mod edges;
mod gusts;
pub(crate) mod obstacles;
mod zone;

use rand::rngs::Xoshiro256PlusPlus;

use attraction::PointerForce;
use gusts::GustField;
use zone::clearance;

pub use attraction::Pointer;
pub(crate) use attraction::{is_drowsy, take_off};
pub use zone::{MAX_ZONES, Zone, ZoneKind, fit_zones};
pub(crate) use zone::{Zones, is_on_roost};

use super::BoidLanes;
use crate::agents::Agents;
use crate::math::{Purpose, Wide, stream};
use crate::params::Params;
use crate::simd::Lanes;
use crate::world::{Metric, World};

/// The environment in one tick.
#[derive(Debug)]
pub(crate) struct Environment<'a> {
    pub params: &'a Params,
    pub world: &'a World,
    pub zones: &'a [Zone],
    pub metric: Metric,
    pub seed: u64,
    pub tick: u64,
    /// The lowest and the highest speed of a boid that respawns, in u/tick.
    pub start_speeds: [f32; 2],
    /// Distance from an obstacle's surface at which boids are put, in u.
    clearance: f32,
    pub has_obstacles: bool,
    has_food: bool,
    pub has_roosts: bool,
    gusts: Option<GustField>,
    pointer: Option<PointerForce>,
}

impl<'a> Environment<'a> {
    pub(crate) fn new(
        params: &'a Params,
        world: &'a World,
        zones: &'a [Zone],
        pointer: Option<Pointer>,
        seed: u64,
        tick: u64,
        start_speeds: [f32; 2],
    ) -> Self {
        let has = |kind| zones.iter().any(|zone| zone.kind == kind);
        Self {
            params,
            world,
            zones,
            metric: params.metric(world),
            seed,
            tick,
            start_speeds,
            clearance: clearance(world),
            has_obstacles: has(ZoneKind::Obstacle),
            has_food: has(ZoneKind::Food),
            has_roosts: has(ZoneKind::Roost),
            gusts: (params.gusts.strength > 0.0).then(|| GustField::new(params, world, seed, tick)),
            pointer: pointer
                .filter(|_| params.pointer.weight > 0.0)
                .map(|pointer| PointerForce::new(pointer, params, world)),
        }
    }

    /// Whether nothing in it acts on boids.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.zones.is_empty() && self.gusts.is_none() && self.pointer.is_none()
    }

    /// The steering that it adds to boids from index `first` on, in u/tick².
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(
        &self,
        boids: &BoidLanes<F, D>,
        agents: &Agents,
        first: usize,
    ) -> Wide<F, D> {
        let mut force = Wide::zero();
        if let Some(gusts) = &self.gusts {
            force += gusts.push(boids.position);
        }
        if self.has_food {
            force += attraction::attract_to_food(self, boids);
        }
        if self.has_roosts {
            force += attraction::attract_to_roosts(self, boids, agents, first);
        }
        if let Some(pointer) = &self.pointer {
            force += pointer.steer(boids.position, &self.metric);
        }
        if self.has_obstacles {
            force += obstacles::avoid(self, boids);
        }
        force
    }

    /// The force of the pointer alone, in u/tick².
    #[inline(always)]
    pub(crate) fn point<F: Lanes, const D: usize>(&self, position: Wide<F, D>) -> Wide<F, D> {
        self.pointer.as_ref().map_or_else(Wide::zero, |pointer| pointer.steer(position, &self.metric))
    }

    /// The offset to the nearest point of the pointer, if it acts on boids.
    pub(crate) fn offset_to_pointer<const D: usize>(&self, position: Wide<f32, D>) -> Option<Wide<f32, D>> {
        self.pointer.map(|pointer| pointer.offset(position, &self.metric))
    }

    /// Whether the pointer repels a boid at this position.
    pub(crate) fn repels<const D: usize>(&self, position: [f32; 3]) -> bool {
        self.pointer.is_some_and(|pointer| pointer.repels(Wide::<f32, D>::splat(position), &self.metric))
    }

    /// The offset to the center of a zone.
    #[inline(always)]
    fn toward<F: Lanes, const D: usize>(&self, zone: &Zone, position: Wide<F, D>) -> Wide<F, D> {
        self.metric.minimum_image(Wide::splat(zone.center) - position)
    }

    /// The random numbers of an agent in this tick.
    pub(crate) fn stream(&self, id: u32, purpose: Purpose) -> Xoshiro256PlusPlus {
        stream(self.seed, self.tick, id, purpose)
    }

    /// Moves boids on by their velocity, within the world.
    #[inline(always)]
    pub(crate) fn fly<F: Lanes, const D: usize>(
        &self,
        agents: &Agents,
        first: usize,
        from: Wide<F, D>,
        velocity: Wide<F, D>,
    ) -> BoidLanes<F, D> {
        let boids = BoidLanes { position: from + velocity, velocity };
        let boids = edges::contain(boids, self.params, self.world, |lane| {
            // Lanes past the last boid compute values that are not stored.
            self.stream(agents.ids().get(first + lane).copied().unwrap_or(0), Purpose::Bounce)
        });
        if self.has_obstacles { obstacles::keep_out(self, boids) } else { boids }
    }
}
