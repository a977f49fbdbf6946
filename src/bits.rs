//! A bit for each cell, 64 to a word: most cells are empty, and passed over a word at a time.

/// How many cells a word stands for.
pub(crate) const WORD: usize = u64::BITS as usize;

/// The numbers of the bits that are set.
#[inline]
pub(crate) fn set_bits(words: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
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

/// A bit for each byte, set where it is not 0; as many words as it takes.
#[inline]
pub(crate) fn nonzero_bits(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (runs, rest) = bytes.as_chunks::<WORD>();
    let last = rest.iter().rev().fold(0, |bits, byte| (bits << 1) | u64::from(*byte != 0));
    runs.iter().map(word).chain((!rest.is_empty()).then_some(last))
}

/// The same for a word's worth of bytes.
#[inline]
fn word(bytes: &[u8; WORD]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| {
        let eight = u64::from_le_bytes(*eight);
        // The highest bit of each byte that is not 0; the product gathers them in the highest byte.
        let some = (((eight & LOW) + LOW) | eight) & !LOW;
        (bits << 8) | ((some >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_wherever_they_stand() {
        for bytes in [0, 1, 7, 63, 64, 65, 127, 128, 200, 641] {
            for step in [1, 2, 3, 7, 8, 9, 63, 65] {
                let all: Vec<u8> =
                    (0..bytes).map(|at: usize| if at.is_multiple_of(step) { 1 << (at % 8) } else { 0 }).collect();
                let expected: Vec<usize> = (0..bytes).step_by(step).collect();
                assert_eq!(set_bits(nonzero_bits(&all)).collect::<Vec<_>>(), expected, "{bytes} {step}");
                assert_eq!(nonzero_bits(&all).count(), bytes.div_ceil(WORD));
            }
        }
    }
}
