use crate::sim::math::wide::Wide;
use crate::sim::params::Params;

/// The turn toward the prey, where there is any in sight; `target` is the offset to it, and `apart` the one
/// that other predators push to.
pub(crate) fn hunt<const D: usize>(
    target: Option<Wide<f32, D>>,
    apart: Option<Wide<f32, D>>,
    params: &Params,
) -> Wide<f32, D> {
    let mut force = target.map_or_else(Wide::zero, |offset| offset * params.hunt.weight);
    if let Some(offset) = apart {
        force += offset * params.hunt.weight;
    }
    force
}
