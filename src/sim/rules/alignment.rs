use super::response::steer_toward;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{AlignmentResponse, Params};

/// What alignment contributes: to the force, or past its limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aligned<F, const D: usize> {
    pub force: Wide<F, D>,
    pub replacement: Wide<F, D>,
}

/// Flying as the neighbors do; `sum` holds `Σ v` over them.
#[inline(always)]
pub(crate) fn align<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Aligned<F, D> {
    let weight = F::splat(params.alignment.weight);
    let accompanied = F::splat(0.0).lt(sum.count);
    let force = match params.alignment.response {
        AlignmentResponse::Sum => (sum.total * weight).masked(accompanied),
        AlignmentResponse::Mean => (sum.total * (weight / sum.count)).masked(accompanied),
        AlignmentResponse::Difference => {
            ((sum.total * (F::splat(1.0) / sum.count) - velocity) * weight).masked(accompanied)
        }
        AlignmentResponse::Unit => (sum.total.unit().0 * weight).masked(accompanied),
        AlignmentResponse::Steer => {
            let (unit, some) = sum.total.unit();
            (steer_toward(unit, velocity, params) * weight).masked(F::and(some, accompanied))
        }
        AlignmentResponse::Replace => {
            let (unit, some) = (velocity + sum.total).unit();
            let replacement = (unit * velocity.length() - velocity) * weight;
            return Aligned { force: Wide::zero(), replacement: replacement.masked(F::and(some, accompanied)) };
        }
    };
    Aligned { force, replacement: Wide::zero() }
}
