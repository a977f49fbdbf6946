//! The search for neighbors: agents sorted by grid cell, the candidates near a block of boids, their fields of view and
//! their species. It knows no rule.
//!
//! Coincident agents are here too: the offset between them is 0, and is replaced by a small one in a direction drawn from
//! the ids.

mod block;
mod candidates;
mod cell_list;
mod grid;
mod nearest;
mod nearest_lists;
mod species;

pub(crate) use block::{Block, FieldOfView, ViewThreshold};
pub(crate) use candidates::{CAPACITY, Candidates, Visitor};
pub(crate) use cell_list::{CellList, Placement};
pub(crate) use grid::{GridLayout, Shift, Window};
pub(crate) use nearest::{NearestSearch, SearchLimits};
pub(crate) use nearest_lists::{LISTED, ListSearch};
pub(crate) use species::{SpeciesRange, SpeciesTable};

use crate::math::{Wide, from_axes, murmur_mix};
use crate::simd::Lanes;

/// Two agents with a squared distance (u²) of at most this are coincident.
pub(crate) const COINCIDENT: f32 = 1e-24;
/// The distance at which coincident agents are taken to be, as a fraction of a rule's radius.
pub(crate) const NUDGE: f32 = 1e-3;
/// `tan(π/8)`.
const OCTANT: f32 = std::f32::consts::SQRT_2 - 1.0;

/// The unit vector `u` from the boids with the ids `own` to a coincident boid: `u(i, j) = −u(j, i)`.
#[inline(always)]
pub(crate) fn nudge_direction<F: Lanes, const D: usize>(own: F::Words, other: u32) -> Wide<F, D> {
    let other = F::splat_words(other);
    let drawn = murmur_mix::<F>(F::add_words(murmur_mix::<F>(own), murmur_mix::<F>(other)));
    let one = F::splat(1.0);
    // A point on an eighth of the circle in rational form, which needs no sine; then any eighth.
    let slope = unit_interval::<F>(drawn) * F::splat(OCTANT);
    let square = slope * slope;
    let (along, aside) = ((one - square) / (one + square), (slope + slope) / (one + square));
    let swapped = F::has_bit(drawn, 0);
    let (x, y) = (F::select(swapped, aside, along), F::select(swapped, along, aside));
    let (x, y) = (F::select(F::has_bit(drawn, 1), -x, x), F::select(F::has_bit(drawn, 2), -y, y));
    let direction = if D == 2 {
        from_axes([x, y, F::splat(0.0)])
    } else {
        // Archimedes: the height of a uniform point on a sphere is itself uniform.
        let height = unit_interval::<F>(murmur_mix::<F>(F::add_words(drawn, F::splat_words(1))));
        let height = height + height - one;
        let flat = (one - height * height).sqrt();
        from_axes([x * flat, y * flat, height])
    };
    Wide::select(F::less_words(own, other), direction, -direction)
}

/// A number in 0..1 from the upper bits of each word.
#[inline(always)]
fn unit_interval<F: Lanes>(words: F::Words) -> F {
    F::upper_bits(words) * F::splat(1.0 / (1 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_opposite_and_uniform() {
        let (mut flat, mut deep) = ([0.0; 2], [0.0; 3]);
        for own in 0..100 {
            for other in (0..100).chain([u32::MAX]).filter(|&other| other != own) {
                let there = nudge_direction::<f32, 2>(own, other);
                assert_eq!(there.0, (-nudge_direction::<f32, 2>(other, own)).0);
                assert!((there.length() - 1.0).abs() < 1e-6);
                let above = nudge_direction::<f32, 3>(own, other);
                assert_eq!(above.0, (-nudge_direction::<f32, 3>(other, own)).0);
                assert!((above.length() - 1.0).abs() < 1e-6);
                if own < other {
                    (0..2).for_each(|axis| flat[axis] += there.0[axis]);
                    (0..3).for_each(|axis| deep[axis] += above.0[axis]);
                }
            }
        }
        assert!(flat.iter().chain(&deep).all(|sum: &f32| sum.abs() < 200.0), "{flat:?} {deep:?} of 5000");
    }
}
