//! The zones of a world: who may stand where, and what becomes of them.

use super::zone::{MAX_ZONES, Zone, ZoneKind, clear};
use crate::sim::math::metric::Metric;
use crate::sim::math::vector::Vector;
use crate::sim::{Error, Params, World};

/// What stands in the world, in the order in which it was put there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zones {
    zones: Vec<Zone>,
}

impl Zones {
    /// Puts all of `zones` there, one after the other.
    pub fn new(initial: &[Zone], params: &Params, world: &World) -> Result<Self, Error> {
        let mut zones = Self::default();
        initial.iter().try_for_each(|zone| zones.place(*zone, params, world))?;
        Ok(zones)
    }

    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    pub fn has(&self, kind: ZoneKind) -> bool {
        self.zones.iter().any(|zone| zone.kind == kind)
    }

    /// Puts one more there.
    pub fn place(&mut self, zone: Zone, params: &Params, world: &World) -> Result<(), Error> {
        if self.zones.len() == MAX_ZONES
            && let Some(nothing) = self.zones.iter().position(Zone::is_depleted)
        {
            // Nobody sees what makes room.
            self.zones.remove(nothing);
        }
        if self.zones.len() == MAX_ZONES {
            return Err(Error::Zone(format!("there are {MAX_ZONES} zones, and a world has no more")));
        }
        zone.check(world)?;
        self.check_gaps(&zone, None, params, world)?;
        self.zones.push(zone);
        Ok(())
    }

    /// Moves one.
    pub fn shift(&mut self, number: usize, center: [f32; 3], params: &Params, world: &World) -> Result<(), Error> {
        let zone = Zone { center, ..*self.get(number)? };
        zone.check(world)?;
        self.check_gaps(&zone, Some(number), params, world)?;
        self.zones[number] = zone;
        Ok(())
    }

    /// Takes one away.
    pub fn remove(&mut self, number: usize) -> Result<(), Error> {
        self.get(number)?;
        self.zones.remove(number);
        Ok(())
    }

    /// Checks that all have room by these rules.
    pub fn check(&self, params: &Params, world: &World) -> Result<(), Error> {
        self.zones.iter().enumerate().try_for_each(|(number, zone)| self.check_gaps(zone, Some(number), params, world))
    }

    fn get(&self, number: usize) -> Result<&Zone, Error> {
        let count = self.zones.len();
        self.zones.get(number).ok_or_else(|| Error::Zone(format!("there is no zone {number}: there are {count}")))
    }

    /// Checks that an obstacle leaves two body lengths between itself and each other one, but for the
    /// one that it was.
    fn check_gaps(&self, zone: &Zone, but: Option<usize>, params: &Params, world: &World) -> Result<(), Error> {
        let is_obstacle = |zone: &Zone| zone.kind == ZoneKind::Obstacle;
        if !is_obstacle(zone) {
            return Ok(());
        }
        // Whoever is put on the rim of one must not be inside another.
        let least = (2.0 * params.obstacle.clearance).max(4.0 * clear(world));
        let metric = Metric::new(params, world);
        for (number, other) in self.zones.iter().enumerate().filter(|(_, other)| is_obstacle(other)) {
            let [x, y, z] = [0, 1, 2].map(|axis| metric.minimum_image_on(axis, other.center[axis] - zone.center[axis]));
            let gap = (x * x + y * y + z * z).sqrt() - zone.radius - other.radius;
            if Some(number) != but && gap < least {
                return Err(Error::Zone(format!(
                    "`{zone}` would leave {:.1} u beside `{other}`: boids need two body lengths, {least} u, to pass",
                    gap.max(0.0)
                )));
            }
        }
        Ok(())
    }

    /// Brings all inside a world that has changed; in their order, those that no longer fit are dropped.
    pub fn fit(&mut self, params: &Params, world: &World) {
        let mut kept = Self::default();
        for zone in &self.zones {
            let there = if zone.check(world).is_ok() { *zone } else { zone.moved_inside(world) };
            // A refused one is the one that is dropped.
            let _ = kept.place(there, params, world);
        }
        *self = kept;
    }

    /// Makes all as it was put there.
    pub fn refill(&mut self) {
        self.zones.iter_mut().for_each(|zone| *zone = zone.refilled());
    }

    /// Food is eaten, each by as many as `eaters(zone)` says, and grows again; what is eaten up and does
    /// not grow again is there again only when the flock begins anew.
    pub fn eat(&mut self, params: &Params, eaters: impl Fn(&Zone) -> u32) {
        let (consumption, regrowth) = (params.food.consumption, params.food.regrowth);
        let may_change = |zone: &&mut Zone| zone.kind == ZoneKind::Food && (!zone.is_depleted() || regrowth > 0.0);
        for zone in self.zones.iter_mut().filter(may_change) {
            zone.left = (zone.left - consumption * eaters(zone) as f32 + regrowth).clamp(0.0, 1.0);
        }
    }
}

/// Those of `zones` that can stand in a world, brought in where they are not wholly inside; in their
/// order, those that do not fit are left out.
#[must_use]
pub fn fit_zones(zones: &[Zone], params: &Params, world: &World) -> Vec<Zone> {
    let mut zones = Zones { zones: zones.to_vec() };
    zones.fit(params, world);
    zones.zones
}

/// Whether a place lies on a roost.
pub(crate) fn is_on_roost<V: Vector>(zones: &[Zone], at: V, metric: &Metric) -> bool {
    zones.iter().any(|zone| zone.kind == ZoneKind::Roost && covers(zone, at, metric))
}

/// Whether a place lies in a zone.
pub(crate) fn covers<V: Vector>(zone: &Zone, at: V, metric: &Metric) -> bool {
    metric.offset(at, V::from_axes(zone.center)).length_squared() < zone.radius * zone.radius
}
