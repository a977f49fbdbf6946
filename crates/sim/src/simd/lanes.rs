//! The operations on lanes, and `f32` as a single lane.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::VectorLoop;

/// The maximum number of lanes.
pub(crate) const MAX_LANES: usize = 16;
/// The maximum number of boids in a chunk, which perceives its neighbors together.
pub(crate) const CHUNK: usize = 256;
/// Results for a chunk: the last block may write past its end.
pub(crate) const SLOTS: usize = CHUNK + MAX_LANES;

/// One `f32` for each of a few boids; every operation applies lane by lane.
///
/// Each operation is the plain IEEE one, so the result of a lane has the same bits for any values in the others, and for any
/// number of them.
pub(crate) trait Lanes:
    Copy
    + Debug
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number of lanes.
    const WIDTH: usize;
    /// A `bool` for each lane.
    type Mask: Copy + Debug;
    /// A `u32` for each lane.
    type Words: Copy + Debug;

    /// Runs loops in a function of their own, compiled for the instructions of these lanes. A function with many loops takes
    /// the compiler far longer than the loops one by one.
    fn outline<T: VectorLoop>(loops: T) -> T::Output;

    fn splat(value: f32) -> Self;
    /// Loads the first [`Self::WIDTH`] items of `from`.
    fn load(from: &[f32]) -> Self;
    /// Stores to the first [`Self::WIDTH`] items of `into`.
    fn store(self, into: &mut [f32]);

    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// `self` where it is less than `other`, else `other`, also if one is NaN: the rule of the instructions of x86.
    fn min(self, other: Self) -> Self;
    /// `self` where it is greater than `other`, else `other`, also if one is NaN.
    fn max(self, other: Self) -> Self;

    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn any(mask: Self::Mask) -> bool;
    /// A bit for each lane, the first the lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// The words where the mask holds, moved to the front; behind them, any words.
    #[inline(always)]
    fn pack_words(words: Self::Words, mask: Self::Mask) -> Self::Words {
        let (mut lanes, mut packed) = ([0; MAX_LANES], [0; MAX_LANES]);
        Self::store_words(words, &mut lanes);
        let (mut bits, mut count) = (Self::bits(mask), 0);
        while bits != 0 {
            packed[count] = lanes[bits.trailing_zeros() as usize];
            bits &= bits - 1;
            count += 1;
        }
        Self::load_words(&packed)
    }
    /// `yes` where the mask holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `self + term` where the mask holds, else `self`, though −0 may become 0. Sums that begin with 0 are never −0, so that all kinds
    /// agree.
    #[must_use]
    fn add_where(self, mask: Self::Mask, term: Self) -> Self;
    /// The same as [`add_where`](Self::add_where) for finite terms, computed as `term · (one or 0) + self` where that saves
    /// instructions, or uses units which are idle while those for sums are busy. `one` must be 1, hidden from the compiler.
    /// The result is rounded once, like a sum.
    #[must_use]
    #[inline(always)]
    fn fma_where(self, mask: Self::Mask, term: Self, one: Self) -> Self {
        let _ = one;
        self.add_where(mask, term)
    }

    fn splat_words(word: u32) -> Self::Words;
    /// Loads the first [`Self::WIDTH`] items of `from`.
    fn load_words(from: &[u32]) -> Self::Words;
    /// Stores to the first [`Self::WIDTH`] items of `into`.
    fn store_words(words: Self::Words, into: &mut [u32]);
    /// Adds 1 where the mask holds.
    fn count_where(words: Self::Words, mask: Self::Mask) -> Self::Words;
    /// The wrapping sum.
    fn add_words(a: Self::Words, b: Self::Words) -> Self::Words;
    /// The wrapping product.
    fn mul_words(a: Self::Words, b: Self::Words) -> Self::Words;
    /// `words ^ (words >> BY)`.
    fn xor_shift<const BY: u32>(words: Self::Words) -> Self::Words;
    /// The upper 24 bits as a number below 2²⁴.
    fn upper_bits(words: Self::Words) -> Self;
    /// Whether this bit is set.
    fn has_bit(words: Self::Words, bit: u32) -> Self::Mask;
    fn less_words(a: Self::Words, b: Self::Words) -> Self::Mask;
    /// Words below 2²⁴ as numbers.
    fn to_floats(words: Self::Words) -> Self;
    /// Numbers from 0 to below 2³¹ as words, truncated.
    fn to_words(self) -> Self::Words;

    /// Loads `from`; lanes past its end are `rest`.
    #[inline(always)]
    fn load_or(from: &[f32], rest: f32) -> Self {
        if from.len() >= Self::WIDTH {
            return Self::load(from);
        }
        let mut lanes = [rest; MAX_LANES];
        lanes[..from.len()].copy_from_slice(from);
        Self::load(&lanes)
    }

    /// Stores as many lanes as `into` has items.
    #[inline(always)]
    fn store_slice(self, into: &mut [f32]) {
        if into.len() >= Self::WIDTH {
            return self.store(into);
        }
        let lanes = self.to_array();
        into.copy_from_slice(&lanes[..into.len()]);
    }

    /// The lanes, followed by 0.
    #[inline(always)]
    fn to_array(self) -> [f32; MAX_LANES] {
        let mut lanes = [0.0; MAX_LANES];
        self.store(&mut lanes);
        lanes
    }

    #[inline(always)]
    fn nonzero(self) -> Self::Mask {
        Self::splat(0.0).lt(self.abs())
    }
}

