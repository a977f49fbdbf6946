//! Where a boid appears on the canvas.

pub(crate) mod aim;
pub(crate) mod controller;
pub(crate) mod ray;

use glam::{Vec2, Vec3};

use super::picture::size_in_dots;
use crate::sim::{Edge, Flock, World};
use ray::Ray;

/// How many ticks the camera takes to turn once around a deep world.
const TURN_TICKS: u64 = 3600;
/// From how far below it looks up, in radians.
const TILT: f32 = 0.35;
/// How far it stands off, in radii of the world.
const DISTANCE: f32 = 2.6;
/// What is nearer to the eye than this share of the distance to the middle is not seen.
const NEAREST: f32 = 0.04;
/// The share of the canvas that a deep world fills.
const FILL: f32 = 0.98;

/// A place on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    /// In dots from the upper left corner; not a number for what is behind the eye.
    pub at: Vec2,
    /// 0 nearest … 1 farthest; 0 in a flat world.
    pub depth: f32,
    /// How many times larger things are there than in the middle of the view.
    pub size: f32,
}

/// Where one looks: what is in the middle, how near, and from which side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CameraPose {
    /// What is in the middle, in u.
    pub(crate) center: Vec3,
    /// How many times larger than the whole.
    pub(crate) zoom: f32,
    /// From which side, in radians.
    pub(crate) turn: f32,
    /// From how far below, in radians.
    pub(crate) tilt: f32,
}

impl CameraPose {
    /// The whole world; around a deep one it turns slowly.
    pub(crate) fn whole(flock: &Flock) -> Self {
        let open = flock.params().edge.mode == Edge::Open;
        let center = if open { mean(flock) } else { Vec3::from_array(flock.world().center()) };
        Self { center, zoom: 1.0, turn: turned(flock.tick()) * std::f32::consts::TAU, tilt: TILT }
    }
}

/// How the world is seen: straight on where it is flat, in perspective and slowly turning where it is deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// A flat world in dot_aspect.
    Flat {
        /// The point of the world at the canvas's middle, in u.
        center: Vec2,
        /// The canvas's middle, in dots.
        middle: Vec2,
        /// Dots for each u, across and down.
        scale: Vec2,
        /// After how many u the world begins again on each axis; infinite where it does not.
        wrap: Vec2,
    },
    /// A deep world in perspective.
    Perspective {
        /// The point of the world at the canvas's middle, in u.
        center: Vec3,
        /// The canvas's middle, in dots.
        middle: Vec2,
        /// How far the eye is from that point, in u.
        distance: f32,
        /// How far behind it depth has grown by a half, in u.
        reach: f32,
        /// The depth of that point.
        focus: f32,
        /// Dots for each u at that distance, across and down.
        scale: Vec2,
        /// The direction from which it is seen, as cosine and sine.
        turn: Vec2,
        /// From how far below, likewise.
        tilt: Vec2,
        /// After how many u the world begins again on each axis; infinite where it does not.
        wrap: Vec3,
    },
}

impl Camera {
    /// The camera that shows all of a flock's world on this many cells.
    #[must_use]
    pub fn new(flock: &Flock, columns: usize, rows: usize) -> Self {
        let dots = size_in_dots(columns, rows);
        Self::at(flock, &CameraPose::whole(flock), dots, 1.0)
    }

    /// The camera that stands there, with a canvas of so many `dots`, each of them so many times as high as wide.
    pub(crate) fn at(flock: &Flock, stand: &CameraPose, dots: Vec2, dot_height: f32) -> Self {
        let middle = dots * 0.5;
        // How large the canvas is, and what a length becomes on it, in widths of a dot.
        let seen = dots * Vec2::new(1.0, dot_height);
        let scaled = |scale: f32| Vec2::new(scale, scale / dot_height);
        let size = Vec3::from_array(flock.world().size());
        let &CameraPose { center, zoom, turn, tilt } = stand;
        // Seen whole, a world that wraps is cut where its coordinates begin; else where it is farthest from the middle.
        let wraps = flock.params().edge.mode == Edge::Wrap && center != Vec3::from_array(flock.world().center());
        let wrap = if wraps { size } else { Vec3::INFINITY };
        match flock.world() {
            World::Rect([width, height]) => Self::Flat {
                center: center.truncate(),
                middle,
                scale: scaled((seen.x / width).min(seen.y / height) * zoom),
                wrap: wrap.truncate(),
            },
            World::Cuboid(_) | World::Sphere(_) => {
                let radius = if let World::Sphere(radius) = flock.world() { radius } else { 0.5 * size.length() };
                // A ball seen from `d` radii away looks 1/√(1 − 1/d²) times as large as its outline.
                let outline = radius / (1.0 - 1.0 / (DISTANCE * DISTANCE)).sqrt();
                Self::Perspective {
                    center,
                    middle,
                    distance: DISTANCE * radius / zoom,
                    reach: radius / zoom.sqrt(),
                    // Seen whole it is half the way to the far side; who comes near sees it bright.
                    focus: 0.5 / zoom.sqrt(),
                    scale: scaled(FILL * (seen * 0.5).min_element() / outline * zoom),
                    turn: Vec2::from_angle(turn),
                    tilt: Vec2::from_angle(tilt),
                    wrap,
                }
            }
        }
    }

