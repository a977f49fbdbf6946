//! What the camera is asked to show, and how it moves there: it follows agents, and eases toward the view.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::framing::Framing;
use super::{Camera, CameraPose, wrap_offset};
use flockscope_sim::{Analyzer, Edge, Group, Kind, Snapshot, World, circular_mean};

/// Time constant in seconds: after this long, 1/e of the way to the target pose remains.
const EASE_TIME: f32 = 0.14;
/// Remaining ways below this share of the view, this angle, or this change of zoom's logarithm are skipped.
const NEGLIGIBLE: f32 = 1e-3;
/// Ticks between two searches for the largest group.
const SEARCH_INTERVAL: u64 = 12;
/// Larger flocks are followed as a whole, by the mean of a sample of this size: a search would delay the tick.
const SEARCH_LIMIT: usize = 20_000;

/// The agent that stays in the middle of the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// Its id.
    pub id: u32,
    /// Its kind.
    pub kind: Kind,
    position: Vec3,
}

impl Followed {
    /// Its position, in u.
    pub fn position(&self) -> [f32; 3] {
        self.position.to_array()
    }
}

/// Turns an [`Aim`] into a camera pose for each picture.
#[derive(Debug, Default)]
pub(crate) struct CameraController {
    aim: Aim,
    /// The aim from the next picture on.
    next: Aim,
    pub(crate) followed: Option<Followed>,
    /// The id of the followed agent, after it disappeared.
    pub(crate) lost: Option<u32>,
    /// The largest group, and the tick at which it was found.
    largest: Option<(Group, u64)>,
    analyzer: Analyzer,
    framing: Framing,
    /// The default pose while boids form letters.
    held: Option<CameraPose>,
    /// The last default pose, if another one holds from now on.
    replaced: Option<CameraPose>,
    /// How far the default orbit has been turned by poses that were held, in radians.
    turned: f32,
    /// The last default pose.
    default: Option<CameraPose>,
    /// The remaining way to the target pose; `None` before the first picture.
    remaining: Option<Remaining>,
}

/// The difference between the current pose and the target pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Remaining {
    center: Vec3,
    /// Difference of the zooms' logarithms.
    log_zoom: f32,
    yaw: f32,
    pitch: f32,
}

impl CameraController {
    /// Sets the aim, from the next picture on.
    pub(crate) fn set_aim(&mut self, aim: Aim) {
        self.next = aim;
    }

    /// Moves the camera on toward its target.
    pub(crate) fn advance(&mut self, seconds: f32) {
        let left = (-seconds.max(0.0) / EASE_TIME).exp();
        if let Some(Remaining { center, log_zoom, yaw, pitch }) = &mut self.remaining {
            *center *= left;
            for remaining in [log_zoom, yaw, pitch] {
                *remaining *= left;
            }
        }
    }

    /// Whether the camera has not reached its target.
    pub(crate) fn is_moving(&self) -> bool {
        self.remaining.is_some_and(|remaining| remaining != Remaining::default())
    }

    /// Whether the camera is zooming or rotating.
    pub(crate) fn is_zooming_or_rotating(&self) -> bool {
        self.remaining.is_some_and(|way| way != Remaining { center: way.center, ..Remaining::default() })
    }

    /// Skips the way to the target: the next picture shows the target pose.
    pub(crate) fn jump(&mut self) {
        (self.remaining, self.largest, self.framing) = (None, None, Framing::default());
        (self.held, self.replaced, self.default, self.turned) = (None, None, None, 0.0);
    }

    /// The default pose on a canvas of this many `dots`: the whole world, or in three dimensions the flock.
    pub(crate) fn default_pose(&mut self, flock: Snapshot<'_>, dots: Vec2, dot_height: f32) -> CameraPose {
        let whole = CameraPose::whole_world(flock);
        let Aim { center, follow, yaw, pitch, .. } = self.next;
        let rotated = CameraPose { yaw: yaw.unwrap_or(whole.yaw), pitch: pitch.unwrap_or(whole.pitch), ..whole };
        let keeps_zoom = center.is_some() || follow != Follow::Nobody;
        let framed = self.framing.update(flock, &rotated, dots, dot_height, keeps_zoom);
        let free = CameraPose { yaw: whole.yaw + self.turned, pitch: whole.pitch, ..framed };
        let pose = self.hold(flock, free, dots, dot_height);
        self.default = Some(pose);
        pose
    }

