//! Vectors in two or three dimensions, over SIMD lanes.

use std::f32::consts::TAU;
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

use glam::Vec2;

use super::trigonometry::cosines_and_sines;
use crate::simd::Lanes;

/// A `D`-dimensional vector for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<F, const D: usize>(pub [F; D]);

impl<F: Lanes, const D: usize> Wide<F, D> {
    /// The first `D` of `axes`, in every lane.
    #[inline(always)]
    pub fn splat(axes: [f32; 3]) -> Self {
        Self::new(|axis| F::splat(axes[axis]))
    }

    #[inline(always)]
    pub fn zero() -> Self {
        Self([F::splat(0.0); D])
    }

    /// The vector whose axes are `axis(0)` up to `axis(D - 1)`.
    #[inline(always)]
    pub fn new(mut axis: impl FnMut(usize) -> F) -> Self {
        let mut all = [F::splat(0.0); D];
        let mut index = 0;
        while index < D {
            all[index] = axis(index);
            index += 1;
        }
        Self(all)
    }

    /// The axes; 0 for the third in two dimensions.
    #[inline(always)]
    pub fn axes(self) -> [F; 3] {
        Wide::<F, 3>::new(|axis| if axis < D { self.0[axis] } else { F::splat(0.0) }).0
    }

    /// `self + term` where the mask holds, else `self`.
    #[inline(always)]
    #[must_use]
    pub fn add_where(self, mask: F::Mask, term: Self) -> Self {
        Self::select(mask, self + term, self)
    }

    /// `yes` where the mask holds, else `no`.
    #[inline(always)]
    pub fn select(mask: F::Mask, yes: Self, no: Self) -> Self {
        Self::new(|axis| F::select(mask, yes.0[axis], no.0[axis]))
    }

    /// `self` where the mask holds, else zero.
    #[inline(always)]
    pub fn masked(self, mask: F::Mask) -> Self {
        Self::select(mask, self, Self::zero())
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> F {
        let mut sum = self.0[0] * other.0[0];
        for axis in 1..D {
            sum += self.0[axis] * other.0[axis];
        }
        sum
    }

    /// The squared length; overflows for lengths above 1e19.
    #[inline(always)]
    pub fn length_squared(self) -> F {
        self.dot(self)
    }

    /// The length, without overflow or underflow.
    #[inline(always)]
    pub fn length(self) -> F {
        let (scaled, scale) = self.scaled();
        let length = scaled.length_squared().sqrt();
        scale.map_or(length, |scale| length / scale)
    }

    /// The unit vector, and a mask of the lanes that have one: zero has none, and stays zero.
    #[inline(always)]
    pub fn unit(self) -> (Self, F::Mask) {
        let scaled = self.scaled().0;
        let length = scaled.length_squared().sqrt();
        let nonzero = F::splat(0.0).lt(length);
        ((scaled * (F::splat(1.0) / length)).masked(nonzero), nonzero)
    }

    /// The lanes in which any axis is not 0.
    #[inline(always)]
    pub fn nonzero(self) -> F::Mask {
        let mut any = self.0[0].nonzero();
        for axis in 1..D {
            any = F::or(any, self.0[axis].nonzero());
        }
        any
    }

    /// Shortened to a length of at most `max`.
    #[inline(always)]
    pub fn limit(self, max: f32) -> Self {
        let max = F::splat(max);
        let longer = max.lt(self.length());
        if F::any(longer) { Self::select(longer, self.unit().0 * max, self) } else { self }
    }

    /// Scaled so that its square neither overflows nor underflows, and the factors; `None` if no lane needs scaling.
    #[inline(always)]
    fn scaled(self) -> (Self, Option<F>) {
        let mut largest = self.0[0].abs();
        for axis in 1..D {
            largest = largest.max(self.0[axis].abs());
        }
        let (small, large) = (largest.lt(F::splat(1e-15)), F::splat(1e15).lt(largest));
        if !F::any(F::or(small, large)) {
            return (self, None);
        }
        let up = F::select(small, F::splat(1e20), F::splat(1.0));
        let scale = F::select(large, F::splat(1e-20), up);
        (self * scale, Some(scale))
    }
}

impl<F: Lanes, const D: usize> Index<usize> for Wide<F, D> {
    type Output = F;

    #[inline(always)]
    fn index(&self, axis: usize) -> &F {
        &self.0[axis]
    }
}

impl<F: Lanes, const D: usize> Add for Wide<F, D> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(|axis| self.0[axis] + other.0[axis])
    }
}

impl<F: Lanes, const D: usize> AddAssign for Wide<F, D> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<F: Lanes, const D: usize> Sub for Wide<F, D> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(|axis| self.0[axis] - other.0[axis])
    }
}

impl<F: Lanes, const D: usize> Neg for Wide<F, D> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(|axis| -self.0[axis])
    }
}

impl<F: Lanes, const D: usize> Mul<F> for Wide<F, D> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: F) -> Self {
        Self::new(|axis| self.0[axis] * factor)
    }
}

/// The vector with the first `D` of these axes.
#[inline(always)]
pub(crate) fn from_axes<F: Lanes, const D: usize>(axes: [F; 3]) -> Wide<F, D> {
    Wide::new(|axis| axes[axis])
}

/// The cross product.
#[inline(always)]
pub(crate) fn cross<F: Lanes>(a: Wide<F, 3>, b: Wide<F, 3>) -> Wide<F, 3> {
    Wide([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
}

/// A unit vector in a uniformly distributed direction in `dim` dimensions, from two uniform numbers in 0..1.
pub(crate) fn direction(dim: usize, u: f32, w: f32) -> Wide<f32, 3> {
    if dim == 2 { Wide(Vec2::from_angle(u * TAU).extend(0.0).to_array()) } else { direction_in_space(u, w) }
}

/// The same in each lane, in `D` dimensions.
#[inline(always)]
pub(crate) fn directions<F: Lanes, const D: usize>(u: F, w: F) -> Wide<F, D> {
    if D == 2 {
        let (x, y) = cosines_and_sines(u * F::splat(TAU));
        from_axes([x, y, F::splat(0.0)])
    } else {
        from_axes(direction_in_space(u, w).0)
    }
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

/// Unit vectors turned by angles with these cosines and sines; in three dimensions around axes that `around` (radians) chooses.
#[inline(always)]
pub(crate) fn turned<F: Lanes, const D: usize>(unit: Wide<F, D>, cosine: F, sine: F, around: F) -> Wide<F, D> {
    unit * cosine + perpendicular(unit, around) * sine
}

/// Unit vectors at a right angle to unit vectors. In three dimensions `turn` (radians) chooses among all of them; in two it is
/// ignored.
#[inline(always)]
pub(crate) fn perpendicular<F: Lanes, const D: usize>(unit: Wide<F, D>, turn: F) -> Wide<F, D> {
    if D == 2 {
        return from_axes([-unit[1], unit[0], F::splat(0.0)]);
    }
    // Duff et al. 2017, *Building an orthonormal basis, revisited*.
    let (one, none) = (F::splat(1.0), F::splat(0.0));
    let [x, y, z] = unit.axes();
    // The reciprocal tells −0 from 0.
    let sign = F::select((one / z).lt(none), -one, one);
    let scale = -one / (sign + z);
    let mixed = x * y * scale;
    let first = Wide([one + sign * x * x * scale, sign * mixed, -sign * x]);
    let second = Wide([mixed, sign + y * y * scale, -y]);
    let (along, aside) = cosines_and_sines(turn);
    from_axes((first * along + second * aside).0)
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