    /// How many dots a length of 1 u takes across the middle of the view.
    #[must_use]
    pub fn scale(&self) -> f32 {
        match self {
            Self::Flat { scale, .. } | Self::Perspective { scale, .. } => scale.x,
        }
    }

    /// What a length of dots across and down is, in widths of a dot.
    #[must_use]
    pub fn dot_aspect(&self) -> Vec2 {
        match self {
            Self::Flat { scale, .. } | Self::Perspective { scale, .. } => Vec2::new(1.0, scale.x / scale.y),
        }
    }

    /// The canvas's middle, in dots.
    #[must_use]
    pub fn middle(&self) -> Vec2 {
        match self {
            Self::Flat { middle, .. } | Self::Perspective { middle, .. } => *middle,
        }
    }

    /// The point of the world at the canvas's middle, in u.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        match self {
            Self::Flat { center, .. } => center.extend(0.0),
            Self::Perspective { center, .. } => *center,
        }
    }

    /// Whether the world goes on beyond its border.
    pub(crate) fn wraps(&self) -> bool {
        match self {
            Self::Flat { wrap, .. } => wrap.is_finite(),
            Self::Perspective { wrap, .. } => wrap.is_finite(),
        }
    }

    /// The same from the side from which another one looks.
    pub(crate) fn beside(self, other: &Self) -> Self {
        match (self, other) {
            (
                Self::Perspective { center, middle, distance, reach, focus, scale, wrap, .. },
                &Self::Perspective { turn, tilt, .. },
            ) => Self::Perspective { center, middle, distance, reach, focus, scale, turn, tilt, wrap },
            (camera, _) => camera,
        }
    }

    /// How far a position is from the point in the middle, in u; in a world that wraps the wrap_offset way.
    #[inline]
    #[must_use]
    pub fn offset(&self, position: [f32; 3]) -> Vec3 {
        let [x, y, z] = position;
        match *self {
            Self::Flat { center, wrap, .. } => {
                Vec3::new(wrap_offset(x - center.x, wrap.x), wrap_offset(y - center.y, wrap.y), 0.0)
            }
            Self::Perspective { center, wrap, .. } => Vec3::new(
                wrap_offset(x - center.x, wrap.x),
                wrap_offset(y - center.y, wrap.y),
                wrap_offset(z - center.z, wrap.z),
            ),
        }
    }

    /// Where what is so far from the point in the middle appears.
    #[inline]
    #[must_use]
    pub fn spot(&self, offset: Vec3) -> Projected {
        match *self {
            Self::Flat { middle, scale, .. } => {
                Projected { at: offset.truncate() * scale + middle, depth: 0.0, size: 1.0 }
            }
            Self::Perspective { middle, distance, reach, focus, scale, turn, tilt, .. } => {
                let seen = rotate(offset, turn, tilt);
                let away = distance + seen.z;
                let away = if away > NEAREST * distance { away } else { f32::NAN };
                let depth = (focus + 0.5 * seen.z / reach).clamp(0.0, 1.0);
                let at = Vec2::new(seen.x, seen.y) * (scale * distance / away) + middle;
                Projected { at, depth, size: distance / away }
            }
        }
    }

    /// Where a position appears.
    #[inline]
    #[must_use]
    pub fn project(&self, position: [f32; 3]) -> Projected {
        self.spot(self.offset(position))
    }

    /// The line of sight through a dot of the canvas.
    #[must_use]
    pub fn ray(&self, dot: Vec2) -> Ray {
        match *self {
            Self::Flat { center, middle, scale, wrap } => {
                let at = center + (dot - middle) / scale;
                let around = |at: f32, size: f32| if size.is_finite() { at.rem_euclid(size) } else { at };
                Ray { at: [around(at.x, wrap.x), around(at.y, wrap.y), 0.0], along: [0.0; 3] }
            }
            Self::Perspective { center, middle, distance, scale, turn, tilt, .. } => {
                let seen = (dot - middle) / scale;
                let along = Vec3::new(seen.x, seen.y, distance).normalize();
                let at = center + rotate_back(seen.extend(0.0), turn, tilt);
                Ray { at: at.to_array(), along: rotate_back(along, turn, tilt).to_array() }
            }
        }
    }

    /// What is a step on the canvas, in dots to the right and down, is this one in the world; not scaled.
    #[must_use]
    pub fn unproject_direction(&self, step: Vec2) -> Vec3 {
        let step = step * self.dot_aspect();
        match *self {
            Self::Flat { .. } => step.extend(0.0),
            Self::Perspective { turn, tilt, .. } => rotate_back(step.extend(0.0), turn, tilt),
        }
    }

    /// The direction in which a velocity points on the canvas, not scaled.
    #[inline]
    #[must_use]
    pub fn heading(&self, velocity: [f32; 3]) -> Vec2 {
        match *self {
            Self::Flat { .. } => Vec2::new(velocity[0], velocity[1]),
            Self::Perspective { turn, tilt, .. } => {
                let seen = rotate(Vec3::from_array(velocity), turn, tilt);
                Vec2::new(seen.x, seen.y)
            }
        }
    }
}

