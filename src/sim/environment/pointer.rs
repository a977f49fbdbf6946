//! The pointer: boids are drawn to it, or driven off.
//!
//! With `r` the offset to the pointer, `d = |r|` and `q = d / radius`, a boid nearer than the radius adds
//! `weight · speed.max · 4q(1 − q) · r̂` where it draws, and `− weight · speed.max · (1 − q) · r̂` where
//! it drives off. Both falloff_factor to 0 toward the rim. The pull fades toward the middle as well: boids pass
//! through it and turn back, rather than close up in one point.
//!
//! In a deep world it is a line, as it is seen, and `r` the offset to the nearest point of it. In a flat
//! one that wraps, `r` is the shorter way around.

use super::zone::Pointer;
use crate::sim::math::metric::Metric;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::Params;
use crate::sim::world::World;

/// A pointer, ready for a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerForce {
    at: [f32; 3],
    /// The line's direction, of length 1, where it is a line.
    along: Option<[f32; 3]>,
    attracts: bool,
    radius: f32,
    /// The strongest that it pulls or pushes, u/tick².
    strength: f32,
}

impl PointerForce {
    pub(crate) fn new(pointer: Pointer, params: &Params, world: &World) -> Self {
        let along = glam::Vec3::from_array(pointer.along);
        Self {
            at: pointer.at,
            along: Vector::unit(along).filter(|_| world.dim() == 3).map(Vector::axes),
            attracts: pointer.attracts,
            radius: params.pointer.radius,
            strength: params.pointer.weight * params.speed.max,
        }
    }

    /// What it adds to boids' steering.
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let offset = self.offset(position, metric);
        let (toward, some) = offset.unit();
        let (one, share) = (F::splat(1.0), offset.length() / F::splat(self.radius));
        let near = F::and(some, share.lt(one));
        let rest = one - share;
        let push = if self.attracts { F::splat(4.0) * share * rest } else { -rest };
        (toward * (push * F::splat(self.strength))).masked(near)
    }

    /// The offset to the nearest point of it.
    #[inline(always)]
    fn offset<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let straight: Wide<F, D> = Wide::splat(self.at) - position;
        let Some(along) = self.along else {
            return metric.minimum_image(straight);
        };
        let along: Wide<F, D> = Wide::splat(along);
        straight - along * straight.dot(along)
    }

    /// Whether it drives off who stands here.
    pub(crate) fn repels<const D: usize>(&self, position: Wide<f32, D>, metric: &Metric) -> bool {
        !self.attracts && self.offset(position, metric).length() < self.radius
    }
}
