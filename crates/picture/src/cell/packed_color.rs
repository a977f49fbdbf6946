//! Colors in four bytes.

use ratatui_core::style::Color;

use crate::color::{Rgb, xterm};

/// A color in four bytes, faster to compare than ratatui's: its kind, then its index or channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedColor(pub(super) u32);

impl PackedColor {
    /// The terminal's default color.
    pub const DEFAULT: Self = Self(0);
    const INDEXED: u32 = 1 << 24;
    const RGB: u32 = 2 << 24;

    /// The color if `keep`, or else the default; without a branch, since it would be mispredicted often.
    #[inline]
    pub(super) fn only_if(self, keep: bool) -> Self {
        Self(self.0 & u32::from(keep).wrapping_neg())
    }

    /// A slot in a hash table. Neighboring colors of a gradient get different ones.
    #[inline]
    pub fn slot(self, slots: usize) -> usize {
        (self.0.wrapping_mul(0x9e37_79b1) >> 16) as usize % slots
    }

    /// Red, green and blue, unless only the terminal knows them: users choose the default and the first 16 themselves.
    pub fn rgb(self) -> Option<Rgb> {
        match self.into() {
            Color::Indexed(index @ 16..) => Some(xterm(index)),
            Color::Rgb(red, green, blue) => Some(Rgb::new(red, green, blue)),
            _ => None,
        }
    }

    /// Whether it is an index.
    #[inline]
    pub fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }
}

impl From<PackedColor> for Color {
    #[inline]
    fn from(color: PackedColor) -> Self {
        let [kind, red, green, blue] = color.0.to_be_bytes();
        match kind {
            0 => Self::Reset,
            1 => Self::Indexed(blue),
            _ => Self::Rgb(red, green, blue),
        }
    }
}

impl From<Color> for PackedColor {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::Rgb(red, green, blue) => Self(Self::RGB | u32::from_be_bytes([0, red, green, blue])),
            Color::Indexed(index) => Self(Self::INDEXED | u32::from(index)),
            Color::Reset => Self::DEFAULT,
            named => {
                let index = RATATUI_NAMES.iter().position(|color| *color == named);
                index.map_or(Self::DEFAULT, |index| Self(Self::INDEXED | index as u32))
            }
        }
    }
}

/// ratatui's names of colors 0 to 15, in order.
const RATATUI_NAMES: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];
