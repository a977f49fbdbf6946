//! Who leads the eye: from what was asked for and who flies where, to where one stands.

use std::f32::consts::PI;

use glam::Vec3;

use super::aim::{Aim, Follow, around};
use super::{Camera, CameraPose, wrap_offset};
use crate::sim::{Analyzer, Circle, Edge, Flock, Group, Kind};

/// After so many seconds the view has gone two thirds of the way to where it is wanted.
const GLIDE: f32 = 0.14;
/// What is left of that way is nothing below this share of the view, or this angle or power of zoom.
const NOTHING: f32 = 1e-3;
/// How many ticks go by from one look for the largest flock to the next.
const PAUSE: u64 = 12;
/// In a flock of more the middle of all is taken for the largest: to find it would hold up the tick.
const MANY: usize = 20_000;

/// Who stays in the middle of the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// Its id.
    pub id: u32,
    /// What it is.
    pub kind: Kind,
    position: Vec3,
}

impl Followed {
    /// Where it is, in u.
    #[must_use]
    pub fn at(&self) -> [f32; 3] {
        self.position.to_array()
    }
}

/// Leads the eye, and lets it advance_camera where it would jump.
#[derive(Debug, Default)]
pub(crate) struct CameraController {
    aim: Aim,
    /// What is asked for from the next picture on.
    next: Aim,
    followed: Option<Followed>,
    /// Who has gone while it was followed.
    lost: Option<u32>,
    /// The largest flock, and when it was looked for.
    largest: Option<(Group, u64)>,
    analyzer: Analyzer,
    /// What is left of the way to where the view is wanted; none before the first picture.
    rest: Option<Remaining>,
}

/// How far the view is from where it is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Remaining {
    center: Vec3,
    /// The zoom's logarithm.
    zoom: f32,
    turn: f32,
    tilt: f32,
}

impl CameraController {
    /// Asks for another view.
    pub(crate) fn ask(&mut self, aim: Aim) {
        self.next = aim;
    }

    /// Lets the view advance_camera on for so many seconds.
    pub(crate) fn advance_camera(&mut self, seconds: f32) {
        let left = (-seconds.max(0.0) / GLIDE).exp();
        if let Some(rest) = &mut self.rest {
            *rest = Remaining {
                center: rest.center * left,
                zoom: rest.zoom * left,
                turn: rest.turn * left,
                tilt: rest.tilt * left,
            };
        }
    }

    /// Whether the view is still on its way.
    pub(crate) fn is_camera_moving(&self) -> bool {
        self.rest.is_some_and(|rest| rest != Remaining::default())
    }

    /// Whether the view gets larger, smaller, or another side to see.
    pub(crate) fn is_turning(&self) -> bool {
        self.rest.is_some_and(|rest| rest != Remaining { center: rest.center, ..Remaining::default() })
    }

    /// Who stays in the middle.
    pub(crate) fn followed(&self) -> Option<Followed> {
        self.followed
    }

    /// Who has gone while it was followed.
    pub(crate) fn lost(&self) -> Option<u32> {
        self.lost
    }

    /// Is where the view is wanted with the next picture, at once.
    pub(crate) fn jump(&mut self) {
        (self.rest, self.largest) = (None, None);
    }

    /// Where the view is wanted: what it glides to; `whole` shows all of the world.
    fn wanted(&self, flock: &Flock, whole: &CameraPose) -> CameraPose {
        let aim = self.aim.clamped(&flock.world(), flock.params().edge.mode);
        let center = match aim.follow {
            Follow::Nobody => aim.center.map(Vec3::from_array),
            Follow::Middle | Follow::Agent(_) => self.followed.map(|followed| followed.position),
            Follow::Largest => self.largest.map(|(group, since)| {
                // Between two looks it flies on as it flew.
                let ticks = flock.tick().saturating_sub(since) as f32;
                Vec3::from_array(group.center) + Vec3::from_array(group.velocity) * ticks
            }),
        };
        CameraPose {
            center: center.map_or(whole.center, |center| inside(center, flock)),
            zoom: aim.zoom,
            turn: aim.yaw.unwrap_or(whole.turn),
            tilt: aim.pitch.unwrap_or(whole.tilt),
        }
    }

