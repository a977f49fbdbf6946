//! Distances and means in a world that may be periodic.

use std::f32::consts::TAU;

use glam::Vec2;

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
        Wide::new(|axis| self.minimum_image_on(axis, offset[axis]))
    }

    #[inline(always)]
    pub(crate) fn offset<V: Vector>(&self, from: V, to: V) -> V {
        let straight = (to - from).axes();
        V::from_axes(|axis| self.minimum_image_on(axis, straight[axis]))
    }
}

/// A periodic axis bent to a circle of radius 1, on which coordinates have a mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    radians_per_u: f32,
}

impl Circle {
    /// The circle of an axis of this size in u.
    pub(crate) fn of(size: f32) -> Self {
        Self { radians_per_u: TAU / size }
    }

    /// The point of a coordinate.
    pub(crate) fn point(self, coordinate: f32) -> Vec2 {
        Vec2::from_angle(coordinate * self.radians_per_u)
    }

    /// The coordinate in the direction of a sum of points.
    pub(crate) fn toward(self, sum: Vec2) -> f32 {
        sum.to_angle().rem_euclid(TAU) / self.radians_per_u
    }
}
