//! NEON, of the aarch64 processors.
//!
//! Why each `unsafe` here is sound: every aarch64 processor that this is compiled for has NEON; and
//! loads and stores go through slices whose length is checked just before.

use std::arch::aarch64::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::Lanes;

/// Four lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(float32x4_t);

/// The operators, each one instruction.
macro_rules! operators {
    ($($trait:ident $name:ident $instruction:ident),*) => {$(
        impl $trait for Neon {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: the processor knows it.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    )*};
}

operators!(Add add vaddq_f32, Sub sub vsubq_f32, Mul mul vmulq_f32, Div div vdivq_f32);

impl AddAssign for Neon {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Neon {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vnegq_f32(self.0) })
    }
}

impl Lanes for Neon {
    const WIDTH: usize = 4;
    type Mask = uint32x4_t;
    type Words = uint32x4_t;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vdupq_n_f32(value) })
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let from = &from[..4];
        // SAFETY: the processor knows it, and the slice is as long as what is read.
        Self(unsafe { vld1q_f32(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, into: &mut [f32]) {
        let into = &mut into[..4];
        // SAFETY: the processor knows it, and the slice is as long as what is written.
        unsafe { vst1q_f32(into.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vsqrtq_f32(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vabsq_f32(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(other.lt(self), self, other)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vcltq_f32(self.0, other.0) }
    }

    #[inline(always)]
    fn le(self, other: Self) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vcleq_f32(self.0, other.0) }
    }

    #[inline(always)]
    fn and(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vandq_u32(a, b) }
    }

    #[inline(always)]
    fn or(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vorrq_u32(a, b) }
    }

    #[inline(always)]
    fn any(mask: uint32x4_t) -> bool {
        // SAFETY: the processor knows it.
        unsafe { vmaxvq_u32(mask) != 0 }
    }

    #[inline(always)]
    fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vbslq_f32(mask, yes.0, no.0) })
    }

    #[inline(always)]
    fn add_where(self, mask: uint32x4_t, term: Self) -> Self {
        // SAFETY: the processor knows it.
        let term = unsafe { vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(term.0))) };
        self + Self(term)
    }

    #[inline(always)]
    fn words(word: u32) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vdupq_n_u32(word) }
    }

    #[inline(always)]
    fn load_words(from: &[u32]) -> uint32x4_t {
        let from = &from[..4];
        // SAFETY: the processor knows it, and the slice is as long as what is read.
        unsafe { vld1q_u32(from.as_ptr()) }
    }

    #[inline(always)]
    fn count(words: uint32x4_t, mask: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it. A mask that holds is all ones, which is -1.
        unsafe { vsubq_u32(words, mask) }
    }

    #[inline(always)]
    fn sum(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vaddq_u32(a, b) }
    }

    #[inline(always)]
    fn product(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vmulq_u32(a, b) }
    }

    #[inline(always)]
    fn fold<const BY: u32>(words: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it. A shift to the left by less than nothing is one to the right.
        unsafe { veorq_u32(words, vshlq_u32(words, vdupq_n_s32(-BY.cast_signed()))) }
    }

    #[inline(always)]
    fn upper(words: uint32x4_t) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vcvtq_f32_u32(vshrq_n_u32::<8>(words)) })
    }

    #[inline(always)]
    fn has(words: uint32x4_t, bit: u32) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vtstq_u32(words, vdupq_n_u32(1 << bit)) }
    }

    #[inline(always)]
    fn less(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vcltq_u32(a, b) }
    }

    #[inline(always)]
    fn numbers(words: uint32x4_t) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { vcvtq_f32_u32(words) })
    }

    #[inline(always)]
    fn whole(self) -> uint32x4_t {
        // SAFETY: the processor knows it.
        unsafe { vcvtq_u32_f32(self.0) }
    }

    #[inline(always)]
    fn store_words(words: uint32x4_t, into: &mut [u32]) {
        let into = &mut into[..4];
        // SAFETY: the processor knows it, and the slice is as long as what is written.
        unsafe { vst1q_u32(into.as_mut_ptr(), words) }
    }
}
