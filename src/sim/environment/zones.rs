//! The spots of a world: who may stand where, and what becomes of them.

use super::zone::{MAX_SPOTS, Spot, Use, clear};
use crate::sim::math::metric::Metric;
use crate::sim::math::vector::Vector;
use crate::sim::{Error, Params, World};

/// What stands in the world, in the order in which it was put there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    spots: Vec<Spot>,
}

impl Grounds {
    /// Puts all of `spots` there, one after the other.
    pub fn new(spots: &[Spot], params: &Params, world: &World) -> Result<Self, Error> {
        let mut grounds = Self::default();
        spots.iter().try_for_each(|spot| grounds.place(*spot, params, world))?;
        Ok(grounds)
    }

    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    pub fn has(&self, r#use: Use) -> bool {
        self.spots.iter().any(|spot| spot.r#use == r#use)
    }

    /// Puts one more there.
    pub fn place(&mut self, spot: Spot, params: &Params, world: &World) -> Result<(), Error> {
        if self.spots.len() == MAX_SPOTS
            && let Some(nothing) = self.spots.iter().position(Spot::is_eaten_up)
        {
            // Nobody sees what makes room.
            self.spots.remove(nothing);
        }
        if self.spots.len() == MAX_SPOTS {
            return Err(Error::Spot(format!("there are {MAX_SPOTS} spots, and a world has no more")));
        }
        spot.check(world)?;
        self.check_gaps(&spot, None, params, world)?;
        self.spots.push(spot);
        Ok(())
    }

    /// Moves one.
    pub fn shift(&mut self, number: usize, center: [f32; 3], params: &Params, world: &World) -> Result<(), Error> {
        let spot = Spot { center, ..*self.get(number)? };
        spot.check(world)?;
        self.check_gaps(&spot, Some(number), params, world)?;
        self.spots[number] = spot;
        Ok(())
    }

    /// Takes one away.
    pub fn remove(&mut self, number: usize) -> Result<(), Error> {
        self.get(number)?;
        self.spots.remove(number);
        Ok(())
    }

    /// Checks that all have room by these rules.
    pub fn check(&self, params: &Params, world: &World) -> Result<(), Error> {
        self.spots.iter().enumerate().try_for_each(|(number, spot)| self.check_gaps(spot, Some(number), params, world))
    }

    fn get(&self, number: usize) -> Result<&Spot, Error> {
        let count = self.spots.len();
        self.spots.get(number).ok_or_else(|| Error::Spot(format!("there is no spot {number}: there are {count}")))
    }

    /// Checks that an obstacle leaves two body lengths between itself and each other one, but for the
    /// one that it was.
    fn check_gaps(&self, spot: &Spot, but: Option<usize>, params: &Params, world: &World) -> Result<(), Error> {
        let is_obstacle = |spot: &Spot| spot.r#use == Use::Obstacle;
        if !is_obstacle(spot) {
            return Ok(());
        }
        // Whoever is put on the rim of one must not be inside another.
        let least = (2.0 * params.obstacle.body).max(4.0 * clear(world));
        let metric = Metric::new(params, world);
        for (number, other) in self.spots.iter().enumerate().filter(|(_, other)| is_obstacle(other)) {
            let [x, y, z] = [0, 1, 2].map(|axis| metric.shorter(axis, other.center[axis] - spot.center[axis]));
            let gap = (x * x + y * y + z * z).sqrt() - spot.radius - other.radius;
            if Some(number) != but && gap < least {
                return Err(Error::Spot(format!(
                    "`{spot}` would leave {:.1} u beside `{other}`: boids need two body lengths, {least} u, to pass",
                    gap.max(0.0)
                )));
            }
        }
        Ok(())
    }

    /// Brings all inside a world that has changed; in their order, those that no longer fit are dropped.
    pub fn fit(&mut self, params: &Params, world: &World) {
        let mut kept = Self::default();
        for spot in &self.spots {
            let there = if spot.check(world).is_ok() { *spot } else { spot.brought_in(world) };
            // A refused one is the one that is dropped.
            let _ = kept.place(there, params, world);
        }
        *self = kept;
    }

    /// Makes all as it was put there.
    pub fn refill(&mut self) {
        self.spots.iter_mut().for_each(|spot| *spot = spot.as_put());
    }

    /// Food is eaten, each by as many as `eaters(spot)` says, and grows again; what is eaten up and does
    /// not grow again is there again only when the flock begins anew.
    pub fn eat(&mut self, params: &Params, eaters: impl Fn(&Spot) -> u32) {
        let (appetite, regrow) = (params.food.appetite, params.food.regrow);
        let may_change = |spot: &&mut Spot| spot.r#use == Use::Food && (!spot.is_eaten_up() || regrow > 0.0);
        for spot in self.spots.iter_mut().filter(may_change) {
            spot.left = (spot.left - appetite * eaters(spot) as f32 + regrow).clamp(0.0, 1.0);
        }
    }
}

/// Those of `spots` that can stand in a world, brought in where they are not wholly inside; in their
/// order, those that do not fit are left out.
#[must_use]
pub fn fit_spots(spots: &[Spot], params: &Params, world: &World) -> Vec<Spot> {
    let mut grounds = Grounds { spots: spots.to_vec() };
    grounds.fit(params, world);
    grounds.spots
}

/// Whether a place lies on a roost.
pub(crate) fn is_on_roost<V: Vector>(spots: &[Spot], at: V, metric: &Metric) -> bool {
    spots.iter().any(|spot| spot.r#use == Use::Roost && covers(spot, at, metric))
}

/// Whether a place lies in a spot.
pub(crate) fn covers<V: Vector>(spot: &Spot, at: V, metric: &Metric) -> bool {
    metric.offset(at, V::from_axes(spot.center)).length_squared() < spot.radius * spot.radius
}
