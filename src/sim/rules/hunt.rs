use crate::sim::params::Params;
use crate::sim::wide::Wide;

/// The turn toward the prey, where there is any in sight; `target` is the offset to it.
pub(super) fn hunt<const D: usize>(target: Option<Wide<f32, D>>, params: &Params) -> Wide<f32, D> {
    target.map_or_else(Wide::zero, |offset| offset * params.hunt.weight)
}
