use super::response::respond;
use crate::sim::params::Params;
use crate::sim::perception::Sum;
use crate::sim::simd::Lanes;
use crate::sim::wide::Wide;

/// The pull toward neighbours; `sum` holds `Σ r`.
#[inline(always)]
pub(super) fn cohere<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    respond(params.cohesion.response, params.cohesion.weight, velocity, sum, params)
}