    /// Holds the pose that shows the plane in which boids form letters. After it, the orbit goes on from there.
    fn hold(&mut self, flock: Snapshot<'_>, free: CameraPose, dots: Vec2, dot_height: f32) -> CameraPose {
        let plane = flock.perches.and_then(|perches| perches.formation().plane);
        let held = plane.map(|plane| free.facing(flock, &plane, dots, dot_height));
        let before = std::mem::replace(&mut self.held, held);
        if before != held {
            self.replaced = self.default;
        }
        match (held, before) {
            (None, Some(before)) => {
                self.turned += before.yaw - free.yaw;
                CameraPose { yaw: before.yaw, ..free }
            }
            _ => held.unwrap_or(free),
        }
    }

    /// The pose for the next picture, and the target pose. `last` is the camera of the last picture, `default` the
    /// [default pose](Self::default_pose).
    pub(crate) fn update(
        &mut self,
        flock: Snapshot<'_>,
        last: &Camera,
        default: &CameraPose,
    ) -> (CameraPose, CameraPose) {
        self.update_followed(flock);
        // The way to a new target begins at the old one, so that the camera eases and does not jump.
        let replaced = self.replaced.take();
        let before = self.target(flock, replaced.as_ref().unwrap_or(default));
        if self.next != self.aim {
            self.apply_next_aim(flock, last);
        }
        self.find_largest_group(flock);
        let target = self.target(flock, default);
        let mut remaining = self.remaining.map_or_else(Remaining::default, |way| way.retarget(&before, &target, flock));
        if remaining.center.length() <= NEGLIGIBLE * flock.world.size()[0] / target.zoom {
            remaining.center = Vec3::ZERO;
        }
        for way in [&mut remaining.log_zoom, &mut remaining.yaw, &mut remaining.pitch] {
            *way = if way.abs() < NEGLIGIBLE { 0.0 } else { *way };
        }
        self.remaining = Some(remaining);
        let pose = CameraPose {
            center: inside(target.center + remaining.center, flock),
            zoom: if remaining.log_zoom == 0.0 { target.zoom } else { target.zoom * remaining.log_zoom.exp() },
            yaw: target.yaw + remaining.yaw,
            pitch: target.pitch + remaining.pitch,
            reach: target.reach,
        };
        (pose, target)
    }

    fn target(&self, flock: Snapshot<'_>, default: &CameraPose) -> CameraPose {
        let aim = self.aim.clamped(&flock.world, flock.params.edge.mode);
        let center = match aim.follow {
            // Letters stay where they are.
            Follow::Middle | Follow::Agent(_) | Follow::Largest if self.held.is_some() => None,
            Follow::Middle | Follow::Agent(_) => self.followed.map(|followed| followed.position),
            Follow::Nobody if self.held.is_some() || !self.follows_largest(flock) => aim.center.map(Vec3::from_array),
            Follow::Nobody | Follow::Largest => self.largest.map(|(group, since)| {
                // Between two searches the group moves on at its last velocity.
                let ticks = flock.picture_tick().saturating_sub(since) as f32;
                Vec3::from_array(group.center) + Vec3::from_array(group.velocity) * ticks
            }),
        };
        CameraPose {
            center: center.map_or(default.center, |center| inside(center, flock)),
            zoom: default.zoom * aim.zoom,
            yaw: aim.yaw.unwrap_or(default.yaw),
            pitch: aim.pitch.unwrap_or(default.pitch),
            reach: default.reach.map(|reach| reach / aim.zoom.sqrt()),
        }
    }

