//! Sines and cosines in all lanes at once, and angles around a periodic axis.

use std::f32::consts::{FRAC_PI_4, TAU};
use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, Vec2};

use crate::simd::{Lanes, MAX_LANES};

/// The absolute angles above which the library subtracts one, two, three and four right angles: odd multiples of π/4.
const SECTORS: [f32; 4] = [FRAC_PI_4, 2.356_194_3, 3.926_990_7, 5.497_787];
/// The largest absolute angle that is computed here.
const MAX_ANGLE: f32 = 7.068_583;

/// The cosines and sines of angles (radians), with the bits of [`Vec2::from_angle`] except for the sign of a 0.
///
/// Up to 9π/4 this evaluates the polynomials of its library (`k_sinf` and `k_cosf` of FreeBSD's msun, through musl) in all
/// lanes: a call for each lane costs half as much as all the rules.
#[inline(always)]
pub(crate) fn cosines_and_sines<F: Lanes>(angles: F) -> (F, F) {
    let is_beyond = |limit: f32| F::any(F::splat(limit).lt(angles.abs()));
    let lanes = angles.to_array();
    let (mut cosines, mut sines) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    if !is_beyond(SECTORS[0]) {
        for lane in 0..F::WIDTH {
            (cosines[lane], sines[lane]) = (cosine(lanes[lane].into()) as f32, sine(lanes[lane].into()) as f32);
        }
    } else if !is_beyond(MAX_ANGLE) {
        for lane in 0..F::WIDTH {
            (cosines[lane], sines[lane]) = in_sectors(lanes[lane]);
        }
    } else {
        for lane in 0..F::WIDTH {
            (cosines[lane], sines[lane]) = Vec2::from_angle(lanes[lane]).into();
        }
    }
    (F::load(&cosines), F::load(&sines))
}

/// The cosine and the sine of an angle up to 9π/4, from those of its difference to the nearest multiple of a right angle.
#[inline(always)]
fn in_sectors(angle: f32) -> (f32, f32) {
    let distance = angle.abs();
    let is_beyond = SECTORS.map(|sector| if distance > sector { 1.0 } else { 0.0 });
    let turns = is_beyond[0] + is_beyond[1] + is_beyond[2] + is_beyond[3];
    let rest = f64::from(distance) - turns * FRAC_PI_2;
    let (cosine, sine) = (cosine(rest), sine(rest));
    let is_odd = turns == 1.0 || turns == 3.0;
    let (x, y) = if is_odd { (sine, cosine) } else { (cosine, sine) };
    let x = if turns == 1.0 || turns == 2.0 { -x } else { x };
    let y = if turns == 2.0 || turns == 3.0 { -y } else { y };
    (x as f32, if angle < 0.0 { -y } else { y } as f32)
}

#[inline(always)]
fn sine(angle: f64) -> f64 {
    const FACTORS: [f64; 4] = [
        -0.166_666_666_416_265_24,
        0.008_333_329_385_889_463,
        -0.000_198_393_348_360_966_3,
        0.000_002_718_311_493_989_822,
    ];
    let square = angle * angle;
    let (fourth, cube) = (square * square, square * angle);
    let tail = FACTORS[2] + square * FACTORS[3];
    (angle + cube * (FACTORS[0] + square * FACTORS[1])) + cube * fourth * tail
}

#[inline(always)]
fn cosine(angle: f64) -> f64 {
    const FACTORS: [f64; 4] =
        [-0.499_999_997_251_031, 0.041_666_623_323_739_06, -0.001_388_676_377_460_993, 0.000_024_390_448_796_277_41];
    let square = angle * angle;
    let fourth = square * square;
    let tail = FACTORS[2] + square * FACTORS[3];
    ((1.0 + square * FACTORS[0]) + fourth * FACTORS[1]) + (fourth * square) * tail
}

/// A periodic axis bent to a circle of radius 1, on which coordinates have a mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    radians_per_u: f32,
}

impl Circle {
    /// The circle of an axis of this size in u.
    pub(crate) fn of(size: f32) -> Self {
        Self { radians_per_u: TAU / size }
    }

    /// The x and y of the points of coordinates.
    #[inline(always)]
    pub(crate) fn points<F: Lanes>(self, coordinates: F) -> (F, F) {
        cosines_and_sines(coordinates * F::splat(self.radians_per_u))
    }

    /// The mean of coordinates: that of their directions.
    pub(crate) fn mean(self, coordinates: impl Iterator<Item = f32>) -> f32 {
        self.toward(coordinates.map(|at| Vec2::from(self.points(at)).as_dvec2()).sum::<DVec2>().as_vec2())
    }

    /// The coordinate in the direction of a sum of points.
    pub(crate) fn toward(self, sum: Vec2) -> f32 {
        sum.to_angle().rem_euclid(TAU) / self.radians_per_u
    }
}

/// The mean of coordinates on a periodic axis of this size, in u: that of their directions on a circle.
pub fn circular_mean(size: f32, coordinates: impl Iterator<Item = f32>) -> f32 {
    let circle = Circle::of(size);
    circle.toward(coordinates.map(|at| Vec2::from(circle.points(at))).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_bits_of_the_library() {
        // Every 499th number, and those beside the borders of the sectors.
        let borders = SECTORS.into_iter().chain([MAX_ANGLE]);
        let beside = borders.flat_map(|border| [border.next_down(), border, border.next_up()]);
        let many = (0..MAX_ANGLE.to_bits()).step_by(499).map(f32::from_bits);
        for angle in many.chain(beside).flat_map(|angle| [angle, -angle]) {
            let (cosine, sine) = cosines_and_sines::<f32>(angle);
            let expected = Vec2::from_angle(angle);
            assert!((cosine, sine) == expected.into(), "{angle}: {cosine} {sine}, {expected}");
        }
    }
}
