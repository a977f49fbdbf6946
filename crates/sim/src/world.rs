//! The world: its shape and size, and the distances in it.

use std::f64::consts::PI;
use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::math::Wide;
use crate::simd::Lanes;

/// Largest side or radius of a world, in u.
pub const MAX_SIDE: f32 = 1e6;

/// Shape and size of the world, in world units (u).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum World {
    /// A 2-D rectangle: 0 … width, 0 … height.
    Rect([f32; 2]),
    /// A 3-D cuboid: 0 … width, 0 … height, 0 … depth.
    Cuboid([f32; 3]),
    /// A 3-D sphere with this radius, centered at the origin.
    Sphere(f32),
}

impl World {
    /// A rectangle with an area in u² and the ratio `shape` of width to height.
    pub fn of_area(area: f32, shape: f32) -> Self {
        let height = (area / shape).sqrt();
        Self::Rect([height * shape, height].map(|side| side.clamp(1.0, MAX_SIDE)))
    }

    /// The number of dimensions: 2 or 3.
    pub fn dim(&self) -> usize {
        match self {
            Self::Rect(_) => 2,
            Self::Cuboid(_) | Self::Sphere(_) => 3,
        }
    }

    /// The extent along each axis; the third is 0 in 2-D.
    pub fn size(&self) -> [f32; 3] {
        match *self {
            Self::Rect([width, height]) => [width, height, 0.0],
            Self::Cuboid(size) => size,
            Self::Sphere(radius) => [2.0 * radius; 3],
        }
    }

    /// The area in u² in 2-D, or the volume in u³.
    pub fn volume(&self) -> f64 {
        match self.size().map(f64::from) {
            [width, height, _] if self.dim() == 2 => width * height,
            [diameter, ..] if matches!(self, Self::Sphere(_)) => PI / 6.0 * diameter.powi(3),
            [width, height, depth] => width * height * depth,
        }
    }

    /// The minimum corner of the bounding box.
    pub fn origin(&self) -> [f32; 3] {
        match *self {
            Self::Rect(_) | Self::Cuboid(_) => [0.0; 3],
            Self::Sphere(radius) => [-radius; 3],
        }
    }

    /// The center.
    pub fn center(&self) -> [f32; 3] {
        let (origin, size) = (self.origin(), self.size());
        [0, 1, 2].map(|axis| origin[axis] + 0.5 * size[axis])
    }

    /// A vector along the axes of the world; the third is 0 in 2-D.
    pub(crate) fn vector(&self, mut axis: impl FnMut(usize) -> f32) -> Wide<f32, 3> {
        Wide::new(|number| if number < self.dim() { axis(number) } else { 0.0 })
    }

    /// Checks that all sides are from 1 to [`MAX_SIDE`].
    ///
    /// # Errors
    ///
    /// [`Error::World`].
    pub fn check(self) -> Result<Self, Error> {
        if self.sides().iter().all(|side| (1.0..=MAX_SIDE).contains(side)) {
            Ok(self)
        } else {
            Err(Error::World(self.to_string()))
        }
    }

    /// Whether both are rectangles, boxes or spheres, so that a flock can morph from one to the other.
    pub fn same_shape(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// The geometric mean over the axes of the ratio to a world of the same shape.
    pub(crate) fn scale_from(&self, other: &Self) -> f32 {
        let (size, of) = (self.size(), other.size());
        let scale_from = (0..self.dim()).map(|axis| f64::from(size[axis]) / f64::from(of[axis])).product::<f64>();
        // The cube roots of system libraries differ.
        (if self.dim() == 2 { scale_from.sqrt() } else { libm::cbrt(scale_from) }) as f32
    }

    /// The world multiplied by `scale`.
    pub(crate) fn scaled(&self, scale: f32) -> Self {
        self.map_sides(|_, side| side * scale)
    }

    /// Linear interpolation to a world of the same shape.
    pub(crate) fn lerp(&self, other: &Self, progress: f32) -> Self {
        let (from, to) = (self.sides(), other.sides());
        self.map_sides(|axis, _| from[axis] + (to[axis] - from[axis]) * progress)
    }

    /// The sides, or the radius three times; the third is 1 in 2-D.
    fn sides(&self) -> [f32; 3] {
        match *self {
            Self::Rect([width, height]) => [width, height, 1.0],
            Self::Cuboid(sides) => sides,
            Self::Sphere(radius) => [radius; 3],
        }
    }

    /// The world with sides `change(axis, side)`, clamped to the valid range.
    fn map_sides(&self, change: impl Fn(usize, f32) -> f32) -> Self {
        let sides = self.sides();
        let side = |axis: usize| change(axis, sides[axis]).clamp(1.0, MAX_SIDE);
        match self {
            Self::Rect(_) => Self::Rect([side(0), side(1)]),
            Self::Cuboid(_) => Self::Cuboid([side(0), side(1), side(2)]),
            Self::Sphere(_) => Self::Sphere(side(0)),
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rect([width, height]) => write!(out, "{width}x{height}"),
            Self::Cuboid([width, height, depth]) => write!(out, "{width}x{height}x{depth}"),
            Self::Sphere(radius) => write!(out, "round:{radius}"),
        }
    }
}

impl FromStr for World {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || Error::World(text.to_owned());
        let number = |text: &str| text.trim().parse::<f32>().map_err(|_| invalid());
        let world = if let Some(radius) = text.strip_prefix("round:") {
            Self::Sphere(number(radius)?)
        } else {
            match text.split('x').map(number).collect::<Result<Vec<_>, _>>()?[..] {
                [width, height] => Self::Rect([width, height]),
                [width, height, depth] => Self::Cuboid([width, height, depth]),
                _ => return Err(invalid()),
            }
        };
        world.check().map_err(|_| invalid())
    }
}

