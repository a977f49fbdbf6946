//! Boids push each other apart.

use crate::params::{Domain, Falloff, Lanes, RADIUS, Response, Steered, Sum, WEIGHT, Wide, rule};

rule! {
    /// Separation: boids push each other apart.
    separation: Separation, Neighbors, |_, _| true, radius => {
        weight: f32 = 0.1, "separation.weight", WEIGHT, "How strongly close boids push each other apart.", "avoid crowding" => Often as Weight;
        radius: f32 = 12.0, "separation.radius", RADIUS, "Distance below which boids push each other apart.", "space crowding" => Often;
        falloff: Falloff = Falloff::Inverse, "separation.falloff", Domain::Choice(Falloff::NAMES), "How the push of separation weakens with distance.";
        response: Response = Response::Sum, "separation.response", Domain::Choice(Response::NAMES), "Whether many neighbors push harder than one (sum) or no harder (mean, unit, steer).";
    }
}

impl Separation {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let Sum { total, count } = boids.perceived.separation.load(boids.slot);
        self.response.steer(self.weight, &Sum { total: -total, count }, boids)
    }
}
