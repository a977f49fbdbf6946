//! Distances in a world that may be a torus.

use super::params::{Edge, Params};
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

    /// Whether the world is a torus.
    pub(super) fn wraps(&self) -> bool {
        self.wraps
    }

    /// Of an offset along one axis of a torus, the shorter way around.
    #[inline]
    pub(super) fn shorter(&self, axis: usize, offset: f32) -> f32 {
        let size = self.size[axis];
        let correction = if offset > 0.5 * size {
            size
        } else if offset < -0.5 * size {
            -size
        } else {
            0.0
        };
        offset - correction
    }

    /// The offset from one point to another; on a torus each axis by itself goes the shorter way.
    #[inline]
    pub(super) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = to - from;
        if self.wraps { straight.map(|axis, offset| self.shorter(axis, offset)) } else { straight }
    }
}
