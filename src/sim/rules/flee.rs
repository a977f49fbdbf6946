use crate::sim::params::Params;
use crate::sim::vector::Vector;

/// The flight from predators; `fear` is `Σ f(d)·r`, which points toward them.
pub(super) fn flee<V: Vector>(fear: V, params: &Params) -> V {
    -fear * params.flee.weight
}
