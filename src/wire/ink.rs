//! One cell of the screen in sixteen bytes, quick to compare.

use std::collections::HashMap;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::{Charset, Tolerance};

/// A colour in four bytes, its kind, and its number or its channels: quicker to compare than ratatui's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tint(u32);

/// What a tint stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shade {
    /// The terminal's own.
    Own,
    /// One of xterm's 256.
    Indexed(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

impl Tint {
    /// The terminal's own.
    pub const OWN: Self = Self(0);
    const INDEXED: u32 = 1 << 24;
    const RGB: u32 = 2 << 24;

    /// A place in a table of `slots`, spread so that neighbours of a ramp do not meet.
    #[inline]
    pub(super) fn slot(self, slots: usize) -> usize {
        (self.0.wrapping_mul(0x9e37_79b1) >> 16) as usize % slots
    }

    #[inline]
    pub(super) fn shade(self) -> Shade {
        let [kind, red, green, blue] = self.0.to_be_bytes();
        match kind {
            0 => Shade::Own,
            1 => Shade::Indexed(blue),
            _ => Shade::Rgb(red, green, blue),
        }
    }
}

impl From<Tint> for Color {
    fn from(tint: Tint) -> Self {
        match tint.shade() {
            Shade::Own => Self::Reset,
            Shade::Indexed(index) => Self::Indexed(index),
            Shade::Rgb(red, green, blue) => Self::Rgb(red, green, blue),
        }
    }
}

impl From<Color> for Tint {
    #[inline]
    fn from(color: Color) -> Self {
        let named = |index: u32| Self(Self::INDEXED | index);
        // First what a flock is painted with.
        if let Color::Rgb(red, green, blue) = color {
            return Self(Self::RGB | u32::from_be_bytes([0, red, green, blue]));
        }
        match color {
            Color::Indexed(index) => named(u32::from(index)),
            Color::Reset | Color::Rgb(..) => Self::OWN,
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

/// What stands in a cell: a character as its bytes in UTF-8, the first one lowest; or one of the [`Clusters`] or of
/// the words below, whose lowest byte no character has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph(u32);

impl Glyph {
    pub(super) const BLANK: Self = Self::of(' ');
    /// The right half of a wide character.
    pub(super) const HALF: Self = Self::other(0xff_ffff);
    /// Nobody knows what the terminal shows there.
    pub(super) const UNKNOWN: Self = Self::other(0xff_fffe);
    const OTHER: u32 = 0xff;

    const fn of(sign: char) -> Self {
        let mut bytes = [0; 4];
        sign.encode_utf8(&mut bytes);
        Self(u32::from_le_bytes(bytes))
    }

    const fn other(number: u32) -> Self {
        Self((number << 8) | Self::OTHER)
    }

    const fn is_other(self) -> bool {
        self.0 & 0xff == Self::OTHER
    }

    /// The character.
    fn sign(self) -> Option<char> {
        let bytes = self.0.to_le_bytes();
        std::str::from_utf8(&bytes[..self.len()]).ok()?.chars().next()
    }

    /// A character's bytes, and zeros.
    const fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// How many bytes a character has.
    const fn len(self) -> usize {
        4 - self.0.leading_zeros() as usize / 8
    }

    /// Whether it is of braille, U+2800 … U+28FF.
    const fn is_braille(self) -> bool {
        self.0 & 0xff00_fcff == 0xa0e2
    }
}

/// What a cell shows: what stands there, and how; without a gap between its fields, so that two are
/// compared at a blow.
#[derive(Clone, Copy, Debug, Eq)]
#[repr(C)]
pub struct Ink {
    pub(super) glyph: Glyph,
    /// What it is written with.
    pub fg: Tint,
    /// What is behind it.
    pub bg: Tint,
    /// How it is written.
    pub modifier: Modifier,
    /// How many columns it takes.
    pub(super) width: u16,
}

/// Without a branch, and eight bytes at a time: a screen has thousands.
impl PartialEq for Ink {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ([what, how], [other_what, other_how]) = (self.halves(), other.halves());
        (what ^ other_what) | (how ^ other_how) == 0
    }
}

impl Ink {
    pub(super) const BLANK: Self =
        Self { glyph: Glyph::BLANK, fg: Tint::OWN, bg: Tint::OWN, modifier: Modifier::empty(), width: 1 };
    pub(super) const UNKNOWN: Self = Self { glyph: Glyph::UNKNOWN, ..Self::BLANK };
    pub(super) const HALF: Self = Self { glyph: Glyph::HALF, ..Self::BLANK };

    #[inline]
    fn halves(&self) -> [u64; 2] {
        let how = u32::from(self.modifier.bits()) | (u32::from(self.width) << 16);
        [u64::from(self.glyph.0) | (u64::from(self.fg.0) << 32), u64::from(self.bg.0) | (u64::from(how) << 32)]
    }

    /// Nothing but what is behind it.
    #[must_use]
    pub fn ground(bg: Tint) -> Self {
        Self { bg, ..Self::BLANK }
    }

    /// Shows this character, which is one column wide, with this colour.
    #[inline]
    pub fn write(&mut self, sign: char, fg: Tint) {
        if matches!(sign, '\0'..=' ' | '\x7f'..'\u{a0}' | '\u{2800}') {
            self.wipe();
        } else {
            (self.glyph, self.fg) = (Glyph::of(sign), fg);
        }
    }

    /// Shows nothing but what is behind it.
    #[inline]
    pub fn wipe(&mut self) {
        *self = Self::ground(self.bg);
    }

    /// The character; none where there is nothing but what is behind it.
    #[must_use]
    pub fn sign(&self) -> Option<char> {
        self.glyph.sign().filter(|_| !self.is_blank())
    }

    #[inline]
    fn normal(mut self) -> Self {
        if self.glyph == Glyph::BLANK {
            self.modifier &= SEEN_ON_BLANKS;
            if self.modifier.is_empty() {
                self.fg = Tint::OWN;
            }
        }
        self
    }

    /// How far its colour may be off: thin dots hide more than letters and blocks do.
    #[inline]
    pub(super) fn leeway(&self, tolerance: Tolerance) -> f32 {
        if self.is_braille() { tolerance.dots } else { tolerance.rest }
    }

    /// Whether it is dots of braille.
    pub(super) fn is_braille(&self) -> bool {
        self.glyph.is_braille()
    }

    /// Whether it is nothing but background.
    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        self.glyph == Glyph::BLANK && self.modifier.is_empty()
    }
}

/// What shows on a blank too.
const SEEN_ON_BLANKS: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// Symbols of more than one character, each with a number of its own.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    /// The characters that the terminal has.
    charset: Charset,
    numbers: HashMap<String, u32>,
    symbols: Vec<String>,
}

impl Clusters {
    pub(super) fn new(charset: Charset) -> Self {
        Self { charset, ..Self::default() }
    }

    /// The ink of ratatui's cell. What nobody sees of a blank is left out.
    #[inline]
    pub(super) fn ink(&mut self, cell: &Cell) -> Ink {
        let (glyph, width) = self.glyph(cell.symbol());
        Ink { glyph, fg: cell.fg.into(), bg: cell.bg.into(), modifier: cell.modifier, width }.normal()
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

    /// Writes what stands in a cell.
    #[inline]
    pub(super) fn write(&self, glyph: Glyph, out: &mut Vec<u8>) {
        if !glyph.is_other() {
            return put(glyph, glyph.len(), out);
        }
        let symbol = self.symbols.get((glyph.0 >> 8) as usize);
        out.extend_from_slice(symbol.map_or(" ", String::as_str).as_bytes());
    }
}

fn width(symbol: &str) -> u16 {
    symbol.width().clamp(1, 2) as u16
}

/// Writes as many bytes of a character: all, or none.
#[inline]
pub(super) fn put(glyph: Glyph, many: usize, out: &mut Vec<u8>) {
    append(glyph.bytes(), many, out);
}

/// Appends so many of these bytes.
#[inline]
pub(super) fn append(bytes: [u8; 4], many: usize, out: &mut Vec<u8>) {
    // All four and back again, however many count: which come next nobody foresees.
    let end = out.len() + many;
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// How many bytes a cell's symbol takes, of those that are written again to get over them.
#[inline]
pub(super) fn length(glyph: Glyph) -> usize {
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
        for other in [Glyph::HALF, Glyph::UNKNOWN, Glyph::other(0), Glyph::other(300)] {
            assert!(other.is_other() && other.sign().is_none() && length(other) == usize::MAX, "{other:?}");
        }
    }
}
