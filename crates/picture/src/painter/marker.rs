//! The glyphs that the flock is drawn with.

use ratatui_core::symbols::{self, pixel::OCTANTS};

use crate::cell::Charset;

/// A glyph set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Marker {
    /// Braille: 2 × 4 dots in a cell.
    #[default]
    Braille,
    /// Unicode 16 octants: 2 × 4 blocks without gaps. Few fonts have them.
    Octant,
    /// Half blocks, brighter where more dots are set.
    HalfBlock,
    /// ASCII characters.
    Ascii,
}

impl Marker {
    /// All markers.
    pub const ALL: [Self; 4] = [Self::Braille, Self::Octant, Self::HalfBlock, Self::Ascii];

    /// The same glyphs in the charts of ratatui.
    pub fn in_charts(self) -> symbols::Marker {
        match self {
            Self::Braille => symbols::Marker::Braille,
            Self::Octant => symbols::Marker::Octant,
            Self::HalfBlock => symbols::Marker::HalfBlock,
            Self::Ascii => symbols::Marker::Custom('*'),
        }
    }

    /// The symbol for a single point of a chart.
    pub fn point(self) -> &'static str {
        if self == Self::Ascii { "@" } else { "●" }
    }

    /// The default for a character set.
    pub fn of(charset: Charset) -> Self {
        match charset {
            Charset::Unicode | Charset::WideAmbiguous => Self::Braille,
            Charset::Console => Self::HalfBlock,
            Charset::Ascii => Self::Ascii,
        }
    }

    /// The next one that is not missing, wrapping around.
    #[must_use]
    pub fn next(self, missing: &[Self]) -> Self {
        let mut others = (1..Self::ALL.len()).map(|step| Self::ALL[(self as usize + step) % Self::ALL.len()]);
        others.find(|marker| !missing.contains(marker)).unwrap_or(self)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Its name in a message.
    pub fn words(self) -> &'static str {
        match self {
            Self::Braille => "braille",
            Self::Octant => "octants (needs a Unicode 16 font)",
            Self::HalfBlock => "half blocks",
            Self::Ascii => "ASCII",
        }
    }
}

/// The braille character with these dots: the low byte of its code point.
#[inline]
pub fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// The octant character with the dots of a braille character.
#[inline]
pub fn octant(dots: u8) -> char {
    OCTANT_BY_DOTS[dots as usize]
}

/// Octants by braille dots. Braille numbers its dots by column with the last row at the end, octants by row.
const OCTANT_BY_DOTS: [char; 256] = {
    const PART: [usize; 8] = [0, 2, 4, 1, 3, 5, 6, 7];
    let mut table = [' '; 256];
    let mut dots = 0;
    while dots < 256 {
        let (mut parts, mut dot) = (0, 0);
        while dot < 8 {
            parts |= (dots >> dot & 1) << PART[dot];
            dot += 1;
        }
        table[dots] = OCTANTS[parts];
        dots += 1;
    }
    table
};

/// The number of dots in the upper and in the lower half of a cell.
#[inline]
pub fn halves(dots: u8) -> [u32; 2] {
    /// Dots 1, 2, 4 and 5 of a braille character.
    const UPPER: u8 = 0b0001_1011;
    [(dots & UPPER).count_ones(), (dots & !UPPER).count_ones()]
}

/// An ASCII character about as dense as these dots.
#[inline]
pub fn density(dots: u8) -> char {
    ['.', '.', ':', '+', '+', '*', '*', '#', '#'][dots.count_ones() as usize]
}

/// An ASCII arrow along a heading: 0 is right, 64 down.
#[inline]
pub fn arrow(heading: u8) -> char {
    ['>', '\\', 'v', '/', '<', '\\', '^', '/'][direction(heading)]
}

/// An arrow along a heading.
pub fn heading_arrow(heading: u8, ascii: bool) -> char {
    if ascii { arrow(heading) } else { ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'][direction(heading)] }
}

/// An ASCII line along a heading.
#[inline]
pub fn line(heading: u8) -> char {
    ['-', '\\', '|', '/'][direction(heading) % 4]
}

/// The nearest of eight directions.
fn direction(heading: u8) -> usize {
    usize::from(heading.wrapping_add(16)) / 32
}

/// A character that fills `share` of 256 of its cell: ASCII or a block element.
#[inline]
pub fn shade(share: u8, ascii: bool) -> char {
    const ASCII: [char; 9] = ['.', ':', '-', '=', '+', '*', '#', '%', '@'];
    const BLOCKS: [char; 4] = ['░', '▒', '▓', '█'];
    let steps: &[char] = if ascii { &ASCII } else { &BLOCKS };
    steps[usize::from(share) * steps.len() / 256]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The octants that older Unicode blocks already had, by their parts, row by row from bit 0.
    const ELSEWHERE: [(usize, u32); 26] = [
        (0x00, 0x20),
        (0x05, 0x2598),
        (0x0a, 0x259d),
        (0x0f, 0x2580),
        (0x50, 0x2596),
        (0x55, 0x258c),
        (0x5a, 0x259e),
        (0x5f, 0x259b),
        (0xa0, 0x2597),
        (0xa5, 0x259a),
        (0xaa, 0x2590),
        (0xaf, 0x259c),
        (0xf0, 0x2584),
        (0xf5, 0x2599),
        (0xfa, 0x259f),
        (0xff, 0x2588),
        (0x03, 0x1fb82),
        (0x3f, 0x1fb85),
        (0xc0, 0x2582),
        (0xfc, 0x2586),
        (0x14, 0x1fbe6),
        (0x28, 0x1fbe7),
        (0x01, 0x1cea8),
        (0x02, 0x1ceab),
        (0x40, 0x1cea3),
        (0x80, 0x1cea0),
    ];

    #[test]
    fn octants_match_their_unicode_names() {
        // U+1CD00 is BLOCK OCTANT-3, U+1CD01 -23, U+1CD02 -123, … U+1CDE5 -2345678: all without another name, in
        // the order of their parts as bits.
        let mut next = 0x1cd00;
        for parts in 0..256 {
            let expected = ELSEWHERE.iter().find(|(other, _)| *other == parts).map_or_else(
                || {
                    next += 1;
                    next - 1
                },
                |(_, code)| *code,
            );
            // A braille dot for each part.
            let dots = [0_u8, 3, 1, 4, 2, 5, 6, 7].iter().enumerate();
            let dots: u8 = dots.map(|(part, dot)| ((parts >> part & 1) as u8) << dot).sum();
            assert_eq!(octant(dots) as u32, expected, "{parts:#04x}");
        }
        assert_eq!(next, 0x1cde6);
    }

    #[test]
    fn ascii_follows_the_heading() {
        assert_eq!([0, 64, 128, 192, 250, 32, 224].map(arrow), ['>', 'v', '<', '^', '>', '\\', '/']);
        assert_eq!([0, 64, 128, 192].map(line), ['-', '|', '-', '|']);
        assert_eq!([heading_arrow(32, true), heading_arrow(32, false), heading_arrow(192, false)], ['\\', '↘', '↑']);
        assert_eq!([shade(0, true), shade(255, true), shade(255, false)], ['.', '@', '█']);
        assert_eq!(halves(0b1100_0001), [1, 2]);
    }
}
