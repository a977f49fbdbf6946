//! Boids match the velocity of their neighbors.

use crate::params::{AlignmentResponse, Domain, Lanes, RADIUS_OR_INF, Response, Steered, Sum, WEIGHT, Wide, rule};

rule! {
    /// Alignment: boids match the velocity of their neighbors.
    alignment: Alignment, Neighbors, |_, _| true, radius => {
        weight: f32 = 0.05, "alignment.weight", WEIGHT, "How strongly boids turn to fly as their neighbors do.", "direction heading" => Often as Weight;
        radius: f32 = 25.0, "alignment.radius", RADIUS_OR_INF, "Distance within which boids align with their neighbors." => Often;
        response: AlignmentResponse = AlignmentResponse::Difference, "alignment.response", Domain::Choice(AlignmentResponse::NAMES), "How boids take on the velocity of their neighbors: at once (replace), or by steering (all others).";
    }
}

impl Alignment {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let sum: Sum<F, D> = boids.perceived.alignment.load(boids.slot);
        let response = match self.response {
            AlignmentResponse::Sum => Response::Sum,
            AlignmentResponse::Mean => Response::Mean,
            AlignmentResponse::Unit => Response::Unit,
            AlignmentResponse::Steer => Response::Steer,
            AlignmentResponse::Difference => {
                let difference = sum.total * (F::splat(1.0) / sum.count) - boids.velocity;
                return (difference * F::splat(self.weight)).masked(F::splat(0.0).lt(sum.count));
            }
            AlignmentResponse::Replace => return Wide::zero(),
        };
        response.steer(self.weight, &sum, boids)
    }

    /// The change of velocity if the heading is replaced, which `max_force` does not limit.
    #[inline(always)]
    pub(crate) fn replacement<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        if self.response != AlignmentResponse::Replace {
            return Wide::zero();
        }
        let (velocity, sum) = (boids.velocity, boids.perceived.alignment.load(boids.slot));
        let (unit, nonzero) = (velocity + sum.total).unit();
        let replacement = (unit * velocity.length() - velocity) * F::splat(self.weight);
        replacement.masked(F::and(nonzero, F::splat(0.0).lt(sum.count)))
    }
}
