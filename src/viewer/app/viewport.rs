//! Where the viewer looks: zoom, pan, and whom the view follows.

use glam::{Vec2, Vec3};

use super::param_step::format_number;
use crate::canvas::{Aim, Camera, Follow, MAX_ZOOM, ViewInfo};
use crate::engine::Frame;
use crate::sim::{Edge, Kind, World};

/// How much larger a press makes things.
const ZOOM: f32 = std::f32::consts::SQRT_2;
/// The share of the view by which a press moves it.
const PAN: f32 = 0.1;
/// How far a press goes around a deep world, in radians.
const TURN: f32 = 10.0 * std::f32::consts::PI / 180.0;

/// What of the world the viewer wants to see, and what it saw last.
#[derive(Debug, Default)]
pub struct Viewport {
    aim: Aim,
    view_info: ViewInfo,
    camera: Camera,
    world: Option<(World, Edge)>,
    /// Who was said to be followed.
    told: Option<u32>,
}

impl Viewport {
    /// A view that begins so.
    #[must_use]
    pub fn new(aim: Aim) -> Self {
        // Who named somebody knows who it is.
        let told = if let Follow::Agent(id) = aim.follow { Some(id) } else { None };
        Self { aim, told, ..Self::default() }
    }

    /// Where it looks.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// How many boids are in view, where that is not all of them.
    #[must_use]
    pub fn boids(&self) -> Option<usize> {
        (!self.aim.shows_whole_world()).then_some(self.view_info.boids)
    }

    /// Takes in what a frame shows; returns what is to be said of it. `answered` says whether the frame
    /// was made after all that was asked for.
    pub fn notice(&mut self, frame: &Frame, answered: bool) -> Option<String> {
        (self.view_info, self.camera) = (frame.view_info, frame.camera);
        self.world = Some((frame.world, frame.params.edge.mode));
        if !answered {
            return None;
        }
        if let (Follow::Middle | Follow::Agent(_), Some(id)) = (self.aim.follow, self.view_info.lost) {
            self.stay();
            return Some(format!("nobody has the id {id} now; the view follows nobody"));
        }
        let (followed, _) = self.view_info.followed.filter(|(followed, _)| self.told != Some(followed.id))?;
        self.told = Some(followed.id);
        let kind = if followed.kind == Kind::Predator { "predator" } else { "boid" };
        Some(format!("following {kind} {}", followed.id))
    }

    /// Goes with another flock: what was in view is not in its world.
    pub fn begin(&mut self) {
        let Aim { zoom, follow, .. } = self.aim;
        self.told = None;
        self.aim = if follow == Follow::Largest { Aim { zoom, follow, ..Aim::default() } } else { Aim::default() };
    }

    /// A step nearer, or farther away; what is seen at `about`, a dot of the canvas, stays there, unless
    /// somebody is followed. Returns what to say.
    pub fn zoom(&mut self, about: Option<Vec2>, nearer: bool) -> String {
        let zoom = self.aim.zoom * if nearer { ZOOM } else { 1.0 / ZOOM };
        // Steps there and back end where they began.
        self.zoom_to(about, if (zoom - 1.0).abs() < 0.01 { 1.0 } else { zoom })
    }

    /// So many times as large, as far as that goes; what is seen at `about` stays there likewise. Returns what to say.
    pub fn zoom_to(&mut self, about: Option<Vec2>, zoom: f32) -> String {
        let scale = self.scale();
        let dot = about.unwrap_or(self.camera.middle());
        self.aim.zoom = zoom.clamp(1.0, MAX_ZOOM);
        if self.aim.follow == Follow::Nobody {
            let step =
                self.camera.unproject_direction((dot - self.camera.middle()) * (1.0 / scale - 1.0 / self.scale()));
            let kept = self.aim.zoom > 1.0 && (self.aim.center.is_some() || step != Vec3::ZERO);
            self.aim.center = kept.then(|| (self.center() + step).to_array());
            self.keep();
        }
        if self.aim.shows_whole_world() {
            return "the whole world".to_owned();
        }
        format!("zoom {}×", format_number((10.0 * self.aim.zoom).round() / 10.0))
    }

