//! Keeps a three-dimensional flock framed: the camera follows its middle and its extent, smoothly.

use glam::{Vec2, Vec3};

use super::{Camera, CameraPose};
use crate::canvas::smoothing::{continues, new_weight};
use flockscope_sim::{Agents, Edge, Flock, Kind, Snapshot};

/// The most boids that are looked at. A larger flock is sampled.
const SAMPLE: usize = 750;
/// The share of boids whose extent is measured: strays do not count.
const INSIDE: f32 = 0.95;
/// The extent of the view across and down, relative to that of those boids: more than a third of the width is free.
const EXTENT: Vec2 = Vec2::new(1.6, 1.25);
/// The share of boids that are kept in the picture.
const KEPT: f32 = 0.75;
/// Half the range of depths, relative to theirs.
const REACH: f32 = 1.3;
/// How often the first frame is fitted, as perspective changes with the zoom.
const FIRST_FITS: usize = 4;
/// The highest zoom, relative to the view of the whole world.
const CLOSEST: f32 = 32.0;
/// Time constant of the center, in ticks.
const CENTER_WINDOW: f32 = 30.0;
/// Time constant of the zoom, in ticks: so slow that the effect of a changed rule shows.
const ZOOM_WINDOW: f32 = 3600.0;
/// Its time constant while boids have left the picture, at the start, and in a transition to another preset.
const FAST_ZOOM_WINDOW: f32 = 60.0;
/// Its time constant while the flock grows beyond the frame at the start or in a transition.
const SETTLING_WINDOW: f32 = 6.0;
/// How long the zoom is fast after the start or a transition, in ticks: the flock takes its shape.
const SETTLING: u64 = 600;

/// The frame around a flock, which continues from picture to picture.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Framing {
    shown: Option<Shown>,
    /// The tick until which the zoom is fast.
    fast_until: u64,
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    tick: u64,
    center: Vec3,
    /// The distance along the view that most boids are within, in u.
    depth: f32,
    log_zoom: f32,
    /// The zoom above which too many boids are outside the picture.
    widest: f32,
}

impl Framing {
    /// The pose that frames the flock, for a canvas of this many `dots`. `whole` is the pose that shows the whole world,
    /// with the rotation to look from. The zoom stays as it is if it `keeps_zoom`.
    pub(super) fn update(
        &mut self,
        flock: Snapshot<'_>,
        whole: &CameraPose,
        dots: Vec2,
        dot_height: f32,
        keeps_zoom: bool,
    ) -> CameraPose {
        // On a torus a flock has no middle.
        if flock.world.dim() < 3 || flock.params.edge.mode == Edge::Wrap {
            return *whole;
        }
        let Some([middle, velocity]) = middle(flock) else { return *whole };
        let tick = flock.picture_tick();
        let last = self.shown.filter(|shown| continues(shown.tick, tick));
        if flock.simulated.is_some_and(Flock::is_morphing) || last.is_none() {
            self.fast_until = tick + SETTLING;
        }
        let shown = if let Some(last) = last {
            let elapsed = tick.abs_diff(last.tick) as f32;
            let follow = |shown: f32, value: f32, window: f32| shown + new_weight(elapsed, window) * (value - shown);
            // Ahead of the flock by as much as the smoothing is behind.
            let ahead = middle + velocity * CENTER_WINDOW;
            let center = last.center.lerp(ahead, new_weight(elapsed, CENTER_WINDOW));
            let fitting = Shown { tick, center, ..last }.fit(flock, whole, dots, dot_height);
            let log_zoom = if keeps_zoom {
                last.log_zoom
            } else if tick < self.fast_until {
                let window = if fitting.log_zoom < last.log_zoom { SETTLING_WINDOW } else { FAST_ZOOM_WINDOW };
                follow(last.log_zoom, fitting.log_zoom, window)
            } else {
                let slow = follow(last.log_zoom, fitting.log_zoom, ZOOM_WINDOW);
                let fast = follow(last.log_zoom, fitting.widest, FAST_ZOOM_WINDOW);
                if fitting.widest < last.log_zoom { slow.min(fast) } else { slow }
            };
            Shown { depth: follow(last.depth, fitting.depth, CENTER_WINDOW), log_zoom, ..fitting }
        } else {
            let whole_world = Shown { tick, center: middle, depth: 0.0, log_zoom: 0.0, widest: 0.0 };
            (0..FIRST_FITS).fold(whole_world, |shown, _| shown.fit(flock, whole, dots, dot_height))
        };
        self.shown = Some(shown);
        shown.pose(whole)
    }
}

