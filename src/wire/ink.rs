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

/// What stands in a cell: a character, one of the [`Clusters`], or one of the words below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph(pub(super) u32);

impl Glyph {
    pub(super) const BLANK: Self = Self(' ' as u32);
    /// The right half of a wide character.
    pub(super) const HALF: Self = Self(u32::MAX);
    /// Nobody knows what the terminal shows there.
    pub(super) const UNKNOWN: Self = Self(u32::MAX - 1);
    const CLUSTER: u32 = 1 << 31;
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
            (self.glyph, self.fg) = (Glyph(sign.into()), fg);
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
        char::from_u32(self.glyph.0).filter(|_| !self.is_blank())
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
        if matches!(self.glyph.0, 0x2801..=0x28ff) { tolerance.dots } else { tolerance.rest }
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
            (Some(sign), None) => match u32::from(self.charset.sign(sign)) {
                // Braille, blocks, lines and ASCII are one column wide, everywhere.
                code @ (0x20..0x7f | 0x2500..0x25a0 | 0x2801..0x2900 | 0x1_cd00..0x1_cee0) => (Glyph(code), 1),
                // A braille cell without a dot; and what the terminal would obey is not shown.
                0x2800 | 0..0x20 | 0x7f..0xa0 => (Glyph::BLANK, 1),
                code => (Glyph(code), width(symbol)),
            },
            (None, _) => (Glyph::BLANK, 1),
            _ if symbol.chars().any(char::is_control) => (Glyph::BLANK, 1),
            _ if self.charset == Charset::Unicode => (self.number(symbol), width(symbol)),
            _ => (Glyph('?'.into()), 1),
        }
    }

    fn number(&mut self, symbol: &str) -> Glyph {
        let number = *self.numbers.entry(symbol.to_owned()).or_insert_with(|| {
            self.symbols.push(symbol.to_owned());
            self.symbols.len() as u32 - 1
        });
        Glyph(Glyph::CLUSTER | number)
    }

    /// Writes what stands in a cell.
    #[inline]
    pub(super) fn write(&self, glyph: Glyph, out: &mut Vec<u8>) {
        if glyph.0 & Glyph::CLUSTER != 0 {
            let symbol = self.symbols.get((glyph.0 & !Glyph::CLUSTER) as usize);
            out.extend_from_slice(symbol.map_or(" ", String::as_str).as_bytes());
            return;
        }
        put_char(glyph, out);
    }
}

fn width(symbol: &str) -> u16 {
    symbol.width().clamp(1, 2) as u16
}

/// Writes a character, as UTF-8.
#[inline]
pub(super) fn put_char(glyph: Glyph, out: &mut Vec<u8>) {
    let sign = char::from_u32(glyph.0).unwrap_or(' ');
    // Four bytes at once and back again, whatever its length is: which one comes next nobody foresees.
    let mut bytes = [0; 4];
    let many = sign.encode_utf8(&mut bytes).len();
    out.extend_from_slice(&bytes);
    out.truncate(out.len() - (4 - many));
}

/// How many bytes a cell's symbol takes, of those that are written again to get over them.
#[inline]
pub(super) fn length(glyph: Glyph) -> usize {
    char::from_u32(glyph.0).map_or(usize::MAX, char::len_utf8)
}
