//! Random numbers that are a pure function of seed, tick, boid and purpose.
//!
//! Nothing depends on the order of calls, so nothing depends on the number of threads.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::sim::neighbors::simd::{Lanes, MAX_LANES};

/// What a stream of random numbers is for; streams of different purposes are unrelated.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Purpose {
    /// Where a boid starts, and how.
    Start,
    /// Where a whole flock starts.
    Cluster,
    /// How a heading wavers.
    Noise,
    /// How much speed a bounce leaves.
    Bounce,
    /// Which neighbors are heeded where their number is capped.
    Neighbors,
    /// Whether a boid is drowsy.
    Drowsiness,
    /// Whether a boid settles, for how long, and where it takes off to.
    Rest,
    /// How the wind blows at a lattice's layer.
    Gust,
    /// How a leader roams.
    Roam,
    /// Where a boid that was caught comes back.
    Respawn,
}

/// The stream for one boid (`id`) at one tick.
pub(crate) fn stream(seed: u64, tick: u64, id: u32, purpose: Purpose) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(key(mix(mix(seed) ^ tick), id, purpose))
}

/// The first number, 0 … 1, of the stream of each of these boids, at most a lane each.
///
/// The same as the stream would give, but for all at once, and with half of its state left out: the first word of
/// xoshiro256++ (Blackman & Vigna 2021) follows from the other half.
#[inline(always)]
pub(crate) fn first_numbers<F: Lanes>(seed: u64, tick: u64, ids: &[u32], purpose: Purpose) -> [f32; MAX_LANES] {
    let moment = mix(mix(seed) ^ tick);
    let mut lanes = [0; MAX_LANES];
    lanes[..ids.len()].copy_from_slice(ids);
    // Lanes to spare have numbers as harmless as any.
    let mut numbers = [0.5; MAX_LANES];
    for lane in 0..F::WIDTH {
        let state = key(moment, lanes[lane], purpose);
        let (first, last) = (mix(state), mix(state.wrapping_add(GOLDEN.wrapping_mul(3))));
        let word = first.wrapping_add(last).rotate_left(23).wrapping_add(first);
        // As many bits as a number holds.
        numbers[lane] = (word >> 40) as i32 as f32 / (1 << 24) as f32;
    }
    numbers
}

/// What a stream begins with.
#[inline(always)]
fn key(moment: u64, id: u32, purpose: Purpose) -> u64 {
    mix(moment ^ (u64::from(id) << 8) ^ purpose as u64)
}

/// By how much `SplitMix64` goes on: 2⁶⁴ by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of `SplitMix64` (Steele, Lea & Flood 2014): every bit in moves every bit out.
#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::neighbors::simd::{Simd, Task};
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
    fn first_numbers_are_those_of_the_streams() {
        for seed in [0, 7, u64::MAX] {
            for first in (0..u32::MAX - 20).step_by(99_999_989) {
                // The last block is not full, whatever its width.
                let ids: Vec<u32> = (first..).take(MAX_LANES + 1).collect();
                let own = |id: &u32| stream(seed, 3, *id, Purpose::Noise).random::<f32>();
                let expected: Vec<f32> = ids.iter().map(own).collect();
                for kind in Simd::available() {
                    assert_eq!(kind.run(First { seed, ids: &ids }), expected, "{}", kind.name());
                }
            }
        }
    }

    #[test]
    fn streams_differ_in_each_of_their_four_keys() {
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
