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

    /// The offset from one point to another; on a torus each axis by itself goes the shorter way.
    #[inline]
    pub(super) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = to - from;
        if !self.wraps {
            return straight;
        }
        straight.map(|axis, offset| {
            let size = self.size[axis];
            if offset > 0.5 * size {
                offset - size
            } else if offset < -0.5 * size {
                offset + size
            } else {
                offset
            }
        })
    }
}
