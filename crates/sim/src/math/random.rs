//! Random numbers that are a pure function of seed, tick, id and purpose, and so independent of the order of calls.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::simd::{Lanes, MAX_LANES};

/// What a stream of random numbers is for. Streams of different purposes are independent.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Purpose {
    /// The initial position and velocity of a boid.
    Start,
    /// The initial position of a whole flock.
    Cluster,
    /// The noise of a heading.
    Noise,
    /// The speed after a bounce.
    Bounce,
    /// Which neighbors count if their number is capped.
    Neighbors,
    /// Whether a boid is drowsy.
    Drowsiness,
    /// Whether a boid settles, for how long, and its direction of take-off.
    Rest,
    /// The gusts of a lattice layer.
    Gust,
    /// The turns of a leader that wanders.
    Wander,
    /// The position of a respawn.
    Respawn,
    /// What a boid differs in from others, at all ticks.
    Variation,
    /// The random acceleration of a boid.
    Acceleration,
}

/// The stream of an agent at a tick.
pub(crate) fn stream(seed: u64, tick: u64, id: u32, purpose: Purpose) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(key(mix(mix(seed) ^ tick), id, purpose))
}

/// The first number, from 0 to below 1, of the stream of each of these agents, at most one for each lane.
///
/// The same as from [`stream`], but computed in all lanes at once from half of the state, as the first word of xoshiro256++
/// (Blackman & Vigna 2021) does not depend on the other half.
#[inline(always)]
pub(crate) fn first_numbers<F: Lanes>(seed: u64, tick: u64, ids: &[u32], purpose: Purpose) -> [f32; MAX_LANES] {
    let moment = mix(mix(seed) ^ tick);
    let mut lanes = [0; MAX_LANES];
    lanes[..ids.len()].copy_from_slice(ids);
    let mut numbers = [0.5; MAX_LANES];
    for lane in 0..F::WIDTH {
        let state = key(moment, lanes[lane], purpose);
        let (first, last) = (mix(state), mix(state.wrapping_add(GOLDEN.wrapping_mul(3))));
        let word = first.wrapping_add(last).rotate_left(23).wrapping_add(first);
        // The upper 24 bits, the precision of f32.
        numbers[lane] = (word >> 40) as i32 as f32 / (1 << 24) as f32;
    }
    numbers
}

/// The seed of a stream.
#[inline(always)]
fn key(moment: u64, id: u32, purpose: Purpose) -> u64 {
    mix(moment ^ (u64::from(id) << 8) ^ purpose as u64)
}

/// The increment of `SplitMix64`: 2⁶⁴ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of `SplitMix64` (Steele, Lea & Flood 2014).
#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The finalizer of `MurmurHash3` (Appleby 2011).
#[inline(always)]
pub(crate) fn murmur_mix<F: Lanes>(word: F::Words) -> F::Words {
    let word = F::mul_words(F::xor_shift::<16>(word), F::splat_words(0x85eb_ca6b));
    F::xor_shift::<16>(F::mul_words(F::xor_shift::<13>(word), F::splat_words(0xc2b2_ae35)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Simd, Task};
    use rand::{Rng, RngExt};

    struct First<'a> {
        seed: u64,
        ids: &'a [u32],
    }

    impl Task for First<'_> {
        type Output = Vec<f32>;

        #[inline(always)]
        fn run<F: Lanes>(self) -> Vec<f32> {
            let blocks = self.ids.chunks(F::WIDTH);
            let numbers = blocks.map(|ids| (first_numbers::<F>(self.seed, 3, ids, Purpose::Noise), ids.len()));
            numbers.flat_map(|(numbers, many)| numbers.into_iter().take(many)).collect()
        }
    }

    #[test]
    fn first_numbers_equal_those_of_streams() {
        for seed in [0, 7, u64::MAX] {
            for first in (0..u32::MAX - 20).step_by(99_999_989) {
                // The last block is never full.
                let ids: Vec<u32> = (first..).take(MAX_LANES + 1).collect();
                let expected: Vec<f32> = ids.iter().map(|id| stream(seed, 3, *id, Purpose::Noise).random()).collect();
                for kind in Simd::available() {
                    assert_eq!(kind.run(First { seed, ids: &ids }), expected, "{}", kind.name());
                }
            }
        }
    }

    #[test]
    fn streams_differ_by_each_key() {
        let first = |seed, tick, id, purpose| stream(seed, tick, id, purpose).next_u64();
        let all = [
            first(1, 1, 1, Purpose::Noise),
            first(2, 1, 1, Purpose::Noise),
            first(1, 2, 1, Purpose::Noise),
            first(1, 1, 2, Purpose::Noise),
            first(1, 1, 1, Purpose::Bounce),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
    }
}
