//! AVX-512, in its full width and in half of it: comparisons leave masks, and sums heed them.
//!
//! Why each `unsafe` here is sound: as in [`x86`](super::x86).

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::Lanes;
use super::x86::{arithmetic, instructions};

/// What is done by masks, named by kind.
macro_rules! masked {
    ($words:ty, $mask:ty, compare $compare:ident, select $select:ident, add $add:ident, multiply_add $multiply_add:ident,
     word $word:ident, word_sum $word_sum:ident, product $product:ident, xor $xor:ident, shift $shift:ident,
     shift_by $shift_by:ident, numbers $numbers:ident, test $test:ident, less $less:ident, abs |$of:ident| $abs:expr) => {
        #[inline(always)]
        fn abs(self) -> Self {
            let $of = self.0;
            // SAFETY: the processor knows it.
            Self(unsafe { $abs })
        }

        #[inline(always)]
        fn lt(self, other: Self) -> $mask {
            // SAFETY: the processor knows it.
            unsafe { $compare::<_CMP_LT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn le(self, other: Self) -> $mask {
            // SAFETY: the processor knows it.
            unsafe { $compare::<_CMP_LE_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn and(a: $mask, b: $mask) -> $mask {
            a & b
        }

        #[inline(always)]
        fn or(a: $mask, b: $mask) -> $mask {
            a | b
        }

        #[inline(always)]
        fn any(mask: $mask) -> bool {
            mask != 0
        }

        #[inline(always)]
        fn select(mask: $mask, yes: Self, no: Self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $select(mask, no.0, yes.0) })
        }

        #[inline(always)]
        fn add_where(self, mask: $mask, term: Self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $add(self.0, mask, self.0, term.0) })
        }

        #[inline(always)]
        fn add_once_where(self, mask: $mask, term: Self, one: Self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $multiply_add(term.0, one.0, self.0, mask) })
        }

        #[inline(always)]
        fn count(words: $words, mask: $mask) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $word_sum(words, mask, words, $word(1)) }
        }

        #[inline(always)]
        fn product(a: $words, b: $words) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $product(a, b) }
        }

        #[inline(always)]
        fn fold<const BY: u32>(words: $words) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $xor(words, $shift(words, _mm_cvtsi32_si128(BY.cast_signed()))) }
        }

        #[inline(always)]
        fn upper(words: $words) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $numbers($shift_by::<8>(words)) })
        }

        #[inline(always)]
        fn has(words: $words, bit: u32) -> $mask {
            // SAFETY: the processor knows it.
            unsafe { $test(words, $word((1_u32 << bit).cast_signed())) }
        }

        #[inline(always)]
        fn less(a: $words, b: $words) -> $mask {
            // SAFETY: the processor knows it.
            unsafe { $less(a, b) }
        }
    };
}

arithmetic!(
    /// Sixteen lanes.
    Avx512(__m512), add _mm512_add_ps, sub _mm512_sub_ps, mul _mm512_mul_ps, div _mm512_div_ps,
    neg |of| _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(of), _mm512_set1_epi32(i32::MIN)))
);

impl Lanes for Avx512 {
    instructions!(
        __m512i, __mmask16, width 16, splat _mm512_set1_ps, load _mm512_loadu_ps, store _mm512_storeu_ps,
        sqrt _mm512_sqrt_ps, min _mm512_min_ps, max _mm512_max_ps,
        word _mm512_set1_epi32, load_words _mm512_loadu_si512,
        store_words _mm512_storeu_si512, word_sum _mm512_add_epi32, numbers _mm512_cvtepi32_ps, whole _mm512_cvttps_epi32
    );
    masked!(
        __m512i, __mmask16, compare _mm512_cmp_ps_mask, select _mm512_mask_blend_ps, add _mm512_mask_add_ps,
        multiply_add _mm512_mask3_fmadd_ps, word _mm512_set1_epi32, word_sum _mm512_mask_add_epi32,
        product _mm512_mullo_epi32, xor _mm512_xor_si512, shift _mm512_srl_epi32, shift_by _mm512_srli_epi32,
        numbers _mm512_cvtepi32_ps, test _mm512_test_epi32_mask, less _mm512_cmplt_epu32_mask,
        abs |of| _mm512_abs_ps(of)
    );
}

arithmetic!(
    /// Eight lanes, for processors that take two steps for sixteen.
    Avx512Vl(__m256), add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, div _mm256_div_ps,
    neg |of| _mm256_xor_ps(of, _mm256_set1_ps(-0.0))
);

impl Lanes for Avx512Vl {
    instructions!(
        __m256i, __mmask8, width 8, splat _mm256_set1_ps, load _mm256_loadu_ps, store _mm256_storeu_ps,
        sqrt _mm256_sqrt_ps, min _mm256_min_ps, max _mm256_max_ps,
        word _mm256_set1_epi32, load_words _mm256_loadu_si256,
        store_words _mm256_storeu_si256, word_sum _mm256_add_epi32, numbers _mm256_cvtepi32_ps, whole _mm256_cvttps_epi32
    );
    masked!(
        __m256i, __mmask8, compare _mm256_cmp_ps_mask, select _mm256_mask_blend_ps, add _mm256_mask_add_ps,
        multiply_add _mm256_mask3_fmadd_ps, word _mm256_set1_epi32, word_sum _mm256_mask_add_epi32,
        product _mm256_mullo_epi32, xor _mm256_xor_si256, shift _mm256_srl_epi32, shift_by _mm256_srli_epi32,
        numbers _mm256_cvtepi32_ps, test _mm256_test_epi32_mask, less _mm256_cmplt_epu32_mask,
        abs |of| _mm256_andnot_ps(_mm256_set1_ps(-0.0), of)
    );
}

/// Whether this processor, which has AVX-512, takes two steps for its full width: Zen 4 does (family 19h), and is
/// faster in half of it where that saves work.
pub(crate) fn takes_two_steps() -> bool {
    const FAMILY: u32 = 0x19;
    // SAFETY: every x86-64 processor tells of itself.
    #[allow(unused_unsafe, reason = "older compilers want it")]
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let amd = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"AuthenticAMD";
    let family = (version.eax >> 8 & 0xf) + (version.eax >> 20 & 0xff);
    amd && family == FAMILY
}
