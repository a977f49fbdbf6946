use super::response::respond;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::perceived::Sum;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;

/// The push away from neighbors; `sum` holds `Σ f(d)·r`, which points toward them.
#[inline(always)]
pub(crate) fn separate<F: Lanes, const D: usize>(velocity: Wide<F, D>, sum: &Sum<F, D>, params: &Params) -> Wide<F, D> {
    let push = Sum { total: -sum.total, count: sum.count };
    respond(params.separation.response, params.separation.weight, velocity, &push, params)
}
