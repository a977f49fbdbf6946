//! Vectors in `f64`.

use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector(pub [f64; 3]);

impl Vector {
    pub const ZERO: Self = Self([0.0; 3]);

    pub fn dot(self, other: Self) -> f64 {
        let (a, b) = (self.0, other.0);
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    pub fn cross(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }

    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The direction; a zero vector has none.
    pub fn direction(self) -> Option<Self> {
        (self.length() > 0.0).then(|| self * self.length().recip())
    }

    pub fn angle_to(self, other: Self) -> f64 {
        self.cross(other).length().atan2(self.dot(other))
    }

    /// The largest component, whatever its sign.
    pub fn largest(self) -> f64 {
        self.0.iter().fold(0.0, |largest, component| component.abs().max(largest))
    }
}

impl From<[f32; 3]> for Vector {
    fn from(axes: [f32; 3]) -> Self {
        Self(axes.map(f64::from))
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] + b[0], a[1] + b[1], a[2] + b[2]])
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
    }
}

impl Mul<f64> for Vector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        let [x, y, z] = self.0;
        Self([x * factor, y * factor, z * factor])
    }
}

impl<'a> Sum<&'a Self> for Vector {
    fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, |sum, term| sum + *term)
    }
}
