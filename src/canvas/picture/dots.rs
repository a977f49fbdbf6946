//! Dots: a cell is 2 × 4 dots, like a braille character.

use glam::Vec2;

/// Dots across a cell.
pub const DOTS_WIDE: usize = 2;
/// Dots down a cell.
pub const DOTS_HIGH: usize = 4;

/// The bit of each dot in the low byte of a braille character (U+2800), row by row.
pub(crate) const BITS: [u8; DOTS_WIDE * DOTS_HIGH] = [1 << 0, 1 << 3, 1 << 1, 1 << 4, 1 << 2, 1 << 5, 1 << 6, 1 << 7];

/// The width and height in dots of a canvas of this many cells.
#[must_use]
pub fn size_in_dots(columns: usize, rows: usize) -> Vec2 {
    Vec2::new((columns * DOTS_WIDE) as f32, (rows * DOTS_HIGH) as f32)
}

/// The bit of the dot at these canvas coordinates within its braille character.
#[inline]
pub(crate) fn bit(x: usize, y: usize) -> u8 {
    BITS[y % DOTS_HIGH * DOTS_WIDE + x % DOTS_WIDE]
}

/// The index of that bit.
#[inline]
pub(crate) fn bit_index(x: usize, y: usize) -> usize {
    bit(x, y).trailing_zeros() as usize
}
