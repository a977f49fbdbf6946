//! Where a boid appears on the canvas.

use glam::{Vec2, Vec3};

use super::picture::{DOTS_HIGH, DOTS_WIDE};
use crate::sim::{Edge, Flock, World};

/// How many ticks the camera takes to turn once around a deep world.
const TURN_TICKS: u64 = 3600;
/// How far it looks down on it, in radians.
const TILT: f32 = 0.35;
/// How far it stands off, in radii of the world.
const DISTANCE: f32 = 2.6;
/// The share of the canvas that a deep world fills.
const FILL: f32 = 0.98;

/// A place on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// In dots from the upper left corner.
    pub at: Vec2,
    /// 0 nearest … 1 farthest; 0 in a flat world.
    pub depth: f32,
}

/// How the world is seen: straight on where it is flat, in perspective and slowly turning where it is deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// The whole flat world in proportion, centred.
    Flat {
        /// The point of the world at the canvas's middle, in u.
        center: Vec2,
        /// The canvas's middle, in dots.
        middle: Vec2,
        /// Dots for each u.
        scale: f32,
    },
    /// A deep world from outside.
    Deep {
        /// The middle of the world, in u.
        center: Vec3,
        /// The canvas's middle, in dots.
        middle: Vec2,
        /// The radius of the ball around the world, in u.
        radius: f32,
        /// Dots for each u at the distance of the middle.
        scale: f32,
        /// The direction from which it is seen, as cosine and sine.
        turn: Vec2,
        /// How far it looks down, likewise.
        tilt: Vec2,
    },
}

impl Camera {
    /// The camera that shows all of a flock's world on this many cells.
    #[must_use]
    pub fn new(flock: &Flock, columns: usize, rows: usize) -> Self {
        let dots = Vec2::new((columns * DOTS_WIDE) as f32, (rows * DOTS_HIGH) as f32);
        let middle = dots * 0.5;
        let (center, size) = (flock.world().center(), flock.world().size());
        match flock.world() {
            World::Flat([width, height]) => Self::Flat {
                center: if flock.params().edge.mode == Edge::Open {
                    mean(flock)
                } else {
                    Vec2::new(center[0], center[1])
                },
                middle,
                scale: (dots.x / width).min(dots.y / height),
            },
            World::Deep(_) | World::Round(_) => {
                let radius = if let World::Round(radius) = flock.world() {
                    radius
                } else {
                    0.5 * Vec3::from_array(size).length()
                };
                // A ball seen from `d` radii away looks 1/√(1 − 1/d²) times as large as its outline.
                let outline = radius / (1.0 - 1.0 / (DISTANCE * DISTANCE)).sqrt();
                Self::Deep {
                    center: Vec3::from_array(center),
                    middle,
                    radius,
                    scale: FILL * middle.min_element() / outline,
                    turn: Vec2::from_angle(turned(flock.tick()) * std::f32::consts::TAU),
                    tilt: Vec2::from_angle(TILT),
                }
            }
        }
    }

    /// How many dots a length of 1 u takes in the middle of the world.
    #[must_use]
    pub fn scale(&self) -> f32 {
        match self {
            Self::Flat { scale, .. } | Self::Deep { scale, .. } => *scale,
        }
    }

    /// Where a position appears.
    #[inline]
    #[must_use]
    pub fn project(&self, position: [f32; 3]) -> Spot {
        match *self {
            Self::Flat { center, middle, scale } => {
                Spot { at: (Vec2::new(position[0], position[1]) - center) * scale + middle, depth: 0.0 }
            }
            Self::Deep { center, middle, radius, scale, turn, tilt } => {
                let seen = rotate(Vec3::from_array(position) - center, turn, tilt);
                let distance = DISTANCE * radius;
                let away = (distance + seen.z).max(0.1 * radius);
                let depth = (0.5 + 0.5 * seen.z / radius).clamp(0.0, 1.0);
                Spot { at: Vec2::new(seen.x, seen.y) * (scale * distance / away) + middle, depth }
            }
        }
    }

    /// The line of sight through a dot of the canvas: a point of the world on it, as far away as the
    /// world's middle, and where it goes from there into the depth: a unit vector, 0 in a flat world.
    #[must_use]
    pub fn line(&self, dot: Vec2) -> ([f32; 3], [f32; 3]) {
        match *self {
            Self::Flat { center, middle, scale } => {
                let at = center + (dot - middle) / scale;
                ([at.x, at.y, 0.0], [0.0; 3])
            }
            Self::Deep { center, middle, radius, scale, turn, tilt } => {
                let seen = (dot - middle) / scale;
                let along = Vec3::new(seen.x, seen.y, DISTANCE * radius).normalize();
                let at = center + rotate_back(seen.extend(0.0), turn, tilt);
                (at.to_array(), rotate_back(along, turn, tilt).to_array())
            }
        }
    }