/// The offset between two points; in a periodic world, to the nearest image (the minimum image convention).
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    size: [f32; 3],
    wraps: bool,
}

impl Metric {
    /// The metric of a world, which is periodic if `wraps`.
    pub fn new(world: &World, wraps: bool) -> Self {
        Self { size: world.size(), wraps }
    }

    /// Whether the world is periodic.
    pub(crate) fn wraps(&self) -> bool {
        self.wraps
    }

    /// The offset to the nearest image.
    #[inline(always)]
    pub(crate) fn minimum_image<F: Lanes, const D: usize>(&self, offset: Wide<F, D>) -> Wide<F, D> {
        if !self.wraps {
            return offset;
        }
        Wide::new(|axis| {
            let (size, offset) = (self.size[axis], offset[axis]);
            let back = F::select(F::splat(0.5 * size).lt(offset), F::splat(size), F::splat(0.0));
            offset - F::select(offset.lt(F::splat(-0.5 * size)), F::splat(-size), back)
        })
    }

    /// The offset along an axis in f64, as recorded coordinates need it.
    pub fn exact_offset(&self, axis: usize, from: f64, to: f64) -> f64 {
        let (offset, size) = (to - from, f64::from(self.size[axis]));
        if self.wraps && size > 0.0 { offset - size * (offset / size).round() } else { offset }
    }

    /// The image of a coordinate inside a periodic world, in f64; in other worlds the coordinate.
    pub fn exact_wrap(&self, axis: usize, at: f64) -> f64 {
        let size = f64::from(self.size[axis]);
        if self.wraps && size > 0.0 { at.rem_euclid(size) } else { at }
    }

    /// The image of a point inside a periodic world; in other worlds the point.
    pub(crate) fn wrap<const D: usize>(&self, point: Wide<f32, D>) -> Wide<f32, D> {
        if self.wraps { Wide::new(|axis| wrap_coordinate(point[axis], self.size[axis])) } else { point }
    }

    #[inline(always)]
    pub(crate) fn offset<const D: usize>(&self, from: Wide<f32, D>, to: Wide<f32, D>) -> Wide<f32, D> {
        self.minimum_image(to - from)
    }
}

/// A coordinate within a periodic axis of this length.
#[inline(always)]
pub(crate) fn wrap_coordinate<F: Lanes>(at: F, size: f32) -> F {
    let outside = F::or(at.lt(F::splat(0.0)), F::splat(size).le(at));
    if !F::any(outside) {
        return at;
    }
    let mut lanes = at.to_array();
    for at in lanes.iter_mut().take(F::WIDTH).filter(|at| !(0.0..size).contains(*at)) {
        let inside = at.rem_euclid(size);
        // Slightly below 0 rounds up to the far side, which is 0 again.
        *at = if inside < size { inside } else { 0.0 };
    }
    F::load(&lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["800x600", "12.5x7x3", "round:100"] {
            assert_eq!(text.parse::<World>().unwrap().to_string(), text);
        }
        for text in ["", "800", "0x5", "5x-1", "5xnan", "infx5", "1x2x3x4", "round:", "2e6x5", "round:2e6"] {
            assert_eq!(text.parse::<World>(), Err(Error::World(text.into())), "{text}");
        }
    }

    #[test]
    fn scales_to_its_own_shape() {
        let (square, wide) = (World::Rect([100.0, 100.0]), World::Rect([400.0, 100.0]));
        assert_eq!((wide.scale_from(&square), square.scaled(2.0)), (2.0, World::Rect([200.0, 200.0])));
        assert!(!square.same_shape(&World::Sphere(5.0)) && wide.same_shape(&square));
    }

    #[test]
    fn of_area_has_the_given_area_and_shape() {
        let World::Rect([width, height]) = World::of_area(50_000.0, 2.0) else { panic!() };
        assert!((width * height - 50_000.0).abs() < 1.0 && (width / height - 2.0).abs() < 1e-4);
    }
}