/// A dot for each u, from the upper left corner: what no picture was drawn with.
impl Default for Camera {
    fn default() -> Self {
        Self::Flat { center: Vec2::ZERO, middle: Vec2::ZERO, scale: Vec2::ONE, wrap: Vec2::INFINITY }
    }
}

/// Of an offset along an axis that begins again after `size`, the wrap_offset way around; one of less than `size`.
#[inline]
pub(crate) fn wrap_offset(offset: f32, size: f32) -> f32 {
    let back = if offset > 0.5 * size { size } else { 0.0 };
    let forth = if offset < -0.5 * size { size } else { 0.0 };
    offset - back + forth
}

/// How much of a turn the camera has taken, 0 … 1; of a large tick an f32 would not hold the last digits.
fn turned(tick: u64) -> f32 {
    (tick % TURN_TICKS) as f32 / TURN_TICKS as f32
}

/// Turns about the upright axis, then tilts; x goes right, y down, z away.
#[inline]
fn rotate(point: Vec3, turn: Vec2, tilt: Vec2) -> Vec3 {
    let (x, z) = (point.x * turn.x + point.z * turn.y, point.z * turn.x - point.x * turn.y);
    Vec3::new(x, point.y * tilt.x + z * tilt.y, z * tilt.x - point.y * tilt.y)
}

/// Undoes [`rotate`].
fn rotate_back(seen: Vec3, turn: Vec2, tilt: Vec2) -> Vec3 {
    let (y, z) = (seen.y * tilt.x - seen.z * tilt.y, seen.y * tilt.y + seen.z * tilt.x);
    Vec3::new(seen.x * turn.x - z * turn.y, y, seen.x * turn.y + z * turn.x)
}

