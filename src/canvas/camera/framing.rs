//! Keeps a three-dimensional flock framed: the camera follows its middle and its extent, smoothly.

use glam::{Vec2, Vec3};

use super::{Camera, CameraPose};
use crate::canvas::smoothing::mean::new_weight;
use crate::sim::{Edge, Flock, Kind};

/// The most boids whose positions are averaged. A larger flock is sampled.
const SAMPLE: usize = 4096;
/// Half the extent of the view, in standard deviations of the flock: nearly all boids are inside.
const EXTENT: f32 = 2.5;
/// The highest zoom, relative to the view of the whole world.
const CLOSEST: f32 = 8.0;
/// Time constant of the center, in ticks: a flock that flies past moves across the view before the camera follows.
const CENTER_WINDOW: f32 = 80.0;
/// Time constants of the zoom, in ticks, away from the flock and toward it.
const ZOOM_WINDOWS: (f32, f32) = (50.0, 160.0);

/// The frame around a flock, which continues from picture to picture.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Framing {
    shown: Option<Shown>,
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    tick: u64,
    center: Vec3,
    /// Standard deviation along the view, in u.
    depth: f32,
    log_zoom: f32,
}

/// The mean position of a sample of boids, and their mean squares around a center as the camera sees them.
struct Extent {
    mean: Vec3,
    squares: Vec3,
}

impl Framing {
    /// The pose that frames the flock, for a canvas of this many `dots`. `whole` is the pose that shows the whole world,
    /// with the rotation to look from. The zoom stays as it is if it `keeps_zoom`.
    pub(super) fn update(
        &mut self,
        flock: &Flock,
        whole: &CameraPose,
        (dots, dot_height): (Vec2, f32),
        keeps_zoom: bool,
    ) -> CameraPose {
        // On a torus a flock has no middle.
        if flock.world().dim() < 3 || flock.params().edge.mode == Edge::Wrap {
            return *whole;
        }
        let camera = Camera::from_pose(flock, whole, dots, dot_height);
        let Some(Extent { mean, .. }) = extent(flock, &camera, Vec3::ZERO) else { return *whole };
        let last = self.shown.filter(|shown| shown.tick <= flock.tick());
        let elapsed = last.map_or(f32::INFINITY, |shown| (flock.tick() - shown.tick) as f32);
        let follow = |shown: f32, value: f32, window: f32| shown + new_weight(elapsed, window) * (value - shown);
        let center = last.map_or(mean, |last| last.center.lerp(mean, new_weight(elapsed, CENTER_WINDOW)));
        let Some(Extent { squares, .. }) = extent(flock, &camera, center) else { return *whole };
        let deviation = Vec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
        let fitting = camera.middle() / (EXTENT * deviation.truncate() * camera.scales());
        let log_fitting = fitting.min_element().clamp(1.0, CLOSEST).ln();
        let shown =
            last.map_or(Shown { tick: flock.tick(), center, depth: deviation.z, log_zoom: log_fitting }, |last| {
                let window = if log_fitting < last.log_zoom { ZOOM_WINDOWS.0 } else { ZOOM_WINDOWS.1 };
                Shown {
                    tick: flock.tick(),
                    center,
                    depth: follow(last.depth, deviation.z, CENTER_WINDOW),
                    log_zoom: if keeps_zoom { last.log_zoom } else { follow(last.log_zoom, log_fitting, window) },
                }
            });
        self.shown = Some(shown);
        let reach = Some((EXTENT * shown.depth).max(f32::MIN_POSITIVE));
        CameraPose { center: shown.center, zoom: shown.log_zoom.exp(), reach, ..*whole }
    }
}

/// `None` without boids.
fn extent(flock: &Flock, camera: &Camera, center: Vec3) -> Option<Extent> {
    let agents = flock.agents();
    let (mut mean, mut squares, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0_f32);
    for index in (0..agents.len()).step_by(agents.len().div_ceil(SAMPLE).max(1)) {
        if agents.kinds()[index] == Kind::Prey {
            let position = Vec3::from_array(agents.position_array(index));
            let seen = camera.rotate(position - center);
            mean += position;
            squares += seen * seen;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| Extent { mean: mean / count, squares: squares / count })
}
