//! Boids return to their cruise speed.

use crate::params::{Lanes, SPEED, Steered, Wide, number, rule};

rule! {
    /// Boids return to their cruise speed.
    cruise: Cruise, Alone, |rule, _| rule.weight > 0.0 => {
        weight: f32 = 0.0, "cruise.weight", number("/tick", 0.0, 1.0, 0.01), "How fast boids return to cruise.speed: the fraction of the difference per tick; 0 turns it off.", "pace drag propulsion" => IfOn as Weight;
        speed: f32 = 2.0, "cruise.speed", SPEED, "Speed to which boids return, if cruise.weight is above 0.", "pace preferred velocity";
    }
}

impl Cruise {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let (heading, nonzero) = boids.velocity.unit();
        let missing = F::splat(self.speed) - boids.velocity.length();
        (heading * (missing * F::splat(self.weight))).masked(nonzero)
    }
}
