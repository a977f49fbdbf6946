//! SIMD: several boids at once.
//!
//! The inner loops of the tick are written once, over [`Lanes`], and compiled for each kind of SIMD. All kinds give the
//! same bits: each lane does plain IEEE arithmetic in its own order; nothing is approximate, and products are not fused
//! with sums, except products with 1, which round once like the sum.
//!
//! This is the only folder with `unsafe`: for the instructions, for entering code compiled for instructions that not every
//! processor has, and for prefetching.

#![allow(unsafe_code, reason = "instructions are unsafe to use; see each file")]
#![allow(unused_unsafe, reason = "masks of AVX-512 are integers, whose operations are safe")]
#![allow(clippy::wildcard_imports, reason = "instructions have unique names")]

mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod registers;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use lanes::{CHUNK, Lanes, MAX_LANES, SLOTS};

use crate::error::Error;
use crate::params::choices;

choices! {
    /// A kind of SIMD.
    pub enum Simd {
        /// One lane.
        Scalar = "scalar",
        /// Eight lanes with AVX2 and FMA, on x86-64 processors since about 2013.
        Avx2 = "avx2",
        /// Sixteen lanes, on some x86-64 processors since about 2017.
        Avx512 = "avx512",
        /// Four lanes, on every aarch64 processor.
        Neon = "neon",
    }
}

/// All kinds, from the narrowest.
const KINDS: [Simd; 4] = [Simd::Scalar, Simd::Avx2, Simd::Avx512, Simd::Neon];

impl Simd {
    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => true,
            _ => false,
        }
    }

    /// All kinds that this machine has, from the narrowest.
    pub fn available() -> impl Iterator<Item = Self> {
        KINDS.into_iter().filter(|kind| kind.is_available())
    }

    /// The fastest kind of this machine.
    pub fn fastest() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// The kind of this name.
    ///
    /// # Errors
    ///
    /// [`Error::Simd`] if there is no such kind, or this machine lacks it.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::from_name(name).filter(|kind| kind.is_available()).ok_or_else(|| Error::Simd {
            name: name.to_owned(),
            available: Self::available().map(Self::name).collect::<Vec<_>>().join(", "),
        })
    }

    /// Runs a task with lanes of this kind; with scalar ones if the machine lacks it.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        self.run_wide(task).unwrap_or_else(T::run::<f32>)
    }

    /// Runs a task with several lanes; returns it if this kind is scalar, or if the machine lacks it.
    #[inline]
    pub(crate) fn run_wide<T: Task>(self, task: T) -> Result<T::Output, T> {
        match self {
            // SAFETY (each): the function requires only the feature that has just been detected.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => Ok(unsafe { avx2(task) }),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.is_available() => Ok(unsafe { avx512(task) }),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Ok(task.run::<neon::Neon>()),
            _ => Err(task),
        }
    }
}

impl Default for Simd {
    fn default() -> Self {
        Self::fastest()
    }
}

/// Work that is written over lanes.
pub(crate) trait Task {
    type Output;

    /// Runs the task. This and all functions over lanes that it calls must be `#[inline(always)]`, to be compiled for the
    /// instructions of the caller.
    fn run<F: Lanes>(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,popcnt")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run::<x86::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run::<x86::Avx512>()
}

/// Fetches the cache line of `from[index]`, without waiting for it; does nothing past the end.
#[inline(always)]
pub(crate) fn prefetch<T>(from: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = from.get(index) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // Into the second cache: a band of agents exceeds the first.
        // SAFETY: every x86-64 processor has the instruction, which changes nothing and never fails.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (from, index);
}

/// Loops over plain numbers.
#[doc(hidden)]
pub trait VectorLoop {
    type Output;

