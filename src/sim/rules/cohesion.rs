use super::response::respond;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The pull toward neighbors; `sum` holds `Σ r`.
#[inline(always)]
pub(crate) fn cohere<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    respond(params.cohesion.response, params.cohesion.weight, velocity, sum, params)
}
