//! Glyphs: what a boid shows instead of its body while it forms a text.
//!
//! The simulation stores them with the perches of a session and never reads them.

/// A character with its colors, as a terminal shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// One grapheme: a character with its combining marks.
    pub text: String,
    /// Its width in cells: 1 or 2.
    pub width: u8,
    /// The color of the character.
    pub foreground: GlyphColor,
    /// The color behind it.
    pub background: GlyphColor,
    /// A sum of the constants of this type, such as [`Glyph::BOLD`].
    pub attributes: u8,
}

impl Glyph {
    /// Bold.
    pub const BOLD: u8 = 1;
    /// Dim.
    pub const DIM: u8 = 2;
    /// Italic.
    pub const ITALIC: u8 = 4;
    /// Underlined.
    pub const UNDERLINED: u8 = 8;
    /// Foreground and background exchanged.
    pub const REVERSED: u8 = 16;
}

/// A color of a glyph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlyphColor {
    /// The default color of the terminal.
    #[default]
    Default,
    /// A color of the terminal's palette.
    Indexed(u8),
    /// Red, green and blue.
    Rgb([u8; 3]),
}
