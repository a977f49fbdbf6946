//! Zones: obstacles, food and roosts, and the rules for where they can be.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::math::Wide;
use crate::params::{Params, choices};
use crate::world::{Metric, World};

/// Maximum number of zones in a world.
pub const MAX_ZONES: usize = 200;
/// Largest fraction of the world's area, or volume, that one zone can take.
const MAX_FRACTION: f64 = 0.25;
/// Distance at which boids are put outside an obstacle, as a fraction of the world's longest side. It exceeds the
/// rounding error of a coordinate, so a boid that was moved out once stays out.
const CLEARANCE: f32 = 2e-6;

choices! {
    /// What a zone does to boids.
    pub enum ZoneKind {
        /// Boids steer around it and are never inside.
        Obstacle = "obstacle",
        /// Boids seek it and eat it.
        Food = "food",
        /// Boids seek it and rest on it.
        Roost = "roost",
    }
}

/// A disc, or a ball in 3-D, that acts on boids.
///
/// As text it is `KIND:X,Y:RADIUS` or `KIND:X,Y,Z:RADIUS`, in u, with `:AMOUNT` at the end for partly eaten food.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// What it does to boids.
    pub kind: ZoneKind,
    /// Center in u; the third coordinate is 0 in 2-D.
    pub center: [f32; 3],
    /// Radius in u.
    pub radius: f32,
    /// Current amount of food, 0 … 1; 1 for other kinds.
    pub amount: f32,
    /// Amount at the start, which a restart restores.
    pub initial: f32,
}

impl Zone {
    /// A zone with a full amount.
    pub fn new(kind: ZoneKind, center: [f32; 3], radius: f32) -> Self {
        Self { kind, center, radius, amount: 1.0, initial: 1.0 }
    }

    /// The zone with another initial and current amount.
    #[must_use]
    pub fn with_amount(self, amount: f32) -> Self {
        Self { amount, initial: amount, ..self }
    }

    /// The zone with its initial amount.
    #[must_use]
    pub fn refilled(self) -> Self {
        self.with_amount(self.initial)
    }

    /// Whether all food is eaten. Boids ignore it until it regrows.
    pub fn is_depleted(&self) -> bool {
        self.amount <= 0.0
    }

    /// Checks that the zone can be in the world: finite, completely inside, and at most a quarter of it.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`].
    pub fn check(&self, world: &World) -> Result<(), Error> {
        let invalid = |reason: String| Err(Error::Zone(format!("invalid zone `{self}`: {reason}")));
        let Self { center, radius, amount, initial, .. } = *self;
        if !center.iter().chain([&radius]).all(|number| number.is_finite()) || radius <= 0.0 {
            return invalid("expected finite coordinates and a radius above 0".into());
        }
        if ![amount, initial].iter().all(|amount| (0.0..=1.0).contains(amount)) {
            return invalid("expected an amount from 0 to 1".into());
        }
        if world.dim() == 2 && center[2] != 0.0 {
            return invalid(format!("the world {world} is 2-D, but it has a third coordinate"));
        }
        let max = max_radius(world);
        if radius > max {
            return invalid(format!("it takes more than a quarter of the world {world} (maximum radius {max})"));
        }
        if !self.is_inside(world) {
            return invalid(format!("it is not completely inside the world {world}"));
        }
        Ok(())
    }

    /// Whether the zone, and the positions just outside it, are inside the world.
    fn is_inside(&self, world: &World) -> bool {
        let reach = self.radius + clearance(world);
        if let World::Sphere(radius) = world {
            return Wide(self.center).length() + reach <= *radius;
        }
        let size = world.size();
        (0..world.dim()).all(|axis| self.center[axis] - reach >= 0.0 && self.center[axis] + reach < size[axis])
    }

    /// The zone with its center moved to the nearest point where all of it is inside the world, if there is one.
    #[must_use]
    pub fn moved_inside(mut self, world: &World) -> Self {
        // Twice the clearance, so that rounding does not move it out again.
        let reach = self.radius + 2.0 * clearance(world);
        if let World::Sphere(radius) = world {
            let (distance, max) = (Wide(self.center).length(), (radius - reach).max(0.0));
            let scale = if distance > max { max / distance } else { 1.0 };
            self.center = self.center.map(|coordinate| coordinate * scale);
        } else {
            for (coordinate, side) in self.center.iter_mut().zip(world.size()).take(world.dim()) {
                *coordinate = coordinate.min(side - reach).max(reach);
            }
        }
        self
    }

