//! The camera: from positions in the world to dots on the canvas, and back.

pub(super) mod controller;
pub(super) mod framing;

use glam::{Vec2, Vec3};

use super::picture::size_in_dots;
use flockscope_sim::{Edge, Plane, Snapshot, World};

/// How many ticks one orbit of the default three-dimensional view takes.
const ORBIT_TICKS: u64 = 3600;
/// Its pitch in radians: the camera is below the world's middle and looks up.
const DEFAULT_PITCH: f32 = 0.35;
/// Its distance from the middle, in radii of the world.
const DISTANCE: f32 = 2.6;
/// How many times farther it is from a flock that it frames: from near, long flocks would look like trumpets.
const LENS: f32 = 2.0;
/// Near plane, as a share of the distance to the middle.
const NEAR_PLANE: f32 = 0.04;
/// The share of the canvas that a three-dimensional world fills.
const FILL: f32 = 0.98;

/// A position as projected on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPoint {
    /// In dots from the upper left corner; NaN behind the camera.
    pub at: Vec2,
    /// 0 nearest … 1 farthest; 0 in two dimensions.
    pub depth: f32,
    /// Magnification relative to the middle of the view.
    pub magnification: f32,
}

/// The points of the world behind a dot of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// A point on it, in u, at the distance of the middle of the view.
    pub origin: [f32; 3],
    /// The direction away from the camera: a unit vector, 0 in two dimensions.
    pub direction: [f32; 3],
}

impl Ray {
    /// The point on the ray nearest to a position, in u.
    pub fn nearest(self, position: [f32; 3]) -> [f32; 3] {
        let (origin, direction) = (Vec3::from_array(self.origin), Vec3::from_array(self.direction));
        let squared = direction.length_squared();
        let far = if squared > 0.0 { (Vec3::from_array(position) - origin).dot(direction) / squared } else { 0.0 };
        (origin + direction * far).to_array()
    }
}

/// What the camera looks at, how close, and from which side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CameraPose {
    /// The point in the middle of the view, in u.
    pub(super) center: Vec3,
    /// Magnification relative to the view of the whole world.
    pub(super) zoom: f32,
    /// Rotation around the vertical axis, in radians.
    pub(super) yaw: f32,
    /// How far below the horizon the camera is, in radians.
    pub(super) pitch: f32,
    /// The distance in front of and behind `center` that spans all depths, in u; `None` for that of the world.
    pub(super) reach: Option<f32>,
}

impl CameraPose {
    /// The default view of the whole world; of an open world, of the flock's mean position.
    pub(super) fn whole_world(flock: Snapshot<'_>) -> Self {
        let open = flock.params.edge.mode == Edge::Open;
        let center = if open { mean_position(flock) } else { Vec3::from_array(flock.world.center()) };
        let yaw = orbit(flock.picture_tick()) * std::f32::consts::TAU;
        Self { center, zoom: 1.0, yaw, pitch: DEFAULT_PITCH, reach: None }
    }

    /// The pose in which a plane fills a canvas of this many `dots`.
    pub(super) fn facing(&self, flock: Snapshot<'_>, plane: &Plane, dots: Vec2, dot_height: f32) -> Self {
        let [center, right, down] = [plane.center, plane.right, plane.down].map(Vec3::from_array);
        let yaw = right.z.atan2(right.x);
        let pitch = (down.z * yaw.cos() - down.x * yaw.sin()).atan2(down.y);
        let pose = Self { center, yaw, pitch, zoom: 1.0, reach: self.reach };
        let scale = Camera::from_pose(flock, &pose, dots, dot_height).scale;
        let shown = Vec2::new(right.length(), down.length()) * scale;
        Self { zoom: (dots * 0.5 / shown).min_element().clamp(f32::MIN_POSITIVE, f32::MAX), ..pose }
    }
}

/// A projection of the world on a canvas: orthographic in two dimensions, with perspective in three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point in the middle of the canvas, in u.
    center: Vec3,
    /// The middle of the canvas, in dots.
    middle: Vec2,
    /// Dots per u across and down, at the distance of `center`.
    scale: Vec2,
    /// The period of the world on each axis, in u; infinite where the view does not wrap.
    wrap: Vec3,
    perspective: Option<Perspective>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Perspective {
    /// From the camera to `center`, in u.
    distance: f32,
    /// How far behind `center` depth has grown by a half, in u.
    reach: f32,
    /// The depth of `center`.
    focus: f32,
    /// Rotations as (cosine, sine).
    yaw: Vec2,
    pitch: Vec2,
}

