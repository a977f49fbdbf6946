//! Random numbers that are a pure function of seed, tick, boid and purpose.
//!
//! Nothing depends on the order of calls, so nothing depends on the number of threads.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// What a stream of random numbers is for; streams of different purposes are unrelated.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Purpose {
    /// Where a boid starts, and how.
    Start,
    /// Where a whole flock starts.
    Cluster,
    /// How a heading wavers.
    Noise,
    /// How much speed a bounce leaves.
    Bounce,
    /// Which neighbours are heeded where their number is capped.
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
    Birth,
}

/// The stream for one boid (`id`) at one tick.
pub(super) fn stream(seed: u64, tick: u64, id: u32, purpose: Purpose) -> Xoshiro256PlusPlus {
    let key = mix(mix(seed) ^ tick) ^ (u64::from(id) << 8) ^ purpose as u64;
    Xoshiro256PlusPlus::seed_from_u64(mix(key))
}

/// The finaliser of `SplitMix64` (Steele, Lea & Flood 2014): every bit in moves every bit out.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

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
