//! Boids move toward their neighbors.

use crate::params::{Domain, Lanes, RADIUS, RADIUS_OR_INF, Response, Steered, WEIGHT, Wide, rule};

rule! {
    /// Cohesion: boids move toward their neighbors.
    cohesion: Cohesion, Neighbors, |_, _| true, radius => {
        weight: f32 = 0.005, "cohesion.weight", WEIGHT, "How strongly boids move toward their neighbors.", "attract gather swarm clump" => Often as Weight;
        radius: f32 = 25.0, "cohesion.radius", RADIUS_OR_INF, "Distance within which boids move toward their neighbors." => Often;
        inner: f32 = 0.0, "cohesion.inner", RADIUS, "Distance below which neighbors no longer attract." => IfOn;
        response: Response = Response::Mean, "cohesion.response", Domain::Choice(Response::NAMES), "Whether many neighbors attract more strongly than one (sum) or no more strongly (mean, unit, steer).";
    }
}

impl Cohesion {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        self.response.steer(self.weight, &boids.perceived.cohesion.load(boids.slot), boids)
    }
}
