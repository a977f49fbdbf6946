//! A macro that defines lanes over a SIMD register, from a table of its instructions.
//!
//! Each group of the table has the signature of its methods, in terms of `float`, `words` and `mask` registers.
//!
//! Why each `unsafe` here is sound: nothing outside this folder can name these types, and here only
//! [`Simd::run`](super::Simd::run) and [`Simd::run_compact`](super::Simd::run_compact) do, after checking that the
//! processor has the instructions; loads and stores, which need no alignment, go through slices whose length is checked
//! just before.

macro_rules! lanes {
    (
        $(#[$doc:meta])*
        $name:ident(float: $float:ty, words: $words:ty, mask: $mask:ty, width: $width:literal)
        operators { $($trait:ident $operator:ident: $binary:ident;)* }
        negation { |$negated:ident| $neg:expr; }
        memory { $load:ident $store:ident $load_words:ident $store_words:ident }
        float(f32) { splat: $splat:ident; }
        float(float) { $($unary:ident: |$ua:ident| $unary_body:expr;)* }
        float(float, float) { $($pair:ident: |$pa:ident, $pb:ident| $pair_body:expr;)* }
        mask(float, float) { $($compare:ident: |$ca:ident, $cb:ident| $compare_body:expr;)* }
        mask(mask, mask) { $($logic:ident: |$la:ident, $lb:ident| $logic_body:expr;)* }
        bool(mask) { any: |$any_mask:ident| $any:expr; }
        float(mask, float, float) { select: |$smask:ident, $yes:ident, $no:ident| $select:expr; }
        float(float, mask, float) { add_where: |$aa:ident, $amask:ident, $term:ident| $add_where:expr; }
        $(float(float, mask, float, float) {
            fma_where: |$fa:ident, $fmask:ident, $fterm:ident, $one:ident| $fma_where:expr;
        })?
        words(u32) { splat_words: |$word:ident| $splat_words:expr; }
        words(words, mask) { count_where: |$cw:ident, $cmask:ident| $count_where:expr; }
        words(words, words) { $($word_pair:ident: |$wa:ident, $wb:ident| $word_pair_body:expr;)* }
        words(words, BY) { xor_shift: |$shifted:ident| $xor_shift:expr; }
        float(words) { $($to_float:ident: |$fw:ident| $to_float_body:expr;)* }
        mask(words, words) { less_words: |$lwa:ident, $lwb:ident| $less_words:expr; }
        mask(words, u32) { has_bit: |$hw:ident, $bit:ident| $has_bit:expr; }
        words(float) { to_words: |$tw:ident| $to_words:expr; }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name($float);

        $(impl std::ops::$trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $operator(self, other: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $binary(self.0, other.0) })
            }
        })*

        impl std::ops::AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl std::ops::Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                let $negated = self.0;
                // SAFETY: see the module.
                Self(unsafe { $neg })
            }
        }

        impl Lanes for $name {
            const WIDTH: usize = $width;
            type Mask = $mask;
            type Words = $words;

            #[inline(always)]
            fn load(from: &[f32]) -> Self {
                let from = &from[..$width];
                // SAFETY: see the module.
                Self(unsafe { $load(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, into: &mut [f32]) {
                let into = &mut into[..$width];
                // SAFETY: see the module.
                unsafe { $store(into.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn load_words(from: &[u32]) -> $words {
                let from = &from[..$width];
                // SAFETY: see the module.
                unsafe { $load_words(from.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store_words(words: $words, into: &mut [u32]) {
                let into = &mut into[..$width];
                // SAFETY: see the module.
                unsafe { $store_words(into.as_mut_ptr().cast(), words) }
            }

            #[inline(always)]
            fn splat(value: f32) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $splat(value) })
            }

            $(#[inline(always)]
            fn $unary(self) -> Self {
                let $ua = self.0;
                // SAFETY: see the module.
                Self(unsafe { $unary_body })
            })*

            $(#[inline(always)]
            fn $pair(self, other: Self) -> Self {
                let ($pa, $pb) = (self.0, other.0);
                // SAFETY: see the module.
                Self(unsafe { $pair_body })
            })*

            $(#[inline(always)]
            fn $compare(self, other: Self) -> $mask {
                let ($ca, $cb) = (self.0, other.0);
                // SAFETY: see the module.
                unsafe { $compare_body }
            })*

            $(#[inline(always)]
            fn $logic($la: $mask, $lb: $mask) -> $mask {
                // SAFETY: see the module.
                unsafe { $logic_body }
            })*

            #[inline(always)]
            fn any($any_mask: $mask) -> bool {
                // SAFETY: see the module.
                unsafe { $any }
            }

            #[inline(always)]
            fn select($smask: $mask, yes: Self, no: Self) -> Self {
                let ($yes, $no) = (yes.0, no.0);
                // SAFETY: see the module.
                Self(unsafe { $select })
            }

            #[inline(always)]
            fn add_where(self, $amask: $mask, term: Self) -> Self {
                let ($aa, $term) = (self.0, term.0);
                // SAFETY: see the module.
                Self(unsafe { $add_where })
            }

            $(#[inline(always)]
            fn fma_where(self, $fmask: $mask, term: Self, one: Self) -> Self {
                let ($fa, $fterm, $one) = (self.0, term.0, one.0);
                // SAFETY: see the module.
                Self(unsafe { $fma_where })
            })?

            #[inline(always)]
            fn splat_words($word: u32) -> $words {
                // SAFETY: see the module.
                unsafe { $splat_words }
            }

            #[inline(always)]
            fn count_where($cw: $words, $cmask: $mask) -> $words {
                // SAFETY: see the module.
                unsafe { $count_where }
            }

            $(#[inline(always)]
            fn $word_pair($wa: $words, $wb: $words) -> $words {
                // SAFETY: see the module.
                unsafe { $word_pair_body }
            })*

            #[inline(always)]
            fn xor_shift<const BY: u32>($shifted: $words) -> $words {
                // SAFETY: see the module.
                unsafe { $xor_shift }
            }

            $(#[inline(always)]
            fn $to_float($fw: $words) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $to_float_body })
            })*

            #[inline(always)]
            fn less_words($lwa: $words, $lwb: $words) -> $mask {
                // SAFETY: see the module.
                unsafe { $less_words }
            }

            #[inline(always)]
            fn has_bit($hw: $words, $bit: u32) -> $mask {
                // SAFETY: see the module.
                unsafe { $has_bit }
            }

            #[inline(always)]
            fn to_words(self) -> $words {
                let $tw = self.0;
                // SAFETY: see the module.
                unsafe { $to_words }
            }
        }
    };
}

pub(super) use lanes;
