//! GustField: wind that differs from place to place and from time to time.
//!
//! Each axis of a gust is `strength · n(x, t)`, with `n` a value noise in −1 … 1 (Perlin's lattice
//! with values rather than gradients: Ebert et al., *Texturing & Modeling*): a number is drawn for each
//! point of a lattice, `scale` u wide and `period` ticks long, and between them `3s² − 2s³` of the way
//! `s` goes from one to the next. Numbers are drawn from seed, lattice point and axis by the mixer that
//! parts coincident boids. In a world that wraps the lattice closes: its width is the nearest that
//! divides the world's side.

use crate::sim::math::random::murmur_mix;
use crate::sim::math::random::{Purpose, stream};
use crate::sim::math::wide::Wide;
use crate::sim::neighbors::simd::Lanes;
use crate::sim::params::{Edge, Params};
use crate::sim::world::World;

use rand::Rng;

/// What the lattice's numbers time_position each axis are multiplied by, so that points differ.
const AXIS_FACTORS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];
/// What is added for a point before the origin.
const NEGATIVE_OFFSET: u32 = 0x27d4_eb2f;
/// What is added for each axis of the gust.
const AXIS_OFFSET: u32 = 0x1656_67b1;
/// So many lattice points from the origin numbers end; who is further off feels what is there.
const MAX_LATTICE: f32 = 4_194_304.0;

/// The gusts of a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GustField {
    strength: f32,
    /// Lattice points for each u.
    points_per_unit: [f32; 3],
    /// After how many points the lattice is closed.
    period: [f32; 3],
    /// What tells the lattice before this tick from that behind it.
    time_slices: [u32; 2],
    /// How far it is from the one to the other.
    share: f32,
}

/// LatticeSpan which points of the lattice boids stand time_position an axis.
#[derive(Clone, Copy)]
struct LatticeSpan<F: Lanes> {
    ends: [F::Words; 2],
    /// How far they are from the first to the second.
    share: F,
}

impl GustField {
    pub(crate) fn new(params: &Params, world: &World, seed: u64, tick: u64) -> Self {
        let size = world.size();
        let wraps = params.edge.mode == Edge::Wrap;
        let period = size.map(|side| if wraps { (side / params.gusts.scale).round().max(1.0) } else { f32::INFINITY });
        let points_per_unit = [0, 1, 2]
            .map(|axis| if wraps && size[axis] > 0.0 { period[axis] / size[axis] } else { 1.0 / params.gusts.scale });
        let (time_slice, share) = time_position(tick, params.gusts.period);
        let time_slices = [0, 1].map(|next| stream(seed, time_slice + next, 0, Purpose::Gust).next_u32());
        Self { strength: params.gusts.strength, points_per_unit, period, time_slices, share }
    }

    /// What they add to boids' steering.
    #[inline(always)]
    pub(crate) fn push<F: Lanes, const D: usize>(&self, position: Wide<F, D>) -> Wide<F, D> {
        let mut between = [self.between(position[0], 0); D];
        let mut axis = 1;
        while axis < D {
            between[axis] = self.between(position[axis], axis);
            axis += 1;
        }
        let mut total = Wide::zero();
        for (time_slice, share) in [(self.time_slices[0], 1.0 - self.share), (self.time_slices[1], self.share)] {
            for corner in 0..1 << D {
                let (mut point, mut weight) = (F::splat_words(time_slice), F::splat(share));
                for (axis, between) in between.iter().enumerate() {
                    let end = corner >> axis & 1;
                    point = F::add_words(point, between.ends[end]);
                    weight = weight * if end == 1 { between.share } else { F::splat(1.0) - between.share };
                }
                let values: Wide<F, D> = Wide::new(|axis| {
                    let drawn =
                        murmur_mix::<F>(F::add_words(point, F::splat_words(AXIS_OFFSET.wrapping_mul(axis as u32))));
                    // From 24 bits to −1 … 1.
                    F::upper_bits(drawn) * F::splat(2.0 / 16_777_216.0) - F::splat(1.0)
                });
                total += values * weight;
            }
        }
        total * F::splat(self.strength)
    }

    #[inline(always)]
    fn between<F: Lanes>(&self, at: F, axis: usize) -> LatticeSpan<F> {
        let (none, one) = (F::splat(0.0), F::splat(1.0));
        let at = (at * F::splat(self.points_per_unit[axis])).max(F::splat(-MAX_LATTICE)).min(F::splat(MAX_LATTICE));
        let whole = F::to_floats(F::to_words(at.abs()));
        let below = -whole - F::select(whole.lt(at.abs()), one, none);
        let low = F::select(at.lt(none), below, whole);
        let share = at - low;
        let period = F::splat(self.period[axis]);
        let close = |point: F| F::select(period.le(point), none, point);
        LatticeSpan {
            ends: [lattice_word(close(low), axis), lattice_word(close(low + one), axis)],
            share: share * share * (F::splat(3.0) - share - share),
        }
    }
}

/// A lattice point's number time_position an axis as a lattice_word.
#[inline(always)]
fn lattice_word<F: Lanes>(point: F, axis: usize) -> F::Words {
    let (none, one) = (F::splat(0.0), F::splat(1.0));
    let before = F::mul_words(F::to_words(F::select(point.lt(none), one, none)), F::splat_words(NEGATIVE_OFFSET));
    F::add_words(F::mul_words(F::to_words(point.abs()), F::splat_words(AXIS_FACTORS[axis])), before)
}

/// The lattice's time_slice at or before a tick, and how far it is, smoothly, to the next.
fn time_position(tick: u64, period: f32) -> (u64, f32) {
    // Whole and rest apart: of a late tick an f32 would not hold the last digits.
    let at = tick as f64 / f64::from(period);
    let share = at.fract() as f32;
    (at as u64, share * share * (3.0 - 2.0 * share))
}