    /// The direction in which a velocity points on the canvas, not scaled.
    #[inline]
    #[must_use]
    pub fn heading(&self, velocity: [f32; 3]) -> Vec2 {
        match *self {
            Self::Flat { .. } => Vec2::new(velocity[0], velocity[1]),
            Self::Deep { turn, tilt, .. } => {
                let seen = rotate(Vec3::from_array(velocity), turn, tilt);
                Vec2::new(seen.x, seen.y)
            }
        }
    }
}

/// A dot for each u, from the upper left corner: what no picture was drawn with.
impl Default for Camera {
    fn default() -> Self {
        Self::Flat { center: Vec2::ZERO, middle: Vec2::ZERO, scale: 1.0 }
    }
}

/// How much of a turn the camera has taken, 0 … 1; of a large tick an f32 would not hold the last digits.
fn turned(tick: u64) -> f32 {
    (tick % TURN_TICKS) as f32 / TURN_TICKS as f32
}

/// Turns about the upright axis, then tilts; x goes right, y down, z away.
fn rotate(point: Vec3, turn: Vec2, tilt: Vec2) -> Vec3 {
    let (x, z) = (point.x * turn.x + point.z * turn.y, point.z * turn.x - point.x * turn.y);
    Vec3::new(x, point.y * tilt.x + z * tilt.y, z * tilt.x - point.y * tilt.y)
}

/// Undoes [`rotate`].
fn rotate_back(seen: Vec3, turn: Vec2, tilt: Vec2) -> Vec3 {
    let (y, z) = (seen.y * tilt.x - seen.z * tilt.y, seen.y * tilt.y + seen.z * tilt.x);
    Vec3::new(seen.x * turn.x - z * turn.y, y, seen.x * turn.y + z * turn.x)
}

/// The mean position of everyone in a flat world.
fn mean(flock: &Flock) -> Vec2 {
    let agents = flock.agents();
    let axis = |axis: usize| {
        let total: f64 = agents.positions(axis).iter().map(|&at| f64::from(at)).sum();
        (total / agents.len().max(1) as f64) as f32
    };
    Vec2::new(axis(0), axis(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::Preset;

    fn camera(preset: &str, columns: usize, rows: usize) -> Camera {
        let setup = Preset::load(preset).unwrap().setup(1, 1.6);
        Camera::new(&Flock::new(&setup).unwrap(), columns, rows)
    }

    #[test]
    fn a_fixed_world_keeps_its_proportions_and_stands_in_the_middle() {
        let camera = camera("drones", 100, 25); // 200 x 100 dots for 800 x 600 u
        assert_eq!(camera.project([400.0, 300.0, 0.0]).at, Vec2::new(100.0, 50.0));
        let (left, right) = (camera.project([0.0, 0.0, 0.0]).at, camera.project([800.0, 600.0, 0.0]).at);
        assert!((left.y, right.y) == (0.0, 100.0) && (right.x - left.x - 400.0 / 3.0).abs() < 1e-3);
    }

    #[test]
    fn the_camera_turns_as_smoothly_after_years() {
        let late = u64::MAX - u64::MAX % TURN_TICKS - TURN_TICKS;
        for tick in [0, 1, 2, TURN_TICKS - 1] {
            assert_eq!(turned(late + tick), tick as f32 / TURN_TICKS as f32);
        }
    }

    #[test]
    fn a_ball_fits_the_canvas_and_what_is_near_is_not_dimmed() {
        let camera = camera("sphere", 120, 40);
        let mut depths = (1.0_f32, 0.0_f32);
        for k in 0..200 {
            let (turn, rise) = (k as f32 * 0.7, (k as f32 * 0.37).sin());
            let flat = (1.0 - rise * rise).sqrt() * 100.0;
            let spot = camera.project([flat * turn.cos(), rise * 100.0, flat * turn.sin()]);
            assert!((0.0..=240.0).contains(&spot.at.x) && (0.0..=160.0).contains(&spot.at.y), "{spot:?}");
            depths = (depths.0.min(spot.depth), depths.1.max(spot.depth));
        }
        assert!(depths.0 < 0.05 && depths.1 > 0.95, "{depths:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_line_of_sight_is_seen_as_its_dot_however_far_one_goes(
            deep: bool,
            (x, y) in (0.0_f32..240.0, 0.0_f32..160.0),
            share in -0.9_f32..0.9,
        ) {
            let camera = camera(if deep { "sphere" } else { "drones" }, 120, 40);
            let (at, along) = camera.line(Vec2::new(x, y));
            let (at, along) = (Vec3::from_array(at), Vec3::from_array(along));
            prop_assert!((along.length() - f32::from(u8::from(deep))).abs() < 1e-5);
            let spot = camera.project((at + along * share * 100.0).to_array());
            prop_assert!((spot.at - Vec2::new(x, y)).length() < 2e-3, "{spot:?}");
            prop_assert!(!deep || (spot.depth - 0.5) * share > -1e-4, "{spot:?}");
        }
    }
}
