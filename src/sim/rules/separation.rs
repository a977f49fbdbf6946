use super::response::respond;
use crate::sim::params::Params;
use crate::sim::perception::Sum;
use crate::sim::vector::Vector;

/// The push away from neighbours; `sum` holds `Σ f(d)·r`, which points toward them.
pub(super) fn separate<V: Vector>(velocity: V, sum: &Sum<V>, params: &Params) -> V {
    let push = Sum { total: -sum.total, count: sum.count };
    respond(params.separation.response, params.separation.weight, velocity, &push, params)
}