    /// Finds the followed agent again. If it is gone, the camera stays where it was.
    fn update_followed(&mut self, flock: Snapshot<'_>) {
        let Some(followed) = self.followed else { return };
        let found = index_of(flock, followed.id).map(|index| follow(flock, index));
        if found.is_none() && flock.recorded.is_some() {
            // A recorded animal may be found again in a later frame.
            return;
        }
        self.followed = found;
        if self.followed.is_none() {
            self.lost = Some(followed.id);
            self.aim = Aim { center: Some(followed.position()), follow: Follow::Nobody, ..self.aim };
            self.next = Aim { center: self.aim.center, follow: Follow::Nobody, ..self.next };
        }
    }

    fn apply_next_aim(&mut self, flock: Snapshot<'_>, last: &Camera) {
        if self.next.follow != self.aim.follow {
            (self.lost, self.largest) = (None, None);
            let index = match self.next.follow {
                Follow::Middle => nearest_to_middle(flock, last),
                Follow::Agent(id) => index_of(flock, id),
                Follow::Nobody | Follow::Largest => None,
            };
            self.followed = index.map(|index| follow(flock, index));
            if let (Follow::Agent(id), None) = (self.next.follow, self.followed) {
                self.lost = Some(id);
                self.next.follow = Follow::Nobody;
            }
        }
        self.aim = self.next;
    }

    /// Whether the largest group is in the middle. Without a border, boids leave every other view for good, unless the
    /// camera frames the flock.
    fn follows_largest(&self, flock: Snapshot<'_>) -> bool {
        let Aim { follow, center, .. } = self.aim;
        let is_open = flock.params.edge.mode == Edge::Open && flock.world.dim() == 2 && flock.recorded.is_none();
        follow == Follow::Largest || (is_open && follow == Follow::Nobody && center.is_none())
    }

    fn find_largest_group(&mut self, flock: Snapshot<'_>) {
        let tick = flock.picture_tick();
        let is_recent = self.largest.is_some_and(|(_, since)| (since..since + SEARCH_INTERVAL).contains(&tick));
        if is_recent || !self.follows_largest(flock) {
            return;
        }
        let previous = self.largest.map(|(group, _)| group.member);
        let largest = if flock.boids() > SEARCH_LIMIT {
            Some(whole_flock(flock))
        } else {
            self.analyzer.largest(flock, previous)
        };
        self.largest = largest.map(|group| (group, flock.picture_tick()));
    }
}

impl Remaining {
    /// The remaining way after the target moved.
    fn retarget(self, from: &CameraPose, to: &CameraPose, flock: Snapshot<'_>) -> Self {
        let way = self.center + from.center - to.center;
        let size = if flock.params.edge.mode == Edge::Wrap { flock.world.size() } else { [0.0; 3] };
        let short = |way: f32, size: f32| if size > 0.0 { wrap_offset(way % size, size) } else { way };
        Self {
            center: Vec3::new(short(way.x, size[0]), short(way.y, size[1]), short(way.z, size[2])),
            // A logarithm, so that zooming in by a factor looks as fast as zooming out by it.
            log_zoom: self.log_zoom + (from.zoom / to.zoom).ln(),
            yaw: wrap_offset((self.yaw + from.yaw - to.yaw) % (2.0 * PI), 2.0 * PI),
            pitch: self.pitch + from.pitch - to.pitch,
        }
    }
}

/// Wraps a position into the world, if the world is a torus.
fn inside(position: Vec3, flock: Snapshot<'_>) -> Vec3 {
    if flock.params.edge.mode != Edge::Wrap {
        return position;
    }
    let origin = Vec3::from_array(flock.world.origin());
    origin + wrap(position - origin, Vec3::from_array(flock.world.size()))
}

/// All agents as one group, with the means of a sample.
fn whole_flock(flock: Snapshot<'_>) -> Group {
    let agents = flock.agents;
    let sample = (0..agents.len()).step_by(agents.len().div_ceil(SEARCH_LIMIT).max(1));
    let count = sample.clone().count().max(1) as f32;
    let wraps = flock.params.edge.mode == Edge::Wrap;
    let size = flock.world.size();
    let mean = |values: &[f32]| sample.clone().filter_map(|index| values.get(index)).sum::<f32>() / count;
    // On a torus the mean is circular.
    let center = [0, 1, 2].map(|axis| {
        let values = agents.positions(axis);
        if !wraps || values.is_empty() {
            return mean(values);
        }
        circular_mean(size[axis], sample.clone().map(|index| values[index]))
    });
    let velocity = [0, 1, 2].map(|axis| mean(agents.velocities(axis)));
    Group { boids: flock.boids(), center, velocity, member: 0 }
}

