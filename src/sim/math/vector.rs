//! Vectors in two or three dimensions.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::{Vec2, Vec3};

/// A vector in a flat or a deep world: [`Vec2`] or [`Vec3`].
///
/// Every operation is plain IEEE arithmetic in a fixed order, without fused multiply-add, so results have the same bits on
/// every machine.
pub trait Vector:
    sealed::Sealed
    + Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f32, Output = Self>
    + 'static
{
    /// The number of axes: 2 or 3.
    const DIM: usize;

    /// The vector whose axes are the first [`Self::DIM`] of `axes`.
    fn from_axes(axes: [f32; 3]) -> Self;

    /// The axes; 0 for the third in two dimensions.
    fn axes(self) -> [f32; 3];

    /// The dot product.
    fn dot(self, other: Self) -> f32;

    /// A unit vector at a right angle to `self`, which must be one. In three dimensions `turn` (radians) chooses among all
    /// of them; in two it is ignored.
    #[must_use]
    fn perpendicular(self, turn: f32) -> Self;

    /// A unit vector in a uniformly distributed direction, from two uniform numbers in 0..1.
    fn direction(u: f32, w: f32) -> Self;

    /// Applies `f(axis, value)` to each axis.
    #[must_use]
    fn map(self, mut f: impl FnMut(usize, f32) -> f32) -> Self {
        let mut axes = self.axes();
        for (axis, value) in axes.iter_mut().enumerate().take(Self::DIM) {
            *value = f(axis, *value);
        }
        Self::from_axes(axes)
    }

    /// The squared length; overflows for lengths above 1e19.
    fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// The length, without overflow or underflow.
    fn length(self) -> f32 {
        let scale = self.scale();
        (self * scale).length_squared().sqrt() / scale
    }

    /// The unit vector; zero has none.
    fn unit(self) -> Option<Self> {
        let scaled = self * self.scale();
        let length = scaled.length_squared().sqrt();
        (length > 0.0).then(|| scaled * (1.0 / length))
    }

    /// Shortened to a length of at most `max`.
    #[must_use]
    fn limit(self, max: f32) -> Self {
        if self.length() > max { self.unit().unwrap_or_default() * max } else { self }
    }

    /// A power of ten by which the square of this vector neither overflows nor underflows.
    fn scale(self) -> f32 {
        let largest = self.axes().iter().fold(0.0_f32, |max, axis| max.max(axis.abs()));
        if largest > 1e15 {
            1e-20
        } else if largest < 1e-15 {
            1e20
        } else {
            1.0
        }
    }
}

mod sealed {
    /// Seals [`Vector`](super::Vector), so that new methods break no other crate.
    pub trait Sealed {}

    impl Sealed for glam::Vec2 {}
    impl Sealed for glam::Vec3 {}
}

impl Vector for Vec2 {
    const DIM: usize = 2;

    fn from_axes([x, y, _]: [f32; 3]) -> Self {
        Self::new(x, y)
    }

    fn axes(self) -> [f32; 3] {
        [self.x, self.y, 0.0]
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    fn perpendicular(self, _turn: f32) -> Self {
        self.perp()
    }

    fn direction(u: f32, _w: f32) -> Self {
        Self::from_angle(u * std::f32::consts::TAU)
    }
}

impl Vector for Vec3 {
    const DIM: usize = 3;

    fn from_axes(axes: [f32; 3]) -> Self {
        Self::from_array(axes)
    }

    fn axes(self) -> [f32; 3] {
        self.to_array()
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn perpendicular(self, turn: f32) -> Self {
        let (a, b) = self.any_orthonormal_pair();
        let around = Vec2::from_angle(turn);
        a * around.x + b * around.y
    }

    fn direction(u: f32, w: f32) -> Self {
        // Archimedes: the height of a uniform point on a sphere is itself uniform.
        let height = 2.0 * w - 1.0;
        let flat = Vec2::from_angle(u * std::f32::consts::TAU) * (1.0 - height * height).sqrt();
        flat.extend(height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_do_not_overflow_or_underflow() {
        for size in [1e-30_f32, 1e-10, 1.0, 1e10, 1e30] {
            let vector = Vec3::new(2.0, -3.0, 6.0) * size;
            assert!((Vector::length(vector) / size - 7.0).abs() < 1e-5, "{size}");
            assert!((Vector::length(vector.unit().unwrap()) - 1.0).abs() < 1e-6, "{size}");
            assert!((Vector::length(vector.limit(size)) / size - 1.0).abs() < 1e-5, "{size}");
        }
        assert_eq!(Vec2::ZERO.unit(), None);
    }

    #[test]
    fn a_perpendicular_is_at_a_right_angle() {
        let heading = Vec3::new(1.0, 2.0, -2.0) * (1.0 / 3.0);
        for turn in [0.0, 1.0, 4.0] {
            assert!(Vector::dot(heading, heading.perpendicular(turn)).abs() < 1e-6);
        }
    }
}
