//! Where boids live.

use std::fmt;
use std::str::FromStr;

use super::Error;

/// The longest side, or radius, of a world, in u.
pub const MAX_SIDE: f32 = 1e6;

/// The shape and size of the space that boids live in, in world units (u).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum World {
    /// A flat box that spans 0 … width, 0 … height.
    Rect([f32; 2]),
    /// A deep box that spans 0 … width, 0 … height, 0 … depth.
    Cuboid([f32; 3]),
    /// A ball of this radius, centred at the origin, in three dimensions.
    Sphere(f32),
}

impl World {
    /// A flat world of a given area (u²) whose width is `shape` times its height.
    #[must_use]
    pub fn of_area(area: f32, shape: f32) -> Self {
        let height = (area / shape).sqrt();
        Self::Rect([height * shape, height].map(|side| side.clamp(1.0, MAX_SIDE)))
    }

    /// How many dimensions boids move in: 2 or 3.
    #[must_use]
    pub fn dim(&self) -> usize {
        match self {
            Self::Rect(_) => 2,
            Self::Cuboid(_) | Self::Sphere(_) => 3,
        }
    }

    /// The extent along each axis; for a flat world the third is 0.
    #[must_use]
    pub fn size(&self) -> [f32; 3] {
        match *self {
            Self::Rect([width, height]) => [width, height, 0.0],
            Self::Cuboid(size) => size,
            Self::Sphere(radius) => [2.0 * radius; 3],
        }
    }

    /// The least corner of the box around the world.
    #[must_use]
    pub fn origin(&self) -> [f32; 3] {
        match *self {
            Self::Rect(_) | Self::Cuboid(_) => [0.0; 3],
            Self::Sphere(radius) => [-radius; 3],
        }
    }

    /// The middle of the world.
    #[must_use]
    pub fn center(&self) -> [f32; 3] {
        let (origin, size) = (self.origin(), self.size());
        [0, 1, 2].map(|axis| origin[axis] + 0.5 * size[axis])
    }

    /// Checks that every side is a number from 1 to [`MAX_SIDE`].
    ///
    /// # Errors
    ///
    /// [`Error::World`] where one is not.
    pub fn check(self) -> Result<Self, Error> {
        if self.sides().iter().all(|side| (1.0..=MAX_SIDE).contains(side)) {
            Ok(self)
        } else {
            Err(Error::World(self.to_string()))
        }
    }

    /// Whether it is of the same kind, flat, deep or round, so that a flock in one can go over into the other.
    #[must_use]
    pub fn same_shape(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// How many times as large as another world of its kind it is: the geometric mean over the axes.
    pub(crate) fn scale_from(&self, other: &Self) -> f32 {
        let (size, of) = (self.size(), other.size());
        let scale_from = (0..self.dim()).map(|axis| f64::from(size[axis]) / f64::from(of[axis])).product::<f64>();
        // Of the system's own cube roots no two need be alike.
        (if self.dim() == 2 { scale_from.sqrt() } else { libm::cbrt(scale_from) }) as f32
    }

    /// A world of this shape, so many times as large.
    pub(crate) fn scaled(&self, scale: f32) -> Self {
        self.map_sides(|_, side| side * scale)
    }

    /// A share of the way to another world of its kind.
    pub(crate) fn toward(&self, other: &Self, share: f32) -> Self {
        let (from, to) = (self.sides(), other.sides());
        self.map_sides(|axis, _| from[axis] + (to[axis] - from[axis]) * share)
    }

    /// The sides, or the radius for each; in a flat world the third is 1.
    fn sides(&self) -> [f32; 3] {
        match *self {
            Self::Rect([width, height]) => [width, height, 1.0],
            Self::Cuboid(sides) => sides,
            Self::Sphere(radius) => [radius; 3],
        }
    }

    /// A world of this shape whose sides are `change(axis, side)`, kept in their range.
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
        let wrong = || Error::World(text.to_owned());
        let number = |text: &str| text.trim().parse::<f32>().map_err(|_| wrong());
        let world = if let Some(radius) = text.strip_prefix("round:") {
            Self::Sphere(number(radius)?)
        } else {
            match text.split('x').map(number).collect::<Result<Vec<_>, _>>()?[..] {
                [width, height] => Self::Rect([width, height]),
                [width, height, depth] => Self::Cuboid([width, height, depth]),
                _ => return Err(wrong()),
            }
        };
        world.check().map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_reads_back_as_it_is_written() {
        for text in ["800x600", "12.5x7x3", "round:100"] {
            assert_eq!(text.parse::<World>().unwrap().to_string(), text);
        }
        for text in ["", "800", "0x5", "5x-1", "5xnan", "infx5", "1x2x3x4", "round:", "2e6x5", "round:2e6"] {
            assert_eq!(text.parse::<World>(), Err(Error::World(text.into())), "what was typed is told");
        }
    }

    #[test]
    fn a_world_grows_in_its_own_shape() {
        let (square, wide) = (World::Rect([100.0, 100.0]), World::Rect([400.0, 100.0]));
        assert_eq!((wide.scale_from(&square), square.scaled(2.0)), (2.0, World::Rect([200.0, 200.0])));
        assert!(!square.same_shape(&World::Sphere(5.0)) && wide.same_shape(&square));
    }

    #[test]
    fn an_area_is_kept_whatever_the_shape() {
        let World::Rect([width, height]) = World::of_area(50_000.0, 2.0) else { panic!() };
        assert!((width * height - 50_000.0).abs() < 1.0 && (width / height - 2.0).abs() < 1e-4);
    }
}
