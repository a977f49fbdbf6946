//! Morph: a smooth transition to another setup.
//!
//! A morph to parameters `B` and a world of sizes `W′` takes `n` ticks. First everything is rescaled, so that nothing
//! jumps on the screen: with `s` the geometric mean of `W′/W` over the axes, positions, velocities, the old world and
//! all parameters `A` with a unit of length, speed or steering are multiplied by `s`. If the new world has zones, it has
//! its final size `W′` at once, since they need the space. Then the counts change.
//!
//! At the beginning of tick `k`, each finite number is `A + (B − A) · k/n`, so is each side of the world, and
//! positions move with the world: `x ← c′ + (x − c) · side′/side` on each axis, with `c` and `c′` the centers. All else
//! has the value of `B` from the start: words, switches, integers, numbers that are infinite at one end, and limits
//! that are off (0) at one end, and parameters that the model of `B` does not use. If the interpolated parameters are invalid, `B` applies. At `k = n` parameters and world
//! are exactly `B` and `W′`.
//!
//! A parameter that is set during a morph keeps its value.

use crate::models::{ModelRow, check_params};
use crate::params::{Domain, Param, Params, Role, Value};
use crate::world::World;

/// A transition of parameters and world over some ticks.
#[derive(Clone, Debug)]
pub(super) struct Morph {
    /// The rescaled ones and the final ones.
    params: [Params; 2],
    worlds: [World; 2],
    elapsed: u32,
    ticks: u32,
}

impl Morph {
    /// A morph that takes `ticks`, at least one, from the rescaled parameters and world to the final ones.
    pub(super) fn new(params: &[Params; 2], worlds: [World; 2], ticks: u32) -> Self {
        Self { params: *params, worlds, elapsed: 0, ticks: ticks.max(1) }
    }

    /// The final parameters and world.
    pub(super) fn end(&self) -> (&Params, World) {
        (&self.params[1], self.worlds[1])
    }

    /// The current parameters and world.
    pub(super) fn now(&self) -> (Params, World) {
        let ([from, to], [old, new]) = (&self.params, self.worlds);
        if self.is_over() {
            return (*to, new);
        }
        let progress = self.elapsed as f32 / self.ticks as f32;
        let (mut params, model, world) = (*to, ModelRow::of(to), old.lerp(&new, progress));
        for param in Param::table().iter().filter(|param| model.uses(param)) {
            param.assign(&mut params, interpolate(param, param.get(from), param.get(to), progress));
        }
        (if check_params(&params, &world).is_ok() { params } else { *to }, world)
    }

    /// The ticks so far, and those in total.
    pub(super) fn progress(&self) -> (u32, u32) {
        (self.elapsed, self.ticks)
    }

    pub(super) fn advance(&mut self) {
        self.elapsed += 1;
    }

    pub(super) fn is_over(&self) -> bool {
        self.elapsed >= self.ticks
    }

    /// Sets a parameter for the rest of the morph.
    pub(super) fn pin(&mut self, param: &Param, value: Value) {
        self.params.iter_mut().for_each(|params| param.assign(params, value));
    }

    /// Sets the world for the rest of the morph.
    pub(super) fn set_world(&mut self, world: World) {
        self.worlds = [world; 2];
    }
}

/// The value at `progress` (0 … 1) between two values.
fn interpolate(param: &Param, from: Value, to: Value, progress: f32) -> Value {
    match (param.domain, from, to) {
        (Domain::Number { integer: false, .. }, Value::Number(from), Value::Number(to))
            // A limit of 0 is off.
            if from.is_finite() && to.is_finite() && (param.role != Role::Limit || from != 0.0 && to != 0.0) =>
        {
            Value::Number((from + (to - from) * progress).clamp(from.min(to), from.max(to)))
        }
        _ => to,
    }
}

/// The parameters with all lengths, speeds and steering multiplied by `scale`.
pub(super) fn scaled(params: &Params, scale: f32) -> Params {
    let (mut scaled, model) = (*params, ModelRow::of(params));
    for param in Param::table().iter().filter(|param| model.uses(param)) {
        if let (Domain::Number { unit, min, max, .. }, Value::Number(number)) = (param.domain, param.get(params))
            && unit.starts_with('u')
            && number.is_finite()
        {
            param.assign(&mut scaled, Value::Number((number * scale).clamp(min, max)));
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
    fn interpolates_numbers_only() {
        let from = rules(|params| {
            (params.separation.weight, params.limits.max_force, params.limits.max_neighbors) = (1.0, 0.0, 2.0);
            (params.edge.mode, params.cohesion.radius) = (crate::Edge::Turn, f32::INFINITY);
        });
        let to = rules(|params| {
            (params.separation.weight, params.limits.max_force, params.limits.max_neighbors) = (3.0, 4.0, 8.0);
            params.separation.falloff = crate::Falloff::Flat;
        });
        let mut morph = Morph::new(&[from, to], [SQUARE, WIDE], 4);
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
    fn models_with_other_parameters_do_not_end_a_morph_at_once() {
        let far = rules(|params| (params.separation.radius, params.speed.max) = (90.0, 30.0));
        let vicsek = rules(|params| params.model.name = crate::Model::Vicsek);
        for (from, to) in [(Params::default(), far), (vicsek, far), (far, vicsek)] {
            let mut morph = Morph::new(&[scaled(&from, 2.0), to], [WIDE, SQUARE], 4);
            morph.advance();
            assert_ne!(morph.now().0.speed.max, to.speed.max, "a jump to the end");
        }
    }

    #[test]
    fn pinned_values_stay() {
        let (from, to) = (rules(|_| ()), rules(|params| params.speed.max = 9.0));
        let mut morph = Morph::new(&[from, to], [SQUARE; 2], 10);
        morph.pin(Param::find("speed.max").unwrap(), Value::Number(5.0));
        morph.advance();
        assert_eq!((morph.now().0.speed.max, morph.end().0.speed.max), (5.0, 5.0));
    }

    #[test]
    fn scales_lengths_but_not_weights() {
        let (plain, large) = (Params::default(), scaled(&Params::default(), WIDE.scale_from(&SQUARE)));
        assert_eq!(large.separation.radius, 2.0 * plain.separation.radius);
        assert_eq!(large.speed.max, 2.0 * plain.speed.max);
        assert_eq!((large.flee.weight, large.noise.angle), (plain.flee.weight, plain.noise.angle));
    }
}