    /// Whether a position is in the zone.
    pub(crate) fn contains<const D: usize>(&self, position: Wide<f32, D>, metric: &Metric) -> bool {
        metric.offset(position, Wide::splat(self.center)).length_squared() < self.radius * self.radius
    }
}

/// Distance from an obstacle's surface at which boids are put, in u.
pub(crate) fn clearance(world: &World) -> f32 {
    let size = world.size();
    CLEARANCE * size[0].max(size[1]).max(size[2])
}

/// The radius of a zone that takes a quarter of the world.
fn max_radius(world: &World) -> f32 {
    use std::f64::consts::PI;
    let [width, height, depth] = world.size().map(f64::from);
    let radius = match world {
        World::Rect(_) => (MAX_FRACTION * width * height / PI).sqrt(),
        World::Cuboid(_) => libm::cbrt(MAX_FRACTION * width * height * depth * 3.0 / (4.0 * PI)),
        World::Sphere(_) => 0.5 * width * libm::cbrt(MAX_FRACTION),
    };
    radius as f32
}

impl fmt::Display for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.center;
        write!(out, "{}:{x},{y}", self.kind.name())?;
        if z != 0.0 {
            write!(out, ",{z}")?;
        }
        write!(out, ":{}", self.radius)?;
        if self.amount == 1.0 { Ok(()) } else { write!(out, ":{}", self.amount) }
    }
}

impl FromStr for Zone {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || {
            Error::Zone(format!(
                "invalid zone `{text}`: expected obstacle, food or roost, then x,y and radius, as food:120,80:15"
            ))
        };
        let number = |text: &str| text.trim().parse::<f32>().map_err(|_| invalid());
        let (word, center, radius, amount) = match text.split(':').collect::<Vec<_>>()[..] {
            [word, center, radius] => (word, center, radius, 1.0),
            [word, center, radius, amount] => (word, center, radius, number(amount)?),
            _ => return Err(invalid()),
        };
        let kind = ZoneKind::from_name(word.trim()).ok_or_else(invalid)?;
        if amount != 1.0 && kind != ZoneKind::Food {
            return Err(Error::Zone(format!("invalid zone `{text}`: only food has an amount")));
        }
        let center = match center.split(',').map(number).collect::<Result<Vec<_>, _>>()?[..] {
            [x, y] => [x, y, 0.0],
            [x, y, z] => [x, y, z],
            _ => return Err(invalid()),
        };
        Ok(Self::new(kind, center, number(radius)?).with_amount(amount))
    }
}

/// The zones of a world, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zones(Vec<Zone>);

impl Zones {
    /// Adds zones one after the other.
    pub fn new(zones: &[Zone], params: &Params, world: &World) -> Result<Self, Error> {
        let mut all = Self::default();
        zones.iter().try_for_each(|zone| all.add(*zone, params, world))?;
        Ok(all)
    }

    pub fn as_slice(&self) -> &[Zone] {
        &self.0
    }

    pub fn has(&self, kind: ZoneKind) -> bool {
        self.0.iter().any(|zone| zone.kind == kind)
    }

    pub fn add(&mut self, zone: Zone, params: &Params, world: &World) -> Result<(), Error> {
        if self.0.len() == MAX_ZONES
            && let Some(depleted) = self.0.iter().position(Zone::is_depleted)
        {
            self.0.remove(depleted);
        }
        if self.0.len() == MAX_ZONES {
            return Err(Error::Zone(format!("too many zones (maximum {MAX_ZONES})")));
        }
        self.check_zone(&zone, None, params, world)?;
        self.0.push(zone);
        Ok(())
    }

    /// Moves the zone with this number.
    pub fn shift(&mut self, number: usize, center: [f32; 3], params: &Params, world: &World) -> Result<(), Error> {
        let zone = Zone { center, ..*self.get(number)? };
        self.check_zone(&zone, Some(number), params, world)?;
        self.0[number] = zone;
        Ok(())
    }

    pub fn remove(&mut self, number: usize) -> Result<(), Error> {
        self.get(number)?;
        self.0.remove(number);
        Ok(())
    }

    /// Checks that all zones can be where they are.
    pub fn check(&self, params: &Params, world: &World) -> Result<(), Error> {
        self.0.iter().enumerate().try_for_each(|(number, zone)| self.check_zone(zone, Some(number), params, world))
    }

    fn get(&self, number: usize) -> Result<&Zone, Error> {
        let count = self.0.len();
        self.0.get(number).ok_or_else(|| Error::Zone(format!("no zone {number}: the number of zones is {count}")))
    }

