//! SSE2, AVX2 and AVX-512, the SIMD kinds of x86-64 processors.

use std::arch::x86_64::*;

use super::Lanes;
use super::registers::lanes;

lanes! {
    /// Four lanes.
    Sse2(float: __m128, words: __m128i, mask: __m128, width: 4)
    operators {
        Add add: _mm_add_ps;
        Sub sub: _mm_sub_ps;
        Mul mul: _mm_mul_ps;
        Div div: _mm_div_ps;
    }
    negation { |a| _mm_xor_ps(a, _mm_set1_ps(-0.0)); }
    memory { _mm_loadu_ps _mm_storeu_ps _mm_loadu_si128 _mm_storeu_si128 }
    float(f32) { splat: _mm_set1_ps; }
    float(float) {
        sqrt: |a| _mm_sqrt_ps(a);
        abs: |a| _mm_andnot_ps(_mm_set1_ps(-0.0), a);
    }
    float(float, float) {
        min: |a, b| _mm_min_ps(a, b);
        max: |a, b| _mm_max_ps(a, b);
    }
    mask(float, float) {
        lt: |a, b| _mm_cmplt_ps(a, b);
        le: |a, b| _mm_cmple_ps(a, b);
    }
    mask(mask, mask) {
        and: |a, b| _mm_and_ps(a, b);
        or: |a, b| _mm_or_ps(a, b);
    }
    bool(mask) { any: |mask| _mm_movemask_ps(mask) != 0; }
    float(mask, float, float) {
        select: |mask, yes, no| _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
    }
    float(float, mask, float) { add_where: |a, mask, term| _mm_add_ps(a, _mm_and_ps(mask, term)); }
    words(u32) { splat_words: |word| _mm_set1_epi32(word.cast_signed()); }
    // A lane of a mask is 0 or -1.
    words(words, mask) { count_where: |a, mask| _mm_sub_epi32(a, _mm_castps_si128(mask)); }
    words(words, words) {
        add_words: |a, b| _mm_add_epi32(a, b);
        mul_words: |a, b| {
            // SSE2 multiplies only every other lane.
            let even = _mm_mul_epu32(a, b);
            let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let low = _mm_set1_epi64x(0xffff_ffff);
            _mm_or_si128(_mm_and_si128(even, low), _mm_slli_epi64::<32>(odd))
        };
    }
    words(words, BY) {
        xor_shift: |a| _mm_xor_si128(a, _mm_srl_epi32(a, _mm_cvtsi32_si128(BY.cast_signed())));
    }
    float(words) {
        upper_bits: |a| _mm_cvtepi32_ps(_mm_srli_epi32::<8>(a));
        to_floats: |a| _mm_cvtepi32_ps(a);
    }
    mask(words, words) {
        less_words: |a, b| {
            // The comparison is signed; the flip preserves the order.
            let flip = Self::splat_words(1 << 31);
            _mm_castsi128_ps(_mm_cmplt_epi32(_mm_xor_si128(a, flip), _mm_xor_si128(b, flip)))
        };
    }
    mask(words, u32) {
        has_bit: |a, bit| {
            let bit = Self::splat_words(1 << bit);
            _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(a, bit), bit))
        };
    }
    words(float) { to_words: |a| _mm_cvttps_epi32(a); }
}

