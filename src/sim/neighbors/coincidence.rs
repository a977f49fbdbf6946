//! Boids in one place: `r` is 0 there, and is replaced by an offset that parts them.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use super::simd::Lanes;
use crate::sim::math::wide::Wide;

/// Two boids whose squared distance (u²) computes to at most this stand in one place.
pub(crate) const COINCIDENT: f32 = 1e-24;
/// The share of a rule's radius at which two boids in one place are taken to stand.
pub(crate) const PARTING: f32 = 1e-3;
/// The tangent of an eighth of a half turn.
const OCTANT: f32 = std::f32::consts::SQRT_2 - 1.0;

/// The finaliser of `MurmurHash3` (Appleby 2011): every bit in moves every bit out.
#[inline(always)]
pub(crate) fn mixed<F: Lanes>(word: F::Words) -> F::Words {
    let word = F::product(F::fold::<16>(word), F::words(0x85eb_ca6b));
    F::fold::<16>(F::product(F::fold::<13>(word), F::words(0xc2b2_ae35)))
}

/// The unit vector `u` from the boids `me` to the boid `other`, who stand in one place, in
/// directions drawn from their ids: `u(i, j) = −u(j, i)`.
#[inline(always)]
pub(crate) fn parting<F: Lanes, const D: usize>(me: F::Words, other: u32) -> Wide<F, D> {
    let other = F::words(other);
    let drawn = mixed::<F>(F::sum(mixed::<F>(me), mixed::<F>(other)));
    let one = F::splat(1.0);
    // A point of an eighth of the circle by its rational form, which needs no sine; then any eighth.
    let slope = share::<F>(drawn) * F::splat(OCTANT);
    let square = slope * slope;
    let (along, aside) = ((one - square) / (one + square), (slope + slope) / (one + square));
    let swapped = F::has(drawn, 0);
    let (x, y) = (F::select(swapped, aside, along), F::select(swapped, along, aside));
    let (x, y) = (F::select(F::has(drawn, 1), -x, x), F::select(F::has(drawn, 2), -y, y));
    let direction = if D == 2 {
        Wide::new(|axis| if axis == 0 { x } else { y })
    } else {
        // Archimedes: the height of a uniform point on a sphere is itself uniform.
        let height = share::<F>(mixed::<F>(F::sum(drawn, F::words(1))));
        let height = height + height - one;
        let flat = (one - height * height).sqrt();
        Wide::new(|axis| match axis {
            0 => x * flat,
            1 => y * flat,
            _ => height,
        })
    };
    Wide::select(F::less(me, other), direction, -direction)
}

/// A number from 0 up to 1 from the upper bits of each word.
#[inline(always)]
fn share<F: Lanes>(words: F::Words) -> F {
    F::upper(words) * F::splat(1.0 / (1 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_boids_part_in_opposite_directions_and_all_directions_occur() {
        let (mut flat, mut deep) = ([0.0; 2], [0.0; 3]);
        for me in 0..100 {
            for other in (0..100).chain([u32::MAX]).filter(|&other| other != me) {
                let there = parting::<f32, 2>(me, other);
                assert_eq!(there.0, (-parting::<f32, 2>(other, me)).0);
                assert!((there.length() - 1.0).abs() < 1e-6);
                let above = parting::<f32, 3>(me, other);
                assert_eq!(above.0, (-parting::<f32, 3>(other, me)).0);
                assert!((above.length() - 1.0).abs() < 1e-6);
                if me < other {
                    (0..2).for_each(|axis| flat[axis] += there.0[axis]);
                    (0..3).for_each(|axis| deep[axis] += above.0[axis]);
                }
            }
        }
        assert!(flat.iter().chain(&deep).all(|sum: &f32| sum.abs() < 200.0), "{flat:?} {deep:?} of 5000");
    }
}
