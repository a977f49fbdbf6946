//! What code over lanes may do, and one lane alone: `f32` itself.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// The most lanes that any kind has.
pub(crate) const MAX_LANES: usize = 16;

/// One number for each of a few boids, on which everything acts lane by lane.
///
/// Every operation is the plain IEEE one, so a lane's result is the same bit for bit whatever stands
/// in the others, and however many there are.
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
    /// How many lanes there are.
    const WIDTH: usize;
    /// Yes or no for each lane.
    type Mask: Copy + Debug;
    /// A `u32` for each lane.
    type Words: Copy + Debug;

    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// The first [`Self::WIDTH`] numbers of `from`, which has as many.
    fn load(from: &[f32]) -> Self;
    /// Writes the lanes to the first [`Self::WIDTH`] places of `into`, which has as many.
    fn store(self, into: &mut [f32]);

    /// The square root.
    fn sqrt(self) -> Self;
    /// Without its sign.
    fn abs(self) -> Self;
    /// `self` where it is less than `other`, and `other` elsewhere, also where one is no number.
    fn min(self, other: Self) -> Self;
    /// `self` where it is greater than `other`, and `other` elsewhere.
    fn max(self, other: Self) -> Self;

    /// Where `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Where both hold.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where at least one holds.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether it holds in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `self + term` where the mask holds; `self` elsewhere, but for -0, which may become 0.
    #[must_use]
    fn add_where(self, mask: Self::Mask, term: Self) -> Self;
    /// The same as [`add_where`](Self::add_where), by the units for products where they stand idle while those for
    /// sums are busy: `one` is 1, though the compiler must not know it. `term · 1 + self` is rounded once, as a sum.
    #[must_use]
    #[inline(always)]
    fn add_once_where(self, mask: Self::Mask, term: Self, one: Self) -> Self {
        let _ = one;
        self.add_where(mask, term)
    }

    /// The same word in every lane.
    fn words(word: u32) -> Self::Words;
    /// The first [`Self::WIDTH`] words of `from`, which has as many.
    fn load_words(from: &[u32]) -> Self::Words;
    /// One more where the mask holds.
    fn count(words: Self::Words, mask: Self::Mask) -> Self::Words;
    /// The sum, wrapping.
    fn sum(a: Self::Words, b: Self::Words) -> Self::Words;
    /// The product, wrapping.
    fn product(a: Self::Words, b: Self::Words) -> Self::Words;
    /// Exclusive or with itself, shifted `BY` places down.
    fn fold<const BY: u32>(words: Self::Words) -> Self::Words;
    /// The upper 24 bits, as a number from 0 up to 2²⁴.
    fn upper(words: Self::Words) -> Self;
    /// Where this bit is set.
    fn has(words: Self::Words, bit: u32) -> Self::Mask;
    /// Where `a < b`.
    fn less(a: Self::Words, b: Self::Words) -> Self::Mask;
    /// Words below 2²⁴ as numbers.
    fn numbers(words: Self::Words) -> Self;
    /// Numbers from 0 up to 2³¹ as words, less what they have behind the point.
    fn whole(self) -> Self::Words;
    /// Writes the words to the first [`Self::WIDTH`] places of `into`, which has as many.
    fn store_words(words: Self::Words, into: &mut [u32]);

    /// The first numbers of `from`; lanes beyond its end hold `rest`.
    #[inline(always)]
    fn load_or(from: &[f32], rest: f32) -> Self {
        if from.len() >= Self::WIDTH {
            return Self::load(from);
        }
        let mut lanes = [rest; MAX_LANES];
        lanes[..from.len()].copy_from_slice(from);
        Self::load(&lanes)
    }

    /// Writes as many lanes as `into` has places.
    #[inline(always)]
    fn store_some(self, into: &mut [f32]) {
        if into.len() >= Self::WIDTH {
            return self.store(into);
        }
        let lanes = self.array();
        into.copy_from_slice(&lanes[..into.len()]);
    }

    /// The lanes, one after another; behind them 0.
    #[inline(always)]
    fn array(self) -> [f32; MAX_LANES] {
        let mut lanes = [0.0; MAX_LANES];
        self.store(&mut lanes);
        lanes
    }

    /// Where it is not 0.
    #[inline(always)]
    fn nonzero(self) -> Self::Mask {
        Self::splat(0.0).lt(self.abs())
    }
}

impl Lanes for f32 {
    const WIDTH: usize = 1;
    type Mask = bool;
    type Words = u32;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, into: &mut [f32]) {
        into[0] = self;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a & b
    }

    #[inline(always)]
    fn or(a: bool, b: bool) -> bool {
        a | b
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn add_where(self, mask: bool, term: Self) -> Self {
        self + if mask { term } else { 0.0 }
    }

    #[inline(always)]
    fn words(word: u32) -> u32 {
        word
    }

    #[inline(always)]
    fn load_words(from: &[u32]) -> u32 {
        from[0]
    }

    #[inline(always)]
    fn count(words: u32, mask: bool) -> u32 {
        words + u32::from(mask)
    }

    #[inline(always)]
    fn sum(a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn product(a: u32, b: u32) -> u32 {
        a.wrapping_mul(b)
    }

    #[inline(always)]
    fn fold<const BY: u32>(words: u32) -> u32 {
        words ^ (words >> BY)
    }

    #[inline(always)]
    fn upper(words: u32) -> Self {
        (words >> 8) as f32
    }

    #[inline(always)]
    fn has(words: u32, bit: u32) -> bool {
        words & (1 << bit) != 0
    }

    #[inline(always)]
    fn less(a: u32, b: u32) -> bool {
        a < b
    }

    #[inline(always)]
    fn numbers(words: u32) -> Self {
        words as f32
    }

    #[inline(always)]
    fn whole(self) -> u32 {
        self as i32 as u32
    }

    #[inline(always)]
    fn store_words(words: u32, into: &mut [u32]) {
        into[0] = words;
    }
}
