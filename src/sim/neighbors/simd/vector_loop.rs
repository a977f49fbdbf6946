//! Plain loops that the compiler vectorizes, compiled for wider registers than every processor has.

/// Loops over plain numbers.
pub(crate) trait VectorLoop {
    type Output;

    /// Runs the loops. This and all functions with loops that it calls must be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs loops with the widest registers of this machine. The result has the same bits, as each iteration computes what the
/// loop says, in its order.
#[inline]
pub(crate) fn run_vectorized<T: VectorLoop>(loops: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if super::Simd::Avx2.is_available() {
        // SAFETY: the function requires only the feature that has just been detected.
        return unsafe { avx2(loops) };
    }
    loops.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<T: VectorLoop>(loops: T) -> T::Output {
    loops.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything<'a>(&'a [f32], &'a [f32]);

    impl VectorLoop for Everything<'_> {
        type Output = Vec<[u32; 2]>;

        #[inline(always)]
        fn run(self) -> Self::Output {
            let mut all = vec![[0; 2]; self.0.len()];
            for ((into, a), b) in all.iter_mut().zip(self.0).zip(self.1) {
                let (ratio, most) = (a / b, a.max(*b));
                let root = (a * a + b * b).sqrt() - 0.3 * a;
                let clamped = if ratio.is_nan() || *a > root { most } else { ratio.clamp(-3.0, 3.0) + root };
                *into = [clamped.to_bits(), (root.to_bits() >> 3).wrapping_mul(77)];
            }
            all
        }
    }

    #[test]
    fn wider_loops_agree() {
        let numbers = |seed: u32| (0..1003_u32).map(move |at| (at.wrapping_mul(seed) % 4001) as f32 / 100.0 - 20.0);
        let left: Vec<f32> = numbers(2_654_435_761).chain([0.0, f32::INFINITY, f32::MIN_POSITIVE]).collect();
        let right: Vec<f32> = numbers(40_503).chain([0.0, -1.0, f32::INFINITY]).collect();
        assert_eq!(run_vectorized(Everything(&left, &right)), Everything(&left, &right).run());
    }
}
