//! Vicsek, Czirók, Ben-Jacob, Cohen & Shochet 1995, *Novel type of phase transition in a system of self-driven
//! particles*, Phys. Rev. Lett. 75, 1226; vectorial noise of Grégoire & Chaté 2004, *Onset of collective and cohesive
//! motion*, Phys. Rev. Lett. 92, 025702; noise in 3-D of Chaté, Ginelli, Grégoire & Raynaud 2008, *Collective motion of
//! self-propelled particles interacting without cohesion*, Phys. Rev. E 77, 046113.

use std::f32::consts::TAU;

use rand::RngExt;

use super::by_heading::{self, Neighbor, Particles, Rule};
use super::{Boids, ModelRow, Reach};
use crate::error::Conflict;
use crate::math::{Wide, cosines_and_sines, directions, turned};
use crate::params::{Model, Params};
use crate::simd::Lanes;
use crate::world::World;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Vicsek,
    version: 2,
    keys: Some(&["alignment.radius", "noise.angle"]),
    groups: &["vicsek"],
    reach: |params| Reach::of(params.alignment.radius),
    conflict,
    advance: [advance::<2>, advance::<3>],
    ..ModelRow::BASE
};

fn conflict(params: &Params, _: &World) -> Option<Conflict> {
    params.alignment.radius.is_infinite().then(|| {
        let what = "alignment.radius = inf is not possible in the model vicsek".to_owned();
        Conflict::new(&["alignment.radius", "model"], what).with_advice("use a finite radius".to_owned())
    })
}

fn advance<const D: usize>(boids: Boids<'_, '_>) {
    let params = boids.environment.params;
    let rule = MeanHeading { noise: params.noise.angle.to_radians(), vectorial: params.vicsek.vectorial };
    by_heading::advance::<D>(boids, params.vicsek.r#move, rule);
}

/// The mean heading within `alignment.radius`, the boid's own included, turned by a uniform angle in ±`noise.angle`/2; in 3-D to a
/// uniform point of the spherical cap with the polar angle `noise.angle`/2.
///
/// Vectorial noise adds a random unit vector for each heading, multiplied by `vicsek.vectorial`, before the direction is taken.
#[derive(Clone, Copy)]
struct MeanHeading {
    noise: f32,
    vectorial: f32,
}

struct Sums<F, const D: usize> {
    headings: Wide<F, D>,
    count: F,
}

impl<const D: usize> Rule<D> for MeanHeading {
    type Sums<F: Lanes> = Sums<F, D>;

    #[inline(always)]
    fn start<F: Lanes>(&self, boids: &Particles<'_, F, D>) -> Sums<F, D> {
        Sums { headings: boids.heading, count: F::splat(1.0) }
    }

    #[inline(always)]
    fn add<F: Lanes>(&self, sums: &mut Sums<F, D>, other: &Neighbor<'_, F, D>) {
        sums.headings = sums.headings.add_where(other.is_near, other.heading);
        sums.count = sums.count.add_where(other.is_near, F::splat(1.0));
    }

    #[inline(always)]
    fn heading<F: Lanes>(&self, sums: Sums<F, D>, boids: &Particles<'_, F, D>) -> Wide<F, D> {
        let Self { noise, vectorial, .. } = *self;
        if noise == 0.0 && vectorial == 0.0 {
            return boids.direction(sums.headings);
        }
        let [uniform, u, w, around] = boids.draw(|rng| {
            let uniform = rng.random();
            let [u, w] = if vectorial > 0.0 { [rng.random(), rng.random()] } else { [0.0; 2] };
            [uniform, u, w, if D == 2 { 0.0 } else { rng.random::<f32>() * TAU }]
        });
        let mut sum = sums.headings;
        if vectorial > 0.0 {
            sum += directions(u, w) * (F::splat(vectorial) * sums.count);
        }
        let direction = boids.direction(sum);
        if D == 2 {
            let (cosine, sine) = cosines_and_sines(F::splat(noise) * (uniform - F::splat(0.5)));
            return turned(direction, cosine, sine, around);
        }
        // The height of a uniform point on a cap is itself uniform. 1 − cos x = 2 sin²(x/2) keeps small angles exact.
        let sine = libm::sinf(0.25 * noise);
        let drop = uniform * F::splat(2.0 * sine * sine);
        turned(direction, F::splat(1.0) - drop, (drop * (F::splat(2.0) - drop)).sqrt(), around)
    }
}
