//! SSE2 and AVX2, of the x86-64 processors, and what AVX-512 has in common with them.
//!
//! Why each `unsafe` here is sound: nobody outside this room can name these types, and here only
//! [`Simd::run`](super::Simd::run) and [`Simd::run_compact`](super::Simd::run_compact) do, which have made sure that
//! the processor knows their instructions; and loads and stores go through slices whose length is checked just before.

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::Lanes;

/// The types, and the operators that all kinds have in the same way.
macro_rules! arithmetic {
    ($(#[$what:meta])* $name:ident($register:ty), add $add:ident, sub $sub:ident, mul $mul:ident, div $div:ident,
     neg |$of:ident| $neg:expr) => {
        $(#[$what])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name($register);

        impl Add for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: the processor knows it.
                Self(unsafe { $add(self.0, other.0) })
            }
        }

        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: the processor knows it.
                Self(unsafe { $sub(self.0, other.0) })
            }
        }

        impl Mul for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: the processor knows it.
                Self(unsafe { $mul(self.0, other.0) })
            }
        }

        impl Div for $name {
            type Output = Self;
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                // SAFETY: the processor knows it.
                Self(unsafe { $div(self.0, other.0) })
            }
        }

        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                let $of = self.0;
                // SAFETY: the processor knows it.
                Self(unsafe { $neg })
            }
        }
    };
}

/// What one instruction does each, named by kind.
macro_rules! instructions {
    ($words:ty, $mask:ty, width $width:literal, splat $splat:ident, load $load:ident, store $store:ident,
     sqrt $sqrt:ident, min $min:ident, max $max:ident,
     word $word:ident, load_words $load_words:ident, store_words $store_words:ident,
     word_sum $word_sum:ident, numbers $numbers:ident, whole $whole:ident) => {
        const WIDTH: usize = $width;
        type Mask = $mask;
        type Words = $words;

        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $splat(value) })
        }

        #[inline(always)]
        fn load(from: &[f32]) -> Self {
            let from = &from[..$width];
            // SAFETY: the processor knows it, and the slice is as long as what is read; no alignment is asked for.
            Self(unsafe { $load(from.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, into: &mut [f32]) {
            let into = &mut into[..$width];
            // SAFETY: the processor knows it, and the slice is as long as what is written; no alignment is asked for.
            unsafe { $store(into.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $sqrt(self.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $min(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $max(self.0, other.0) })
        }

        #[inline(always)]
        fn words(word: u32) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $word(word.cast_signed()) }
        }

        #[inline(always)]
        fn load_words(from: &[u32]) -> $words {
            let from = &from[..$width];
            // SAFETY: the processor knows it, and the slice is as long as what is read; no alignment is asked for.
            unsafe { $load_words(from.as_ptr().cast()) }
        }

        #[inline(always)]
        fn sum(a: $words, b: $words) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $word_sum(a, b) }
        }

        #[inline(always)]
        fn store_words(words: $words, into: &mut [u32]) {
            let into = &mut into[..$width];
            // SAFETY: the processor knows it, and the slice is as long as what is written; no alignment is asked for.
            unsafe { $store_words(into.as_mut_ptr().cast(), words) }
        }

        #[inline(always)]
        fn whole(self) -> $words {
            // SAFETY: the processor knows it.
            unsafe { $whole(self.0) }
        }

        #[inline(always)]
        fn numbers(words: $words) -> Self {
            // SAFETY: the processor knows it.
            Self(unsafe { $numbers(words) })
        }
    };
}

pub(crate) use {arithmetic, instructions};

arithmetic!(
    /// Four lanes; every x86-64 processor has them.
    Sse2(__m128), add _mm_add_ps, sub _mm_sub_ps, mul _mm_mul_ps, div _mm_div_ps,
    neg |of| _mm_xor_ps(of, _mm_set1_ps(-0.0))
);

impl Lanes for Sse2 {
    instructions!(
        __m128i, __m128, width 4, splat _mm_set1_ps, load _mm_loadu_ps, store _mm_storeu_ps,
        sqrt _mm_sqrt_ps, min _mm_min_ps, max _mm_max_ps,
        word _mm_set1_epi32, load_words _mm_loadu_si128,
        store_words _mm_storeu_si128, word_sum _mm_add_epi32, numbers _mm_cvtepi32_ps, whole _mm_cvttps_epi32
    );

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> __m128 {
        // SAFETY: the processor knows it.
        unsafe { _mm_cmplt_ps(self.0, other.0) }
    }

    #[inline(always)]
    fn le(self, other: Self) -> __m128 {
        // SAFETY: the processor knows it.
        unsafe { _mm_cmple_ps(self.0, other.0) }
    }

    #[inline(always)]
    fn and(a: __m128, b: __m128) -> __m128 {
        // SAFETY: the processor knows it.
        unsafe { _mm_and_ps(a, b) }
    }

    #[inline(always)]
    fn or(a: __m128, b: __m128) -> __m128 {
        // SAFETY: the processor knows it.
        unsafe { _mm_or_ps(a, b) }
    }

    #[inline(always)]
    fn any(mask: __m128) -> bool {
        // SAFETY: the processor knows it.
        unsafe { _mm_movemask_ps(mask) != 0 }
    }

