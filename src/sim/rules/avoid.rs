use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The push away from other species; `other_species` holds `Σ (1/d − 1/R)·r` over them, which points toward them.
///
/// Each pushes with a strength of 1 from close by, falling to 0 at cohesion's radius; their mean is taken, so that a
/// crowd of other_species is no wall.
#[inline(always)]
pub(crate) fn avoid<F: Lanes, const D: usize>(other_species: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let met = F::splat(0.0).lt(other_species.count);
    (-other_species.total * (F::splat(params.species.avoid) / other_species.count)).masked(met)
}
