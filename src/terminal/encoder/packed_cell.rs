//! One cell of the screen in sixteen bytes, quick to compare.

use std::collections::HashMap;
use std::fmt;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::Tolerance;
use crate::terminal::Charset;

/// A color in four bytes, its kind, and its number or its channels: quicker to compare than ratatui's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedColor(u32);

/// What a color stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorKind {
    /// The terminal's own.
    Own,
    /// One of xterm's 256.
    Indexed(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

impl PackedColor {
    /// The terminal's own.
    pub const DEFAULT: Self = Self(0);
    const INDEXED: u32 = 1 << 24;
    const RGB: u32 = 2 << 24;

    /// Itself, or else the terminal's own: without a branch, since nobody foresees which.
    #[inline]
    pub(crate) fn only_if(self, kept: bool) -> Self {
        Self(self.0 & u32::from(kept).wrapping_neg())
    }

    /// A place in a table of `slots`, spread so that neighbors of a ramp do not meet.
    #[inline]
    pub(crate) fn slot(self, slots: usize) -> usize {
        (self.0.wrapping_mul(0x9e37_79b1) >> 16) as usize % slots
    }

    /// Whether it is one of xterm's 256.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }

    #[inline]
    pub(crate) fn shade(self) -> ColorKind {
        let [kind, red, green, blue] = self.0.to_be_bytes();
        match kind {
            0 => ColorKind::Own,
            1 => ColorKind::Indexed(blue),
            _ => ColorKind::Rgb(red, green, blue),
        }
    }
}

impl From<PackedColor> for Color {
    fn from(color: PackedColor) -> Self {
        match color.shade() {
            ColorKind::Own => Self::Reset,
            ColorKind::Indexed(index) => Self::Indexed(index),
            ColorKind::Rgb(red, green, blue) => Self::Rgb(red, green, blue),
        }
    }
}

impl From<Color> for PackedColor {
    #[inline]
    fn from(color: Color) -> Self {
        let named = |index: u32| Self(Self::INDEXED | index);
        // First what a flock is painted with.
        if let Color::Rgb(red, green, blue) = color {
            return Self(Self::RGB | u32::from_be_bytes([0, red, green, blue]));
        }
        match color {
            Color::Indexed(index) => named(u32::from(index)),
            Color::Reset | Color::Rgb(..) => Self::DEFAULT,
            Color::Black => named(0),
            Color::Red => named(1),
            Color::Green => named(2),
            Color::Yellow => named(3),
            Color::Blue => named(4),
            Color::Magenta => named(5),
            Color::Cyan => named(6),
            Color::Gray => named(7),
            Color::DarkGray => named(8),
            Color::LightRed => named(9),
            Color::LightGreen => named(10),
            Color::LightYellow => named(11),
            Color::LightBlue => named(12),
            Color::LightMagenta => named(13),
            Color::LightCyan => named(14),
            Color::White => named(15),
        }
    }
}

/// What stands in a cell: a character as its bytes in UTF-8, the first one lowest; or one of the [`GraphemeTable`] or of
/// the words below, whose lowest byte no character has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glyph(u32);

impl Glyph {
    pub(crate) const BLANK: Self = Self::of(' ');
    /// The right half of a wide character.
    pub(crate) const HALF: Self = Self::other(0xff_ffff);
    /// A blank that is seen: underlined, or in reverse.
    const SEEN: Self = Self::other(0xff_fffd);
    /// Nobody knows what the terminal shows there.
    pub(crate) const UNKNOWN: Self = Self::other(0xff_fffe);
    const OTHER: u32 = 0xff;

    const fn of(sign: char) -> Self {
        let mut bytes = [0; 4];
        sign.encode_utf8(&mut bytes);
        Self(u32::from_le_bytes(bytes))
    }

    /// U+2800 and these bits.
    const fn braille(dots: u8) -> Self {
        // Six bits in the last byte, two in the one before.
        Self(0x80_a0e2 | ((dots as u32 & 0x3f) << 16) | ((dots as u32 >> 6) << 8))
    }

    const fn other(number: u32) -> Self {
        Self((number << 8) | Self::OTHER)
    }

    pub(crate) const fn is_other(self) -> bool {
        self.0 & 0xff == Self::OTHER
    }

    /// The character.
    fn sign(self) -> Option<char> {
        let bytes = self.0.to_le_bytes();
        std::str::from_utf8(&bytes[..self.len()]).ok()?.chars().next()
    }

    /// A character's bytes, and zeros.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        self.0.into()
    }

    /// A character's bytes, and zeros.
    #[inline]
    pub(crate) const fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// CellAttrs many bytes a character has.
    pub(crate) const fn len(self) -> usize {
        1 + (self.0 | 1).ilog2() as usize / 8
    }

    /// Whether it is of braille, U+2800 … U+28FF.
    const fn is_braille(self) -> bool {
        self.0 & 0xff00_fcff == 0xa0e2
    }
}

