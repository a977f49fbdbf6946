//! The flocking benchmark of *`ABMFrameworksComparison`* (`JuliaDynamics`), after its `Flocking.jl`: Datseris, Vahdati &
//! `DuBois` 2022, *Agents.jl*, Simulation 98, 1019. The benchmark updates birds one after another in random order; here
//! all read the same state.

use super::by_heading::{self, Boid};
use super::{Boids, Dimensions, Keys, ModelRow, Reach};
use crate::sim::math::Wide;
use crate::sim::params::{Model, MoveBy, Params};

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Abm,
    keys: Keys::Only(&[
        "vision.radius",
        "separation.radius",
        "separation.weight",
        "alignment.weight",
        "cohesion.weight",
    ]),
    groups: &["vision"],
    dimensions: Dimensions::Two,
    reach: |params| Reach::of(params.vision.radius),
    advance: [advance, advance],
    ..by_heading::BASE
};

fn advance(boids: Boids<'_, '_>) {
    by_heading::advance(boids, MoveBy::New, next_heading);
}

/// The direction of the heading plus the means, over all birds within `vision.radius`, of offsets, of offsets away from
/// those nearer than `separation.radius`, and of headings, each multiplied by its weight.
///
/// As in `Flocking.jl`, a distance is that to the nearest image, but an offset is the plain difference of positions, which
/// points the wrong way across the border.
fn next_heading(boid: &Boid<'_, 2>, params: &Params) -> Wide<f32, 2> {
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
