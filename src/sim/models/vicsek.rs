//! Vicsek, Czirók, Ben-Jacob, Cohen & Shochet 1995, *Novel type of phase transition in a system of self-driven
//! particles*, Phys. Rev. Lett. 75, 1226; vectorial noise of Grégoire & Chaté 2004, *Onset of collective and cohesive
//! motion*, Phys. Rev. Lett. 92, 025702.

use rand::RngExt;

use super::{Boid, turned};
use crate::sim::math::vector::direction;
use crate::sim::math::wide::Wide;
use crate::sim::params::Params;

/// The mean heading within `alignment.radius`, the boid's own included, turned by a uniform angle in ±`noise.angle`/2.
///
/// Vectorial noise adds a random unit vector for each heading, multiplied by `vicsek.vectorial`, before the direction is taken.
pub(super) fn next_heading<const D: usize>(boid: &Boid<'_, D>, params: &Params) -> Wide<f32, D> {
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
