//! What stands in the world beside the flock, and what is held over it.

use std::fmt;
use std::str::FromStr;

use crate::sim::params::table::choices;
use crate::sim::{Error, World};

/// The most zones that a world can have.
pub const MAX_ZONES: usize = 200;
/// The largest share of the world's area, in a deep world of its volume, that one zone may take.
const MAX_SHARE: f64 = 0.25;
/// How far off its rim an obstacle puts a boid, as a share of the world's longest side: more than
/// rounding can lose of a coordinate there, so that who was put out once is out for good.
const CLEAR: f32 = 2e-6;

choices! {
    /// What a zone is to boids.
    pub enum ZoneKind {
        /// They steer around it, and none is ever inside.
        Obstacle = "obstacle",
        /// It draws them, and they eat it up.
        Food = "food",
        /// It draws them, and they rest on it.
        Roost = "roost",
    }
}

/// A disc, in a deep world a ball, that means something to boids.
///
/// As text it is `KIND:X,Y:RADIUS` or `KIND:X,Y,Z:RADIUS`, in u; behind that stands `:LEFT`, where it is not whole: one
/// like it is put there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// What it is to them.
    pub kind: ZoneKind,
    /// Its middle, in u; in a flat world the third axis is 0.
    pub center: [f32; 3],
    /// Its radius, in u.
    pub radius: f32,
    /// The share of it that is left, 1 … 0; it falls only where it is eaten.
    pub left: f32,
    /// The share that was put there, and is there again when the flock begins anew.
    pub share: f32,
}

impl Zone {
    /// A whole one.
    #[must_use]
    pub fn new(kind: ZoneKind, center: [f32; 3], radius: f32) -> Self {
        Self { kind, center, radius, left: 1.0, share: 1.0 }
    }

    /// The same, with so much of it put there.
    #[must_use]
    pub fn with_amount(self, share: f32) -> Self {
        Self { left: share, share, ..self }
    }

    /// The same as it was put there.
    #[must_use]
    pub fn refilled(self) -> Self {
        self.with_amount(self.share)
    }

    /// Whether nothing of it is left: nobody sees it then, but it may grow again.
    #[must_use]
    pub fn is_depleted(&self) -> bool {
        self.left <= 0.0
    }

    /// Checks that it can stand in a world by itself: numbers that are numbers, wholly inside, and no
    /// larger than a quarter of it.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`], with what is wrong.
    pub fn check(&self, world: &World) -> Result<(), Error> {
        let wrong = |why: String| Err(Error::Zone(format!("`{self}` {why}")));
        let Self { center, radius, left, share, .. } = *self;
        let is_number = center.iter().chain([&radius]).all(|number| number.is_finite());
        if !is_number || radius <= 0.0 {
            return wrong("is no zone: its middle is numbers, and its radius is above 0".into());
        }
        if ![left, share].iter().all(|share| (0.0..=1.0).contains(share)) {
            return wrong("is no zone: what is left of it is from 0 to 1".into());
        }
        if world.dim() == 2 && center[2] != 0.0 {
            return wrong(format!("has a third coordinate, and the world {world} is flat"));
        }
        let most = largest(world);
        if radius > most {
            return wrong(format!("is larger than a quarter of the world {world}: its radius is at most {most}"));
        }
        if !self.lies_in(world) {
            return wrong(format!("is not wholly inside the world {world}"));
        }
        Ok(())
    }

    /// Whether all of it, and who is put on its rim, is inside.
    fn lies_in(&self, world: &World) -> bool {
        let reach = self.radius + clear(world);
        if let World::Sphere(most) = world {
            return length(self.center) + reach <= *most;
        }
        let size = world.size();
        (0..world.dim()).all(|axis| self.center[axis] - reach >= 0.0 && self.center[axis] + reach < size[axis])
    }

    /// The same zone, its middle moved to the nearest place where it is wholly inside, where there is one.
    #[must_use]
    pub fn moved_inside(mut self, world: &World) -> Self {
        // Twice as far as it must be, so that rounding does not undo it.
        let reach = self.radius + 2.0 * clear(world);
        if let World::Sphere(most) = world {
            let (far, room) = (length(self.center), (most - reach).max(0.0));
            let share = if far > room { room / far } else { 1.0 };
            self.center = self.center.map(|at| at * share);
        } else {
            let size = world.size();
            for (at, side) in self.center.iter_mut().zip(size).take(world.dim()) {
                *at = at.min(side - reach).max(reach);
            }
        }
        self
    }
}

