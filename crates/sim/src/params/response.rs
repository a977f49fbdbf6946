//! How a rule turns what a boid perceives into steering.

use super::choices;
use super::rule::{Steered, Sum};
use crate::math::Wide;
use crate::simd::Lanes;

choices! {
    /// How a push weakens with distance `d` inside a rule's radius `R`. The value multiplies the offset, of length `d`.
    pub enum Falloff {
        /// 1.
        Flat = "flat",
        /// `R − d`.
        Linear = "linear",
        /// `1/d`.
        Inverse = "inverse",
        /// `1/d²`.
        InverseSquare = "inverse-square",
        /// `1/d³`.
        InverseCube = "inverse-cube",
    }

    /// How separation and cohesion turn the sum over the neighbors into steering.
    pub enum Response {
        /// The weighted sum.
        Sum = "sum",
        /// The weighted mean over the neighbors.
        Mean = "mean",
        /// The weighted direction of the sum.
        Unit = "unit",
        /// Steering toward full speed in the direction of the sum, limited to `max_force` (Reynolds 1999).
        Steer = "steer",
    }
}

impl Falloff {
    /// The factor `f(d)` by which separation and flee multiply an offset, from its squared length `d2` in u².
    #[inline(always)]
    pub(crate) fn factor<F: Lanes>(self, d2: F, radius: F) -> F {
        let one = F::splat(1.0);
        match self {
            Self::Flat => one,
            Self::Linear => radius - d2.sqrt(),
            Self::Inverse => one / d2.sqrt(),
            Self::InverseSquare => one / d2,
            Self::InverseCube => one / (d2 * d2.sqrt()),
        }
    }
}

impl Response {
    /// The steering by a sum over neighbors; 0 without neighbors.
    #[inline(always)]
    pub(super) fn steer<F: Lanes, const D: usize>(
        self,
        weight: f32,
        sum: &Sum<F, D>,
        boids: &Steered<'_, F, D>,
    ) -> Wide<F, D> {
        let weight = F::splat(weight);
        let has_neighbors = F::splat(0.0).lt(sum.count);
        // A total over the whole flock, less the boids inside `cohesion.inner`, may not be exactly 0 without neighbors.
        let nonzero = F::and(has_neighbors, sum.total.nonzero());
        match self {
            Self::Sum => (sum.total * weight).masked(nonzero),
            Self::Mean => (sum.total * (weight / sum.count)).masked(nonzero),
            Self::Unit => (sum.total.unit().0 * weight).masked(has_neighbors),
            Self::Steer => {
                // Toward full speed, limited to `max_force` (Reynolds 1999, *Steering Behaviors For Autonomous Characters*).
                let (unit, nonzero) = sum.total.unit();
                let steering = boids.params.limited(unit * F::splat(boids.params.speed.max) - boids.velocity);
                (steering * weight).masked(F::and(has_neighbors, nonzero))
            }
        }
    }
}
