//! Headings and speeds: how one wavers, how far one turns, how fast one flies.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::f32::consts::TAU;

use glam::Vec2;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::sim::math::random::{Purpose, first_numbers, stream};
use crate::sim::math::small_angle::cosines_and_sines;
use crate::sim::math::vector::Vector;
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::{Lanes, MAX_LANES};

/// Velocities turned by angles uniform in ±`noise`/2 (radians); in three dimensions about axes drawn
/// at random among those at a right angle to them. Each lane draws from its boid's stream of this moment.
#[inline(always)]
pub(crate) fn apply_noise<F: Lanes, V: Vector, const D: usize>(
    velocity: Wide<F, D>,
    noise: f32,
    (seed, tick): (u64, u64),
    ids: &[u32],
) -> Wide<F, D> {
    let (heading, some) = velocity.unit();
    let (shares, aside) = if D == 2 {
        let shares = first_numbers::<F>(seed, tick, ids, Purpose::Noise);
        (shares, Wide::new(|axis| if axis == 0 { -heading[1] } else { heading[0] }))
    } else {
        random_perpendiculars::<F, V, D>(heading, ids.iter().map(|&id| stream(seed, tick, id, Purpose::Noise)))
    };
    let angles = shares.map(|share| noise * (share - 0.5));
    let (cosines, sines) = cosines_and_sines(&angles);
    let turned = heading * F::load(&cosines) + aside * F::load(&sines);
    Wide::select(some, turned * velocity.length(), velocity)
}

/// A number, 0 … 1, from the stream of each lane, and a direction at a right angle to its heading.
#[inline(always)]
fn random_perpendiculars<F: Lanes, V: Vector, const D: usize>(
    heading: Wide<F, D>,
    streams: impl Iterator<Item = Xoshiro256PlusPlus>,
) -> ([f32; MAX_LANES], Wide<F, D>) {
    let headings = heading.0.map(F::to_array);
    let mut shares = [0.5; MAX_LANES];
    let mut asides = [[0.0; MAX_LANES]; 3];
    for (lane, mut rng) in streams.enumerate().take(F::WIDTH) {
        shares[lane] = rng.random::<f32>();
        let around = rng.random::<f32>() * TAU;
        let heading = V::from_axes([0, 1, 2].map(|axis| headings.get(axis).map_or(0.0, |values| values[lane])));
        for (axis, value) in heading.perpendicular(around).axes().into_iter().enumerate() {
            asides[axis][lane] = value;
        }
    }
    (shares, Wide::new(|axis| F::load(&asides[axis])))
}

/// `new` brought back to where its heading is at most `most` (radians) from that of `old`.
pub(crate) fn limit<V: Vector>(old: V, new: V, most: f32) -> V {
    let (Some(before), Some(after)) = (old.unit(), new.unit()) else { return new };
    let cosine = before.dot(after);
    if cosine >= Vec2::from_angle(most).x {
        return new;
    }
    // On an about-turn what is left of `after` beside `before` is rounding, not a direction.
    let beside = (after - before * cosine).unit().filter(|_| cosine > -1.0 + 1e-6);
    let aside = beside.unwrap_or_else(|| before.perpendicular(0.0));
    rotate(before, aside, most) * new.length()
}

/// Velocities with their speeds brought to `least ..= most`; zero has no heading, and stays zero.
#[inline(always)]
pub(crate) fn clamp_speed<F: Lanes, const D: usize>(velocity: Wide<F, D>, least: F, most: F) -> Wide<F, D> {
    let speed = velocity.length();
    let (slow, fast) = (speed.lt(least), most.lt(speed));
    if !F::any(F::or(slow, fast)) {
        return velocity;
    }
    let (heading, some) = velocity.unit();
    let (slow, fast) = (F::and(some, slow), F::and(some, fast));
    Wide::select(slow, heading * least, Wide::select(fast, heading * most, velocity))
}

/// The unit vector at `angle` (radians) from `heading` toward `aside`, both of length 1 and at a right angle.
fn rotate<V: Vector>(heading: V, aside: V, angle: f32) -> V {
    let turn = Vec2::from_angle(angle);
    heading * turn.x + aside * turn.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_turn_is_limited_and_keeps_its_speed() {
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
    fn speeds_are_kept_and_rest_stays_rest() {
        let kept = |velocity: [f32; 2]| clamp_speed(Wide(velocity), 1.0, 2.0).0;
        assert_eq!(kept([0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(kept([0.0, 5.0]), [0.0, 2.0]);
        assert_eq!(kept([0.5, 0.0]), [1.0, 0.0]);
        assert_eq!(kept([1.5, 0.0]), [1.5, 0.0]);
    }
}
