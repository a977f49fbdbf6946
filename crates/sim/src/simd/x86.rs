//! AVX2 and AVX-512, the SIMD kinds of x86-64 processors.

use std::arch::x86_64::*;

use super::registers::lanes;
use super::{Lanes, VectorLoop};

/// For each mask of eight lanes, the lanes that it selects: AVX2 has no instruction that moves them to the front.
static PACKED: [[u32; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                orders[bits][count] = lane;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    orders
};

lanes! {
    /// Eight lanes, with FMA.
    Avx2(__m256, words: __m256i, mask: __m256, width: 8, features: "avx2,fma,popcnt")
    operators { Add add _mm256_add_ps; Sub sub _mm256_sub_ps; Mul mul _mm256_mul_ps; Div div _mm256_div_ps; }
    negation { |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0)) }
    memory { _mm256_loadu_ps _mm256_storeu_ps _mm256_loadu_si256 _mm256_storeu_si256 }
    fn splat(value: f32) -> Self = Self(_mm256_set1_ps(value));
    fn sqrt(self) -> Self = Self(_mm256_sqrt_ps(self.0));
    fn abs(self) -> Self = Self(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0));
    fn min(self, other: Self) -> Self = Self(_mm256_min_ps(self.0, other.0));
    fn max(self, other: Self) -> Self = Self(_mm256_max_ps(self.0, other.0));
    fn lt(self, other: Self) -> Self::Mask = _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0);
    fn le(self, other: Self) -> Self::Mask = _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0);
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask = _mm256_and_ps(a, b);
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask = _mm256_or_ps(a, b);
    fn any(mask: Self::Mask) -> bool = _mm256_movemask_ps(mask) != 0;
    fn bits(mask: Self::Mask) -> u32 = _mm256_movemask_ps(mask).cast_unsigned();
    fn pack_words(words: Self::Words, mask: Self::Mask) -> Self::Words = {
        let order = Self::load_words(&PACKED[Self::bits(mask) as usize % PACKED.len()]);
        _mm256_permutevar8x32_epi32(words, order)
    };
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self = Self(_mm256_blendv_ps(no.0, yes.0, mask));
    fn add_where(self, mask: Self::Mask, term: Self) -> Self = Self(_mm256_add_ps(self.0, _mm256_and_ps(mask, term.0)));
    fn fma_where(self, mask: Self::Mask, term: Self, one: Self) -> Self =
        Self(_mm256_fmadd_ps(term.0, _mm256_and_ps(mask, one.0), self.0));
    fn splat_words(word: u32) -> Self::Words = _mm256_set1_epi32(word.cast_signed());
    // A lane of a mask is 0 or -1.
    fn count_where(words: Self::Words, mask: Self::Mask) -> Self::Words =
        _mm256_sub_epi32(words, _mm256_castps_si256(mask));
    fn add_words(a: Self::Words, b: Self::Words) -> Self::Words = _mm256_add_epi32(a, b);
    fn mul_words(a: Self::Words, b: Self::Words) -> Self::Words = _mm256_mullo_epi32(a, b);
    fn xor_shift<const BY: u32>(words: Self::Words) -> Self::Words =
        _mm256_xor_si256(words, _mm256_srl_epi32(words, _mm_cvtsi32_si128(BY.cast_signed())));
    fn upper_bits(words: Self::Words) -> Self = Self(_mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(words)));
    fn to_floats(words: Self::Words) -> Self = Self(_mm256_cvtepi32_ps(words));
    fn less_words(a: Self::Words, b: Self::Words) -> Self::Mask = {
        // The comparison is signed; the flip preserves the order.
        let flip = Self::splat_words(1 << 31);
        _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_xor_si256(b, flip), _mm256_xor_si256(a, flip)))
    };
    fn has_bit(words: Self::Words, bit: u32) -> Self::Mask = {
        let bit = Self::splat_words(1 << bit);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(words, bit), bit))
    };
    fn to_words(self) -> Self::Words = _mm256_cvttps_epi32(self.0);
}

lanes! {
    /// Sixteen lanes.
    Avx512(__m512, words: __m512i, mask: __mmask16, width: 16, features: "avx512f,popcnt")
    operators { Add add _mm512_add_ps; Sub sub _mm512_sub_ps; Mul mul _mm512_mul_ps; Div div _mm512_div_ps; }
    negation { |a| _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a), _mm512_set1_epi32(i32::MIN))) }
    memory { _mm512_loadu_ps _mm512_storeu_ps _mm512_loadu_si512 _mm512_storeu_si512 }
    fn splat(value: f32) -> Self = Self(_mm512_set1_ps(value));
    fn sqrt(self) -> Self = Self(_mm512_sqrt_ps(self.0));
    fn abs(self) -> Self = Self(_mm512_abs_ps(self.0));
    fn min(self, other: Self) -> Self = Self(_mm512_min_ps(self.0, other.0));
    fn max(self, other: Self) -> Self = Self(_mm512_max_ps(self.0, other.0));
    fn lt(self, other: Self) -> Self::Mask = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0);
    fn le(self, other: Self) -> Self::Mask = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0);
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask = a & b;
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask = a | b;
    fn any(mask: Self::Mask) -> bool = mask != 0;
    fn bits(mask: Self::Mask) -> u32 = u32::from(mask);
    fn pack_words(words: Self::Words, mask: Self::Mask) -> Self::Words = _mm512_maskz_compress_epi32(mask, words);
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self = Self(_mm512_mask_blend_ps(mask, no.0, yes.0));
    fn add_where(self, mask: Self::Mask, term: Self) -> Self = Self(_mm512_mask_add_ps(self.0, mask, self.0, term.0));
    fn fma_where(self, mask: Self::Mask, term: Self, one: Self) -> Self =
        Self(_mm512_mask3_fmadd_ps(term.0, one.0, self.0, mask));
    fn splat_words(word: u32) -> Self::Words = _mm512_set1_epi32(word.cast_signed());
    fn count_where(words: Self::Words, mask: Self::Mask) -> Self::Words =
        _mm512_mask_add_epi32(words, mask, words, _mm512_set1_epi32(1));
    fn add_words(a: Self::Words, b: Self::Words) -> Self::Words = _mm512_add_epi32(a, b);
    fn mul_words(a: Self::Words, b: Self::Words) -> Self::Words = _mm512_mullo_epi32(a, b);
    fn xor_shift<const BY: u32>(words: Self::Words) -> Self::Words =
        _mm512_xor_si512(words, _mm512_srl_epi32(words, _mm_cvtsi32_si128(BY.cast_signed())));
    fn upper_bits(words: Self::Words) -> Self = Self(_mm512_cvtepi32_ps(_mm512_srli_epi32::<8>(words)));
    fn to_floats(words: Self::Words) -> Self = Self(_mm512_cvtepi32_ps(words));
    fn less_words(a: Self::Words, b: Self::Words) -> Self::Mask = _mm512_cmplt_epu32_mask(a, b);
    fn has_bit(words: Self::Words, bit: u32) -> Self::Mask = _mm512_test_epi32_mask(words, Self::splat_words(1 << bit));
    fn to_words(self) -> Self::Words = _mm512_cvttps_epi32(self.0);
}
