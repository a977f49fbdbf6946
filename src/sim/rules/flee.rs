use crate::sim::params::Params;
use crate::sim::simd::Lanes;
use crate::sim::wide::Wide;

/// The flight from predators; `fear` is `Σ f(d)·r`, which points toward them.
#[inline(always)]
pub(super) fn flee<F: Lanes, const D: usize>(fear: Wide<F, D>, params: &Params) -> Wide<F, D> {
    -fear * F::splat(params.flee.weight)
}