impl Camera {
    /// The default view of a flock's world on a canvas of this many cells.
    pub fn new<'a>(flock: impl Into<Snapshot<'a>>, columns: usize, rows: usize) -> Self {
        let flock = flock.into();
        Self::from_pose(flock, &CameraPose::whole_world(flock), size_in_dots(columns, rows), 1.0)
    }

    /// A camera in a pose, for a canvas of this many `dots`, each `dot_height` times as high as wide.
    pub(super) fn from_pose(flock: Snapshot<'_>, pose: &CameraPose, dots: Vec2, dot_height: f32) -> Self {
        let &CameraPose { center, zoom, yaw, pitch, reach } = pose;
        let middle = dots * 0.5;
        // The size of the canvas, and below its scale, in widths of a dot.
        let canvas = dots * Vec2::new(1.0, dot_height);
        let scale = |scale: f32| Vec2::new(scale, scale / dot_height);
        let size = Vec3::from_array(flock.world.size());
        // A torus seen whole is cut at the border of its coordinates; otherwise opposite the center.
        let wraps = flock.params.edge.mode == Edge::Wrap && center != Vec3::from_array(flock.world.center());
        let wrap = if wraps { size } else { Vec3::INFINITY };
        let radius = match flock.world {
            World::Rect([width, height]) => {
                return Self {
                    center: center.with_z(0.0),
                    middle,
                    scale: scale((canvas.x / width).min(canvas.y / height) * zoom),
                    wrap: wrap.with_z(f32::INFINITY),
                    perspective: None,
                };
            }
            World::Cuboid(_) => 0.5 * size.length(),
            World::Sphere(radius) => radius,
        };
        // A sphere seen from `d` radii away looks 1/√(1 − 1/d²) times as large as its outline.
        let outline = radius / (1.0 - 1.0 / (DISTANCE * DISTANCE)).sqrt();
        let perspective = Perspective {
            distance: DISTANCE * radius / zoom * if reach.is_some() { LENS } else { 1.0 },
            reach: reach.unwrap_or(radius / zoom.sqrt()),
            // Half the depth range when seen whole; brighter when near.
            focus: if reach.is_some() { 0.5 } else { 0.5 / zoom.sqrt() },
            yaw: Vec2::from_angle(yaw),
            pitch: Vec2::from_angle(pitch),
        };
        let scale = scale(FILL * (canvas * 0.5).min_element() / outline * zoom);
        Self { center, middle, scale, wrap, perspective: Some(perspective) }
    }

    /// The same camera with the rotation of another.
    pub(super) fn with_rotation_of(self, other: &Self) -> Self {
        let rotated = self.perspective.zip(other.perspective);
        let perspective = rotated.map(|(own, other)| Perspective { yaw: other.yaw, pitch: other.pitch, ..own });
        Self { perspective: perspective.or(self.perspective), ..self }
    }

    /// Whether the world has three dimensions.
    pub fn is_perspective(&self) -> bool {
        self.perspective.is_some()
    }

    /// Dots per u across, at the distance of the middle of the view.
    pub fn scale(&self) -> f32 {
        self.scale.x
    }

    /// Width and height of a dot, in widths of a dot.
    pub(crate) fn dot_aspect(&self) -> Vec2 {
        Vec2::new(1.0, self.scale.x / self.scale.y)
    }

    /// The middle of the canvas, in dots.
    pub fn middle(&self) -> Vec2 {
        self.middle
    }

    /// The point of the world in the middle of the canvas, in u.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Whether the view continues beyond the border of a torus.
    pub fn is_wrapping(&self) -> bool {
        self.wrap.x.is_finite()
    }

    /// The offset of a position from the middle of the view, in u; the shorter way around a torus.
    #[inline]
    pub(crate) fn offset(&self, position: [f32; 3]) -> Vec3 {
        let Self { center, wrap, .. } = self;
        let [x, y, z] = position;
        Vec3::new(
            wrap_offset(x - center.x, wrap.x),
            wrap_offset(y - center.y, wrap.y),
            wrap_offset(z - center.z, wrap.z),
        )
    }

    /// Offset across and down of a position in a flat world, as in [`project`](Self::project), in dots.
    #[inline]
    pub(super) fn project_flat(&self, x: f32, y: f32) -> (f32, f32) {
        let Self { center, middle, scale, wrap, .. } = self;
        (wrap_offset(x - center.x, wrap.x) * scale.x + middle.x, wrap_offset(y - center.y, wrap.y) * scale.y + middle.y)
    }

    /// Projects a position given by its [`offset`](Self::offset).
    #[inline]
    pub(crate) fn project_offset(&self, offset: Vec3) -> ScreenPoint {
        let Self { middle, scale, .. } = *self;
        let Some(Perspective { distance, reach, focus, yaw, pitch }) = self.perspective else {
            return ScreenPoint { at: offset.truncate() * scale + middle, depth: 0.0, magnification: 1.0 };
        };
        let seen = rotate(offset, yaw, pitch);
        let away = distance + seen.z;
        // NaN is outside of every canvas, without a branch for each agent behind the camera.
        let away = if away > NEAR_PLANE * distance { away } else { f32::NAN };
        let depth = (focus + 0.5 * seen.z / reach).clamp(0.0, 1.0);
        let at = Vec2::new(seen.x, seen.y) * (scale * distance / away) + middle;
        ScreenPoint { at, depth, magnification: distance / away }
    }

    /// Projects a position.
    #[inline]
    pub fn project(&self, position: [f32; 3]) -> ScreenPoint {
        self.project_offset(self.offset(position))
    }

    /// The direction of a velocity on the canvas, not scaled.
    #[inline]
    pub(crate) fn project_direction(&self, velocity: [f32; 3]) -> Vec2 {
        self.rotate(Vec3::from_array(velocity)).truncate()
    }

    /// A direction in the world as seen from the camera: right, down and away; unchanged in two dimensions.
    #[inline]
    pub(super) fn rotate(&self, direction: Vec3) -> Vec3 {
        self.perspective.map_or(direction, |Perspective { yaw, pitch, .. }| rotate(direction, yaw, pitch))
    }

    /// The direction in the world of a step on the canvas in dots, not scaled.
    pub fn unproject_direction(&self, step: Vec2) -> Vec3 {
        self.rotate_back((step * self.dot_aspect()).extend(0.0))
    }

    /// The ray through a dot of the canvas.
    pub fn ray(&self, dot: Vec2) -> Ray {
        let seen = ((dot - self.middle) / self.scale).extend(0.0);
        let origin = self.center + self.rotate_back(seen);
        let Some(Perspective { distance, .. }) = self.perspective else {
            let origin = Vec3::select(self.wrap.is_finite_mask(), origin.rem_euclid(self.wrap), origin);
            return Ray { origin: origin.with_z(0.0).to_array(), direction: [0.0; 3] };
        };
        let direction = self.rotate_back(seen.with_z(distance).normalize());
        Ray { origin: origin.to_array(), direction: direction.to_array() }
    }

    /// The plane through the middle of the view, as far as it is in view at `1 / zoom` of the magnification.
    pub fn plane(&self, zoom: f32) -> Plane {
        self.plane_around(self.center.to_array(), self.middle * zoom)
    }

    /// A rectangle of the canvas, in dots, in the plane through the middle of the view; and the way from its middle to the eye that
    /// looks at it straight, zero in two dimensions.
    pub fn rectangle(&self, corner: Vec2, size: Vec2) -> (Plane, [f32; 3]) {
        let half = 0.5 * size;
        let distance = self.perspective.map_or(0.0, |perspective| perspective.distance);
        (self.plane_around(self.ray(corner + half).origin, half), self.rotate_back(Vec3::Z * -distance).to_array())
    }

    /// The part of a plane across the view with this center, and half its size in dots.
    fn plane_around(&self, center: [f32; 3], half: Vec2) -> Plane {
        let half = half / self.scale;
        let [right, down] = [Vec3::X * half.x, Vec3::Y * half.y].map(|seen| self.rotate_back(seen).to_array());
        Plane { center, right, down }
    }

    /// Undoes [`rotate`].
    fn rotate_back(&self, seen: Vec3) -> Vec3 {
        let Some(Perspective { yaw, pitch, .. }) = self.perspective else { return seen };
        let (y, z) = (seen.y * pitch.x - seen.z * pitch.y, seen.y * pitch.y + seen.z * pitch.x);
        Vec3::new(seen.x * yaw.x - z * yaw.y, y, seen.x * yaw.y + z * yaw.x)
    }
}