lanes! {
    /// Eight lanes, with FMA.
    Avx2(float: __m256, words: __m256i, mask: __m256, width: 8)
    operators {
        Add add: _mm256_add_ps;
        Sub sub: _mm256_sub_ps;
        Mul mul: _mm256_mul_ps;
        Div div: _mm256_div_ps;
    }
    negation { |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0)); }
    memory { _mm256_loadu_ps _mm256_storeu_ps _mm256_loadu_si256 _mm256_storeu_si256 }
    float(f32) { splat: _mm256_set1_ps; }
    float(float) {
        sqrt: |a| _mm256_sqrt_ps(a);
        abs: |a| _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
    }
    float(float, float) {
        min: |a, b| _mm256_min_ps(a, b);
        max: |a, b| _mm256_max_ps(a, b);
    }
    mask(float, float) {
        lt: |a, b| _mm256_cmp_ps::<_CMP_LT_OQ>(a, b);
        le: |a, b| _mm256_cmp_ps::<_CMP_LE_OQ>(a, b);
    }
    mask(mask, mask) {
        and: |a, b| _mm256_and_ps(a, b);
        or: |a, b| _mm256_or_ps(a, b);
    }
    bool(mask) { any: |mask| _mm256_movemask_ps(mask) != 0; }
    float(mask, float, float) { select: |mask, yes, no| _mm256_blendv_ps(no, yes, mask); }
    float(float, mask, float) { add_where: |a, mask, term| _mm256_add_ps(a, _mm256_and_ps(mask, term)); }
    float(float, mask, float, float) {
        fma_where: |a, mask, term, one| _mm256_fmadd_ps(term, _mm256_and_ps(mask, one), a);
    }
    words(u32) { splat_words: |word| _mm256_set1_epi32(word.cast_signed()); }
    // A lane of a mask is 0 or -1.
    words(words, mask) { count_where: |a, mask| _mm256_sub_epi32(a, _mm256_castps_si256(mask)); }
    words(words, words) {
        add_words: |a, b| _mm256_add_epi32(a, b);
        mul_words: |a, b| _mm256_mullo_epi32(a, b);
    }
    words(words, BY) {
        xor_shift: |a| _mm256_xor_si256(a, _mm256_srl_epi32(a, _mm_cvtsi32_si128(BY.cast_signed())));
    }
    float(words) {
        upper_bits: |a| _mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(a));
        to_floats: |a| _mm256_cvtepi32_ps(a);
    }
    mask(words, words) {
        less_words: |a, b| {
            // The comparison is signed; the flip preserves the order.
            let flip = Self::splat_words(1 << 31);
            _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_xor_si256(b, flip), _mm256_xor_si256(a, flip)))
        };
    }
    mask(words, u32) {
        has_bit: |a, bit| {
            let bit = Self::splat_words(1 << bit);
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(a, bit), bit))
        };
    }
    words(float) { to_words: |a| _mm256_cvttps_epi32(a); }
}

lanes! {
    /// Sixteen lanes.
    Avx512(float: __m512, words: __m512i, mask: __mmask16, width: 16)
    operators {
        Add add: _mm512_add_ps;
        Sub sub: _mm512_sub_ps;
        Mul mul: _mm512_mul_ps;
        Div div: _mm512_div_ps;
    }
    negation { |a| _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a), _mm512_set1_epi32(i32::MIN))); }
    memory { _mm512_loadu_ps _mm512_storeu_ps _mm512_loadu_si512 _mm512_storeu_si512 }
    float(f32) { splat: _mm512_set1_ps; }
    float(float) {
        sqrt: |a| _mm512_sqrt_ps(a);
        abs: |a| _mm512_abs_ps(a);
    }
    float(float, float) {
        min: |a, b| _mm512_min_ps(a, b);
        max: |a, b| _mm512_max_ps(a, b);
    }
    mask(float, float) {
        lt: |a, b| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        le: |a, b| _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
    }
    mask(mask, mask) {
        and: |a, b| a & b;
        or: |a, b| a | b;
    }
    bool(mask) { any: |mask| mask != 0; }
    float(mask, float, float) { select: |mask, yes, no| _mm512_mask_blend_ps(mask, no, yes); }
    float(float, mask, float) { add_where: |a, mask, term| _mm512_mask_add_ps(a, mask, a, term); }
    float(float, mask, float, float) {
        fma_where: |a, mask, term, one| _mm512_mask3_fmadd_ps(term, one, a, mask);
    }
    words(u32) { splat_words: |word| _mm512_set1_epi32(word.cast_signed()); }
    words(words, mask) { count_where: |a, mask| _mm512_mask_add_epi32(a, mask, a, _mm512_set1_epi32(1)); }
    words(words, words) {
        add_words: |a, b| _mm512_add_epi32(a, b);
        mul_words: |a, b| _mm512_mullo_epi32(a, b);
    }
    words(words, BY) {
        xor_shift: |a| _mm512_xor_si512(a, _mm512_srl_epi32(a, _mm_cvtsi32_si128(BY.cast_signed())));
    }
    float(words) {
        upper_bits: |a| _mm512_cvtepi32_ps(_mm512_srli_epi32::<8>(a));
        to_floats: |a| _mm512_cvtepi32_ps(a);
    }
    mask(words, words) { less_words: |a, b| _mm512_cmplt_epu32_mask(a, b); }
    mask(words, u32) { has_bit: |a, bit| _mm512_test_epi32_mask(a, Self::splat_words(1 << bit)); }
    words(float) { to_words: |a| _mm512_cvttps_epi32(a); }
}

