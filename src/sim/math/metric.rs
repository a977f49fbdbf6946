//! Distances in a world that may be periodic.

use super::vector::Vector;
use super::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Edge, Params};
use crate::sim::world::World;

/// The offset between two points; in a periodic world, to the nearest image (the minimum image convention).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    size: [f32; 3],
    wraps: bool,
}

impl Metric {
    pub(crate) fn new(params: &Params, world: &World) -> Self {
        Self { size: world.size(), wraps: params.edge.mode == Edge::Wrap }
    }

    /// The offset to the nearest image along one axis.
    #[inline(always)]
    pub(crate) fn minimum_image_on<F: Lanes>(&self, axis: usize, offset: F) -> F {
        if !self.wraps {
            return offset;
        }
        let size = self.size[axis];
        let back = F::select(F::splat(0.5 * size).lt(offset), F::splat(size), F::splat(0.0));
        offset - F::select(offset.lt(F::splat(-0.5 * size)), F::splat(-size), back)
    }

    #[inline(always)]
    pub(crate) fn minimum_image<F: Lanes, const D: usize>(&self, offset: Wide<F, D>) -> Wide<F, D> {
        let mut nearest = offset;
        let mut axis = 0;
        while axis < D {
            nearest.0[axis] = self.minimum_image_on(axis, offset[axis]);
            axis += 1;
        }
        nearest
    }

    #[inline]
    pub(crate) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = to - from;
        if self.wraps { straight.map(|axis, offset| self.minimum_image_on(axis, offset)) } else { straight }
    }
}