/// One dot per u from the upper left corner: a placeholder before the first picture.
impl Default for Camera {
    fn default() -> Self {
        Self { center: Vec3::ZERO, middle: Vec2::ZERO, scale: Vec2::ONE, wrap: Vec3::INFINITY, perspective: None }
    }
}

/// The shorter equivalent of an offset along an axis with a period of `size`; its length must be below `size`.
#[inline]
pub(super) fn wrap_offset(offset: f32, size: f32) -> f32 {
    let above = if offset > 0.5 * size { size } else { 0.0 };
    let below = if offset < -0.5 * size { size } else { 0.0 };
    offset - above + below
}

/// How much of an orbit is done, 0 … 1. Reduced as an integer: an f32 does not hold the last digits of a large tick.
fn orbit(tick: u64) -> f32 {
    (tick % ORBIT_TICKS) as f32 / ORBIT_TICKS as f32
}

/// Rotates around the vertical axis, then pitches. In the result x is right, y down, z away from the camera.
#[inline]
fn rotate(point: Vec3, yaw: Vec2, pitch: Vec2) -> Vec3 {
    let (x, z) = (point.x * yaw.x + point.z * yaw.y, point.z * yaw.x - point.x * yaw.y);
    Vec3::new(x, point.y * pitch.x + z * pitch.y, z * pitch.x - point.y * pitch.y)
}

