//! Gusts: wind that varies in space and time.
//!
//! Each axis of a gust is `strength · n(x, t)`, with `n` a value noise in −1 … 1 (Perlin's lattice with values instead
//! of gradients: Ebert et al., *Texturing & Modeling*). Each point of a lattice, `wind.scale` u wide and `wind.period`
//! ticks long, has a random value, interpolated by `3s² − 2s³`. Values are hashed from seed, lattice point and axis. In
//! a wrapping world the lattice is periodic: its spacing is the nearest that divides the side of the world.

use crate::math::{Purpose, Wide, murmur_mix, stream};
use crate::params::{Edge, Params};
use crate::simd::Lanes;
use crate::world::World;

use rand::Rng;

/// Factors that mix the lattice coordinates into a hash, by axis.
const AXIS_FACTORS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];
/// Added to the hash of a negative coordinate.
const NEGATIVE_OFFSET: u32 = 0x27d4_eb2f;
/// Added to the hash for each axis of the gust.
const AXIS_OFFSET: u32 = 0x1656_67b1;
/// Largest lattice coordinate; beyond it the noise is constant.
const MAX_LATTICE: f32 = 4_194_304.0;

/// The gusts in one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct GustField {
    strength: f32,
    points_per_unit: [f32; 3],
    /// Number of lattice points around the torus; infinite without wrapping.
    period: [f32; 3],
    /// Hashes of the lattice slices before and after this tick.
    slices: [u32; 2],
    /// Interpolation weight of the second slice.
    blend: f32,
}

/// The lattice points on both sides of each boid, along one axis.
#[derive(Clone, Copy)]
struct LatticeSpan<F: Lanes> {
    ends: [F::Words; 2],
    /// Interpolation weight of the second point.
    blend: F,
}

impl GustField {
    pub(super) fn new(params: &Params, world: &World, seed: u64, tick: u64) -> Self {
        let size = world.size();
        let wraps = params.edge.mode == Edge::Wrap;
        let period = size.map(|side| if wraps { (side / params.gusts.scale).round().max(1.0) } else { f32::INFINITY });
        let points_per_unit = [0, 1, 2]
            .map(|axis| if wraps && size[axis] > 0.0 { period[axis] / size[axis] } else { 1.0 / params.gusts.scale });
        let (slice, blend) = time_position(tick, params.gusts.period);
        let slices = [0, 1].map(|next| stream(seed, slice + next, 0, Purpose::Gust).next_u32());
        Self { strength: params.gusts.strength, points_per_unit, period, slices, blend }
    }

    #[inline(always)]
    pub(super) fn push<F: Lanes, const D: usize>(&self, position: Wide<F, D>) -> Wide<F, D> {
        let mut spans = [self.span(position[0], 0); D];
        let mut axis = 1;
        while axis < D {
            spans[axis] = self.span(position[axis], axis);
            axis += 1;
        }
        let mut total = Wide::zero();
        for (slice, blend) in [(self.slices[0], 1.0 - self.blend), (self.slices[1], self.blend)] {
            for corner in 0..1 << D {
                let (mut point, mut weight) = (F::splat_words(slice), F::splat(blend));
                for (axis, span) in spans.iter().enumerate() {
                    let end = corner >> axis & 1;
                    point = F::add_words(point, span.ends[end]);
                    weight = weight * if end == 1 { span.blend } else { F::splat(1.0) - span.blend };
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
    fn span<F: Lanes>(&self, at: F, axis: usize) -> LatticeSpan<F> {
        let (none, one) = (F::splat(0.0), F::splat(1.0));
        let at = (at * F::splat(self.points_per_unit[axis])).max(F::splat(-MAX_LATTICE)).min(F::splat(MAX_LATTICE));
        let whole = F::to_floats(F::to_words(at.abs()));
        let below = -whole - F::select(whole.lt(at.abs()), one, none);
        let low = F::select(at.lt(none), below, whole);
        let blend = at - low;
        let period = F::splat(self.period[axis]);
        let close = |point: F| F::select(period.le(point), none, point);
        LatticeSpan {
            ends: [lattice_word(close(low), axis), lattice_word(close(low + one), axis)],
            blend: blend * blend * (F::splat(3.0) - blend - blend),
        }
    }
}

/// Hash of a lattice coordinate.
#[inline(always)]
fn lattice_word<F: Lanes>(point: F, axis: usize) -> F::Words {
    let (none, one) = (F::splat(0.0), F::splat(1.0));
    let before = F::mul_words(F::to_words(F::select(point.lt(none), one, none)), F::splat_words(NEGATIVE_OFFSET));
    F::add_words(F::mul_words(F::to_words(point.abs()), F::splat_words(AXIS_FACTORS[axis])), before)
}

/// The lattice slice at or before a tick, and the smoothed position between it and the next.
fn time_position(tick: u64, period: f32) -> (u64, f32) {
    // In f64: an f32 cannot represent late ticks.
    let at = tick as f64 / f64::from(period);
    let blend = at.fract() as f32;
    (at as u64, blend * blend * (3.0 - 2.0 * blend))
}