    /// Where one stands now, and where the view is wanted; the last picture was taken with the camera
    /// `last`, and `whole` shows all of the world.
    pub(crate) fn lead(&mut self, flock: &Flock, last: &Camera, whole: &CameraPose) -> (CameraPose, CameraPose) {
        self.see(flock);
        let before = self.wanted(flock, whole);
        if self.next != self.aim {
            self.turn_to(flock, last);
        }
        self.look_for_the_largest(flock);
        let wanted = self.wanted(flock, whole);
        let mut rest = self.rest.map_or_else(Remaining::default, |rest| rest.plus(&before, &wanted, flock));
        if rest.center.length() <= NOTHING * flock.world().size()[0] / wanted.zoom {
            rest.center = Vec3::ZERO;
        }
        for left in [&mut rest.zoom, &mut rest.turn, &mut rest.tilt] {
            *left = if left.abs() < NOTHING { 0.0 } else { *left };
        }
        self.rest = Some(rest);
        let now = CameraPose {
            center: inside(wanted.center + rest.center, flock),
            zoom: if rest.zoom == 0.0 { wanted.zoom } else { wanted.zoom * rest.zoom.exp() },
            turn: wanted.turn + rest.turn,
            tilt: wanted.tilt + rest.tilt,
        };
        (now, wanted)
    }

    /// Looks where who is followed is now.
    fn see(&mut self, flock: &Flock) {
        let Some(followed) = self.followed else { return };
        let now = place(flock, followed.id).map(|index| agent(flock, index));
        if now.is_none() {
            // The view stays where it was last seen.
            self.lost = Some(followed.id);
            self.aim = Aim { center: Some(followed.position.to_array()), follow: Follow::Nobody, ..self.aim };
            self.next = Aim { center: self.aim.center, follow: Follow::Nobody, ..self.next };
        }
        self.followed = now;
    }

    /// Takes on what is asked for.
    fn turn_to(&mut self, flock: &Flock, last: &Camera) {
        let follow = self.next.follow;
        if follow != self.aim.follow {
            self.lost = None;
            self.largest = None;
            self.followed = match follow {
                Follow::Middle => nearest(flock, last),
                Follow::Agent(id) => place(flock, id),
                Follow::Nobody | Follow::Largest => None,
            }
            .map(|index| agent(flock, index));
            if let (Follow::Agent(id), None) = (follow, self.followed) {
                self.lost = Some(id);
                self.next.follow = Follow::Nobody;
            }
        }
        self.aim = self.next;
    }

    fn look_for_the_largest(&mut self, flock: &Flock) {
        let fresh = |since| (since..since + PAUSE).contains(&flock.tick());
        if self.aim.follow != Follow::Largest || self.largest.is_some_and(|(_, since)| fresh(since)) {
            return;
        }
        let stay = self.largest.map(|(group, _)| group.member);
        let largest = if flock.boids() > MANY { Some(everyone(flock)) } else { self.analyzer.largest(flock, stay) };
        self.largest = largest.map(|group| (group, flock.tick()));
    }
}

impl Remaining {
    /// What is left of the way where the end of it has moved.
    fn plus(self, from: &CameraPose, to: &CameraPose, flock: &Flock) -> Self {
        let way = self.center + from.center - to.center;
        let size = if flock.params().edge.mode == Edge::Wrap { flock.world().size() } else { [0.0; 3] };
        let short = |way: f32, size: f32| if size > 0.0 { wrap_offset(way % size, size) } else { way };
        Self {
            center: Vec3::new(short(way.x, size[0]), short(way.y, size[1]), short(way.z, size[2])),
            zoom: self.zoom + (from.zoom / to.zoom).ln(),
            turn: wrap_offset((self.turn + from.turn - to.turn) % (2.0 * PI), 2.0 * PI),
            tilt: self.tilt + from.tilt - to.tilt,
        }
    }
}

/// A point in a world that wraps, brought to where coordinates are.
fn inside(center: Vec3, flock: &Flock) -> Vec3 {
    if flock.params().edge.mode != Edge::Wrap {
        return center;
    }
    let origin = Vec3::from_array(flock.world().origin());
    origin + around(center - origin, Vec3::from_array(flock.world().size()))
}

