//! Changes of heading and speed: noise, and the limits of turning and speed.

use std::f32::consts::TAU;
use std::ops::Range;

use glam::Vec2;
use rand::RngExt;

use super::environment::Environment;
use crate::agents::Agents;
use crate::math::{Purpose, Wide, cosines_and_sines, first_numbers, perpendicular, turned};
use crate::simd::{Lanes, MAX_LANES};

/// Applies random accelerations and turns, and limits how far headings turn.
#[inline(always)]
pub(crate) fn turn<F: Lanes, const D: usize>(
    environment: &Environment<'_>,
    agents: &Agents,
    boids: Range<usize>,
    old: Wide<F, D>,
    new: Wide<F, D>,
) -> Wide<F, D> {
    let (params, ids) = (environment.params, &agents.ids()[boids.clone()]);
    let (noise, max_turn) = (params.noise.angle.to_radians(), params.limits.max_turn.to_radians());
    let mut velocity = new;
    if params.noise.force > 0.0 {
        velocity += random_acceleration(environment, ids);
    }
    if noise > 0.0 {
        velocity = apply_noise(velocity, noise, environment, ids);
    }
    if max_turn > 0.0 {
        velocity = limit_turn(ids.len(), old, velocity, F::splat(max_turn));
    }
    velocity
}

/// Turns velocities by angles uniform in ±`noise`/2 (radians), in 3-D around random perpendicular axes. Each lane draws
/// from the random stream of its boid and tick.
#[inline(always)]
fn apply_noise<F: Lanes, const D: usize>(
    velocity: Wide<F, D>,
    noise: f32,
    environment: &Environment<'_>,
    ids: &[u32],
) -> Wide<F, D> {
    let (heading, nonzero) = velocity.unit();
    let (uniform, around) = if D == 2 {
        (first_numbers::<F>(environment.seed, environment.tick, ids, Purpose::Noise), [0.0; MAX_LANES])
    } else {
        let (mut uniform, mut around) = ([0.5; MAX_LANES], [0.0; MAX_LANES]);
        for (lane, &id) in ids.iter().enumerate() {
            let mut rng = environment.stream(id, Purpose::Noise);
            (uniform[lane], around[lane]) = (rng.random(), rng.random::<f32>() * TAU);
        }
        (uniform, around)
    };
    let (cosine, sine) = cosines_and_sines(F::splat(noise) * (F::load(&uniform) - F::splat(0.5)));
    Wide::select(nonzero, turned(heading, cosine, sine, F::load(&around)) * velocity.length(), velocity)
}

/// Accelerations that are uniform on each axis, with the standard deviation `noise.force`. Each lane draws from the random stream of its
/// boid and tick.
#[inline(always)]
fn random_acceleration<F: Lanes, const D: usize>(environment: &Environment<'_>, ids: &[u32]) -> Wide<F, D> {
    let mut axes = [[0.0; MAX_LANES]; D];
    for (lane, &id) in ids.iter().enumerate() {
        let mut rng = environment.stream(id, Purpose::Acceleration);
        for axis in &mut axes {
            axis[lane] = rng.random::<f32>() - 0.5;
        }
    }
    // A uniform number has the variance of its squared range over 12.
    Wide::new(|axis| F::load(&axes[axis]) * F::splat(environment.params.noise.force * 12.0f32.sqrt()))
}

/// Limits the angle between the headings of `old` and `new` to `max_turn` (radians), in the first `count` lanes.
#[inline(always)]
pub(crate) fn limit_turn<F: Lanes, const D: usize>(
    count: usize,
    old: Wide<F, D>,
    new: Wide<F, D>,
    max_turn: F,
) -> Wide<F, D> {
    let (cosines, sines) = cosines_and_sines(max_turn);
    let (cosines, sines) = (cosines.to_array(), sines.to_array());
    let old = old.0.map(F::to_array);
    let mut lanes = new.0.map(F::to_array);
    for lane in 0..count {
        let vector = |lanes: &[[f32; MAX_LANES]; D]| -> Wide<f32, D> { Wide::new(|axis| lanes[axis][lane]) };
        let limited = limit_angle(vector(&old), vector(&lanes), Vec2::new(cosines[lane], sines[lane]));
        for axis in 0..D {
            lanes[axis][lane] = limited[axis];
        }
    }
    Wide::new(|axis| F::load(&lanes[axis]))
}

/// Limits the angle between the headings of `old` and `new` to that of a unit vector.
fn limit_angle<const D: usize>(old: Wide<f32, D>, new: Wide<f32, D>, turn: Vec2) -> Wide<f32, D> {
    let ((before, old_moves), (after, new_moves)) = (old.unit(), new.unit());
    let cosine = before.dot(after);
    if !old_moves || !new_moves || cosine >= turn.x {
        return new;
    }
    // For opposite headings, the perpendicular part is rounding error.
    let (beside, nonzero) = (after - before * cosine).unit();
    let aside = if nonzero && cosine > -1.0 + 1e-6 { beside } else { perpendicular(before, 0.0) };
    (before * turn.x + aside * turn.y) * new.length()
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn limits_turns_and_keeps_speed() {
        let old = Wide([1.0, 0.0, 0.0]);
        for new in [[-2.0, 0.1, 0.0], [0.0, 0.0, 3.0], [-1.0, 0.0, 0.0]].map(Wide) {
            let turned = limit_angle(old, new, Vec2::from_angle(0.5));
            assert!((turned.length() - new.length()).abs() < 1e-4);
            let angle = Vec3::from_array(turned.0).angle_between(Vec3::X);
            assert!((angle - 0.5).abs() < 1e-3, "{turned:?}");
        }
        let gentle = Wide([1.0, 0.1, 0.0]);
        assert_eq!(limit_angle(old, gentle, Vec2::from_angle(0.5)).0, gentle.0);
        assert_eq!(limit_angle(Wide::zero(), gentle, Vec2::from_angle(0.5)).0, gentle.0);
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
