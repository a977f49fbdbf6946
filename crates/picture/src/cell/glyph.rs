//! A character with its colors, as a terminal shows it.

use std::sync::Arc;

/// The form of [`Glyph::payload`].
pub const GLYPH_FORMAT: &str = "FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT";

/// Maximum length of the text of a glyph, in bytes.
const MAX_BYTES: usize = 64;

/// A character with its colors.
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

    /// The glyph as text, in the form [`GLYPH_FORMAT`]. A color is `-` for the default, a number from 0 to 255, or `#rrggbb`.
    pub fn payload(&self) -> Arc<str> {
        let Self { text, width, foreground, background, attributes } = self;
        format!("{} {} {attributes} {width} {text}", color_text(*foreground), color_text(*background)).into()
    }

    /// Reads what [`Glyph::payload`] writes; `None` for other text, also if it contains control characters.
    pub fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.splitn(5, ' ').collect();
        let [foreground, background, attributes, width, text] = fields[..] else { return None };
        let is_printable = !text.is_empty() && text.len() <= MAX_BYTES && !text.contains(char::is_control);
        Some(Self {
            text: Some(text).filter(|_| is_printable)?.to_owned(),
            width: width.parse().ok().filter(|width| (1..=2).contains(width))?,
            foreground: read_color(foreground)?,
            background: read_color(background)?,
            attributes: attributes.parse().ok()?,
        })
    }
}

fn color_text(color: GlyphColor) -> String {
    match color {
        GlyphColor::Default => "-".to_owned(),
        GlyphColor::Indexed(index) => index.to_string(),
        GlyphColor::Rgb([red, green, blue]) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

fn read_color(text: &str) -> Option<GlyphColor> {
    match text.strip_prefix('#') {
        None if text == "-" => Some(GlyphColor::Default),
        None => text.parse().ok().map(GlyphColor::Indexed),
        Some(digits) if digits.len() == 6 => {
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some(GlyphColor::Rgb([red, green, blue]))
        }
        Some(_) => None,
    }
}
