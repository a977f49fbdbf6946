//! The pointer attracts or repels boids.
//!
//! With `r` the offset to the pointer, `d = |r|` and `q = d / radius < 1`, a boid adds
//! `weight · speed.max · 4q(1 − q) · r̂` if the pointer attracts, and `− weight · speed.max · (1 − q) · r̂` if it repels.
//! Attraction also vanishes at the center, so that boids pass through instead of collapsing to a point.
//!
//! In 3-D the pointer is a line along the line of sight, and `r` the offset to its nearest point. In a 2-D wrapping
//! world, `r` is the shortest offset around the torus.

use crate::Error;
use crate::math::Wide;
use crate::params::Params;
use crate::simd::Lanes;
use crate::world::{Metric, World};

/// A pointer that attracts or repels boids, such as the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// A point on it, in u.
    pub at: [f32; 3],
    /// In 3-D, the direction of the line through `at` that it covers; 0 in 2-D.
    pub along: [f32; 3],
    /// Whether it attracts boids; otherwise it repels them.
    pub attracts: bool,
}

impl Pointer {
    /// Checks that all coordinates are finite.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`].
    pub fn check(&self) -> Result<(), Error> {
        let finite = self.at.iter().chain(&self.along).all(|number| number.is_finite());
        if finite { Ok(()) } else { Err(Error::Zone("invalid pointer: expected finite coordinates".into())) }
    }
}

/// The force of a pointer in one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerForce {
    at: [f32; 3],
    /// Unit vector along the line, in 3-D.
    along: Option<[f32; 3]>,
    attracts: bool,
    radius: f32,
    /// Maximum force, in u/tick².
    strength: f32,
}

impl PointerForce {
    pub(super) fn new(pointer: Pointer, params: &Params, world: &World) -> Self {
        let (along, is_line) = Wide::<f32, 3>::splat(pointer.along).unit();
        Self {
            at: pointer.at,
            along: (is_line && world.dim() == 3).then_some(along.axes()),
            attracts: pointer.attracts,
            radius: params.pointer.radius,
            strength: params.pointer.weight * params.speed.max,
        }
    }

    #[inline(always)]
    pub(super) fn steer<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let offset = self.offset(position, metric);
        let (toward, nonzero) = offset.unit();
        let (one, q) = (F::splat(1.0), offset.length() / F::splat(self.radius));
        let near = F::and(nonzero, q.lt(one));
        let rest = one - q;
        let push = if self.attracts { F::splat(4.0) * q * rest } else { -rest };
        (toward * (push * F::splat(self.strength))).masked(near)
    }

    /// The offset to the nearest point of the pointer.
    #[inline(always)]
    pub(super) fn offset<F: Lanes, const D: usize>(&self, position: Wide<F, D>, metric: &Metric) -> Wide<F, D> {
        let straight: Wide<F, D> = Wide::splat(self.at) - position;
        let Some(along) = self.along else {
            return metric.minimum_image(straight);
        };
        let along: Wide<F, D> = Wide::splat(along);
        straight - along * straight.dot(along)
    }

    pub(super) fn repels<const D: usize>(&self, position: Wide<f32, D>, metric: &Metric) -> bool {
        !self.attracts && self.offset(position, metric).length() < self.radius
    }
}