lanes! {
    /// Eight lanes with the masks of AVX-512.
    Avx512Vl(float: __m256, words: __m256i, mask: __mmask8, width: 8)
    operators {
        Add add: _mm256_add_ps;
        Sub sub: _mm256_sub_ps;
        Mul mul: _mm256_mul_ps;
        Div div: _mm256_div_ps;
    }
    negation { |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0)); }
    memory { _mm256_loadu_ps _mm256_storeu_ps _mm256_loadu_si256 _mm256_storeu_si256 }
    float(f32) { splat: _mm256_set1_ps; }
    float(float) {
        sqrt: |a| _mm256_sqrt_ps(a);
        abs: |a| _mm256_andnot_ps(_mm256_set1_ps(-0.0), a);
    }
    float(float, float) {
        min: |a, b| _mm256_min_ps(a, b);
        max: |a, b| _mm256_max_ps(a, b);
    }
    mask(float, float) {
        lt: |a, b| _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        le: |a, b| _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
    }
    mask(mask, mask) {
        and: |a, b| a & b;
        or: |a, b| a | b;
    }
    bool(mask) { any: |mask| mask != 0; }
    float(mask, float, float) { select: |mask, yes, no| _mm256_mask_blend_ps(mask, no, yes); }
    float(float, mask, float) { add_where: |a, mask, term| _mm256_mask_add_ps(a, mask, a, term); }
    float(float, mask, float, float) {
        fma_where: |a, mask, term, one| _mm256_mask3_fmadd_ps(term, one, a, mask);
    }
    words(u32) { splat_words: |word| _mm256_set1_epi32(word.cast_signed()); }
    words(words, mask) { count_where: |a, mask| _mm256_mask_add_epi32(a, mask, a, _mm256_set1_epi32(1)); }
    words(words, words) {
        add_words: |a, b| _mm256_add_epi32(a, b);
        mul_words: |a, b| _mm256_mullo_epi32(a, b);
    }
    words(words, BY) {
        xor_shift: |a| _mm256_xor_si256(a, _mm256_srl_epi32(a, _mm_cvtsi32_si128(BY.cast_signed())));
    }
    float(words) {
        upper_bits: |a| _mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(a));
        to_floats: |a| _mm256_cvtepi32_ps(a);
    }
    mask(words, words) { less_words: |a, b| _mm256_cmplt_epu32_mask(a, b); }
    mask(words, u32) { has_bit: |a, bit| _mm256_test_epi32_mask(a, Self::splat_words(1 << bit)); }
    words(float) { to_words: |a| _mm256_cvttps_epi32(a); }
}

/// Whether this processor, which has AVX-512, executes its full width in two steps. Zen 4 (family 19h) does, and is faster
/// at half the width where that saves work.
pub(super) fn splits_avx512() -> bool {
    const FAMILY: u32 = 0x19;
    // SAFETY: every x86-64 processor has the instruction.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let is_amd = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"AuthenticAMD";
    let family = (version.eax >> 8 & 0xf) + (version.eax >> 20 & 0xff);
    is_amd && family == FAMILY
}
