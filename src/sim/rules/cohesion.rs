use super::response::respond;
use crate::sim::params::Params;
use crate::sim::perception::Sum;
use crate::sim::vector::Vector;

/// The pull toward neighbours; `sum` holds `Σ r`.
pub(super) fn cohere<V: Vector>(velocity: V, sum: &Sum<V>, params: &Params) -> V {
    respond(params.cohesion.response, params.cohesion.weight, velocity, sum, params)
}