fn index_of(flock: Snapshot<'_>, id: u32) -> Option<usize> {
    flock.agents.ids().iter().position(|other| *other == id)
}

fn follow(flock: Snapshot<'_>, index: usize) -> Followed {
    let agents = flock.agents;
    let position = Vec3::from_array(agents.position_array(index));
    Followed { id: agents.ids()[index], kind: agents.kinds()[index], position }
}

/// The index of the boid that a camera sees nearest to its middle; of two, the one with the lower id.
fn nearest_to_middle(flock: Snapshot<'_>, camera: &Camera) -> Option<usize> {
    let agents = flock.agents;
    let boids = (0..agents.len()).filter(|&index| agents.kinds()[index] == Kind::Prey);
    let distance = |index| camera.project(agents.position_array(index)).at.distance_squared(camera.middle());
    let visible = boids.map(|index| (distance(index), index)).filter(|(distance, _)| !distance.is_nan());
    visible
        .min_by(|(a, one), (b, other)| a.total_cmp(b).then(agents.ids()[*one].cmp(&agents.ids()[*other])))
        .map(|(_, index)| index)
}

/// The highest zoom.
pub const MAX_ZOOM: f32 = 64.0;
/// The steepest pitch in radians, up or down.
const MAX_PITCH: f32 = 1.4;

/// What stays in the middle of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Nothing: the camera stands still.
    #[default]
    Nobody,
    /// The boid nearest to the middle at the time of the request.
    Middle,
    /// The agent with this id.
    Agent(u32),
    /// The largest group of boids.
    Largest,
}

/// Where the camera looks. The default shows the whole world; in three dimensions it frames the flock and orbits slowly.
///
/// In three dimensions zooming in moves the camera closer, even into the flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Magnification relative to the default view: 1 … [`MAX_ZOOM`].
    pub zoom: f32,
    /// The point in the middle of the view, in u; by default the middle of the world, or in three dimensions of the flock.
    pub center: Option<[f32; 3]>,
    /// What to follow instead of `center`.
    pub follow: Follow,
    /// Rotation around the vertical axis, in radians; by default the camera orbits.
    pub yaw: Option<f32>,
    /// How far below the horizon the camera is, in radians; by default a fixed angle.
    pub pitch: Option<f32>,
}

impl Default for Aim {
    fn default() -> Self {
        Self { zoom: 1.0, center: None, follow: Follow::Nobody, yaw: None, pitch: None }
    }
}

impl Aim {
    /// Whether the whole world is in view, or in three dimensions the whole flock.
    pub fn shows_whole_world(&self) -> bool {
        self.zoom <= 1.0 && self.center.is_none() && self.follow == Follow::Nobody
    }

    /// The same with zoom and pitch in range and the center in the world, unless the world is open.
    #[must_use]
    pub fn clamped(self, world: &World, edge: Edge) -> Self {
        let (origin, size) = (Vec3::from_array(world.origin()), Vec3::from_array(world.size()));
        let center = self.center.map(|center| {
            let offset = Vec3::from_array(center) - origin;
            let inside = match edge {
                Edge::Open => offset,
                Edge::Wrap => wrap(offset, size),
                Edge::Turn | Edge::Push | Edge::Reflect | Edge::Sphere => offset.clamp(Vec3::ZERO, size),
            };
            (origin + inside).to_array()
        });
        Self {
            zoom: self.zoom.clamp(1.0, MAX_ZOOM),
            center,
            pitch: self.pitch.map(|pitch| pitch.clamp(-MAX_PITCH, MAX_PITCH)),
            ..self
        }
    }
}

