//! Distances in a world that may be a torus.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::vector::Vector;
use super::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Edge, Params};
use crate::sim::world::World;

/// The shortest way between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    size: [f32; 3],
    wraps: bool,
}

impl Metric {
    pub(crate) fn new(params: &Params, world: &World) -> Self {
        Self { size: world.size(), wraps: params.edge.mode == Edge::Wrap }
    }

    /// Of offsets along one axis, on a torus the shorter way around.
    #[inline(always)]
    pub(crate) fn minimum_image_on<F: Lanes>(&self, axis: usize, offset: F) -> F {
        if !self.wraps {
            return offset;
        }
        let size = self.size[axis];
        let back = F::select(F::splat(0.5 * size).lt(offset), F::splat(size), F::splat(0.0));
        offset - F::select(offset.lt(F::splat(-0.5 * size)), F::splat(-size), back)
    }

    /// Of offsets, on a torus the shorter way around on each axis by itself.
    #[inline(always)]
    pub(crate) fn minimum_image<F: Lanes, const D: usize>(&self, offset: Wide<F, D>) -> Wide<F, D> {
        let mut shortest = offset;
        let mut axis = 0;
        while axis < D {
            shortest.0[axis] = self.minimum_image_on(axis, offset[axis]);
            axis += 1;
        }
        shortest
    }

    /// The offset from one point to another; on a torus each axis by itself goes the shorter way.
    #[inline]
    pub(crate) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = to - from;
        if self.wraps { straight.map(|axis, offset| self.minimum_image_on(axis, offset)) } else { straight }
    }
}
