//! Vicsek, Czirók, Ben-Jacob, Cohen & Shochet 1995, *Novel type of phase transition in a system of self-driven
//! particles*, Phys. Rev. Lett. 75, 1226; vectorial noise of Grégoire & Chaté 2004, *Onset of collective and cohesive
//! motion*, Phys. Rev. Lett. 92, 025702.

use rand::RngExt;

use super::by_heading::{self, Boid, turned};
use super::{Boids, Keys, ModelRow, Reach};
use crate::sim::error::Conflict;
use crate::sim::math::{Wide, direction};
use crate::sim::params::{Model, Params};
use crate::sim::world::World;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::Vicsek,
    keys: Keys::Only(&["alignment.radius", "noise.angle", "vicsek.vectorial", "vicsek.move"]),
    groups: &["vicsek"],
    reach: |params| Reach::of(params.alignment.radius),
    conflict,
    advance: [advance::<2>, advance::<3>],
    ..by_heading::BASE
};

fn conflict(params: &Params, _: &World) -> Option<Conflict> {
    params.alignment.radius.is_infinite().then(|| {
        let what = "alignment.radius = inf is not possible in the model vicsek".to_owned();
        Conflict::new(&["alignment.radius", "model"], what).with_advice("use a finite radius".to_owned())
    })
}

fn advance<const D: usize>(boids: Boids<'_, '_>) {
    let moves_by = boids.environment.params.vicsek.r#move;
    by_heading::advance(boids, moves_by, next_heading::<D>);
}

/// The mean heading within `alignment.radius`, the boid's own included, turned by a uniform angle in ±`noise.angle`/2.
///
/// Vectorial noise adds a random unit vector for each heading, multiplied by `vicsek.vectorial`, before the direction is taken.
fn next_heading<const D: usize>(boid: &Boid<'_, D>, params: &Params) -> Wide<f32, D> {
    let (mut sum, mut count) = (boid.heading, 1.0);
    boid.neighbors(params.alignment.radius, |other| {
        sum += other.heading;
        count += 1.0;
    });
    let noise = params.noise.angle.to_radians();
    if noise == 0.0 && params.vicsek.vectorial == 0.0 {
        return boid.direction(sum);
    }
    let mut rng = boid.random();
    let uniform = rng.random::<f32>() - 0.5;
    if params.vicsek.vectorial > 0.0 {
        let random: Wide<f32, 3> = direction(D, rng.random(), rng.random());
        sum += Wide::splat(random.axes()) * (params.vicsek.vectorial * count);
    }
    turned(boid.direction(sum), noise * uniform, &mut rng)
}
