//! Perches as text: `X,Y,Z`, and for a glyph `X,Y,Z FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT`.
//!
//! A color is `-` for the default, a number from 0 to 255, or `#rrggbb`.

use super::text::{numbers, read_numbers};
use crate::sim::{Glyph, GlyphColor, Perch};

/// Maximum length of the text of a glyph, in bytes.
const MAX_GLYPH_BYTES: usize = 64;

pub(super) fn perch_text(perch: &Perch) -> String {
    let at = numbers(perch.at);
    let Some(glyph) = &perch.glyph else { return at };
    let Glyph { text, width, foreground, background, attributes } = glyph;
    format!("{at} {} {} {attributes} {width} {text}", color_text(*foreground), color_text(*background))
}

pub(super) fn read_perch(text: &str) -> Result<Perch, String> {
    let parts = || {
        let (at, glyph) = text.split_once(' ').map_or((text, None), |(at, glyph)| (at, Some(glyph)));
        let glyph = match glyph {
            Some(glyph) => Some(read_glyph(glyph)?),
            None => None,
        };
        Some(Perch { at: read_numbers(at)?, glyph })
    };
    // A file may contain anything, also what an error must not print.
    parts().ok_or_else(|| {
        let text = text.escape_debug();
        format!("invalid perch `{text:.80}`: expected X,Y,Z, or X,Y,Z FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT")
    })
}

fn read_glyph(text: &str) -> Option<Glyph> {
    let fields: Vec<&str> = text.splitn(5, ' ').collect();
    let [foreground, background, attributes, width, text] = fields[..] else { return None };
    let is_printable = !text.is_empty() && text.len() <= MAX_GLYPH_BYTES && !text.contains(char::is_control);
    Some(Glyph {
        text: Some(text).filter(|_| is_printable)?.to_owned(),
        width: width.parse().ok().filter(|width| (1..=2).contains(width))?,
        foreground: read_color(foreground)?,
        background: read_color(background)?,
        attributes: attributes.parse().ok()?,
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_with_control_characters_are_refused() {
        for text in ["1,2,0 - - 0 1 \u{1b}]52;c;x", "1,2,0 - - 0 1 \u{9b}", "1,2,0 - - 0 1 ", "1,2,0 - - 0 3 a", "1,2"]
        {
            let error = read_perch(text).unwrap_err();
            assert!(error.starts_with("invalid perch `1,2") && !error.contains(char::is_control), "{error}");
        }
        assert!(read_perch("1,2,0 #12345 - 0 1 a").is_err() && read_perch("1,2,0 256 - 0 1 a").is_err());
    }
}
