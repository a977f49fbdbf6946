use crate::sim::params::Params;
use crate::sim::vector::Vector;

/// The turn toward the prey, where there is any in sight; `target` is the offset to it.
pub(super) fn hunt<V: Vector>(target: Option<V>, params: &Params) -> V {
    target.map_or_else(V::default, |offset| offset * params.hunt.weight)
}