/// Wraps a position, relative to the world's origin, into a torus. Axes of size 0 stay as they are.
pub(super) fn wrap(position: Vec3, size: Vec3) -> Vec3 {
    Vec3::select(size.cmpgt(Vec3::ZERO), position.rem_euclid(size), position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::{Canvas, CanvasFormat, Picture};
    use flockscope_sim::{Flock, Row, Scratch, Setup, Start, World};

    /// Boids that fly right on a torus of 200 x 100 u, in groups given as (count, x).
    fn flock(groups: &[(u32, f32)]) -> Flock {
        let mut setup = Setup {
            params: flockscope_sim::Params::default(),
            world: World::Rect([200.0, 100.0]),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        };
        setup.params.cohesion.radius = 8.0;
        let positions = groups.iter().flat_map(|&(count, x)| (0..count).map(move |_| x)).zip(0..);
        let rows: Vec<Row> = positions
            .map(|(x, id)| Row {
                id,
                kind: Kind::Prey,
                position: [(x + (id % 3) as f32) % 200.0, 40.0 + 2.0 * (id % 10) as f32, 0.0],
                velocity: [2.0, 0.0, 0.0],
                mood: 0.0,
                bank: 0.0,
            })
            .collect();
        Flock::from_rows(&setup, 5, &rows).unwrap()
    }

    #[test]
    fn the_largest_group_may_cross_the_border_and_changes_rarely() {
        let mut analyzer = Analyzer::new();
        let groups = [(10, 50.0), (12, 199.0)];
        let largest = analyzer.largest(&flock(&groups), None).unwrap();
        assert_eq!((largest.boids, largest.velocity), (12, [2.0, 0.0, 0.0]));
        assert!((largest.center[0] - 200.0).rem_euclid(200.0) < 1.0, "{largest:?}");
        assert!(largest.member >= 10);
        assert_eq!(analyzer.largest(&flock(&groups), Some(3)).unwrap().boids, 10);
        assert_eq!(analyzer.largest(&flock(&[(10, 50.0), (13, 199.0)]), Some(3)).unwrap().boids, 13);
    }

    #[test]
    fn followed_agents_stay_in_the_middle_across_the_border() {
        let mut flock = flock(&[(12, 170.0), (5, 60.0)]);
        let mut scratch = Scratch::new();
        let format = |follow| {
            let aim = Aim { zoom: 4.0, follow, ..Aim::default() };
            CanvasFormat { columns: 40, rows: 20, aim, ..CanvasFormat::default() }
        };
        let mut canvas = Canvas::with_format(format(Follow::Nobody));
        canvas.draw(&flock, &mut Picture::default());
        for follow in [Follow::Agent(3), Follow::Largest] {
            canvas.set_format(format(follow));
            let mut last = canvas.camera().center();
            for tick in 0..40 {
                flock.step(&mut scratch);
                canvas.advance_camera(1.0 / 20.0);
                canvas.draw(&flock, &mut Picture::default());
                let center = canvas.camera().center();
                let way = wrap_offset(center.x - last.x, 200.0).hypot(wrap_offset(center.y - last.y, 100.0));
                // The first steps of an eased move are the longest.
                assert!(way < 40.0 && (tick < 30 || way < 6.0), "{follow:?}: {way} at {tick}");
                last = center;
                if let (Some((_, at)), true) = (canvas.view_info().followed, tick > 30) {
                    assert!((at - canvas.camera().middle()).length() < 0.5, "{at}");
                }
            }
        }
        assert_eq!(canvas.view_info().followed, None);
    }

    #[test]
    fn clamps_the_center_by_edge_mode() {
        let center = |edge| {
            let aim = Aim { zoom: 1e3, center: Some([130.0, -10.0, 0.0]), pitch: Some(9.0), ..Aim::default() };
            let aim = aim.clamped(&World::Rect([100.0, 50.0]), edge);
            assert_eq!((aim.zoom, aim.pitch), (MAX_ZOOM, Some(MAX_PITCH)));
            aim.center.unwrap()
        };
        assert_eq!(center(Edge::Turn), [100.0, 0.0, 0.0]);
        assert_eq!(center(Edge::Wrap), [30.0, 40.0, 0.0]);
        assert_eq!(center(Edge::Open), [130.0, -10.0, 0.0]);
    }
}
