//! What dots are made of.

use ratatui::symbols::pixel::OCTANTS;

use crate::terminal::Charset;

/// The characters that the flock is drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// Braille: two dots by four in a cell.
    #[default]
    Braille,
    /// Octants of Unicode 16: the same, without gaps; few fonts have them.
    Octant,
    /// Half blocks, lighter where more dots are set.
    HalfBlock,
    /// What every terminal has.
    Ascii,
}

impl Marker {
    /// Every marker.
    pub const ALL: [Self; 4] = [Self::Braille, Self::Octant, Self::HalfBlock, Self::Ascii];

    /// What a terminal with these characters is given, unless somebody chooses.
    #[must_use]
    pub fn of(charset: Charset) -> Self {
        match charset {
            Charset::Unicode => Self::Braille,
            Charset::Console => Self::HalfBlock,
            Charset::Ascii => Self::Ascii,
        }
    }

    /// The next one, around.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The word for it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Braille => "braille",
            Self::Octant => "octant",
            Self::HalfBlock => "halfblock",
            Self::Ascii => "ascii",
        }
    }

    /// The words for it in a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Braille => "braille",
            Self::Octant => "octants, where the font has them",
            Self::HalfBlock => "half blocks",
            Self::Ascii => "plain characters",
        }
    }
}

/// The braille character with these dots.
#[inline]
pub(crate) fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// The octant character with the dots of a braille character.
#[inline]
pub(crate) fn octant(dots: u8) -> char {
    OCTANT_BY_DOTS[dots as usize]
}

/// Octants by braille's dots, which go down two columns and then along the last row; Unicode numbers an
/// octant's parts row by row.
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

/// How many dots are set in the upper and in the lower half of a cell.
#[inline]
pub(crate) fn halves(dots: u8) -> [u32; 2] {
    /// Dots 1, 2, 4 and 5 of a braille character.
    const UPPER: u8 = 0b0001_1011;
    [(dots & UPPER).count_ones(), (dots & !UPPER).count_ones()]
}

/// A plain character for so many dots.
#[inline]
pub(crate) fn grain(dots: u8) -> char {
    ['.', '.', ':', '+', '+', '*', '*', '#', '#'][dots.count_ones() as usize]
}

/// A plain character that points along a heading, 0 to the right and 64 down.
#[inline]
pub(crate) fn arrow(heading: u8) -> char {
    ['>', '\\', 'v', '/', '<', '\\', '^', '/'][eighth(heading)]
}

/// A plain stroke along a heading.
#[inline]
pub(crate) fn stroke(heading: u8) -> char {
    ['-', '\\', '|', '/'][eighth(heading) % 4]
}

fn eighth(heading: u8) -> usize {
    usize::from(heading.wrapping_add(16)) / 32
}

/// A character that fills a share of its cell, of 256, in few steps: plain, or of the block elements.
#[inline]
pub(crate) fn shade(share: u8, plain: bool) -> char {
    const PLAIN: [char; 9] = ['.', ':', '-', '=', '+', '*', '#', '%', '@'];
    const BLOCKS: [char; 4] = ['░', '▒', '▓', '█'];
    let steps: &[char] = if plain { &PLAIN } else { &BLOCKS };
    steps[usize::from(share) * steps.len() / 256]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The octants that Unicode had under other names before, by their parts, row by row from bit 0:
    /// quadrants and halves, quarters above, below and at a side, and the quarters of a half.
    const OTHERS: [(usize, u32); 26] = [
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
    fn octants_are_numbered_as_unicode_names_them() {
        // U+1CD00 is BLOCK OCTANT-3, U+1CD01 -23, U+1CD02 -123, U+1CD03 -4, … U+1CDE5 -2345678: all that
        // have no other name, in the order of their parts read as bits.
        let mut next = 0x1cd00;
        for parts in 0..256 {
            let expected = OTHERS.iter().find(|(other, _)| *other == parts).map_or_else(
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
    fn plain_characters_point_where_boids_fly() {
        assert_eq!([0, 64, 128, 192, 250, 32, 224].map(arrow), ['>', 'v', '<', '^', '>', '\\', '/']);
        assert_eq!([0, 64, 128, 192].map(stroke), ['-', '|', '-', '|']);
        assert_eq!([shade(0, true), shade(255, true), shade(255, false)], ['.', '@', '█']);
        assert_eq!(halves(0b1100_0001), [1, 2]);
    }
}