    #[inline(always)]
    fn select(mask: __m128, yes: Self, no: Self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm_or_ps(_mm_and_ps(mask, yes.0), _mm_andnot_ps(mask, no.0)) })
    }

    #[inline(always)]
    fn add_where(self, mask: __m128, term: Self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm_add_ps(self.0, _mm_and_ps(mask, term.0)) })
    }

    #[inline(always)]
    fn count(words: __m128i, mask: __m128) -> __m128i {
        // SAFETY: the processor knows it. A mask that holds is -1.
        unsafe { _mm_sub_epi32(words, _mm_castps_si128(mask)) }
    }

    #[inline(always)]
    fn product(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: the processor knows it. SSE2 multiplies only every other lane.
        unsafe {
            let even = _mm_mul_epu32(a, b);
            let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let low = _mm_set1_epi64x(0xffff_ffff);
            _mm_or_si128(_mm_and_si128(even, low), _mm_slli_epi64::<32>(odd))
        }
    }

    #[inline(always)]
    fn fold<const BY: u32>(words: __m128i) -> __m128i {
        // SAFETY: the processor knows it.
        unsafe { _mm_xor_si128(words, _mm_srl_epi32(words, _mm_cvtsi32_si128(BY.cast_signed()))) }
    }

    #[inline(always)]
    fn upper(words: __m128i) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm_cvtepi32_ps(_mm_srli_epi32::<8>(words)) })
    }

    #[inline(always)]
    fn has(words: __m128i, bit: u32) -> __m128 {
        let bit = Self::words(1 << bit);
        // SAFETY: the processor knows it.
        unsafe { _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(words, bit), bit)) }
    }

    #[inline(always)]
    fn less(a: __m128i, b: __m128i) -> __m128 {
        let flip = Self::words(1 << 31);
        // SAFETY: the processor knows it. It compares with signs; the flip brings words into that order.
        unsafe { _mm_castsi128_ps(_mm_cmplt_epi32(_mm_xor_si128(a, flip), _mm_xor_si128(b, flip))) }
    }
}

arithmetic!(
    /// Eight lanes.
    Avx2(__m256), add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, div _mm256_div_ps,
    neg |of| _mm256_xor_ps(of, _mm256_set1_ps(-0.0))
);

impl Lanes for Avx2 {
    instructions!(
        __m256i, __m256, width 8, splat _mm256_set1_ps, load _mm256_loadu_ps, store _mm256_storeu_ps,
        sqrt _mm256_sqrt_ps, min _mm256_min_ps, max _mm256_max_ps,
        word _mm256_set1_epi32, load_words _mm256_loadu_si256,
        store_words _mm256_storeu_si256, word_sum _mm256_add_epi32, numbers _mm256_cvtepi32_ps, whole _mm256_cvttps_epi32
    );

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> __m256 {
        // SAFETY: the processor knows it.
        unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn le(self, other: Self) -> __m256 {
        // SAFETY: the processor knows it.
        unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn and(a: __m256, b: __m256) -> __m256 {
        // SAFETY: the processor knows it.
        unsafe { _mm256_and_ps(a, b) }
    }

    #[inline(always)]
    fn or(a: __m256, b: __m256) -> __m256 {
        // SAFETY: the processor knows it.
        unsafe { _mm256_or_ps(a, b) }
    }

    #[inline(always)]
    fn any(mask: __m256) -> bool {
        // SAFETY: the processor knows it.
        unsafe { _mm256_movemask_ps(mask) != 0 }
    }

    #[inline(always)]
    fn select(mask: __m256, yes: Self, no: Self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask) })
    }

    #[inline(always)]
    fn add_where(self, mask: __m256, term: Self) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm256_add_ps(self.0, _mm256_and_ps(mask, term.0)) })
    }

    #[inline(always)]
    fn count(words: __m256i, mask: __m256) -> __m256i {
        // SAFETY: the processor knows it. A mask that holds is -1.
        unsafe { _mm256_sub_epi32(words, _mm256_castps_si256(mask)) }
    }

    #[inline(always)]
    fn product(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the processor knows it.
        unsafe { _mm256_mullo_epi32(a, b) }
    }

    #[inline(always)]
    fn fold<const BY: u32>(words: __m256i) -> __m256i {
        // SAFETY: the processor knows it.
        unsafe { _mm256_xor_si256(words, _mm256_srl_epi32(words, _mm_cvtsi32_si128(BY.cast_signed()))) }
    }

    #[inline(always)]
    fn upper(words: __m256i) -> Self {
        // SAFETY: the processor knows it.
        Self(unsafe { _mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(words)) })
    }

    #[inline(always)]
    fn has(words: __m256i, bit: u32) -> __m256 {
        let bit = Self::words(1 << bit);
        // SAFETY: the processor knows it.
        unsafe { _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(words, bit), bit)) }
    }

    #[inline(always)]
    fn less(a: __m256i, b: __m256i) -> __m256 {
        let flip = Self::words(1 << 31);
        // SAFETY: the processor knows it. It compares with signs; the flip brings words into that order.
        unsafe { _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_xor_si256(b, flip), _mm256_xor_si256(a, flip))) }
    }
}
