//! Where the camera looks: zoom, pan, orbit and follow. Methods return the message to show.

use glam::{Vec2, Vec3};

use super::actions::Action;
use super::context::Context;
use super::text::format_number;
use crate::engine::Frame;
use crate::picture::{Aim, Follow, MAX_ZOOM};
use crate::sim::Kind;

/// The zoom factor of one step.
const ZOOM_STEP: f32 = std::f32::consts::SQRT_2;
/// The scale counts as changing if its logarithm changes by this much in so many ticks.
const ZOOM_RATE: f32 = 0.003;
const ZOOM_INTERVAL: u64 = 60;
/// One pan step, as a share of the view.
const PAN_STEP: f32 = 0.1;
/// One orbit step, in radians.
const ORBIT_STEP: f32 = 10.0 * std::f32::consts::PI / 180.0;

/// The requested camera position.
#[derive(Debug, Default)]
pub struct Viewport {
    aim: Aim,
    /// The followed agent that has been announced.
    announced: Option<u32>,
    /// A tick and its scale, and whether the scale has changed since the one before.
    last_scale: (u64, f32),
    is_zooming: bool,
}

impl Viewport {
    /// A viewport with this aim.
    pub fn new(aim: Aim) -> Self {
        let mut viewport = Self::default();
        viewport.show(aim);
        viewport
    }

