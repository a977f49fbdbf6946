//! Directions and shares as places on a ramp of 256 entries.

/// Of an arc tangent over 0 … 1, in turns: π/4 + 0.273 (1 − a) times a, within 0.15 of a place
/// (Rajan, Wang, Inkol & Joyal 2006).
const ARC: (f32, f32) = (0.125, 0.273 / std::f32::consts::TAU);

/// A heading as a place on a ring of 256: 0 to the right, 64 down, 128 left, 192 up; 0 for none.
#[inline]
pub(crate) fn compass(x: f32, y: f32) -> u8 {
    let (wide, high) = (x.abs(), y.abs());
    let steep = high > wide;
    let (least, most) = if steep { (wide, high) } else { (high, wide) };
    let ratio = if most > 0.0 { least / most } else { 0.0 };
    let eighth = ratio * (ARC.0 + ARC.1 * (1.0 - ratio));
    let quarter = if steep { 0.25 - eighth } else { eighth };
    let half = if x < 0.0 { 0.5 - quarter } else { quarter };
    let turn = if y < 0.0 { 1.0 - half } else { half };
    (whole(turn * 256.0 + 0.5) & 255) as u8
}

/// 0 … 1 as a place on a ramp; what lies outside goes to the end.
#[inline]
pub(crate) fn level(share: f32) -> u8 {
    whole((share * 255.0).clamp(0.0, 255.0)) as u8
}

/// The whole part of a number from 0 up to 2²²; of others nobody knows. A cast knows of all, at a price: where there is
/// no instruction that does the same, it is one at a time.
#[inline]
pub(crate) fn whole(number: f32) -> u32 {
    /// From here on, and up to twice as much, a number's lowest bits are a whole number.
    const SHIFT: f32 = 8_388_608.0;
    let near = (number + SHIFT) - SHIFT;
    let whole = if near > number { near - 1.0 } else { near };
    (whole + SHIFT).to_bits() & 0x7f_ffff
}

/// A place on a ramp in 32 steps that still reach both its ends: no eye tells more apart, and neighbors
/// of one color cost a terminal less.
#[inline]
pub(crate) fn coarse_level(place: u8) -> u8 {
    place & 0xf8 | place >> 5
}

/// A place on a ring in 32 steps.
#[inline]
pub(crate) fn coarse_heading(place: u8) -> u8 {
    place.wrapping_add(4) & 0xf8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compass_goes_clockwise_from_the_right() {
        for place in 0..256_i32 {
            let (y, x) = (place as f32 / 256.0 * std::f32::consts::TAU).sin_cos();
            let off = (i32::from(compass(x * 3.0, y * 3.0)) - place + 128).rem_euclid(256) - 128;
            assert!(off.abs() <= 1, "{place} {off}");
        }
        assert_eq!([compass(1.0, 0.0), compass(0.0, 1.0), compass(-1.0, 0.0), compass(0.0, -1.0)], [0, 64, 128, 192]);
        assert_eq!([compass(0.0, 0.0), compass(1.0, -1e-9)], [0, 0]);
    }

    #[test]
    fn what_lies_outside_a_ramp_goes_to_its_end() {
        assert_eq!([-3.0, 0.0, 1.0, 9.0, f32::INFINITY].map(level), [0, 0, 255, 255, 255]);
    }

    #[test]
    fn the_whole_part_is_what_a_cast_gives() {
        for number in [0.0, 0.4, 0.5, 0.999_999_94, 1.0, 1.5, 2.5, 3.5, 799.999_94, 65_535.5, 4_194_303.5] {
            assert_eq!(whole(number), number as u32, "{number}");
        }
        for number in (0..100_000).map(|number| number as f32 * 0.137) {
            assert_eq!(whole(number), number as u32, "{number}");
        }
    }
}
