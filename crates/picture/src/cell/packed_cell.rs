//! A cell of the screen in sixteen bytes, fast to compare.

use ratatui_core::style::Modifier;

use super::PackedColor;

/// Modifiers that are visible on a blank.
const VISIBLE_ON_BLANKS: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// A character as its UTF-8 bytes, the first one lowest; or one of the other values, marked by a lowest byte that no character
/// has: numbers, which the owner of the cells gives to longer symbols, and
/// the constants below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedGlyph(u32);

impl PackedGlyph {
    /// No character.
    pub const BLANK: Self = Self::of(' ');
    /// The right half of a wide character.
    pub const RIGHT_HALF: Self = Self::special(0xff_ffff);
    /// What the terminal shows is unknown.
    pub const UNKNOWN: Self = Self::special(0xff_fffe);
    /// A blank with a visible modifier.
    const VISIBLE_BLANK: Self = Self::special(0xff_fffd);
    const SPECIAL: u32 = 0xff;

    /// A character.
    pub const fn of(char: char) -> Self {
        let mut bytes = [0; 4];
        char.encode_utf8(&mut bytes);
        Self(u32::from_le_bytes(bytes))
    }

    /// U+2800 with these bits.
    const fn braille(dots: u8) -> Self {
        // Six bits are in the last byte, two in the one before.
        Self(0x80_a0e2 | ((dots as u32 & 0x3f) << 16) | ((dots as u32 >> 6) << 8))
    }

    /// A symbol with this number.
    pub const fn special(number: u32) -> Self {
        Self((number << 8) | Self::SPECIAL)
    }

    /// Whether it is no single character.
    #[inline]
    pub const fn is_special(self) -> bool {
        self.0 & 0xff == Self::SPECIAL
    }

    /// The number of a symbol.
    pub const fn number(self) -> u32 {
        self.0 >> 8
    }

    fn char(self) -> Option<char> {
        std::str::from_utf8(&self.0.to_le_bytes()[..self.bytes()]).ok()?.chars().next()
    }

    /// The character's bytes, padded with zeros.
    #[inline]
    pub fn word(self) -> u64 {
        self.0.into()
    }

    /// Number of bytes of the character.
    #[inline]
    pub const fn bytes(self) -> usize {
        1 + (self.0 | 1).ilog2() as usize / 8
    }

    /// Bytes to write the glyph again; `usize::MAX` if it is no single character.
    #[inline]
    pub fn rewrite_cost(self) -> usize {
        if self.is_special() { usize::MAX } else { self.bytes() }
    }

    /// Whether it is in U+2800 to U+28FF.
    const fn is_braille(self) -> bool {
        self.0 & 0xff00_fcff == 0xa0e2
    }
}

/// A cell: glyph and colors in two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCell {
    /// The glyph in the lower half, its color in the upper one.
    glyph_and_fg: u64,
    /// Everything else.
    pub attrs: CellAttrs,
}

/// Background, modifiers and width: the background in the lower half of the word, then modifiers, then the number of columns beyond the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellAttrs(u64);

impl CellAttrs {
    const MODIFIER_SHIFT: u32 = 32;
    const WIDTH_SHIFT: u32 = 48;

    /// Attributes of a cell that is this many columns wide.
    #[inline]
    pub const fn new(bg: PackedColor, modifier: Modifier, width: u16) -> Self {
        let modifier = (modifier.bits() as u64) << Self::MODIFIER_SHIFT;
        Self(bg.0 as u64 | modifier | ((width as u64 - 1) << Self::WIDTH_SHIFT))
    }

    /// The background.
    #[inline]
    pub fn bg(self) -> PackedColor {
        PackedColor(self.0 as u32)
    }

    /// Bold, underlined, and so on.
    #[inline]
    pub fn modifier(self) -> Modifier {
        Modifier::from_bits_retain((self.0 >> Self::MODIFIER_SHIFT) as u16)
    }
}

impl PackedCell {
    /// An empty cell with the default background.
    pub const BLANK: Self = Self::special(PackedGlyph::BLANK);
    /// A cell of which it is unknown what the terminal shows.
    pub const UNKNOWN: Self = Self::special(PackedGlyph::UNKNOWN);
    /// The right half of a wide character.
    pub const RIGHT_HALF: Self = Self::special(PackedGlyph::RIGHT_HALF);
    const FG_SHIFT: u32 = 32;

    const fn special(glyph: PackedGlyph) -> Self {
        Self::new(glyph, PackedColor::DEFAULT, CellAttrs::new(PackedColor::DEFAULT, Modifier::empty(), 1))
    }

