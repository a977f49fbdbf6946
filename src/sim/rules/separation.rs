use super::response::respond;
use crate::sim::params::Params;
use crate::sim::perception::Sum;
use crate::sim::simd::Lanes;
use crate::sim::wide::Wide;

/// The push away from neighbours; `sum` holds `Σ f(d)·r`, which points toward them.
#[inline(always)]
pub(super) fn separate<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let push = Sum { total: -sum.total, count: sum.count };
    respond(params.separation.response, params.separation.weight, velocity, &push, params)
}
