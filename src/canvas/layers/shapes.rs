//! The dots of an agent's body.

use std::f32::consts::TAU;

use glam::Vec2;

/// Ticks per wing beat, of boids and of predators.
const BEAT_TICKS: (u64, u64) = (14, 44);
/// Phase between consecutive ids, as a share of a beat: the golden ratio spreads the phases evenly.
const PHASE: f32 = 0.618_034;
/// Bodies are large from this many dots per boid on.
const DOTS_FOR_LARGE: usize = 140;
/// Bodies are huge from this many dots per boid and this zoom on.
const DOTS_FOR_HUGE: usize = 1400;
const ZOOM_FOR_HUGE: f32 = 2.0;
/// Bodies magnified by more than this are drawn one size larger; reduced by more, one size smaller.
const SIZE_RATIO: f32 = 1.7;

/// The size of a boid's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodySize {
    /// Three to five dots.
    Small,
    /// Up to eight dots.
    Large,
    /// Up to fourteen dots.
    Huge,
}

impl BodySize {
    /// The size for this many boids on this many dots.
    pub(crate) fn new(dots: usize, boids: usize, zoom: f32) -> Self {
        match dots / boids.max(1) {
            ..DOTS_FOR_LARGE => Self::Small,
            DOTS_FOR_HUGE.. if zoom >= ZOOM_FOR_HUGE => Self::Huge,
            _ => Self::Large,
        }
    }

    /// The size of a body in the foreground or background; `None` for a mere dot.
    pub(super) fn magnified(self, by: f32) -> Option<Self> {
        match self {
            Self::Small if by < 1.0 / SIZE_RATIO => None,
            Self::Large if by < 1.0 / SIZE_RATIO => Some(Self::Small),
            Self::Huge if by < 1.0 / SIZE_RATIO => Some(Self::Large),
            Self::Small if by > SIZE_RATIO => Some(Self::Large),
            Self::Large if by > SIZE_RATIO => Some(Self::Huge),
            size => Some(size),
        }
    }
}

/// Position and attitude of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPose {
    /// In dots.
    pub(super) at: Vec2,
    /// A unit vector.
    pub(super) heading: Vec2,
    /// −1 folded … 1 spread.
    pub(super) wings: f32,
}

/// How far the wings of an agent are spread at a tick: −1 folded … 1 spread.
pub(super) fn wing_beat(tick: u64, id: u32, predator: bool) -> f32 {
    let ticks = if predator { BEAT_TICKS.1 } else { BEAT_TICKS.0 };
    let phase = (tick % ticks) as f32 / ticks as f32 + (id % 4096) as f32 * PHASE;
    (phase.fract() * TAU).sin()
}

/// Calls `plot` with each dot of a boid's body.
pub(super) fn boid(pose: BodyPose, size: BodySize, mut plot: impl FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let perpendicular = heading.perp();
    let spread = 0.5 + 0.5 * wings;
    plot(at);
    match size {
        BodySize::Small => {
            plot(at - heading);
            // Spread wings reach out; folded wings form the tail.
            let tip = at - heading * (1.6 - 0.6 * spread);
            plot(tip + perpendicular * (0.7 + 0.6 * spread));
            plot(tip - perpendicular * (0.7 + 0.6 * spread));
        }
        BodySize::Large => {
            plot(at + heading);
            plot(at - heading);
            plot(at - heading * 2.0);
            let (root, tip) = (at - heading * 0.3, at - heading * (1.9 - 1.2 * spread));
            for side in [perpendicular, -perpendicular] {
                plot(root + side * (0.5 + 0.6 * spread));
                plot(tip + side * (0.8 + 1.5 * spread));
            }
        }
        BodySize::Huge => {
            (-4..=2).for_each(|step| plot(at + heading * step as f32));
            let sweep = 0.9 - 0.7 * spread;
            for side in [perpendicular, -perpendicular] {
                for step in [1.0, 2.0, 3.0] {
                    plot(at + heading * (0.4 - sweep * step) + side * (step * (0.6 + 0.55 * spread)));
                }
            }
        }
    }
}

/// Calls `plot` with each dot of a predator's body: a falcon seen from above, about eleven dots long and, with wings
/// spread, thirteen wide. The wings sweep back as they fold.
pub(super) fn predator(pose: BodyPose, mut plot: impl FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    (-6..=4).for_each(|step| plot(at + heading * step as f32));
    let (out, sweep) = (0.9 + 0.15 * wings, 0.115 - 0.055 * wings);
    for side in [heading.perp(), -heading.perp()] {
        plot(at + heading * 2.0 + side * 0.8);
        plot(at - heading * 5.6 + side);
        for step in 1..=6 {
            let along = step as f32;
            let edge = at + heading * (1.6 + 0.25 * along - sweep * along * along) + side * (out * along);
            plot(edge);
            // The wings are broad at the shoulder and end in a point.
            if step < 5 {
                plot(edge - heading);
            }
            if step < 3 {
                plot(edge - heading * 2.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dots(draw: impl Fn(BodyPose, &mut dyn FnMut(Vec2)), angle: f32, wings: f32) -> Vec<(i32, i32)> {
        let pose = BodyPose { at: Vec2::splat(20.5), heading: Vec2::from_angle(angle), wings };
        let mut dots = Vec::new();
        draw(pose, &mut |dot: Vec2| dots.push((dot.x as i32, dot.y as i32)));
        dots.sort_unstable();
        dots.dedup();
        dots
    }

    #[test]
    fn bodies_keep_their_size_in_every_direction() {
        for step in 0..32 {
            let angle = step as f32 * TAU / 32.0;
            for wings in [-1.0, 0.0, 1.0] {
                let count = |size| dots(|pose, plot| boid(pose, size, plot), angle, wings).len();
                let counts = [BodySize::Small, BodySize::Large, BodySize::Huge].map(count);
                let is_right = (3..=5).contains(&counts[0]) && (5..=8).contains(&counts[1]);
                assert!(is_right && (9..=14).contains(&counts[2]), "{angle} {wings} {counts:?}");
                let predator = dots(|pose, plot| predator(pose, plot), angle, wings).len();
                assert!((24..=46).contains(&predator), "{angle} {wings} {predator}");
            }
        }
    }

    #[test]
    fn wings_beat_with_different_phases() {
        let body = |tick, id| dots(|pose, plot| boid(pose, BodySize::Large, plot), 0.0, wing_beat(tick, id, false));
        assert_ne!(body(0, 0), body(BEAT_TICKS.0 * 3 / 4, 0));
        assert_eq!(body(3, 5), body(3 + BEAT_TICKS.0, 5));
        assert_ne!(body(0, 0), body(0, 1));
    }
}
