//! A macro that defines lanes over a SIMD register, from a table of its instructions.
//!
//! Why each `unsafe` here is sound: nothing outside this folder can name these types, and here only
//! [`Simd::run`](super::Simd::run) does, after checking that the processor has the instructions; loads and stores, which need
//! no alignment, go through slices whose length is checked just before.

macro_rules! lanes {
    (
        $(#[$doc:meta])*
        $name:ident($float:ty, words: $words:ty, mask: $mask:ty, width: $width:literal, features: $features:literal)
        operators { $($trait:ident $operator:ident $binary:ident;)* }
        negation { |$negated:ident| $neg:expr }
        memory { $load:ident $store:ident $load_words:ident $store_words:ident }
        $(fn $method:ident $(<const $constant:ident: u32>)? ($($params:tt)*) -> $result:ty = $body:expr;)*
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
            fn outline<T: VectorLoop>(loops: T) -> T::Output {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn run<T: VectorLoop>(loops: T) -> T::Output {
                    loops.run()
                }
                // SAFETY: see the module.
                unsafe { run(loops) }
            }

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

            $(#[inline(always)]
            fn $method $(<const $constant: u32>)? ($($params)*) -> $result {
                // SAFETY: see the module.
                unsafe { $body }
            })*
        }
    };
}

pub(super) use lanes;
