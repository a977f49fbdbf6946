//! A flock that goes over into another preset: rules and world on their way.
//!
//! # The model
//!
//! A morph into rules `B` and a world of sizes `W′` takes `n` ticks. At once, before the first of them, the
//! whole picture is measured anew, so that nothing is seen to jump: with `s` the geometric mean of `W′/W` over
//! the axes, positions, velocities, the old world, and every number of the old rules `A` whose unit is a length,
//! a speed or a steering are multiplied by `s`. Where anything stands in the new world, that has its sizes `W′`
//! from then on, as it must have room. Then the counts change.
//!
//! At the beginning of the `k`-th tick each finite number of the rules is `A + (B − A) · k/n`, each side of the
//! world likewise, and positions move with the world: `x ← c′ + (x − c) · side′/side` on each axis, with `c` and
//! `c′` its middle. What has nothing interpolate its ends has the value of `B` from the start: words, switches,
//! whole numbers, what is infinite at one end, and a limit that is off (0) at one end. Where rules on their way
//! would contradict each other, `B` holds. At `k = n` rules and world are `B` and `W′` to the bit.
//!
//! A tunable that is set on the way has that value from then on.

use crate::sim::params::Params;
use crate::sim::params::table::{Domain, Param, Value};
use crate::sim::world::World;

/// Rules and a world that become others over some ticks.
#[derive(Clone, Debug)]
pub(crate) struct Morph {
    from: (Params, World),
    to: (Params, World),
    elapsed: u32,
    ticks: u32,
}

impl Morph {
    /// A morph that takes so many ticks, at least one, from what has been measured anew.
    pub(crate) fn new(from: (Params, World), to: (Params, World), ticks: u32) -> Self {
        Self { from, to, elapsed: 0, ticks: ticks.max(1) }
    }

    /// The rules and the world in the end.
    pub(crate) fn end(&self) -> (&Params, World) {
        (&self.to.0, self.to.1)
    }

    /// The rules and the world of now.
    pub(crate) fn now(&self) -> (Params, World) {
        if self.is_over() {
            return self.to;
        }
        let share = self.elapsed as f32 / self.ticks as f32;
        let world = self.from.1.toward(&self.to.1, share);
        let mut params = self.to.0;
        for row in Param::table() {
            row.put(&mut params, interpolate(row, row.get(&self.from.0), row.get(&self.to.0), share));
        }
        if params.check(&world).is_ok() { (params, world) } else { (self.to.0, world) }
    }

    /// Goes a tick further.
    pub(crate) fn advance(&mut self) {
        self.elapsed += 1;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.elapsed >= self.ticks
    }

    /// Gives a tunable a value that it keeps.
    pub(crate) fn pin(&mut self, row: &Param, value: Value) {
        row.put(&mut self.from.0, value);
        row.put(&mut self.to.0, value);
    }

    /// Has this world from now on.
    pub(crate) fn set_world(&mut self, world: World) {
        (self.from.1, self.to.1) = (world, world);
    }
}

/// The value a share of the way from one to another.
fn interpolate(row: &Param, from: Value, to: Value, share: f32) -> Value {
    match (row.domain, from, to) {
        (Domain::Number { whole: false, .. }, Value::Number(from), Value::Number(to))
            if is_interpolated(row, from, to) =>
        {
            Value::Number((from + (to - from) * share).clamp(from.min(to), from.max(to)))
        }
        _ => to,
    }
}

/// Whether there is anything interpolate two numbers of a row.
fn is_interpolated(row: &Param, from: f32, to: f32) -> bool {
    let off = row.group == "limits" && (from == 0.0 || to == 0.0);
    from.is_finite() && to.is_finite() && !off
}

/// The same rules in a world `scale` times as large: lengths, speeds and steering grow with it.
pub(crate) fn scaled(params: &Params, scale: f32) -> Params {
    let mut scaled = *params;
    for row in Param::table() {
        if let (Domain::Number { unit, least, most, .. }, Value::Number(number)) = (row.domain, row.get(params))
            && unit.starts_with('u')
            && number.is_finite()
        {
            row.put(&mut scaled, Value::Number((number * scale).clamp(least, most)));
        }
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: World = World::Rect([100.0, 100.0]);
    const WIDE: World = World::Rect([400.0, 100.0]);

    fn rules(change: impl Fn(&mut Params)) -> Params {
        let mut params = Params::default();
        change(&mut params);
        params
    }

    #[test]
    fn numbers_glide_and_what_has_nothing_between_its_ends_does_not() {
        let from = rules(|params| {
            (params.separation.weight, params.limits.max_force, params.limits.max_neighbors) = (1.0, 0.0, 2.0);
            (params.edge.mode, params.cohesion.radius) = (crate::sim::Edge::Turn, f32::INFINITY);
        });
        let to = rules(|params| {
            (params.separation.weight, params.limits.max_force, params.limits.max_neighbors) = (3.0, 4.0, 8.0);
            params.separation.falloff = crate::sim::Falloff::Flat;
        });
        let mut morph = Morph::new((from, SQUARE), (to, WIDE), 4);
        morph.advance();
        let (half, world) = morph.now();
        assert_eq!((half.separation.weight, world), (1.5, World::Rect([175.0, 100.0])));
        assert_eq!((half.limits.max_force, half.limits.max_neighbors), (4.0, 8.0));
        assert_eq!((half.separation.falloff, half.edge.mode), (to.separation.falloff, to.edge.mode));
        assert_eq!(half.cohesion.radius, to.cohesion.radius);
        (0..3).for_each(|_| morph.advance());
        assert!(morph.is_over() && morph.now() == (to, WIDE));
    }

    #[test]
    fn what_is_set_on_the_way_stays() {
        let (from, to) = (rules(|_| ()), rules(|params| params.speed.max = 9.0));
        let mut morph = Morph::new((from, SQUARE), (to, SQUARE), 10);
        morph.pin(Param::find("speed.max").unwrap(), Value::Number(5.0));
        morph.advance();
        assert_eq!((morph.now().0.speed.max, morph.end().0.speed.max), (5.0, 5.0));
    }

    #[test]
    fn a_larger_world_has_longer_radii_and_the_same_weights() {
        let (plain, large) = (Params::default(), scaled(&Params::default(), WIDE.scale_from(&SQUARE)));
        assert_eq!(large.separation.radius, 2.0 * plain.separation.radius);
        assert_eq!(large.speed.max, 2.0 * plain.speed.max);
        assert_eq!((large.flee.weight, large.noise.angle), (plain.flee.weight, plain.noise.angle));
    }
}