    /// Checks that a zone can be in the world, and that boids can pass between an obstacle and all others, except the one
    /// with the number `except`.
    fn check_zone(&self, zone: &Zone, except: Option<usize>, params: &Params, world: &World) -> Result<(), Error> {
        zone.check(world)?;
        let is_obstacle = |zone: &Zone| zone.kind == ZoneKind::Obstacle;
        if !is_obstacle(zone) {
            return Ok(());
        }
        // A boid just outside one obstacle must not be inside another.
        let min = (2.0 * params.obstacle.clearance).max(4.0 * clearance(world));
        let metric = params.metric(world);
        for (number, other) in self.0.iter().enumerate().filter(|(_, other)| is_obstacle(other)) {
            let distance = metric.offset(Wide(zone.center), Wide(other.center)).length();
            let gap = distance - zone.radius - other.radius;
            if Some(number) != except && gap < min {
                return Err(Error::Zone(format!(
                    "the gap between `{zone}` and `{other}` is {:.1} u: expected at least {min} u (2 obstacle.clearance)",
                    gap.max(0.0)
                )));
            }
        }
        Ok(())
    }

    /// Moves all zones inside a changed world, and drops those that no longer fit.
    pub fn fit(&mut self, params: &Params, world: &World) {
        let mut kept = Self::default();
        for zone in &self.0 {
            let inside = if zone.check(world).is_ok() { *zone } else { zone.moved_inside(world) };
            let _ = kept.add(inside, params, world);
        }
        *self = kept;
    }

    /// Restores the initial amounts.
    pub fn refill(&mut self) {
        self.0.iter_mut().for_each(|zone| *zone = zone.refilled());
    }

    /// Lets `eaters(zone)` boids eat from each food zone for a tick, and lets it regrow.
    pub fn eat(&mut self, params: &Params, eaters: impl Fn(&Zone) -> u32) {
        let (consumption, regrowth) = (params.food.consumption, params.food.regrowth);
        for zone in self.0.iter_mut().filter(|zone| zone.kind == ZoneKind::Food) {
            if !zone.is_depleted() || regrowth > 0.0 {
                zone.amount = (zone.amount - consumption * eaters(zone) as f32 + regrowth).clamp(0.0, 1.0);
            }
        }
    }
}

/// Moves zones inside a world, and drops those that do not fit.
pub fn fit_zones(zones: &[Zone], params: &Params, world: &World) -> Vec<Zone> {
    let mut fitted = Zones(zones.to_vec());
    fitted.fit(params, world);
    fitted.0
}

/// Whether a position is on a roost.
pub(crate) fn is_on_roost<const D: usize>(zones: &[Zone], position: Wide<f32, D>, metric: &Metric) -> bool {
    zones.iter().any(|zone| zone.kind == ZoneKind::Roost && zone.contains(position, metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["obstacle:10,20:5", "food:1.5,-2,3:0.25", "roost:0,0:1", "food:1,2:3:0.25"] {
            assert_eq!(text.parse::<Zone>().unwrap().to_string(), text);
        }
        for text in ["", "tree:1,2:3", "food:1:3", "food:1,2", "food:1,2:x", "food:1,2,3,4:5", "food:1,2:3:4:5"] {
            assert!(text.parse::<Zone>().unwrap_err().to_string().contains("invalid zone"), "{text}");
        }
    }

    #[test]
    fn takes_at_most_a_quarter_of_the_world() {
        for (world, max) in [("100x100", 28.2), ("100x100x100", 39.0), ("round:100", 62.9)] {
            let world: World = world.parse().unwrap();
            let check = |radius| Zone::new(ZoneKind::Food, world.center(), radius).check(&world);
            assert_eq!(check(max), Ok(()));
            assert!(check(max + 0.2).unwrap_err().to_string().contains("quarter"), "{world}");
        }
    }

    #[test]
    fn moved_inside_is_valid() {
        for world in ["100x80", "300x200x1000", "round:77"] {
            let world: World = world.parse().unwrap();
            for x in [-1e6_f32, -3.0, 0.0, 50.0, 79.9, 1e5] {
                let center = if world.dim() == 2 { [x, -x, 0.0] } else { [x, 0.3 * x, 7.0] };
                let zone = Zone::new(ZoneKind::Roost, center, 12.3).moved_inside(&world);
                assert_eq!(zone.check(&world), Ok(()), "{zone} in {world}");
            }
        }
    }
}