    /// Performs an action and shows what it did. Returns whether it is one of the camera's.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        let frame = context.client.frame();
        let message = match action {
            Action::ZoomIn => self.zoom(None, true, frame),
            Action::ZoomOut => self.zoom(None, false, frame),
            Action::PanLeft => self.pan(-1.0, 0.0, frame),
            Action::PanRight => self.pan(1.0, 0.0, frame),
            Action::PanUp => self.pan(0.0, -1.0, frame),
            Action::PanDown => self.pan(0.0, 1.0, frame),
            Action::Follow => self.cycle_follow(frame),
            Action::ResetView => self.reset(frame),
            _ => return false,
        };
        context.show_message(message);
        true
    }

    /// Changes the aim.
    pub fn show(&mut self, aim: Aim) {
        self.aim = aim;
        // The user named this agent.
        self.announced = if let Follow::Agent(id) = aim.follow { Some(id) } else { None };
    }

    /// Whether the scale of the picture changes.
    pub fn is_zooming(&self) -> bool {
        self.is_zooming
    }

    /// The camera position to request.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The same, with the id of the boid that was in the middle.
    pub fn shown_aim(&self, frame: &Frame) -> Aim {
        let followed = frame.view_info.followed.filter(|_| self.aim.follow == Follow::Middle);
        let follow = followed.map_or(self.aim.follow, |(followed, _)| Follow::Agent(followed.id));
        Aim { follow, ..self.aim }
    }

    /// How many boids are in view, unless the whole world is.
    pub fn boids(&self, frame: &Frame) -> Option<usize> {
        (!self.aim.shows_whole_world()).then_some(frame.view_info.boids)
    }

    /// Follows a frame; `settled` if it reflects all requests. Returns a message if the followed agent changed.
    pub fn on_frame(&mut self, frame: &Frame, settled: bool) -> Option<String> {
        let (tick, scale) = (frame.tick, frame.camera.scale());
        if tick.abs_diff(self.last_scale.0) >= ZOOM_INTERVAL {
            self.is_zooming = self.last_scale.1 > 0.0 && (scale / self.last_scale.1).ln().abs() > ZOOM_RATE;
            self.last_scale = (tick, scale);
        }
        if !settled {
            return None;
        }
        if let (Follow::Middle | Follow::Agent(_), Some(id)) = (self.aim.follow, frame.view_info.lost) {
            self.stop_following(frame);
            return Some(format!("no longer following agent {id}, which is gone"));
        }
        let (followed, _) = frame.view_info.followed.filter(|(followed, _)| self.announced != Some(followed.id))?;
        self.announced = Some(followed.id);
        let recording = frame.recording.as_deref();
        if let Some(name) = recording.and_then(|recording| recording.name(followed.id)) {
            return Some(format!("following {name}"));
        }
        let kind = match followed.kind {
            Kind::Predator => "predator",
            _ if recording.is_some() => "animal",
            _ => "boid",
        };
        Some(format!("following {kind} {}", followed.id))
    }

    /// Resets the aim for another flock. Following the largest flock continues.
    pub fn reset_for_new_flock(&mut self) {
        let Aim { zoom, follow, .. } = self.aim;
        self.announced = None;
        self.aim = if follow == Follow::Largest { Aim { zoom, follow, ..Aim::default() } } else { Aim::default() };
    }

    /// Zooms by one step. The point under `about`, a dot of the canvas, stays in place unless the camera follows.
    pub fn zoom(&mut self, about: Option<Vec2>, closer: bool, frame: &Frame) -> String {
        let zoom = self.aim.zoom * if closer { ZOOM_STEP } else { 1.0 / ZOOM_STEP };
        // Rounding must not leave a zoom slightly off 1.
        self.zoom_to(about, if (zoom - 1.0).abs() < 0.01 { 1.0 } else { zoom }, frame)
    }

    /// Zooms to a factor, clamped to its range.
    pub fn zoom_to(&mut self, about: Option<Vec2>, zoom: f32, frame: &Frame) -> String {
        let (scale, middle) = (self.scale(frame), frame.camera.middle());
        let dot = about.unwrap_or(middle);
        self.aim.zoom = zoom.clamp(1.0, MAX_ZOOM);
        if self.aim.follow == Follow::Nobody {
            let step = frame.camera.unproject_direction((dot - middle) * (1.0 / scale - 1.0 / self.scale(frame)));
            let kept = self.aim.zoom > 1.0 && (self.aim.center.is_some() || step != Vec3::ZERO);
            self.aim.center = kept.then(|| (self.center(frame) + step).to_array());
            self.clamp(frame);
        }
        if self.aim.shows_whole_world() {
            return whole(frame).to_owned();
        }
        format!("zoom {}×", format_number((10.0 * self.aim.zoom).round() / 10.0))
    }

    /// Pans by steps to the right and down; in 3-D, orbits.
    pub fn pan(&mut self, right: f32, down: f32, frame: &Frame) -> String {
        if frame.camera.is_perspective() {
            self.aim.yaw = Some(self.aim.yaw.unwrap_or(frame.view_info.yaw) + right * ORBIT_STEP);
            self.aim.pitch = Some(self.aim.pitch.unwrap_or(frame.view_info.pitch) + down * ORBIT_STEP);
            self.clamp(frame);
            // Adding 0 turns -0 into 0.
            let degrees = |angle: Option<f32>| angle.unwrap_or_default().to_degrees().round() + 0.0;
            let (yaw, pitch) = (degrees(self.aim.yaw).rem_euclid(360.0), degrees(self.aim.pitch));
            let side = if pitch < 0.0 { "above" } else { "below" };
            return format!("camera at {yaw}°, {}° {side}", pitch.abs());
        }
        if self.aim.follow != Follow::Nobody {
            self.stop_following(frame);
        }
        let view = 2.0 * frame.camera.middle() / self.scale(frame);
        let center = self.center(frame) + (view * Vec2::new(right, down) * PAN_STEP).extend(0.0);
        self.aim.center = Some(center.to_array());
        self.clamp(frame);
        let center = self.center(frame);
        // The coordinates of a recording count from another origin.
        let (origin, unit) =
            frame.recording.as_ref().map_or(([0.0; 3], "u"), |recorded| (recorded.origin, &recorded.unit));
        let [x, y] = [0, 1].map(|axis| (f64::from(center[axis]) + origin[axis]).round() + 0.0);
        format!("view center {x}, {y} {unit}")
    }

    /// Cycles the follow target: the boid in the middle, the largest flock, none.
    pub fn cycle_follow(&mut self, frame: &Frame) -> String {
        self.announced = None;
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
                self.stop_following(frame);
                "no longer following"
            }
        }
        .to_owned()
    }

    /// Shows the whole world; in 3-D, the flock.
    pub fn reset(&mut self, frame: &Frame) -> String {
        self.show(Aim::default());
        whole(frame).to_owned()
    }

    /// Stops following and keeps the current center, unless the whole world is in view.
    fn stop_following(&mut self, frame: &Frame) {
        (self.aim.follow, self.announced) = (Follow::Nobody, None);
        self.aim.center = (self.aim.zoom > 1.0).then_some(frame.view_info.center);
    }

    /// Dots per u at the requested zoom.
    fn scale(&self, frame: &Frame) -> f32 {
        frame.view_info.scale * self.aim.zoom / frame.view_info.zoom.max(1.0)
    }

    fn center(&self, frame: &Frame) -> Vec3 {
        Vec3::from_array(self.aim.center.unwrap_or(frame.view_info.center))
    }

    /// Clamps the aim to the world.
    fn clamp(&mut self, frame: &Frame) {
        self.aim = self.aim.clamped(&frame.world, frame.controls.current_params.edge.mode);
    }
}

