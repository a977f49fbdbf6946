//! Bitmaps with one bit per cell, 64 to a word. Most cells are empty, and skipped a word at a time.

/// How many cells a word holds.
pub const WORD: usize = u64::BITS as usize;

/// The indices of the set bits.
#[inline]
pub fn set_bits(words: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
    let mut words = words.into_iter();
    let (mut first, mut bits) = (0, words.next().unwrap_or(0));
    std::iter::from_fn(move || {
        while bits == 0 {
            bits = words.next()?;
            first += WORD;
        }
        let at = first + bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(at)
    })
}

/// A bitmap of the bytes that are not 0.
#[inline]
pub fn nonzero_bits(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (runs, rest) = bytes.as_chunks::<WORD>();
    let last = rest.iter().rev().fold(0, |bits, byte| (bits << 1) | u64::from(*byte != 0));
    runs.iter().map(nonzero_word).chain((!rest.is_empty()).then_some(last))
}

#[inline]
fn nonzero_word(bytes: &[u8; WORD]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| {
        let eight = u64::from_le_bytes(*eight);
        // Set the highest bit of each nonzero byte, then gather those bits in the highest byte by multiplying.
        let nonzero = (((eight & LOW) + LOW) | eight) & !LOW;
        (bits << 8) | ((nonzero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_nonzero_bytes() {
        for bytes in [0usize, 1, 7, 63, 64, 65, 127, 128, 200, 641] {
            for step in [1, 2, 3, 7, 8, 9, 63, 65] {
                let all: Vec<u8> =
                    (0..bytes).map(|at| if at.is_multiple_of(step) { 1 << (at % 8) } else { 0 }).collect();
                assert!(set_bits(nonzero_bits(&all)).eq((0..bytes).step_by(step)), "{bytes} {step}");
                assert_eq!(nonzero_bits(&all).count(), bytes.div_ceil(WORD));
            }
        }
    }
}
