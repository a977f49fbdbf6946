use super::response::reynolds;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Match, Params};

/// What alignment contributes: to the force, or past its limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aligned<F, const D: usize> {
    pub force: Wide<F, D>,
    pub replacement: Wide<F, D>,
}

/// Flying as the neighbours do; `sum` holds `Σ v` over them.
#[inline(always)]
pub(crate) fn align<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Aligned<F, D> {
    let weight = F::splat(params.alignment.weight);
    let accompanied = F::splat(0.0).lt(sum.count);
    let force = match params.alignment.matching {
        Match::Sum => (sum.total * weight).only(accompanied),
        Match::Mean => (sum.total * (weight / sum.count)).only(accompanied),
        Match::Difference => ((sum.total * (F::splat(1.0) / sum.count) - velocity) * weight).only(accompanied),
        Match::Unit => (sum.total.unit().0 * weight).only(accompanied),
        Match::Steer => {
            let (unit, some) = sum.total.unit();
            (reynolds(unit, velocity, params) * weight).only(F::both(some, accompanied))
        }
        Match::Replace => {
            let (unit, some) = (velocity + sum.total).unit();
            let replacement = (unit * velocity.length() - velocity) * weight;
            return Aligned { force: Wide::zero(), replacement: replacement.only(F::both(some, accompanied)) };
        }
    };
    Aligned { force, replacement: Wide::zero() }
}