    /// Moves the view by so many presses to the right and down; goes around a deep world. Returns what to say.
    pub fn look(&mut self, right: f32, down: f32) -> String {
        if self.camera.is_perspective() {
            self.aim.yaw = Some(self.aim.yaw.unwrap_or(self.view_info.yaw) + right * TURN);
            self.aim.pitch = Some(self.aim.pitch.unwrap_or(self.view_info.pitch) + down * TURN);
            self.keep();
            // With 0 added, none is -0.
            let degrees = |angle: Option<f32>| angle.unwrap_or_default().to_degrees().round() + 0.0;
            let (turn, tilt) = (degrees(self.aim.yaw).rem_euclid(360.0), degrees(self.aim.pitch));
            let side = if tilt < 0.0 { "above" } else { "below" };
            return format!("seen from {turn}° around, {}° {side}", tilt.abs());
        }
        if self.aim.follow != Follow::Nobody {
            self.stay();
        }
        let view = 2.0 * self.camera.middle() / self.scale();
        let center = self.center() + (view * Vec2::new(right, down) * PAN).extend(0.0);
        self.aim.center = Some(center.to_array());
        self.keep();
        let center = self.center().round() + 0.0;
        format!("the view's middle is at {}, {} u", center.x, center.y)
    }

    /// Follows the next of those who can be followed. Returns what to say.
    pub fn follow(&mut self) -> String {
        self.told = None;
        match self.aim.follow {
            Follow::Nobody => {
                (self.aim.follow, self.aim.center) = (Follow::Middle, None);
                "following the boid in the middle"
            }
            Follow::Middle | Follow::Agent(_) => {
                self.aim.follow = Follow::Largest;
                "following the largest flock"
            }
            Follow::Largest => {
                self.stay();
                "following nobody"
            }
        }
        .to_owned()
    }

    /// The whole world again. Returns what to say.
    pub fn whole(&mut self) -> String {
        (self.aim, self.told) = (Aim::default(), None);
        "the whole world".to_owned()
    }

    /// Follows nobody; what was in view stays there, unless that was all of the world.
    fn stay(&mut self) {
        (self.aim.follow, self.told) = (Follow::Nobody, None);
        self.aim.center = (self.aim.zoom > 1.0).then_some(self.view_info.center);
    }

    /// How many dots a length of 1 u takes where the view is going.
    fn scale(&self) -> f32 {
        self.view_info.scale * self.aim.zoom / self.view_info.zoom.max(1.0)
    }

    fn center(&self) -> Vec3 {
        Vec3::from_array(self.aim.center.unwrap_or(self.view_info.center))
    }

