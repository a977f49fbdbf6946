use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The push away from other species; `strangers` holds `Σ (1/d − 1/R)·r` over them, which points toward them.
///
/// Each pushes with a strength of 1 from close by, falling to 0 at cohesion's radius; their mean is taken, so that a
/// crowd of strangers is no wall.
#[inline(always)]
pub(crate) fn avoid<F: Lanes, const D: usize>(strangers: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let met = F::splat(0.0).lt(strangers.count);
    (-strangers.total * (F::splat(params.species.avoid) / strangers.count)).only(met)
}
