//! Directions in two or three dimensions.

use std::f32::consts::TAU;
use std::ops::Sub;

use glam::{Vec2, Vec3};

use super::trigonometry::cosines_and_sines;
use super::wide::Wide;
use crate::sim::neighbors::simd::Lanes;

/// A vector of a single boid.
pub(crate) trait Vector: Copy + Sub<Output = Self> {
    /// The vector whose axes are `axis(0)` and so on.
    fn from_axes(axis: impl FnMut(usize) -> f32) -> Self;

    /// The axes; 0 for the third in two dimensions.
    fn axes(self) -> [f32; 3];

    /// The squared length; overflows for lengths above 1e19.
    fn length_squared(self) -> f32;
}

impl<const D: usize> Vector for Wide<f32, D> {
    #[inline(always)]
    fn from_axes(axis: impl FnMut(usize) -> f32) -> Self {
        Self::new(axis)
    }

    #[inline(always)]
    fn axes(self) -> [f32; 3] {
        self.axes()
    }

    #[inline(always)]
    fn length_squared(self) -> f32 {
        self.length_squared()
    }
}

/// The vector with the first `D` of these axes.
#[inline(always)]
pub(crate) fn from_axes<F: Lanes, const D: usize>(axes: [F; 3]) -> Wide<F, D> {
    Wide::new(|axis| axes[axis])
}

/// The cross product.
pub(crate) fn cross<const D: usize>(a: Wide<f32, D>, b: Wide<f32, D>) -> [f32; 3] {
    Vec3::from_array(a.axes()).cross(Vec3::from_array(b.axes())).to_array()
}

/// A unit vector in a uniformly distributed direction in `dim` dimensions, from two uniform numbers in 0..1.
pub(crate) fn direction(dim: usize, u: f32, w: f32) -> Wide<f32, 3> {
    if dim == 2 { Wide(Vec2::from_angle(u * TAU).extend(0.0).to_array()) } else { direction_in_space(u, w) }
}

/// The same in three dimensions, in each lane.
#[inline(always)]
pub(crate) fn direction_in_space<F: Lanes>(u: F, w: F) -> Wide<F, 3> {
    let (x, y) = cosines_and_sines(u * F::splat(TAU));
    // Archimedes: the height of a uniform point on a sphere is itself uniform.
    let height = F::splat(2.0) * w - F::splat(1.0);
    let flat = (F::splat(1.0) - height * height).sqrt();
    Wide([x * flat, y * flat, height])
}

/// A unit vector at a right angle to a unit vector. In three dimensions `turn` (radians) chooses among all of them; in two it
/// is ignored.
pub(crate) fn perpendicular<const D: usize>(unit: Wide<f32, D>, turn: f32) -> Wide<f32, D> {
    if D == 2 {
        return Wide::splat([-unit[1], unit[0], 0.0]);
    }
    let (a, b) = Vec3::from_array(unit.axes()).any_orthonormal_pair();
    let around = Vec2::from_angle(turn);
    Wide::splat((a * around.x + b * around.y).to_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_do_not_overflow_or_underflow() {
        for size in [1e-30_f32, 1e-10, 1.0, 1e10, 1e30] {
            let vector = Wide([2.0, -3.0, 6.0]) * size;
            assert!((vector.length() / size - 7.0).abs() < 1e-5, "{size}");
            assert!((vector.unit().0.length() - 1.0).abs() < 1e-6, "{size}");
            assert!((vector.limit(size).length() / size - 1.0).abs() < 1e-5, "{size}");
        }
        assert!(!Wide([0.0_f32; 2]).unit().1);
    }

    #[test]
    fn a_perpendicular_is_at_a_right_angle() {
        let heading = Wide([1.0, 2.0, -2.0]) * (1.0 / 3.0);
        for turn in [0.0, 1.0, 4.0] {
            assert!(heading.dot(perpendicular(heading, turn)).abs() < 1e-6);
        }
    }
}