    /// Keeps the view within its bounds.
    fn keep(&mut self) {
        if let Some((world, edge)) = self.world {
            self.aim = self.aim.clamped(&world, edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::{Canvas, CanvasFormat, Picture};
    use crate::config::Preset;
    use crate::sim::{Command, Flock};

    /// A viewer of a preset, and what stands behind it.
    struct Scene {
        viewport: Viewport,
        flock: Flock,
        canvas: Canvas,
    }

    impl Scene {
        fn new(preset: &str) -> Self {
            let setup = Preset::load(preset).unwrap().setup(7, 1.6);
            let canvas = Canvas::new(80, 24);
            let mut scene = Self { viewport: Viewport::default(), flock: Flock::new(&setup).unwrap(), canvas };
            scene.show();
            scene
        }

        /// Draws what is asked for, once the view has arrived.
        fn show(&mut self) -> Option<String> {
            let (aim, mut frame) = (self.viewport.aim(), Frame::default());
            self.canvas.set_format(CanvasFormat { columns: 80, rows: 24, aim, ..CanvasFormat::default() });
            for _ in 0..2 {
                self.canvas.draw(&self.flock, &mut Picture::default());
                self.canvas.advance_camera(1e3);
            }
            self.canvas.draw(&self.flock, &mut Picture::default());
            frame.describe(&self.flock);
            (frame.camera, frame.view_info) = (self.canvas.camera(), self.canvas.view_info());
            self.viewport.notice(&frame, true)
        }
    }

    #[test]
    fn what_is_seen_at_a_dot_stays_there() {
        for preset in ["drones", "sphere"] {
            let mut scene = Scene::new(preset);
            let dot = Vec2::new(101.0, 33.0);
            let before = scene.canvas.camera().ray(dot).origin;
            // The wheel turns faster than frames come.
            (0..3).for_each(|_| drop(scene.viewport.zoom(Some(dot), true)));
            scene.show();
            assert!((scene.viewport.aim().zoom - ZOOM.powi(3)).abs() < 1e-4);
            let after = scene.canvas.camera().project(before).at;
            assert!((after - dot).length() < 0.05, "{preset}: {after}");
        }
    }

    #[test]
    fn zooming_back_ends_at_the_whole_world() {
        let mut scene = Scene::new("drones");
        let said: Vec<String> = [true, true, false, false].map(|nearer| scene.viewport.zoom(None, nearer)).into();
        assert_eq!(said, ["zoom 1.4×", "zoom 2×", "zoom 1.4×", "the whole world"]);
        assert_eq!(scene.viewport.aim(), Aim::default());
        (0..40).for_each(|_| drop(scene.viewport.zoom(None, true)));
        assert_eq!(scene.viewport.zoom(None, true), "zoom 64×");
        assert_eq!(scene.viewport.zoom_to(None, 2.5), "zoom 2.5×");
        assert_eq!(scene.viewport.zoom_to(None, 0.5), "the whole world");
    }

    #[test]
    fn the_view_moves_by_a_tenth_and_its_middle_stays_in_the_world() {
        let mut scene = Scene::new("drones"); // 160 x 96 dots for 800 x 600 u: 1000 x 600 u in view
        assert_eq!(scene.viewport.look(1.0, 0.0), "the view's middle is at 500, 300 u");
        (0..20).for_each(|_| drop(scene.viewport.look(0.0, -1.0)));
        assert_eq!(scene.viewport.aim().center, Some([500.0, 0.0, 0.0]));
    }

    #[test]
    fn whoever_is_followed_is_said_and_missed() {
        let mut scene = Scene::new("drones");
        (0..4).for_each(|_| drop(scene.viewport.zoom(None, true)));
        assert_eq!(scene.viewport.follow(), "following the boid in the middle");
        let said = scene.show().unwrap();
        let (followed, at) = scene.canvas.view_info().followed.unwrap();
        assert_eq!(said, format!("following boid {}", followed.id));
        assert!((at - Vec2::new(80.0, 48.0)).length() < 0.1, "{at}");
        assert_eq!(scene.show(), None);
        // The newest go first, until the followed one does.
        scene.flock.apply(&Command::SetBoids(1)).unwrap();
        assert_ne!(followed.id, 0, "the oldest stays");
        assert_eq!(scene.show(), Some(format!("nobody has the id {} now; the view follows nobody", followed.id)));
        assert_eq!(scene.viewport.aim().center, Some(followed.position()));
        assert_eq!(scene.show(), None);
    }

    #[test]
    fn around_a_deep_world_one_goes() {
        let mut scene = Scene::new("sphere");
        assert_eq!(scene.viewport.look(1.0, 0.0), "seen from 10° around, 20° below");
        assert_eq!(scene.viewport.look(0.0, -4.0), "seen from 10° around, 20° above");
        scene.show();
        assert_eq!(scene.viewport.whole(), "the whole world");
        assert_eq!(scene.viewport.aim(), Aim::default());
    }
}
