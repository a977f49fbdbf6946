//! NEON, the SIMD kind of aarch64 processors.

use std::arch::aarch64::*;

use super::registers::lanes;
use super::{Lanes, VectorLoop};

lanes! {
    /// Four lanes.
    Neon(float32x4_t, words: uint32x4_t, mask: uint32x4_t, width: 4, features: "neon")
    operators { Add add vaddq_f32; Sub sub vsubq_f32; Mul mul vmulq_f32; Div div vdivq_f32; }
    negation { |a| vnegq_f32(a) }
    memory { vld1q_f32 vst1q_f32 vld1q_u32 vst1q_u32 }
    fn splat(value: f32) -> Self = Self(vdupq_n_f32(value));
    fn sqrt(self) -> Self = Self(vsqrtq_f32(self.0));
    fn abs(self) -> Self = Self(vabsq_f32(self.0));
    // The instructions for these treat NaN differently.
    fn min(self, other: Self) -> Self = Self(vbslq_f32(vcltq_f32(self.0, other.0), self.0, other.0));
    fn max(self, other: Self) -> Self = Self(vbslq_f32(vcltq_f32(other.0, self.0), self.0, other.0));
    fn lt(self, other: Self) -> Self::Mask = vcltq_f32(self.0, other.0);
    fn le(self, other: Self) -> Self::Mask = vcleq_f32(self.0, other.0);
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask = vandq_u32(a, b);
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask = vorrq_u32(a, b);
    fn any(mask: Self::Mask) -> bool = vmaxvq_u32(mask) != 0;
    fn bits(mask: Self::Mask) -> u32 = vaddvq_u32(vandq_u32(mask, vld1q_u32([1, 2, 4, 8].as_ptr())));
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self = Self(vbslq_f32(mask, yes.0, no.0));
    fn add_where(self, mask: Self::Mask, term: Self) -> Self =
        Self(vaddq_f32(self.0, vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(term.0)))));
    fn fma_where(self, mask: Self::Mask, term: Self, one: Self) -> Self =
        Self(vfmaq_f32(self.0, term.0, vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(one.0)))));
    fn splat_words(word: u32) -> Self::Words = vdupq_n_u32(word);
    // A lane of a mask is 0 or -1.
    fn count_where(words: Self::Words, mask: Self::Mask) -> Self::Words = vsubq_u32(words, mask);
    fn add_words(a: Self::Words, b: Self::Words) -> Self::Words = vaddq_u32(a, b);
    fn mul_words(a: Self::Words, b: Self::Words) -> Self::Words = vmulq_u32(a, b);
    // A negative shift to the left is one to the right.
    fn xor_shift<const BY: u32>(words: Self::Words) -> Self::Words =
        veorq_u32(words, vshlq_u32(words, vdupq_n_s32(-BY.cast_signed())));
    fn upper_bits(words: Self::Words) -> Self = Self(vcvtq_f32_u32(vshrq_n_u32::<8>(words)));
    fn to_floats(words: Self::Words) -> Self = Self(vcvtq_f32_u32(words));
    fn less_words(a: Self::Words, b: Self::Words) -> Self::Mask = vcltq_u32(a, b);
    fn has_bit(words: Self::Words, bit: u32) -> Self::Mask = vtstq_u32(words, vdupq_n_u32(1 << bit));
    fn to_words(self) -> Self::Words = vcvtq_u32_f32(self.0);
}
