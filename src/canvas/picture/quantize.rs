//! Headings and shares as bytes, that is, as indices into a ramp of 256 entries.

/// Arc tangent of `a` in 0 … 1, in turns: (π/4 + 0.273 (1 − a)) a, within 0.15 steps of the byte
/// (Rajan, Wang, Inkol & Joyal 2006).
const ARC: (f32, f32) = (0.125, 0.273 / std::f32::consts::TAU);
/// How far a value moves, in steps, before [`follow_step`] shows it. Less would flicker between two steps.
pub(crate) const HYSTERESIS: f32 = 0.75;

/// The direction of a vector as a byte: 0 right, 64 down, 128 left, 192 up; 0 for a zero vector.
#[inline]
pub(crate) fn heading_byte(x: f32, y: f32) -> u8 {
    let (wide, high) = (x.abs(), y.abs());
    let steep = high > wide;
    let (least, most) = if steep { (wide, high) } else { (high, wide) };
    let ratio = if most > 0.0 { least / most } else { 0.0 };
    let eighth = ratio * (ARC.0 + ARC.1 * (1.0 - ratio));
    let quarter = if steep { 0.25 - eighth } else { eighth };
    let half = if x < 0.0 { 0.5 - quarter } else { quarter };
    let turn = if y < 0.0 { 1.0 - half } else { half };
    (truncate(turn * 256.0 + 0.5) & 255) as u8
}

/// A share of 0 … 1 as a byte; values outside are clamped.
#[inline]
pub(crate) fn unit_byte(share: f32) -> u8 {
    truncate((share * 255.0).clamp(0.0, 255.0)) as u8
}

/// The integer part of a number from 0 up to 2²²; unspecified for other numbers. Unlike a saturating cast it
/// vectorizes on every target.
#[inline]
pub(crate) fn truncate(number: f32) -> u32 {
    /// 2²³: from here up to 2²⁴ the lowest bits of an f32 are an integer.
    const SHIFT: f32 = 8_388_608.0;
    let nearest = (number + SHIFT) - SHIFT;
    let truncated = if nearest > number { nearest - 1.0 } else { nearest };
    (truncated + SHIFT).to_bits() & 0x7f_ffff
}

/// Rounds a byte to one of 32 levels, with 0 and 255 among them. More levels look the same, and cost more color
/// changes on the terminal.
#[inline]
pub(crate) fn coarse_level(byte: u8) -> u8 {
    byte & 0xf8 | byte >> 5
}

/// Rounds a byte to one of 16 levels, with 0 and 255 among them: densities change from cell to cell.
#[inline]
pub(crate) fn coarse_density(byte: u8) -> u8 {
    byte & 0xf0 | byte >> 4
}

/// Rounds a heading byte to one of 32 directions.
#[inline]
pub(crate) fn coarse_heading(byte: u8) -> u8 {
    byte.wrapping_add(4) & 0xf8
}

/// Moves `shown` to the step nearest to `value`, unless it is near enough already.
#[inline]
pub(crate) fn follow_step(shown: &mut u8, value: f32) {
    if (value - f32::from(*shown)).abs() > HYSTERESIS {
        *shown = (value + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_bytes_go_clockwise_from_the_right() {
        for byte in 0..256_i32 {
            let (y, x) = (byte as f32 / 256.0 * std::f32::consts::TAU).sin_cos();
            let error = (i32::from(heading_byte(x * 3.0, y * 3.0)) - byte + 128).rem_euclid(256) - 128;
            assert!(error.abs() <= 1, "{byte} {error}");
        }
        let axes = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| heading_byte(x, y));
        assert_eq!(axes, [0, 64, 128, 192]);
        assert_eq!([heading_byte(0.0, 0.0), heading_byte(1.0, -1e-9)], [0, 0]);
    }

    #[test]
    fn unit_bytes_are_clamped() {
        assert_eq!([-3.0, 0.0, 1.0, 9.0, f32::INFINITY].map(unit_byte), [0, 0, 255, 255, 255]);
    }

    #[test]
    fn truncate_equals_a_cast() {
        let special = [0.0, 0.4, 0.5, 0.999_999_94, 1.0, 1.5, 2.5, 3.5, 799.999_94, 65_535.5, 4_194_303.5];
        for number in special.into_iter().chain((0..100_000).map(|number| number as f32 * 0.137)) {
            assert_eq!(truncate(number), number as u32, "{number}");
        }
    }
}