/// Methods of one expression each.
macro_rules! methods {
    ($(fn $name:ident $(<const $constant:ident: u32>)? ($($params:tt)*) -> $result:ty = $body:expr;)*) => {
        $(#[inline(always)]
        fn $name $(<const $constant: u32>)? ($($params)*) -> $result {
            $body
        })*
    };
}

impl Lanes for f32 {
    const WIDTH: usize = 1;
    type Mask = bool;
    type Words = u32;

    #[inline(never)]
    fn outline<T: VectorLoop>(loops: T) -> T::Output {
        loops.run()
    }

    methods! {
        fn splat(value: f32) -> Self = value;
        fn load(from: &[f32]) -> Self = from[0];
        fn store(self, into: &mut [f32]) -> () = into[0] = self;
        fn sqrt(self) -> Self = self.sqrt();
        fn abs(self) -> Self = self.abs();
        fn min(self, other: Self) -> Self = if self < other { self } else { other };
        fn max(self, other: Self) -> Self = if self > other { self } else { other };
        fn lt(self, other: Self) -> bool = self < other;
        fn le(self, other: Self) -> bool = self <= other;
        fn and(a: bool, b: bool) -> bool = a & b;
        fn or(a: bool, b: bool) -> bool = a | b;
        fn any(mask: bool) -> bool = mask;
        fn bits(mask: bool) -> u32 = u32::from(mask);
        fn select(mask: bool, yes: Self, no: Self) -> Self = if mask { yes } else { no };
        fn add_where(self, mask: bool, term: Self) -> Self = self + if mask { term } else { 0.0 };
        fn splat_words(word: u32) -> u32 = word;
        fn load_words(from: &[u32]) -> u32 = from[0];
        fn store_words(words: u32, into: &mut [u32]) -> () = into[0] = words;
        fn count_where(words: u32, mask: bool) -> u32 = words + u32::from(mask);
        fn add_words(a: u32, b: u32) -> u32 = a.wrapping_add(b);
        fn mul_words(a: u32, b: u32) -> u32 = a.wrapping_mul(b);
        fn xor_shift<const BY: u32>(words: u32) -> u32 = words ^ (words >> BY);
        fn upper_bits(words: u32) -> Self = (words >> 8) as f32;
        fn has_bit(words: u32, bit: u32) -> bool = words & (1 << bit) != 0;
        fn less_words(a: u32, b: u32) -> bool = a < b;
        fn to_floats(words: u32) -> Self = words as f32;
        // By way of `i32`, as the instructions truncate to signed numbers.
        fn to_words(self) -> u32 = self as i32 as u32;
    }
}