impl Shown {
    fn pose(&self, whole: &CameraPose) -> CameraPose {
        let reach = Some((REACH * self.depth).max(f32::MIN_POSITIVE));
        CameraPose { center: self.center, zoom: self.log_zoom.exp(), reach, ..*whole }
    }

    /// The same with the zoom at which the flock would fit, if perspective were that of the current zoom.
    fn fit(self, flock: Snapshot<'_>, whole: &CameraPose, dots: Vec2, dot_height: f32) -> Self {
        let camera = Camera::from_pose(flock, &self.pose(whole), dots, dot_height);
        let agents = flock.agents;
        let (mut extents, mut distances, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        for position in sample(flock).map(|index| agents.position_array(index)) {
            // In halves of the picture.
            let at = (camera.project(position).at / camera.middle() - 1.0).abs();
            if at.is_finite() {
                extents.push((EXTENT * at).max_element());
                distances.push(at.max_element());
                depths.push(camera.rotate(Vec3::from_array(position) - self.center).z.abs());
            }
        }
        let zoom = |extent: f32| {
            let log_zoom = (self.log_zoom - extent.ln()).clamp(0.0, CLOSEST.ln());
            if log_zoom.is_nan() { self.log_zoom } else { log_zoom }
        };
        let log_zoom = zoom(quantile(&mut extents, INSIDE));
        Self { depth: quantile(&mut depths, INSIDE), log_zoom, widest: zoom(quantile(&mut distances, KEPT)), ..self }
    }
}

/// The indices of a sample of boids.
fn sample(flock: Snapshot<'_>) -> impl Iterator<Item = usize> {
    let agents = flock.agents;
    let sample = (0..agents.len()).step_by(agents.len().div_ceil(SAMPLE).max(1));
    sample.filter(|index| agents.kinds()[*index] == Kind::Prey)
}

/// The middle between the ends of the flock on each axis, without strays, and the median velocity; `None` without boids.
fn middle(flock: Snapshot<'_>) -> Option<[Vec3; 2]> {
    let agents = flock.agents;
    sample(flock).next()?;
    let axes = |values: fn(&Agents, usize) -> &[f32], shares: [f32; 2]| {
        Vec3::from_array([0, 1, 2].map(|axis| {
            let mut values: Vec<f32> = sample(flock).map(|index| values(agents, axis)[index]).collect();
            shares.iter().map(|share| 0.5 * quantile(&mut values, *share)).sum()
        }))
    };
    Some([axes(Agents::positions, [1.0 - INSIDE, INSIDE]), axes(Agents::velocities, [0.5; 2])])
}

/// The value that a share of the others is below; 0 without values.
fn quantile(values: &mut [f32], share: f32) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let index = ((values.len() - 1) as f32 * share).round() as usize;
    *values.select_nth_unstable_by(index, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::presets;
    use flockscope_sim::{Row, Setup};

    /// A line of boids along the x axis in a ball of 100 u, at a tick.
    fn flock(tick: u64, middle: f32, half: f32) -> Flock {
        let setup = Setup { boids: 1, ..presets::setup("sphere", 1, 1.0) };
        let rows = (0..=100).map(|id| {
            let x = middle + half * (id as f32 / 50.0 - 1.0);
            Row { id, kind: Kind::Prey, position: [x, 0.0, 0.0], velocity: [0.0; 3], mood: 0.0, bank: 0.0 }
        });
        Flock::from_rows(&setup, tick, &rows.collect::<Vec<_>>()).unwrap()
    }

    const DOTS: Vec2 = Vec2::new(240.0, 160.0);

    fn update(framing: &mut Framing, flock: &Flock, keeps_zoom: bool) -> CameraPose {
        let whole = CameraPose { yaw: 0.0, pitch: 0.0, ..CameraPose::whole_world(flock.into()) };
        framing.update(flock.into(), &whole, DOTS, 1.0, keeps_zoom)
    }

    /// The dots across the canvas of the ends of a line.
    fn ends(flock: &Flock, pose: &CameraPose, middle: f32, half: f32) -> [f32; 2] {
        let camera = Camera::from_pose(flock.into(), pose, DOTS, 1.0);
        [middle - half, middle + half].map(|x| camera.project([x, 0.0, 0.0]).at.x)
    }

    #[test]
    fn the_first_picture_leaves_a_third_of_the_width_free() {
        for half in [10.0, 40.0] {
            let flock = flock(0, 30.0, half);
            let [left, right] = ends(&flock, &update(&mut Framing::default(), &flock, false), 30.0, half);
            assert!((30.0..45.0).contains(&left) && (195.0..210.0).contains(&right), "{half}: {left} {right}");
        }
    }

    /// The zoom relative to that of the first picture, after so many ticks of a line that is `growth` times as long.
    fn zoom_after(ticks: u64, growth: f32) -> f32 {
        let mut framing = Framing::default();
        update(&mut framing, &flock(0, 0.0, 10.0), false);
        let first = update(&mut framing, &flock(SETTLING, 0.0, 10.0), false);
        let steps = (1..=ticks).step_by(10).map(|tick| flock(SETTLING + tick, 0.0, 10.0 * growth));
        steps.map(|flock| update(&mut framing, &flock, false).zoom / first.zoom).last().unwrap()
    }

    #[test]
    fn the_zoom_takes_a_minute_to_follow_a_flock_that_grows_or_shrinks() {
        for growth in [1.2, 0.8] {
            let way = |ticks| zoom_after(ticks, growth).ln() / (1.0 / growth).ln();
            assert!(way(300) < 0.15, "{growth}: {} after 5 s", way(300));
            assert!((0.5..0.8).contains(&way(3600)), "{growth}: {} after a minute", way(3600));
        }
    }

    #[test]
    fn the_zoom_follows_within_seconds_while_many_boids_are_outside_and_no_further_than_needed() {
        // Three quarters of a line that is six times as long are as long as 4.5 of the first, of which 1.5 filled the picture.
        let zoom = zoom_after(300, 6.0);
        assert!((0.3..0.37).contains(&zoom), "{zoom}");
    }

    #[test]
    fn the_center_follows_smoothly_and_depends_on_ticks_alone() {
        let mut framing = Framing::default();
        let first = update(&mut framing, &flock(0, 0.0, 10.0), false);
        assert_eq!(update(&mut framing, &flock(0, 20.0, 20.0), false), first);
        let next = update(&mut framing, &flock(10, 20.0, 20.0), false);
        assert!(next.center.x > 0.5 && next.center.x < 10.0, "{next:?}");
        let later = update(&mut framing, &flock(2000, 20.0, 20.0), false);
        assert!((later.center.x - 20.0).abs() < 0.1, "{later:?}");
    }

    #[test]
    fn the_frame_continues_when_ticks_run_backward() {
        let mut framing = Framing::default();
        update(&mut framing, &flock(100, 0.0, 10.0), false);
        let back = update(&mut framing, &flock(99, 20.0, 20.0), false);
        assert!(back.center.x < 10.0, "{back:?}");
        let restarted = update(&mut framing, &flock(0, 20.0, 20.0), false);
        assert!((restarted.center.x - 20.0).abs() < 0.1, "{restarted:?}");
    }

    #[test]
    fn the_zoom_stays_while_it_is_kept() {
        let mut framing = Framing::default();
        let first = update(&mut framing, &flock(0, 0.0, 10.0), false);
        let next = update(&mut framing, &flock(500, 0.0, 40.0), true);
        assert!((next.zoom - first.zoom).abs() < 1e-3);
    }
}
