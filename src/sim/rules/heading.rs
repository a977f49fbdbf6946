//! Changes of heading and speed: noise, and the limits of turning and speed.

#![allow(clippy::inline_always, reason = "compiled once per SIMD kind, which requires inlining")]

use std::f32::consts::TAU;

use glam::Vec2;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::sim::math::random::{Purpose, first_numbers, stream};
use crate::sim::math::small_angle::cosines_and_sines;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::{Lanes, MAX_LANES};

/// Turns velocities by angles uniform in ±`noise`/2 (radians), in 3-D around random perpendicular axes. Each lane draws
/// from the random stream of its boid and tick.
#[inline(always)]
pub(crate) fn apply_noise<F: Lanes, V: Vector, const D: usize>(
    velocity: Wide<F, D>,
    noise: f32,
    (seed, tick): (u64, u64),
    ids: &[u32],
) -> Wide<F, D> {
    let (heading, nonzero) = velocity.unit();
    let (uniform, aside) = if D == 2 {
        let uniform = first_numbers::<F>(seed, tick, ids, Purpose::Noise);
        (uniform, Wide::new(|axis| if axis == 0 { -heading[1] } else { heading[0] }))
    } else {
        random_perpendiculars::<F, V, D>(heading, ids.iter().map(|&id| stream(seed, tick, id, Purpose::Noise)))
    };
    let angles = uniform.map(|number| noise * (number - 0.5));
    let (cosines, sines) = cosines_and_sines(&angles);
    let turned = heading * F::load(&cosines) + aside * F::load(&sines);
    Wide::select(nonzero, turned * velocity.length(), velocity)
}

/// A uniform number (0 … 1) and a unit vector perpendicular to the heading, from the stream of each lane.
#[inline(always)]
fn random_perpendiculars<F: Lanes, V: Vector, const D: usize>(
    heading: Wide<F, D>,
    streams: impl Iterator<Item = Xoshiro256PlusPlus>,
) -> ([f32; MAX_LANES], Wide<F, D>) {
    let headings = heading.0.map(F::to_array);
    let mut uniform = [0.5; MAX_LANES];
    let mut asides = [[0.0; MAX_LANES]; 3];
    for (lane, mut rng) in streams.enumerate().take(F::WIDTH) {
        uniform[lane] = rng.random::<f32>();
        let around = rng.random::<f32>() * TAU;
        let heading = V::from_axes([0, 1, 2].map(|axis| headings.get(axis).map_or(0.0, |values| values[lane])));
        for (axis, value) in heading.perpendicular(around).axes().into_iter().enumerate() {
            asides[axis][lane] = value;
        }
    }
    (uniform, Wide::new(|axis| F::load(&asides[axis])))
}

/// Limits the angle between the headings of `old` and `new` to `max` (radians).
pub(crate) fn limit<V: Vector>(old: V, new: V, max: f32) -> V {
    let (Some(before), Some(after)) = (old.unit(), new.unit()) else { return new };
    let cosine = before.dot(after);
    if cosine >= Vec2::from_angle(max).x {
        return new;
    }
    // For opposite headings, the perpendicular part is rounding error.
    let beside = (after - before * cosine).unit().filter(|_| cosine > -1.0 + 1e-6);
    let aside = beside.unwrap_or_else(|| before.perpendicular(0.0));
    rotate(before, aside, max) * new.length()
}

/// Clamps speeds to `min ..= max`. A zero velocity has no heading and stays zero.
#[inline(always)]
pub(crate) fn clamp_speed<F: Lanes, const D: usize>(velocity: Wide<F, D>, min: F, max: F) -> Wide<F, D> {
    let speed = velocity.length();
    let (slow, fast) = (speed.lt(min), max.lt(speed));
    if !F::any(F::or(slow, fast)) {
        return velocity;
    }
    let (heading, nonzero) = velocity.unit();
    let (slow, fast) = (F::and(nonzero, slow), F::and(nonzero, fast));
    Wide::select(slow, heading * min, Wide::select(fast, heading * max, velocity))
}

/// Rotates `heading` by `angle` (radians) toward `aside`; both are unit vectors, perpendicular to each other.
fn rotate<V: Vector>(heading: V, aside: V, angle: f32) -> V {
    let turn = Vec2::from_angle(angle);
    heading * turn.x + aside * turn.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn limits_turns_and_keeps_speed() {
        let old = Vec3::X;
        for new in [Vec3::new(-2.0, 0.1, 0.0), Vec3::new(0.0, 0.0, 3.0), -Vec3::X] {
            let turned = limit(old, new, 0.5);
            assert!((Vector::length(turned) - Vector::length(new)).abs() < 1e-4);
            assert!((turned.angle_between(old) - 0.5).abs() < 1e-3, "{turned}");
        }
        let gentle = Vec3::new(1.0, 0.1, 0.0);
        assert_eq!(limit(old, gentle, 0.5), gentle);
        assert_eq!(limit(Vec3::ZERO, gentle, 0.5), gentle);
    }

    #[test]
    fn clamps_speed_but_not_zero() {
        let kept = |velocity: [f32; 2]| clamp_speed(Wide(velocity), 1.0, 2.0).0;
        assert_eq!(kept([0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(kept([0.0, 5.0]), [0.0, 2.0]);
        assert_eq!(kept([0.5, 0.0]), [1.0, 0.0]);
        assert_eq!(kept([1.5, 0.0]), [1.5, 0.0]);
    }
}
