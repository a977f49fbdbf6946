//! A periodic axis bent to a circle, on which coordinates have a mean.

use std::f32::consts::TAU;

use glam::Vec2;

/// A periodic axis as a circle of radius 1.
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
