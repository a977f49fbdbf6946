use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The flight from predators; `fear` is `Σ f(d)·r`, which points toward them.
#[inline(always)]
pub(crate) fn flee<F: Lanes, const D: usize>(fear: Wide<F, D>, params: &Params) -> Wide<F, D> {
    -fear * F::splat(params.flee.weight)
}