/// The middle and the mean velocity of about so many agents as can be asked in no time.
fn everyone(flock: &Flock) -> Group {
    let agents = flock.agents();
    let sample = (0..agents.len()).step_by(agents.len().div_ceil(MANY).max(1));
    let count = sample.clone().count().max(1) as f32;
    let wraps = flock.params().edge.mode == Edge::Wrap;
    let size = flock.world().size();
    let mean = |values: &[f32]| sample.clone().filter_map(|index| values.get(index)).sum::<f32>() / count;
    // On a torus the mean of an axis is where the mean over its circle points.
    let center = |axis: usize| {
        let values = agents.positions(axis);
        if !wraps || values.is_empty() {
            return mean(values);
        }
        let circle = Circle::of(size[axis]);
        circle.toward(sample.clone().map(|index| circle.point(values[index])).sum())
    };
    let velocity = [0, 1, 2].map(|axis| mean(agents.velocities(axis)));
    Group { boids: flock.boids(), center: [0, 1, 2].map(center), velocity, member: 0 }
}

/// The place of an agent in memory.
fn place(flock: &Flock, id: u32) -> Option<usize> {
    flock.agents().ids().iter().position(|other| *other == id)
}

fn agent(flock: &Flock, index: usize) -> Followed {
    let agents = flock.agents();
    let position = Vec3::from_array(agents.position_array(index));
    Followed { id: agents.ids()[index], kind: agents.kinds()[index], position }
}

/// The boid that a camera sees nearest to the middle of its view; of two the one with the lower id.
fn nearest(flock: &Flock, camera: &Camera) -> Option<usize> {
    let agents = flock.agents();
    let boids = (0..agents.len()).filter(|&index| agents.kinds()[index] == Kind::Prey);
    let seen =
        boids.map(|index| (camera.project(agents.position_array(index)).at.distance_squared(camera.middle()), index));
    let seen = seen.filter(|(distance, _)| !distance.is_nan());
    seen.min_by(|(a, one), (b, other)| a.total_cmp(b).then(agents.ids()[*one].cmp(&agents.ids()[*other])))
        .map(|(_, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::renderer::Canvas;
    use crate::canvas::view::CanvasFormat;
    use crate::canvas::{Follow, Picture};
    use crate::sim::{Row, Scratch, Setup, Start, World};

    /// Boids that fly to the right in a world of 200 by 100 u that wraps: `groups` says how many, and where
    /// on its long side.
    fn flock(groups: &[(u32, f32)]) -> Flock {
        let mut setup = Setup {
            params: crate::sim::Params::default(),
            world: World::Rect([200.0, 100.0]),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        };
        setup.params.cohesion.radius = 8.0;
        let mut rows: Vec<Row> = Vec::new();
        for &(count, x) in groups {
            for _ in 0..count {
                let id = rows.len() as u32;
                let (x, y) = (x + (id % 3) as f32, 40.0 + 2.0 * (id % 10) as f32);
                rows.push(Row {
                    id,
                    kind: Kind::Prey,
                    position: [x % 200.0, y, 0.0],
                    velocity: [2.0, 0.0, 0.0],
                    mood: 0.0,
                });
            }
        }
        Flock::from_rows(&setup, 5, &rows).unwrap()
    }

    #[test]
    fn the_largest_flock_is_found_across_the_border_and_kept_until_another_is_larger_by_far() {
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
    fn who_is_followed_stays_in_the_middle_across_the_border_and_without_a_jump() {
        let mut flock = flock(&[(12, 170.0), (5, 60.0)]);
        let mut scratch = Scratch::new();
        let format = |follow| CanvasFormat {
            columns: 40,
            rows: 20,
            aim: Aim { zoom: 4.0, follow, ..Aim::default() },
            ..CanvasFormat::default()
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
                // The first steps of a advance_camera over the world are the longest.
                assert!(way < 40.0 && (tick < 30 || way < 6.0), "{follow:?}: {way} at {tick}");
                last = center;
                if let (Some((_, at)), true) = (canvas.view_info().followed, tick > 30) {
                    assert!((at - canvas.camera().middle()).length() < 0.5, "{at}");
                }
            }
        }
        assert_eq!(canvas.view_info().followed, None);
    }
}
