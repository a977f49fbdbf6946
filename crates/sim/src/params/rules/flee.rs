//! Flight from predators.

use crate::params::{Domain, Falloff, Lanes, RADIUS, Steered, WEIGHT, Wide, rule};

rule! {
    /// Boids flee predators.
    flee: Flee, Predators, |_, perceived| perceived.has_predators => {
        => |_, predators| predators > 0;
        weight: f32 = 0.5, "flee.weight", WEIGHT, "How strongly boids flee predators.", "fear scare escape" as Weight;
        radius: f32 = 40.0, "flee.radius", RADIUS, "Distance at which boids flee predators.";
        falloff: Falloff = Falloff::Inverse, "flee.falloff", Domain::Choice(Falloff::NAMES), "How the flight from predators weakens with distance.";
    }
}

impl Flee {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        -boids.perceived.fear.load(boids.slot).total * F::splat(self.weight)
    }
}
