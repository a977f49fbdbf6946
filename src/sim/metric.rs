//! Distances in a world that may be a torus.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::params::{Edge, Params};
use super::simd::Lanes;
use super::vector::Vector;
use super::world::World;

/// The shortest way between two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metric {
    size: [f32; 3],
    wraps: bool,
}

impl Metric {
    pub(super) fn new(params: &Params, world: &World) -> Self {
        Self { size: world.size(), wraps: params.edge.mode == Edge::Wrap }
    }

    /// Of offsets along one axis, on a torus the shorter way around.
    #[inline(always)]
    pub(super) fn shorter<F: Lanes>(&self, axis: usize, offset: F) -> F {
        if !self.wraps {
            return offset;
        }
        let size = self.size[axis];
        let back = F::select(F::splat(0.5 * size).lt(offset), F::splat(size), F::splat(0.0));
        offset - F::select(offset.lt(F::splat(-0.5 * size)), F::splat(-size), back)
    }

    /// The offset from one point to another; on a torus each axis by itself goes the shorter way.
    #[inline]
    pub(super) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = to - from;
        if self.wraps { straight.map(|axis, offset| self.shorter(axis, offset)) } else { straight }
    }
}
