//! The flocking benchmark of *`ABMFrameworksComparison`* (`JuliaDynamics`), after its `Flocking.jl`: Datseris, Vahdati &
//! `DuBois` 2022, *Agents.jl*, Simulation 98, 1019. The benchmark updates birds one after another in random order; here
//! all read the same state.

use super::Boid;
use crate::sim::math::wide::Wide;
use crate::sim::params::Params;

/// The direction of the heading plus the means, over all birds within `vision.radius`, of offsets, of offsets away from
/// those nearer than `separation.radius`, and of headings, each multiplied by its weight.
///
/// As in `Flocking.jl`, a distance is that to the nearest image, but an offset is the plain difference of positions, which
/// points the wrong way across the border.
pub(super) fn next_heading<const D: usize>(boid: &Boid<'_, D>, params: &Params) -> Wide<f32, D> {
    let (mut cohere, mut separate, mut matched, mut count) = (Wide::zero(), Wide::zero(), Wide::zero(), 0.0_f32);
    let separation2 = params.separation.radius * params.separation.radius;
    boid.neighbors(params.vision.radius, |other| {
        let offset = other.position - boid.position;
        cohere += offset;
        matched += other.heading;
        if other.d2 < separation2 {
            separate += -offset;
        }
        count += 1.0;
    });
    let mean = 1.0 / count.max(1.0);
    let change = cohere * (params.cohesion.weight * mean)
        + separate * (params.separation.weight * mean)
        + matched * (params.alignment.weight * mean);
    boid.direction(boid.heading + change)
}