/// The mean position of everyone.
fn mean(flock: &Flock) -> Vec3 {
    let agents = flock.agents();
    let axis = |axis: usize| {
        if axis >= flock.world().dim() {
            return 0.0;
        }
        let total: f64 = agents.positions(axis).iter().map(|&at| f64::from(at)).sum();
        (total / agents.len().max(1) as f64) as f32
    };
    Vec3::new(axis(0), axis(1), axis(2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::Preset;
    use crate::sim::{Kind, Row};

    fn camera(preset: &str, columns: usize, rows: usize) -> Camera {
        let setup = Preset::load(preset).unwrap().setup(1, 1.6);
        Camera::new(&Flock::new(&setup).unwrap(), columns, rows)
    }

    #[test]
    fn an_open_world_is_seen_where_its_flock_is() {
        for (preset, at) in [("drones", [9000.0, -400.0, 0.0]), ("sphere", [9000.0, -400.0, 70.0])] {
            let mut setup = Preset::load(preset).unwrap().setup(1, 1.6);
            setup.params.edge.mode = Edge::Open;
            let row = Row { id: 0, kind: Kind::Prey, position: at, velocity: [1.0, 0.0, 0.0], mood: 0.0 };
            let flock = Flock::from_rows(&setup, 0, &[row]).unwrap();
            let seen = Camera::new(&flock, 40, 20).project(at).at;
            assert!(seen.distance(Vec2::new(40.0, 40.0)) < 0.1, "{preset}: {seen}");
        }
    }

    #[test]
    fn a_fixed_world_keeps_its_proportions_and_stands_in_the_middle() {
        let camera = camera("drones", 100, 25); // 200 x 100 dots for 800 x 600 u
        assert_eq!(camera.project([400.0, 300.0, 0.0]).at, Vec2::new(100.0, 50.0));
        let (left, right) = (camera.project([0.0, 0.0, 0.0]).at, camera.project([800.0, 600.0, 0.0]).at);
        assert!((left.y, right.y) == (0.0, 100.0) && (right.x - left.x - 400.0 / 3.0).abs() < 1e-3);
    }

    #[test]
    fn dots_higher_than_wide_are_fewer_down_and_the_world_keeps_its_proportions() {
        let setup = Preset::load("drones").unwrap().setup(1, 1.6);
        let flock = Flock::new(&setup).unwrap(); // in 800 x 600 u
        let camera = Camera::at(&flock, &CameraPose::whole(&flock), Vec2::new(200.0, 100.0), 1.25);
        let (low, high) = (camera.project([0.0; 3]).at, camera.project([800.0, 600.0, 0.0]).at);
        assert!(
            ((high - low) * camera.dot_aspect() * 3.0 / 500.0 - Vec2::new(1.0, 0.75)).length() < 1e-5,
            "{low} {high}"
        );
        assert!((camera.unproject_direction(Vec2::new(4.0, 4.0)) - Vec3::new(4.0, 5.0, 0.0)).length() < 1e-6);
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

    #[test]
    fn who_zooms_in_sees_the_middle_larger_and_around_the_border() {
        let setup = Preset::load("drones").unwrap().setup(1, 1.6);
        let mut params = setup.params;
        params.edge.mode = Edge::Wrap;
        let flock = Flock::new(&crate::sim::Setup { params, ..setup }).unwrap(); // in 800 x 600 u
        let stand = CameraPose { center: Vec3::new(790.0, 300.0, 0.0), zoom: 4.0, turn: 0.0, tilt: 0.0 };
        let camera = Camera::at(&flock, &stand, Vec2::new(160.0, 120.0), 1.0);
        assert_eq!(camera.project([790.0, 300.0, 0.0]).at, Vec2::new(80.0, 60.0));
        assert!((camera.project([10.0, 290.0, 0.0]).at - Vec2::new(96.0, 52.0)).length() < 1e-3);
        assert_eq!(camera.ray(Vec2::new(96.0, 60.0)).at, [10.0, 300.0, 0.0]);
    }

    #[test]
    fn what_is_behind_the_eye_is_not_seen() {
        let setup = Preset::load("sphere").unwrap().setup(1, 1.6);
        let flock = Flock::new(&setup).unwrap();
        let stand = CameraPose { center: Vec3::ZERO, zoom: 8.0, turn: 0.0, tilt: 0.0 };
        let camera = Camera::at(&flock, &stand, Vec2::new(240.0, 160.0), 1.0);
        assert!(camera.project([0.0, 0.0, -50.0]).at.is_nan());
        assert!(camera.project([0.0, 0.0, 50.0]).at == Vec2::new(120.0, 80.0));
        assert!(camera.project([0.0, 0.0, -20.0]).size > 2.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_line_of_sight_is_seen_as_its_dot_however_far_one_goes(
            deep: bool,
            (x, y) in (0.0_f32..240.0, 0.0_f32..160.0),
            (zoom, turn, tilt) in (1.0_f32..64.0, 0.0_f32..6.0, -1.0_f32..1.0),
            center in prop::array::uniform3(-80.0_f32..80.0),
            share in -0.9_f32..0.9,
            dot_height in 0.6_f32..1.7,
        ) {
            let setup = Preset::load(if deep { "sphere" } else { "drones" }).unwrap().setup(1, 1.6);
            let flock = Flock::new(&setup).unwrap();
            let stand = CameraPose { center: Vec3::from_array(center), zoom, turn, tilt };
            let camera = Camera::at(&flock, &stand, Vec2::new(240.0, 160.0), dot_height);
            let share = share / zoom;
            let Ray { at, along } = camera.ray(Vec2::new(x, y));
            let (at, along) = (Vec3::from_array(at), Vec3::from_array(along));
            prop_assert!((along.length() - f32::from(u8::from(deep))).abs() < 1e-5);
            let spot = camera.project((at + along * share * 100.0).to_array());
            prop_assert!((spot.at - Vec2::new(x, y)).length() < 0.02, "{spot:?}");
            prop_assert!(!deep || (spot.depth - 0.5 / zoom.sqrt()) * share > -1e-4, "{spot:?}");
        }
    }
}