/// What the default view shows.
fn whole(frame: &Frame) -> &'static str {
    if frame.camera.is_perspective() { "whole flock" } else { "whole world" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::engine::Controls;
    use crate::picture::{Canvas, CanvasFormat, Picture};
    use crate::sim::{Command, Flock};

    struct Scene {
        viewport: Viewport,
        flock: Flock,
        canvas: Canvas,
        frame: Frame,
    }

    impl Scene {
        fn new(preset: &str) -> Self {
            let setup = Preset::load(preset).unwrap().setup(7, 1.6);
            let canvas = Canvas::new(80, 24);
            let (flock, frame) = (Flock::new(&setup).unwrap(), Frame::new(Controls::of_setup(setup, 60.0)));
            let mut scene = Self { viewport: Viewport::default(), flock, canvas, frame };
            scene.show();
            scene
        }

        /// Draws the requested view once the camera has arrived.
        fn show(&mut self) -> Option<String> {
            let aim = self.viewport.aim;
            self.canvas.set_format(CanvasFormat { columns: 80, rows: 24, aim, ..CanvasFormat::default() });
            for _ in 0..2 {
                self.canvas.draw(&self.flock, &mut Picture::default());
                self.canvas.advance_camera(1e3);
            }
            self.canvas.draw(&self.flock, &mut Picture::default());
            self.frame.describe(&self.flock);
            (self.frame.camera, self.frame.view_info) = (self.canvas.camera(), self.canvas.view_info());
            self.viewport.on_frame(&self.frame, true)
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_mouse() {
        for preset in ["drones", "sphere"] {
            let mut scene = Scene::new(preset);
            let dot = Vec2::new(101.0, 33.0);
            let before = scene.canvas.camera().ray(dot).origin;
            // The wheel may turn faster than frames arrive.
            (0..3).for_each(|_| drop(scene.viewport.zoom(Some(dot), true, &scene.frame)));
            scene.show();
            assert!((scene.viewport.aim.zoom - ZOOM_STEP.powi(3)).abs() < 1e-4);
            let after = scene.canvas.camera().project(before).at;
            assert!((after - dot).length() < 0.05, "{preset}: {after}");
        }
    }

    #[test]
    fn zooming_out_ends_at_the_whole_world() {
        let mut scene = Scene::new("drones");
        let messages: Vec<String> =
            [true, true, false, false].map(|closer| scene.viewport.zoom(None, closer, &scene.frame)).into();
        assert_eq!(messages, ["zoom 1.4×", "zoom 2×", "zoom 1.4×", "whole world"]);
        assert_eq!(scene.viewport.aim, Aim::default());
        (0..40).for_each(|_| drop(scene.viewport.zoom(None, true, &scene.frame)));
        assert_eq!(scene.viewport.zoom(None, true, &scene.frame), "zoom 64×");
        assert_eq!(scene.viewport.zoom_to(None, 2.5, &scene.frame), "zoom 2.5×");
        assert_eq!(scene.viewport.zoom_to(None, 0.5, &scene.frame), "whole world");
    }

    #[test]
    fn panning_moves_a_tenth_and_stops_at_the_edge() {
        let mut scene = Scene::new("drones"); // 160 x 96 dots for 800 x 600 u: 1000 x 600 u in view
        assert_eq!(scene.viewport.pan(1.0, 0.0, &scene.frame), "view center 500, 300 u");
        (0..20).for_each(|_| drop(scene.viewport.pan(0.0, -1.0, &scene.frame)));
        assert_eq!(scene.viewport.aim.center, Some([500.0, 0.0, 0.0]));
    }

    #[test]
    fn follow_announces_its_target_and_its_loss() {
        let mut scene = Scene::new("drones");
        (0..4).for_each(|_| drop(scene.viewport.zoom(None, true, &scene.frame)));
        assert_eq!(scene.viewport.cycle_follow(&scene.frame), "following the boid in the middle");
        let message = scene.show().unwrap();
        let (followed, at) = scene.canvas.view_info().followed.unwrap();
        assert_eq!(message, format!("following boid {}", followed.id));
        assert!((at - Vec2::new(80.0, 48.0)).length() < 0.1, "{at}");
        assert_eq!(scene.show(), None);
        // The newest boids are removed first.
        scene.flock.apply(&Command::SetBoids(1)).unwrap();
        assert_ne!(followed.id, 0, "the oldest boid stays");
        assert_eq!(scene.show(), Some(format!("no longer following agent {}, which is gone", followed.id)));
        assert_eq!(scene.viewport.aim.center, Some(followed.position()));
        assert_eq!(scene.show(), None);
    }

    #[test]
    fn panning_orbits_in_3d() {
        let mut scene = Scene::new("sphere");
        assert_eq!(scene.viewport.pan(1.0, 0.0, &scene.frame), "camera at 10°, 20° below");
        assert_eq!(scene.viewport.pan(0.0, -4.0, &scene.frame), "camera at 10°, 20° above");
        scene.show();
        assert_eq!(scene.viewport.reset(&scene.frame), "whole flock");
        assert_eq!(scene.viewport.aim, Aim::default());
    }
}
