//! A flight off the screen, with fewer boids at the density of the flock.

use super::picture::is_visible;
use crate::sim::{Analyzer, Flock, Measure, ModelRow, Param, Scratch, Setup, Value, World, Zone, fit_zones};

/// The ticks from one measurement to the next.
const EVERY: u64 = 10;
/// Slower boids, as a fraction of their largest speed, do not move.
const SLOWEST: f32 = 0.03;
/// A flight off the screen.
#[derive(Clone, Copy)]
pub(super) struct Flight {
    /// The largest number of boids.
    pub boids: usize,
    /// The ticks before the first measurement, which show the start more than the rules.
    pub settle: u64,
    /// All ticks.
    pub ticks: u64,
}

impl Flight {
    /// Flies a flock and measures every tenth tick. Returns whether it is alive in the end: its boids move and are visible.
    pub(super) fn fly(&self, setup: &Setup, mut measure: impl FnMut(&Flock)) -> bool {
        let Ok(mut flock) = Flock::new(setup) else { return false };
        let mut scratch = Scratch::new();
        for tick in 1..=self.ticks {
            flock.step(&mut scratch);
            if tick > self.settle && tick.is_multiple_of(EVERY) {
                measure(&flock);
            }
        }
        let mean_speed = Analyzer::new().value(&flock, usize::MAX, &Measure::MEAN_SPEED) as f32;
        let moves = mean_speed > SLOWEST * setup.params.speed.max;
        moves && is_visible(&flock)
    }
}

/// The flock with at most so many boids at the same density: the world, its border and its zones shrink with the flock.
pub fn reduced(setup: &Setup, boids: usize) -> Setup {
    let share = boids as f64 / setup.boids.max(1) as f64;
    if share >= 1.0 {
        return setup.clone();
    }
    let scale = libm::pow(share, 1.0 / setup.world.dim() as f64) as f32;
    let side = |side: f32| (side * scale).max(1.0);
    let world = match setup.world {
        World::Rect(sides) => World::Rect(sides.map(side)),
        World::Cuboid(sides) => World::Cuboid(sides.map(side)),
        World::Sphere(radius) => World::Sphere(side(radius)),
    };
    let mut params = setup.params;
    // Boids turn back within the margin if the push grows as the margin shrinks.
    for (key, factor) in [("edge.margin", scale), ("edge.strength", 1.0 / scale), ("stardisplay.roost", scale)] {
        if let Some(param) = Param::find(key).filter(|param| ModelRow::of(&params).uses(param))
            && let Value::Number(number) = param.get(&params)
        {
            // A strength beyond its range stays.
            let _ = params.set(key, Value::Number(number * factor));
        }
    }
    let scaled =
        |zone: &Zone| Zone { center: zone.center.map(|axis| axis * scale), radius: zone.radius * scale, ..*zone };
    let zones: Vec<Zone> = setup.zones.iter().map(scaled).collect();
    let predators = (setup.predators as f64 * share).ceil() as usize;
    Setup { params, world, boids, predators, zones: fit_zones(&zones, &params, &world), ..setup.clone() }
}

/// The side of the square or cube per boid, in u.
pub(super) fn spacing(setup: &Setup) -> f64 {
    libm::pow(setup.world.volume() / setup.boids.max(1) as f64, 1.0 / setup.world.dim() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;

    #[test]
    fn a_reduced_flock_has_the_density_of_the_flock_and_flies() {
        for preset in Preset::builtin() {
            let setup = preset.setup(7, 1.6);
            let small = reduced(&setup, 150);
            let density = |setup: &Setup| setup.boids as f64 / setup.world.volume();
            assert!((density(&small) / density(&setup) - 1.0).abs() < 1e-4, "{}", preset.name);
            assert!(small.boids <= 150 && small.predators <= setup.predators);
            assert_eq!(small.predators > 0, setup.predators > 0);
            Flock::new(&small).unwrap();
        }
    }
}
