//! Sines and cosines of small angles, in all lanes at once.

use std::f32::consts::FRAC_PI_4;

use glam::Vec2;

use crate::sim::neighbors::simd::MAX_LANES;

/// The cosines and sines of angles (radians), with the bits of [`Vec2::from_angle`] except for the sign of a sine of 0.
///
/// Up to π/4 this evaluates the polynomials of its library (`k_sinf` and `k_cosf` of FreeBSD's msun, through musl) in all
/// lanes: a call for each lane costs half as much as all the rules.
#[inline(always)]
pub(crate) fn cosines_and_sines(angles: &[f32; MAX_LANES]) -> ([f32; MAX_LANES], [f32; MAX_LANES]) {
    let (mut cosines, mut sines) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    if angles.iter().all(|angle| angle.abs() <= FRAC_PI_4) {
        for lane in 0..MAX_LANES {
            (cosines[lane], sines[lane]) = (cosine(angles[lane].into()), sine(angles[lane].into()));
        }
    } else {
        for lane in 0..MAX_LANES {
            (cosines[lane], sines[lane]) = Vec2::from_angle(angles[lane]).into();
        }
    }
    (cosines, sines)
}

#[inline(always)]
fn sine(angle: f64) -> f32 {
    const FACTORS: [f64; 4] = [
        -0.166_666_666_416_265_24,
        0.008_333_329_385_889_463,
        -0.000_198_393_348_360_966_3,
        0.000_002_718_311_493_989_822,
    ];
    let square = angle * angle;
    let (fourth, cube) = (square * square, square * angle);
    let tail = FACTORS[2] + square * FACTORS[3];
    ((angle + cube * (FACTORS[0] + square * FACTORS[1])) + cube * fourth * tail) as f32
}

#[inline(always)]
fn cosine(angle: f64) -> f32 {
    const FACTORS: [f64; 4] =
        [-0.499_999_997_251_031, 0.041_666_623_323_739_06, -0.001_388_676_377_460_993, 0.000_024_390_448_796_277_41];
    let square = angle * angle;
    let fourth = square * square;
    let tail = FACTORS[2] + square * FACTORS[3];
    (((1.0 + square * FACTORS[0]) + fourth * FACTORS[1]) + (fourth * square) * tail) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_bits_of_the_library() {
        // Every 997th number up to 1, and the last one for which the polynomials hold, of either sign.
        let numbers = (0..1.0_f32.to_bits()).step_by(997).map(f32::from_bits).chain([FRAC_PI_4; 2 * MAX_LANES]);
        let mut angles = [0.0; MAX_LANES];
        for (at, angle) in numbers.enumerate() {
            angles[at % MAX_LANES] = if at % 2 == 0 { angle } else { -angle };
            if at % MAX_LANES == MAX_LANES - 1 {
                let (cosines, sines) = cosines_and_sines(&angles);
                for (lane, angle) in angles.iter().enumerate() {
                    let expected = Vec2::from_angle(*angle);
                    assert!(
                        (cosines[lane], sines[lane]) == expected.into(),
                        "{angle}: {cosines:?} {sines:?}, {expected}"
                    );
                }
            }
        }
    }
}