/// What a cell shows: what stands there, and how; in two words, so that two are compared at a blow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PackedCell {
    /// What stands there in the lower half, and its color in the upper one.
    what: u64,
    how: CellAttrs,
}

/// CellAttrs a cell is written, but for the color of what stands there: what is behind it in the lower half of the word,
/// then its modifier, and how many columns it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellAttrs(u64);

impl CellAttrs {
    /// Where a half begins, and the modifier; where the number of columns does.
    const HALF: u32 = 32;
    const WIDTH: u32 = 48;

    pub(crate) const fn new(bg: PackedColor, modifier: Modifier, width: u16) -> Self {
        Self(bg.0 as u64 | ((modifier.bits() as u64) << Self::HALF) | ((width as u64) << Self::WIDTH))
    }
}

impl PackedCell {
    pub(crate) const BLANK: Self =
        Self::new(Glyph::BLANK, PackedColor::DEFAULT, CellAttrs::new(PackedColor::DEFAULT, Modifier::empty(), 1));
    pub(crate) const UNKNOWN: Self = Self::new(Glyph::UNKNOWN, PackedColor::DEFAULT, Self::BLANK.how);
    pub(crate) const HALF: Self = Self::new(Glyph::HALF, PackedColor::DEFAULT, Self::BLANK.how);

    pub(crate) const fn new(glyph: Glyph, fg: PackedColor, how: CellAttrs) -> Self {
        Self { what: glyph.0 as u64 | ((fg.0 as u64) << CellAttrs::HALF), how }
    }

    /// Nothing but what is behind it.
    #[must_use]
    pub fn ground(bg: PackedColor) -> Self {
        Self { how: CellAttrs::new(bg, Modifier::empty(), 1), ..Self::BLANK }
    }

    /// What stands there.
    #[inline]
    pub(crate) fn glyph(self) -> Glyph {
        Glyph(self.what as u32)
    }

    /// What it is written with.
    #[must_use]
    #[inline]
    pub fn fg(self) -> PackedColor {
        PackedColor((self.what >> CellAttrs::HALF) as u32)
    }

    /// What is behind it.
    #[must_use]
    #[inline]
    pub fn bg(self) -> PackedColor {
        PackedColor(self.how.0 as u32)
    }

    /// CellAttrs it is written.
    #[must_use]
    #[inline]
    pub fn modifier(self) -> Modifier {
        Modifier::from_bits_retain((self.how.0 >> CellAttrs::HALF) as u16)
    }

    /// CellAttrs many columns it takes.
    #[inline]
    pub(crate) fn width(self) -> usize {
        (self.how.0 >> CellAttrs::WIDTH) as usize
    }

    /// CellAttrs it is written, but for its own color.
    #[inline]
    pub(crate) const fn how(self) -> CellAttrs {
        self.how
    }

    /// Writes what stands there with another color; where nothing does, nothing has one.
    #[inline]
    pub fn set_fg(&mut self, fg: PackedColor) {
        // Nobody foresees where nothing does, so it takes no branch to tell.
        *self = Self::new(self.glyph(), fg.only_if(!self.is_blank()), self.how);
    }

    /// Puts another color behind it.
    #[inline]
    pub fn set_bg(&mut self, bg: PackedColor) {
        self.how = CellAttrs(self.how.0 >> CellAttrs::HALF << CellAttrs::HALF | u64::from(bg.0));
    }

    /// Shows this character, which is one column wide, with this color and in this way.
    #[inline]
    pub fn write(&mut self, sign: char, fg: PackedColor, modifier: Modifier) {
        *self = if matches!(sign, '\0'..=' ' | '\x7f'..'\u{a0}' | '\u{2800}') {
            Self::ground(self.bg())
        } else {
            Self::new(Glyph::of(sign), fg, CellAttrs::new(self.bg(), modifier, 1))
        };
    }

    /// Shows dots of braille, as bits of the block's low byte; nothing where there are none.
    #[inline]
    pub fn dot(&mut self, dots: u8, fg: PackedColor, modifier: Modifier) {
        *self = if dots == 0 {
            Self::ground(self.bg())
        } else {
            Self::new(Glyph::braille(dots), fg, CellAttrs::new(self.bg(), modifier, 1))
        };
    }

    /// Shows nothing but what is behind it.
    #[inline]
    pub fn wipe(&mut self) {
        *self = Self::ground(self.bg());
    }

    /// The character; none where there is nothing but what is behind it, and lines, or no single character.
    #[must_use]
    pub fn sign(self) -> Option<char> {
        self.glyph().sign().filter(|_| !self.is_blank())
    }