    /// A cell with this glyph.
    #[inline]
    pub const fn new(glyph: PackedGlyph, fg: PackedColor, attrs: CellAttrs) -> Self {
        Self { glyph_and_fg: glyph.0 as u64 | ((fg.0 as u64) << Self::FG_SHIFT), attrs }
    }

    /// An empty cell with this background.
    #[inline]
    pub fn blank(bg: PackedColor) -> Self {
        Self { attrs: CellAttrs::new(bg, Modifier::empty(), 1), ..Self::BLANK }
    }

    /// The glyph.
    #[inline]
    pub fn glyph(self) -> PackedGlyph {
        PackedGlyph(self.glyph_and_fg as u32)
    }

    /// Foreground color.
    #[inline]
    pub fn fg(self) -> PackedColor {
        PackedColor((self.glyph_and_fg >> Self::FG_SHIFT) as u32)
    }

    /// Background color.
    #[inline]
    pub fn bg(self) -> PackedColor {
        self.attrs.bg()
    }

    /// Bold, underlined, and so on.
    #[inline]
    pub fn modifier(self) -> Modifier {
        self.attrs.modifier()
    }

    /// Width in columns.
    #[inline]
    pub fn width(self) -> usize {
        1 + (self.attrs.0 >> CellAttrs::WIDTH_SHIFT) as usize
    }

    /// Changes the foreground. A blank has none.
    #[inline]
    pub fn set_fg(&mut self, fg: PackedColor) {
        *self = Self::new(self.glyph(), fg.only_if(!self.is_blank()), self.attrs);
    }

    /// Changes the background.
    #[inline]
    pub fn set_bg(&mut self, bg: PackedColor) {
        self.attrs = CellAttrs(self.attrs.0 >> 32 << 32 | u64::from(bg.0));
    }

    /// Shows a character that is one column wide. Keeps the background.
    #[inline]
    pub fn set_char(&mut self, char: char, fg: PackedColor, modifier: Modifier) {
        if matches!(char, '\0'..=' ' | '\x7f'..'\u{a0}' | '\u{2800}') {
            self.clear();
        } else {
            *self = Self::new(PackedGlyph::of(char), fg, CellAttrs::new(self.bg(), modifier, 1));
        }
    }

    /// Shows braille dots, given as the low byte of the character. Keeps the background.
    #[inline]
    pub fn set_braille(&mut self, dots: u8, fg: PackedColor, modifier: Modifier) {
        if dots == 0 {
            self.clear();
        } else {
            *self = Self::new(PackedGlyph::braille(dots), fg, CellAttrs::new(self.bg(), modifier, 1));
        }
    }

    /// Shows only the background.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::blank(self.bg());
    }

    /// The character, unless the cell is blank or holds several.
    pub fn char(self) -> Option<char> {
        self.glyph().char().filter(|_| !self.is_blank())
    }

    /// Whether it shows braille dots.
    #[inline]
    pub fn is_braille(self) -> bool {
        self.glyph().is_braille()
    }

    /// Whether the cell shows only its background.
    #[inline]
    pub fn is_blank(self) -> bool {
        self.glyph_and_fg == Self::BLANK.glyph_and_fg
    }

    /// Removes attributes that are invisible on a blank.
    #[inline]
    #[must_use]
    pub fn normalize(self) -> Self {
        if self.glyph() != PackedGlyph::BLANK {
            return self;
        }
        let visible = self.modifier() & VISIBLE_ON_BLANKS;
        if visible.is_empty() {
            Self::blank(self.bg())
        } else {
            Self::new(PackedGlyph::VISIBLE_BLANK, self.fg(), CellAttrs::new(self.bg(), visible, 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_hold_every_character() {
        for char in ('\u{1}'..=char::MAX).step_by(7).chain('\u{2700}'..'\u{2a00}') {
            let glyph = PackedGlyph::of(char);
            assert_eq!((glyph.bytes(), glyph.char()), (char.len_utf8(), Some(char)), "{char:?}");
            assert_eq!(glyph.is_braille(), matches!(char, '\u{2800}'..='\u{28ff}'), "{char:?}");
            assert!(!glyph.is_special(), "{char:?}");
        }
        for dots in 0..=255 {
            assert_eq!(Some(PackedGlyph::braille(dots)), char::from_u32(0x2800 + u32::from(dots)).map(PackedGlyph::of));
        }
        for glyph in [
            PackedGlyph::RIGHT_HALF,
            PackedGlyph::VISIBLE_BLANK,
            PackedGlyph::UNKNOWN,
            PackedGlyph::special(0),
            PackedGlyph::special(300),
        ] {
            assert!(glyph.is_special() && glyph.char().is_none() && glyph.rewrite_cost() == usize::MAX, "{glyph:?}");
        }
    }
}
