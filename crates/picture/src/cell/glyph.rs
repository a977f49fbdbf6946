//! A character with its colors, as a terminal shows it.

use std::sync::Arc;

use ratatui_core::style::{Color, Modifier};

/// The form of [`Glyph::payload`].
pub const GLYPH_FORMAT: &str = "FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT";

/// Maximum length of the text of a glyph, in bytes.
const MAX_BYTES: usize = 64;

/// The attributes of a glyph, each a bit of their number in a payload.
const ATTRIBUTES: [Modifier; 5] =
    [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];

/// A character with its colors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glyph {
    /// One grapheme: a character with its combining marks.
    pub text: String,
    /// Its width in cells: 1 or 2.
    pub width: u8,
    /// The color of the character: an index, red, green and blue, or the default.
    pub fg: Color,
    /// The color behind it.
    pub bg: Color,
    /// Bold, dim, italic, underlined and reversed.
    pub modifier: Modifier,
}

impl Glyph {
    /// The glyph as text, in the form [`GLYPH_FORMAT`]. A color is `-` for the default, a number from 0 to 255, or `#rrggbb`.
    pub fn payload(&self) -> Arc<str> {
        let Self { text, width, fg, bg, modifier } = self;
        let bits = (0..).zip(ATTRIBUTES).map(|(bit, attribute)| u8::from(modifier.contains(attribute)) << bit);
        format!("{} {} {} {width} {text}", color_text(*fg), color_text(*bg), bits.sum::<u8>()).into()
    }

    /// Reads what [`Glyph::payload`] writes; `None` for other text, also if it contains control characters.
    pub fn parse(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.splitn(5, ' ').collect();
        let [fg, bg, bits, width, text] = fields[..] else { return None };
        let is_printable = !text.is_empty() && text.len() <= MAX_BYTES && !text.contains(char::is_control);
        let bits: u8 = bits.parse().ok()?;
        let attributes = (0..).zip(ATTRIBUTES).filter(|(bit, _)| bits >> bit & 1 == 1);
        Some(Self {
            text: Some(text).filter(|_| is_printable)?.to_owned(),
            width: width.parse().ok().filter(|width| (1..=2).contains(width))?,
            fg: read_color(fg)?,
            bg: read_color(bg)?,
            modifier: attributes.map(|(_, attribute)| attribute).collect(),
        })
    }
}

fn color_text(color: Color) -> String {
    match color {
        Color::Indexed(index) => index.to_string(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => "-".to_owned(),
    }
}

fn read_color(text: &str) -> Option<Color> {
    match text.strip_prefix('#') {
        None if text == "-" => Some(Color::Reset),
        None => text.parse().ok().map(Color::Indexed),
        Some(digits) if digits.len() == 6 => {
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some(Color::Rgb(red, green, blue))
        }
        Some(_) => None,
    }
}
