//! NEON, the SIMD kind of aarch64 processors.

use std::arch::aarch64::*;

use super::Lanes;
use super::registers::lanes;

lanes! {
    /// Four lanes.
    Neon(float: float32x4_t, words: uint32x4_t, mask: uint32x4_t, width: 4)
    operators {
        Add add: vaddq_f32;
        Sub sub: vsubq_f32;
        Mul mul: vmulq_f32;
        Div div: vdivq_f32;
    }
    negation { |a| vnegq_f32(a); }
    memory { vld1q_f32 vst1q_f32 vld1q_u32 vst1q_u32 }
    float(f32) { splat: vdupq_n_f32; }
    float(float) {
        sqrt: |a| vsqrtq_f32(a);
        abs: |a| vabsq_f32(a);
    }
    // The instructions for these treat NaN differently.
    float(float, float) {
        min: |a, b| vbslq_f32(vcltq_f32(a, b), a, b);
        max: |a, b| vbslq_f32(vcltq_f32(b, a), a, b);
    }
    mask(float, float) {
        lt: |a, b| vcltq_f32(a, b);
        le: |a, b| vcleq_f32(a, b);
    }
    mask(mask, mask) {
        and: |a, b| vandq_u32(a, b);
        or: |a, b| vorrq_u32(a, b);
    }
    bool(mask) { any: |mask| vmaxvq_u32(mask) != 0; }
    float(mask, float, float) { select: |mask, yes, no| vbslq_f32(mask, yes, no); }
    float(float, mask, float) {
        add_where: |a, mask, term| {
            vaddq_f32(a, vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(term))))
        };
    }
    float(float, mask, float, float) {
        fma_where: |a, mask, term, one| {
            vfmaq_f32(a, term, vreinterpretq_f32_u32(vandq_u32(mask, vreinterpretq_u32_f32(one))))
        };
    }
    words(u32) { splat_words: |word| vdupq_n_u32(word); }
    // A lane of a mask is 0 or -1.
    words(words, mask) { count_where: |a, mask| vsubq_u32(a, mask); }
    words(words, words) {
        add_words: |a, b| vaddq_u32(a, b);
        mul_words: |a, b| vmulq_u32(a, b);
    }
    // A negative shift to the left is one to the right.
    words(words, BY) { xor_shift: |a| veorq_u32(a, vshlq_u32(a, vdupq_n_s32(-BY.cast_signed()))); }
    float(words) {
        upper_bits: |a| vcvtq_f32_u32(vshrq_n_u32::<8>(a));
        to_floats: |a| vcvtq_f32_u32(a);
    }
    mask(words, words) { less_words: |a, b| vcltq_u32(a, b); }
    mask(words, u32) { has_bit: |a, bit| vtstq_u32(a, vdupq_n_u32(1 << bit)); }
    words(float) { to_words: |a| vcvtq_u32_f32(a); }
}