/// How far off an obstacle's rim boids are put, in u.
pub(crate) fn clear(world: &World) -> f32 {
    let size = world.size();
    CLEAR * size[0].max(size[1]).max(size[2])
}

/// The radius of the largest zone that a world takes: a quarter of it.
fn largest(world: &World) -> f32 {
    use std::f64::consts::PI;
    let [width, height, depth] = world.size().map(f64::from);
    let most = match world {
        World::Rect(_) => (MAX_SHARE * width * height / PI).sqrt(),
        World::Cuboid(_) => libm::cbrt(MAX_SHARE * width * height * depth * 3.0 / (4.0 * PI)),
        World::Sphere(_) => 0.5 * width * libm::cbrt(MAX_SHARE),
    };
    most as f32
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

impl fmt::Display for Zone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.center;
        write!(out, "{}:{x},{y}", self.kind.name())?;
        if z != 0.0 {
            write!(out, ",{z}")?;
        }
        write!(out, ":{}", self.radius)?;
        if self.left == 1.0 { Ok(()) } else { write!(out, ":{}", self.left) }
    }
}

impl FromStr for Zone {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::Zone(format!("`{text}` is no zone: it is obstacle, food or roost, as food:120,80:15 (x,y:radius)"))
        };
        let number = |text: &str| text.trim().parse::<f32>().map_err(|_| wrong());
        let (word, center, radius, share) = match text.split(':').collect::<Vec<_>>()[..] {
            [word, center, radius] => (word, center, radius, 1.0),
            [word, center, radius, left] => (word, center, radius, number(left)?),
            _ => return Err(wrong()),
        };
        let kind = ZoneKind::from_name(word.trim()).ok_or_else(wrong)?;
        if share != 1.0 && kind != ZoneKind::Food {
            return Err(Error::Zone(format!("`{text}` is no zone: a share is left of food alone")));
        }
        let center = match center.split(',').map(number).collect::<Result<Vec<_>, _>>()?[..] {
            [x, y] => [x, y, 0.0],
            [x, y, z] => [x, y, z],
            _ => return Err(wrong()),
        };
        Ok(Self::new(kind, center, number(radius)?).with_amount(share))
    }
}

/// A finger over the flock, which draws boids near or drives them off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// A point that it touches, in u.
    pub at: [f32; 3],
    /// Where it points: in a deep world it touches all of the line through `at` that way. 0 in a flat one.
    pub along: [f32; 3],
    /// Whether boids are drawn to it; else they are driven off.
    pub attracts: bool,
}

impl Pointer {
    /// Checks that it is made of numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`] where it is not.
    pub fn check(&self) -> Result<(), Error> {
        let is_number = self.at.iter().chain(&self.along).all(|number| number.is_finite());
        if is_number { Ok(()) } else { Err(Error::Zone("a pointer is made of numbers".into())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_reads_back_as_it_is_written() {
        for text in ["obstacle:10,20:5", "food:1.5,-2,3:0.25", "roost:0,0:1", "food:1,2:3:0.25"] {
            assert_eq!(text.parse::<Zone>().unwrap().to_string(), text);
        }
        for text in ["", "tree:1,2:3", "food:1:3", "food:1,2", "food:1,2:x", "food:1,2,3,4:5", "food:1,2:3:4:5"] {
            assert!(text.parse::<Zone>().unwrap_err().to_string().contains("is no zone"), "{text}");
        }
    }

    #[test]
    fn a_quarter_of_the_world_is_the_most() {
        for (world, most) in [("100x100", 28.2), ("100x100x100", 39.0), ("round:100", 62.9)] {
            let world: World = world.parse().unwrap();
            let at = |radius| Zone::new(ZoneKind::Food, world.center(), radius).check(&world);
            assert_eq!(at(most), Ok(()));
            assert!(at(most + 0.2).unwrap_err().to_string().contains("quarter"), "{world}");
        }
    }

    #[test]
    fn who_is_brought_in_is_in() {
        for world in ["100x80", "300x200x1000", "round:77"] {
            let world: World = world.parse().unwrap();
            for at in [-1e6_f32, -3.0, 0.0, 50.0, 79.9, 1e5] {
                let center = if world.dim() == 2 { [at, -at, 0.0] } else { [at, 0.3 * at, 7.0] };
                let zone = Zone::new(ZoneKind::Roost, center, 12.3).moved_inside(&world);
                assert_eq!(zone.check(&world), Ok(()), "{zone} in {world}");
            }
        }
    }
}