/// The mean position of all agents.
fn mean_position(flock: Snapshot<'_>) -> Vec3 {
    let agents = flock.agents;
    let mean = |axis: usize| {
        if axis >= flock.world.dim() {
            return 0.0;
        }
        let total: f64 = agents.positions(axis).iter().map(|&at| f64::from(at)).sum();
        (total / agents.len().max(1) as f64) as f32
    };
    Vec3::new(mean(0), mean(1), mean(2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::canvas::presets;
    use flockscope_sim::{Flock, Kind, Row, Setup};

    fn setup(preset: &str) -> Setup {
        presets::setup(preset, 1, 1.6)
    }

    fn flock(preset: &str) -> Flock {
        Flock::new(&setup(preset)).unwrap()
    }

    fn pose(center: [f32; 3], zoom: f32) -> CameraPose {
        CameraPose { center: Vec3::from_array(center), zoom, yaw: 0.0, pitch: 0.0, reach: None }
    }

    #[test]
    fn an_open_world_is_centered_on_its_flock() {
        for (preset, at) in [("drones", [9000.0, -400.0, 0.0]), ("sphere", [9000.0, -400.0, 70.0])] {
            let mut setup = setup(preset);
            setup.params.edge.mode = Edge::Open;
            let row = Row { id: 0, kind: Kind::Prey, position: at, velocity: [1.0, 0.0, 0.0], mood: 0.0, bank: 0.0 };
            let flock = Flock::from_rows(&setup, 0, &[row]).unwrap();
            let seen = Camera::new(&flock, 40, 20).project(at).at;
            assert!(seen.distance(Vec2::new(40.0, 40.0)) < 0.1, "{preset}: {seen}");
        }
    }

    #[test]
    fn keeps_the_proportions_of_a_flat_world() {
        let flock = flock("drones"); // 800 x 600 u
        let camera = Camera::new(&flock, 100, 25); // 200 x 100 dots
        assert_eq!(camera.project([400.0, 300.0, 0.0]).at, Vec2::new(100.0, 50.0));
        let (left, right) = (camera.project([0.0, 0.0, 0.0]).at, camera.project([800.0, 600.0, 0.0]).at);
        assert!((left.y, right.y) == (0.0, 100.0) && (right.x - left.x - 400.0 / 3.0).abs() < 1e-3);

        let camera = Camera::from_pose(
            (&flock).into(),
            &CameraPose::whole_world((&flock).into()),
            Vec2::new(200.0, 100.0),
            1.25,
        );
        let (low, high) = (camera.project([0.0; 3]).at, camera.project([800.0, 600.0, 0.0]).at);
        let shape = (high - low) * camera.dot_aspect() * 3.0 / 500.0;
        assert!((shape - Vec2::new(1.0, 0.75)).length() < 1e-5, "{low} {high}");
        assert!((camera.unproject_direction(Vec2::splat(4.0)) - Vec3::new(4.0, 5.0, 0.0)).length() < 1e-6);
    }

    #[test]
    fn the_orbit_is_as_smooth_at_large_ticks() {
        let late = u64::MAX - u64::MAX % ORBIT_TICKS - ORBIT_TICKS;
        for tick in [0, 1, 2, ORBIT_TICKS - 1] {
            assert_eq!(orbit(late + tick), tick as f32 / ORBIT_TICKS as f32);
        }
    }

    #[test]
    fn a_sphere_fits_the_canvas_and_spans_the_depth_range() {
        let camera = Camera::new(&flock("sphere"), 120, 40);
        let mut depths = (1.0_f32, 0.0_f32);
        for k in 0..200 {
            let (turn, rise) = (k as f32 * 0.7, (k as f32 * 0.37).sin());
            let flat = (1.0 - rise * rise).sqrt() * 100.0;
            let point = camera.project([flat * turn.cos(), rise * 100.0, flat * turn.sin()]);
            assert!((0.0..=240.0).contains(&point.at.x) && (0.0..=160.0).contains(&point.at.y), "{point:?}");
            depths = (depths.0.min(point.depth), depths.1.max(point.depth));
        }
        assert!(depths.0 < 0.05 && depths.1 > 0.95, "{depths:?}");
    }

    #[test]
    fn a_zoomed_view_continues_beyond_the_border_of_a_torus() {
        let mut setup = setup("drones"); // 800 x 600 u
        setup.params.edge.mode = Edge::Wrap;
        let flock = Flock::new(&setup).unwrap();
        let camera = Camera::from_pose((&flock).into(), &pose([790.0, 300.0, 0.0], 4.0), Vec2::new(160.0, 120.0), 1.0);
        assert_eq!(camera.project([790.0, 300.0, 0.0]).at, Vec2::new(80.0, 60.0));
        assert!((camera.project([10.0, 290.0, 0.0]).at - Vec2::new(96.0, 52.0)).length() < 1e-3);
        assert_eq!(camera.ray(Vec2::new(96.0, 60.0)).origin, [10.0, 300.0, 0.0]);
    }

    #[test]
    fn points_behind_the_camera_have_no_projection() {
        let camera = Camera::from_pose((&flock("sphere")).into(), &pose([0.0; 3], 8.0), Vec2::new(240.0, 160.0), 1.0);
        assert!(camera.project([0.0, 0.0, -50.0]).at.is_nan());
        assert!(camera.project([0.0, 0.0, 50.0]).at == Vec2::new(120.0, 80.0));
        assert!(camera.project([0.0, 0.0, -20.0]).magnification > 2.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn points_on_a_ray_project_to_its_dot(
            deep: bool,
            (x, y) in (0.0_f32..240.0, 0.0_f32..160.0),
            (zoom, yaw, pitch) in (1.0_f32..64.0, 0.0_f32..6.0, -1.0_f32..1.0),
            center in prop::array::uniform3(-80.0_f32..80.0),
            share in -0.9_f32..0.9,
            dot_height in 0.6_f32..1.7,
        ) {
            let flock = flock(if deep { "sphere" } else { "drones" });
            let pose = CameraPose { yaw, pitch, ..pose(center, zoom) };
            let camera = Camera::from_pose((&flock).into(), &pose, Vec2::new(240.0, 160.0), dot_height);
            let share = share / zoom;
            let ray = camera.ray(Vec2::new(x, y));
            let (origin, direction) = (Vec3::from_array(ray.origin), Vec3::from_array(ray.direction));
            prop_assert!((direction.length() - f32::from(u8::from(deep))).abs() < 1e-5);
            let point = camera.project((origin + direction * share * 100.0).to_array());
            prop_assert!((point.at - Vec2::new(x, y)).length() < 0.02, "{point:?}");
            prop_assert!(!deep || (point.depth - 0.5 / zoom.sqrt()) * share > -1e-4, "{point:?}");
        }
    }
}