    #[inline]
    fn normal(self) -> Self {
        if self.glyph() != Glyph::BLANK {
            return self;
        }
        let seen = self.modifier() & SEEN_ON_BLANKS;
        if seen.is_empty() {
            Self::ground(self.bg())
        } else {
            Self::new(Glyph::SEEN, self.fg(), CellAttrs::new(self.bg(), seen, 1))
        }
    }

    /// CellAttrs far its color may be off: thin dots hide more than letters and blocks do.
    #[inline]
    pub(crate) fn leeway(self, tolerance: Tolerance) -> f32 {
        if self.is_braille() { tolerance.dots } else { tolerance.rest }
    }

    /// Whether it is dots of braille.
    pub(crate) fn is_braille(self) -> bool {
        self.glyph().is_braille()
    }

    /// Whether it is nothing but background.
    #[inline]
    pub(crate) fn is_blank(self) -> bool {
        self.what == Self::BLANK.what
    }
}

impl fmt::Debug for PackedCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ink = f.debug_struct("PackedCell");
        ink.field("sign", &self.sign()).field("fg", &self.fg()).field("bg", &self.bg());
        ink.field("modifier", &self.modifier()).field("width", &self.width()).finish()
    }
}

/// What shows on a blank too.
const SEEN_ON_BLANKS: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// Symbols of more than one character, each with a number of its own.
#[derive(Debug, Default)]
pub(crate) struct GraphemeTable {
    /// The characters that the terminal has.
    charset: Charset,
    numbers: HashMap<String, u32>,
    symbols: Vec<String>,
}

impl GraphemeTable {
    pub(crate) fn new(charset: Charset) -> Self {
        Self { charset, ..Self::default() }
    }

    /// The ink of ratatui's cell. What nobody sees of a blank is left out.
    #[inline]
    pub(crate) fn ink(&mut self, cell: &Cell) -> PackedCell {
        let (glyph, width) = self.glyph(cell.symbol());
        PackedCell::new(glyph, cell.fg.into(), CellAttrs::new(cell.bg.into(), cell.modifier, width)).normal()
    }

    #[inline]
    fn glyph(&mut self, symbol: &str) -> (Glyph, u16) {
        let mut signs = symbol.chars();
        match (signs.next(), signs.next()) {
            (Some(sign), None) => match self.charset.sign(sign) {
                // Braille, blocks, lines and ASCII are one column wide, everywhere.
                sign @ (' '..='~' | '\u{2500}'..='\u{259f}' | '\u{2801}'..='\u{28ff}' | '\u{1cd00}'..='\u{1cedf}') => {
                    (Glyph::of(sign), 1)
                }
                // A braille cell without a dot; and what the terminal would obey is not shown.
                '\u{2800}' | '\0'..='\x1f' | '\x7f'..='\u{9f}' => (Glyph::BLANK, 1),
                sign => (Glyph::of(sign), width(symbol)),
            },
            (None, _) => (Glyph::BLANK, 1),
            _ if symbol.chars().any(char::is_control) => (Glyph::BLANK, 1),
            _ if self.charset == Charset::Unicode => (self.number(symbol), width(symbol)),
            _ => (Glyph::of('?'), 1),
        }
    }

    fn number(&mut self, symbol: &str) -> Glyph {
        let number = *self.numbers.entry(symbol.to_owned()).or_insert_with(|| {
            self.symbols.push(symbol.to_owned());
            self.symbols.len() as u32 - 1
        });
        Glyph::other(number)
    }

    /// The symbol of a glyph that is no single character.
    #[cold]
    pub(crate) fn symbol(&self, glyph: Glyph) -> &str {
        self.symbols.get((glyph.0 >> 8) as usize).map_or(" ", String::as_str)
    }
}

fn width(symbol: &str) -> u16 {
    symbol.width().clamp(1, 2) as u16
}

/// CellAttrs many bytes a cell's symbol takes, of those that are written again to get over them.
#[inline]
pub(crate) fn length(glyph: Glyph) -> usize {
    if glyph.is_other() { usize::MAX } else { glyph.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_kept_whole() {
        for sign in ('\u{1}'..=char::MAX).step_by(7).chain('\u{2700}'..'\u{2a00}') {
            let glyph = Glyph::of(sign);
            assert_eq!((glyph.len(), glyph.sign()), (sign.len_utf8(), Some(sign)), "{sign:?}");
            assert_eq!(glyph.is_braille(), matches!(sign, '\u{2800}'..='\u{28ff}'), "{sign:?}");
            assert!(!glyph.is_other(), "{sign:?}");
        }
        for dots in 0..=255 {
            assert_eq!(Some(Glyph::braille(dots)), char::from_u32(0x2800 + u32::from(dots)).map(Glyph::of));
        }
        for other in [Glyph::HALF, Glyph::SEEN, Glyph::UNKNOWN, Glyph::other(0), Glyph::other(300)] {
            assert!(other.is_other() && other.sign().is_none() && length(other) == usize::MAX, "{other:?}");
        }
    }
}
