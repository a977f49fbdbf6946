//! What one agent looks like: the dots of its body.

use std::f32::consts::TAU;

use glam::Vec2;

/// How many ticks a boid takes for a beat of its wings, and a predator.
const BEATS: (u64, u64) = (14, 44);
/// The share of a beat by which one id is ahead of the one before: the golden ratio's, so that neighbors
/// do not beat together.
const AHEAD: f32 = 0.618_034;
/// From so many dots of the canvas for each boid on, bodies have their full size.
const DOTS_FOR_LARGE: usize = 260;
/// From so many on, and where one has zoomed in, they grow once more.
const DOTS_FOR_HUGE: usize = 1400;
const ZOOM_FOR_HUGE: f32 = 2.0;
/// What is seen so many times larger than in the middle of the view gets the next size; so many times
/// smaller, the one before.
const NEAR: f32 = 1.7;

/// How large bodies are drawn.
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
    /// The size that suits so many boids on so many dots, where one has zoomed in so far.
    pub(crate) fn new(dots: usize, boids: usize, zoom: f32) -> Self {
        match dots / boids.max(1) {
            ..DOTS_FOR_LARGE => Self::Small,
            DOTS_FOR_HUGE.. if zoom >= ZOOM_FOR_HUGE => Self::Huge,
            _ => Self::Large,
        }
    }

    /// The size of what is seen so many times larger than in the middle of the view; none where it is
    /// only a dot.
    pub(crate) fn seen(self, times: f32) -> Option<Self> {
        match self {
            Self::Small if times < 1.0 / NEAR => None,
            Self::Large if times < 1.0 / NEAR => Some(Self::Small),
            Self::Huge if times < 1.0 / NEAR => Some(Self::Large),
            Self::Small if times > NEAR => Some(Self::Large),
            Self::Large if times > NEAR => Some(Self::Huge),
            size => Some(size),
        }
    }
}

/// How an agent's body stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPose {
    /// Where, in dots.
    pub(crate) at: Vec2,
    /// Along which unit vector.
    pub(crate) heading: Vec2,
    /// How far its wings are spread: −1 folded … 1 spread.
    pub(crate) wings: f32,
}

/// How far the wings of an agent are spread at a tick.
pub(crate) fn beat(tick: u64, id: u32, predator: bool) -> f32 {
    let ticks = if predator { BEATS.1 } else { BEATS.0 };
    let phase = (tick % ticks) as f32 / ticks as f32 + (id % 4096) as f32 * AHEAD;
    (phase.fract() * TAU).sin()
}

/// Calls `plot` with each dot of a boid's body.
pub(crate) fn boid(pose: BodyPose, size: BodySize, mut plot: impl FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let aside = heading.perp();
    let spread = 0.5 + 0.5 * wings;
    plot(at);
    match size {
        BodySize::Small => {
            plot(at - heading);
            // Spread wings reach out; folded ones lie along the body as its tail.
            let tip = at - heading * (1.6 - 0.6 * spread);
            plot(tip + aside * (0.7 + 0.6 * spread));
            plot(tip - aside * (0.7 + 0.6 * spread));
        }
        BodySize::Large => {
            plot(at + heading);
            plot(at - heading);
            plot(at - heading * 2.0);
            let (root, tip) = (at - heading * 0.3, at - heading * (1.9 - 1.2 * spread));
            for side in [aside, -aside] {
                plot(root + side * (0.5 + 0.6 * spread));
                plot(tip + side * (0.8 + 1.5 * spread));
            }
        }
        BodySize::Huge => {
            (-4..=2).for_each(|step| plot(at + heading * step as f32));
            let sweep = 0.9 - 0.7 * spread;
            for side in [aside, -aside] {
                for step in 1..=3 {
                    let along = step as f32;
                    plot(at + heading * (0.4 - sweep * along) + side * (along * (0.6 + 0.55 * spread)));
                }
            }
        }
    }
}

/// Calls `plot` with each dot of a predator's body: a falcon from above, with long pointed wings that
/// sweep back as they fold, about eleven dots from beak to tail and, spread, thirteen across.
pub(crate) fn predator(pose: BodyPose, mut plot: impl FnMut(Vec2)) {
    let BodyPose { at, heading, wings } = pose;
    let aside = heading.perp();
    (-6..=4).for_each(|step| plot(at + heading * step as f32));
    let (out, sweep) = (0.9 + 0.15 * wings, 0.115 - 0.055 * wings);
    for side in [aside, -aside] {
        plot(at + heading * 2.0 + side * 0.8);
        plot(at - heading * 5.6 + side);
        for step in 1..=6 {
            let along = step as f32;
            let edge = at + heading * (1.6 + 0.25 * along - sweep * along * along) + side * (out * along);
            plot(edge);
            // Wings are broad at the shoulder and end in a point.
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

    fn dots(draw: impl Fn(BodyPose, &mut dyn FnMut(Vec2)), turn: f32, wings: f32) -> Vec<(i32, i32)> {
        let pose = BodyPose { at: Vec2::splat(20.5), heading: Vec2::from_angle(turn), wings };
        let mut dots = Vec::new();
        draw(pose, &mut |dot: Vec2| dots.push((dot.x as i32, dot.y as i32)));
        dots.sort_unstable();
        dots.dedup();
        dots
    }

    #[test]
    fn bodies_have_their_sizes_whichever_way_they_fly() {
        for step in 0..32 {
            let turn = step as f32 * TAU / 32.0;
            for wings in [-1.0, 0.0, 1.0] {
                let count = |size| dots(|pose, plot| boid(pose, size, plot), turn, wings).len();
                assert!((3..=5).contains(&count(BodySize::Small)), "{turn} {wings} {}", count(BodySize::Small));
                assert!((5..=8).contains(&count(BodySize::Large)), "{turn} {wings} {}", count(BodySize::Large));
                assert!((9..=14).contains(&count(BodySize::Huge)), "{turn} {wings} {}", count(BodySize::Huge));
                let hunter = dots(|pose, plot| predator(pose, plot), turn, wings).len();
                assert!((24..=46).contains(&hunter), "{turn} {wings} {hunter}");
            }
        }
    }

    #[test]
    fn wings_beat_with_the_ticks_and_not_together() {
        let body = |tick, id| dots(|pose, plot| boid(pose, BodySize::Large, plot), 0.0, beat(tick, id, false));
        assert_ne!(body(0, 0), body(BEATS.0 * 3 / 4, 0));
        assert_eq!(body(3, 5), body(3 + BEATS.0, 5));
        assert_ne!(body(0, 0), body(0, 1));
    }
}
