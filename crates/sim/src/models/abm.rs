//! The flocking benchmark of *`ABMFrameworksComparison`* (`JuliaDynamics`), after its `Flocking.jl` since 2023-09-21:
//! Datseris, Vahdati & `DuBois` 2022, *Agents.jl*, Simulation 98, 1019. The benchmark updates birds one after another in
//! random order; here all read the same state.

use super::by_heading::{self, Neighbor, Particles, Rule};
use super::{Boids, ModelRow, Reach};
use crate::math::Wide;
use crate::params::{Model, MoveBy};
use crate::simd::Lanes;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Abm,
    version: 2,
    keys: Some(&["separation.radius", "separation.weight", "alignment.weight", "cohesion.weight"]),
    groups: &["vision"],
    dimensions: Some(2),
    reach: |params| Reach::of(params.vision.radius),
    advance: [advance, advance],
    ..ModelRow::BASE
};

fn advance(boids: Boids<'_, '_>) {
    let params = boids.environment.params;
    let rule = WeightedMeans {
        separation2: params.separation.radius * params.separation.radius,
        cohesion: params.cohesion.weight,
        separation: params.separation.weight,
        alignment: params.alignment.weight,
    };
    by_heading::advance::<2>(boids, MoveBy::New, rule);
}

/// The direction of the heading plus the means, over all birds within `vision.radius`, of offsets, of offsets away from
/// those nearer than `separation.radius`, and of headings, each multiplied by its weight.
#[derive(Clone, Copy)]
struct WeightedMeans {
    /// The squared radius of separation, in u².
    separation2: f32,
    cohesion: f32,
    separation: f32,
    alignment: f32,
}

struct Sums<F> {
    offsets: Wide<F, 2>,
    /// Away from those too near.
    away: Wide<F, 2>,
    headings: Wide<F, 2>,
    count: F,
}

impl Rule<2> for WeightedMeans {
    type Sums<F: Lanes> = Sums<F>;

    #[inline(always)]
    fn start<F: Lanes>(&self, _: &Particles<'_, F, 2>) -> Sums<F> {
        let zero = Wide::zero();
        Sums { offsets: zero, away: zero, headings: zero, count: F::splat(0.0) }
    }

    #[inline(always)]
    fn add<F: Lanes>(&self, sums: &mut Sums<F>, other: &Neighbor<'_, F, 2>) {
        sums.offsets = sums.offsets.add_where(other.is_near, other.offset);
        sums.headings = sums.headings.add_where(other.is_near, other.heading);
        let is_too_near = F::and(other.is_near, other.d2.lt(F::splat(self.separation2)));
        sums.away = sums.away.add_where(is_too_near, -other.offset);
        sums.count = sums.count.add_where(other.is_near, F::splat(1.0));
    }

    #[inline(always)]
    fn heading<F: Lanes>(&self, sums: Sums<F>, boids: &Particles<'_, F, 2>) -> Wide<F, 2> {
        let mean = F::splat(1.0) / sums.count.max(F::splat(1.0));
        let change = sums.offsets * (F::splat(self.cohesion) * mean)
            + sums.away * (F::splat(self.separation) * mean)
            + sums.headings * (F::splat(self.alignment) * mean);
        boids.direction(boids.heading + change)
    }
}