    /// Runs the loops. This and all functions with loops that it calls must be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs loops with the widest registers of this machine. The result has the same bits, as each iteration computes what the
/// loop says, in its order.
#[inline]
#[doc(hidden)]
pub fn run_vectorized<T: VectorLoop>(loops: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if Simd::Avx2.is_available() {
        // SAFETY: the function requires only the feature that has just been detected.
        return unsafe { vectorized(loops) };
    }
    loops.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn vectorized<T: VectorLoop>(loops: T) -> T::Output {
    loops.run()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// The bits of all operations on two lists of numbers. The last block may have unused lanes.
    struct Everything<'a>(&'a [f32], &'a [f32]);

    impl Task for Everything<'_> {
        type Output = Vec<Vec<u32>>;

        #[inline(always)]
        fn run<F: Lanes>(self) -> Self::Output {
            let Self(left, right) = self;
            let blocks = left.chunks(F::WIDTH).zip(right.chunks(F::WIDTH));
            let mut all: Vec<Vec<u32>> = Vec::new();
            for (left, right) in blocks {
                let (a, b) = (F::load_or(left, 0.5), F::load_or(right, 0.5));
                let (zero, one, largest) = (F::splat(0.0), F::splat(1.0), F::splat(f32::MAX));
                let yes_no = |mask| F::select(mask, one, zero);
                let mut sum = a;
                sum += b;
                let floats = [
                    a + b,
                    sum,
                    a - b,
                    a * b,
                    a / b,
                    -a,
                    a.abs(),
                    a.abs().sqrt(),
                    a.min(b),
                    a.max(b),
                    yes_no(a.lt(b)),
                    yes_no(a.le(b)),
                    yes_no(F::and(a.lt(b), zero.lt(a))),
                    yes_no(F::or(a.lt(b), zero.lt(a))),
                    F::select(a.lt(b), a, b),
                    one.add_where(a.lt(b), b),
                    one.fma_where(a.lt(b), b.min(largest).max(-largest), black_box(one)),
                    yes_no(a.nonzero()),
                ];
                let results = floats.map(|lanes| {
                    let mut stored = vec![0.0; left.len()];
                    lanes.store_slice(&mut stored);
                    stored.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                });
                let bits = |from: &[f32]| -> Vec<u32> {
                    let mut bits: Vec<u32> = from.iter().map(|number| number.to_bits()).collect();
                    bits.resize(MAX_LANES, 7);
                    bits
                };
                let (p, q) = (F::load_words(&bits(left)), F::load_words(&bits(right)));
                let words = [
                    F::add_words(p, q),
                    F::mul_words(p, q),
                    F::xor_shift::<16>(p),
                    F::xor_shift::<13>(q),
                    F::count_where(F::splat_words(41), a.lt(b)),
                    F::to_words(a.abs().min(F::splat(30_000.0))),
                ];
                let words = words.map(|words| {
                    let mut stored = vec![0; MAX_LANES];
                    F::store_words(words, &mut stored);
                    stored.truncate(left.len());
                    stored
                });
                let more = [
                    F::upper_bits(p),
                    F::to_floats(F::xor_shift::<8>(F::splat_words(77_777))),
                    yes_no(F::has_bit(p, 0)),
                    yes_no(F::has_bit(p, 31)),
                    yes_no(F::less_words(p, q)),
                ];
                let more = more.map(|lanes| lanes.to_array()[..left.len()].iter().map(|lane| lane.to_bits()).collect());
                for (index, result) in results.into_iter().chain(words).chain(more).enumerate() {
                    if all.len() <= index {
                        all.push(Vec::new());
                    }
                    all[index].extend(result);
                }
            }
            all
        }
    }

    /// Numbers of every kind in random order: xorshift (Marsaglia 2003).
    fn numbers(count: usize, mut seed: u32) -> Vec<f32> {
        let special = [0.0, -0.0, 1.0, -1.5, 1e-40, -1e-30, 1e30, f32::MAX, f32::INFINITY, f32::MIN_POSITIVE];
        let drawn = (0..count).map(|index| {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            match index % 3 {
                0 => special[seed as usize % special.len()],
                1 => (seed as f32 / u32::MAX as f32 - 0.5) * 2000.0,
                // Any bits that are not NaN.
                _ => Some(f32::from_bits(seed)).filter(|number| !number.is_nan()).unwrap_or(3.0),
            }
        });
        drawn.collect()
    }

    #[test]
    fn every_kind_agrees_with_the_scalar_one() {
        for kind in Simd::available() {
            for count in (0..40).chain([1000]) {
                let (left, right) = (numbers(count, 2463), numbers(count, 88_172));
                let everything = || Everything(&left, &right);
                let (plain, lanes) = (Simd::Scalar.run(everything()), kind.run(everything()));
                for (operation, (plain, lanes)) in plain.iter().zip(&lanes).enumerate() {
                    for (place, (a, b)) in plain.iter().zip(lanes).enumerate() {
                        // The bits of a NaN may differ.
                        let both_nan = f32::from_bits(*a).is_nan() && f32::from_bits(*b).is_nan();
                        let (x, y) = (left[place], right[place]);
                        assert!(a == b || both_nan, "{}, operation {operation} on {x} and {y}", kind.name());
                    }
                }
                assert_eq!(plain.len(), lanes.len());
            }
        }
    }

    #[test]
    fn a_missing_kind_is_refused_with_a_list() {
        let missing = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
        for name in [missing, "mmx", ""] {
            let error = Simd::named(name).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("scalar"), "{error}");
        }
        assert_eq!(Simd::named("scalar"), Ok(Simd::Scalar));
    }

    /// Numbers that loops compute.
    struct LoopNumbers<'a>(&'a [f32], &'a [f32]);

    impl VectorLoop for LoopNumbers<'_> {
        type Output = Vec<[u32; 2]>;

        #[inline(always)]
        fn run(self) -> Self::Output {
            let mut all = vec![[0; 2]; self.0.len()];
            for ((into, a), b) in all.iter_mut().zip(self.0).zip(self.1) {
                let (ratio, most) = (a / b, a.max(*b));
                let root = (a * a + b * b).sqrt() - 0.3 * a;
                let clamped = if ratio.is_nan() || *a > root { most } else { ratio.clamp(-3.0, 3.0) + root };
                *into = [clamped.to_bits(), (root.to_bits() >> 3).wrapping_mul(77)];
            }
            all
        }
    }

    #[test]
    fn wider_loops_agree() {
        let numbers = |seed: u32| (0..1003_u32).map(move |at| (at.wrapping_mul(seed) % 4001) as f32 / 100.0 - 20.0);
        let left: Vec<f32> = numbers(2_654_435_761).chain([0.0, f32::INFINITY, f32::MIN_POSITIVE]).collect();
        let right: Vec<f32> = numbers(40_503).chain([0.0, -1.0, f32::INFINITY]).collect();
        assert_eq!(run_vectorized(LoopNumbers(&left, &right)), LoopNumbers(&left, &right).run());
    }
}
