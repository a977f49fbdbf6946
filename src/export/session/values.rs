//! The values in a session file as text.
//!
//! A perch is `X,Y,Z`, and with a glyph `X,Y,Z FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT`. A color is `-` for the default, a number
//! from 0 to 255, or `#rrggbb`.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::export::Shortest;
use crate::picture::symbol_width;
use crate::sim::{Kind, Param, Plane, Pointer, Row, Shelter, Zone};

/// Maximum length of the text of a glyph, in bytes.
const MAX_GLYPH: usize = 64;
/// The attributes of a glyph, each a bit of their number.
const ATTRIBUTES: [Modifier; 5] =
    [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];

/// A hash as text.
pub(super) fn hash(number: u64) -> String {
    format!("{number:016x}")
}

pub(super) fn read_hash(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("invalid hash `{text}`: expected 16 hexadecimal digits"))
}

pub(super) fn parse<T: std::str::FromStr<Err = crate::sim::Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: crate::sim::Error| error.to_string())
}

pub(super) fn find(key: &str) -> Result<&'static Param, String> {
    Param::find(key).ok_or_else(|| format!("unknown parameter `{key}`"))
}

/// A perch with its glyph in place of a number.
#[derive(Clone, Debug)]
pub(super) struct PerchWithGlyph {
    pub at: [f32; 3],
    pub glyph: Option<Cell>,
}

/// Defines a type that is read and written as text. What is no such text ends the reading at once.
macro_rules! as_text {
    ($(#[$meta:meta])* $type:ident($value:ty), $write:expr, $read:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub(super) struct $type(pub $value);

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(&$write(&self.0))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                $read(&String::deserialize(input)?).map(Self).map_err(D::Error::custom)
            }
        }
    };
}

as_text!(
    /// The key of a parameter.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    ParamKey(&'static str), str::to_owned, |text: &str| find(text).map(|param| param.key)
);
as_text!(ZoneText(Zone), zone_text, |text: &str| read_zone(text));
as_text!(PerchText(PerchWithGlyph), perch_text, |text: &str| read_perch(text));
as_text!(PlaneText(Plane), plane_text, |text: &str| read_plane(text));
as_text!(ShelterText(Shelter), shelter_text, |text: &str| read_shelter(text));
as_text!(RowText(Row), row_text, |text: &str| read_row(text));

/// A zone; if food is partly eaten, with ` of ` and the amount at the start.
pub(super) fn zone_text(zone: &Zone) -> String {
    if zone.amount == zone.initial { zone.to_string() } else { format!("{zone} of {}", zone.initial) }
}

pub(super) fn read_zone(text: &str) -> Result<Zone, String> {
    let Some((zone, initial)) = text.split_once(" of ") else { return parse(text) };
    let invalid = |_| format!("invalid zone `{text}`: expected an amount after `of`");
    Ok(Zone { initial: initial.parse().map_err(invalid)?, ..parse(zone)? })
}

/// `attract` or `repel`, a point, and the direction of the line in 3-D: `attract:1,2,3:0,0,1`.
pub(super) fn pointer_text(pointer: &Pointer) -> String {
    let word = if pointer.attracts { "attract" } else { "repel" };
    format!("{word}:{}:{}", numbers(pointer.at), numbers(pointer.along))
}

pub(super) fn read_pointer(text: &str) -> Result<Pointer, String> {
    let parts = || {
        let (word, place) = text.split_once(':')?;
        let (at, along) = place.split_once(':')?;
        let attracts = [("attract", true), ("repel", false)].into_iter().find(|(known, _)| *known == word)?.1;
        Some(Pointer { at: read_numbers(at)?, along: read_numbers(along)?, attracts })
    };
    parts().ok_or_else(|| format!("invalid pointer `{text}`: expected attract or repel, a point and a direction"))
}

/// The center, the way to the right and the way down: `1,2,3:4,0,0:0,5,0`.
fn plane_text(plane: &Plane) -> String {
    [plane.center, plane.right, plane.down].map(numbers).join(":")
}

fn read_plane(text: &str) -> Result<Plane, String> {
    let vectors: Option<Vec<[f32; 3]>> = text.split(':').map(read_numbers).collect();
    match vectors.as_deref() {
        Some(&[center, right, down]) => Ok(Plane { center, right, down }),
        _ => Err(format!("invalid plane `{text}`: expected a center, a way to the right and a way down")),
    }
}

/// The plane, the way to the eye, and the ticks of calm: `1,2,3:4,0,0:0,5,0:0,0,-9 1800`.
fn shelter_text(shelter: &Shelter) -> String {
    format!("{}:{} {}", plane_text(&shelter.area), numbers(shelter.eye), Shortest(shelter.calm))
}

fn read_shelter(text: &str) -> Result<Shelter, String> {
    let parts = text.split_once(' ').and_then(|(vectors, calm)| Some((vectors.rsplit_once(':')?, calm.parse().ok()?)));
    let shelter = parts
        .and_then(|((area, eye), calm)| Some(Shelter { area: read_plane(area).ok()?, eye: read_numbers(eye)?, calm }));
    shelter.ok_or_else(|| format!("invalid shelter `{text}`: expected a plane, a way to the eye and a number of ticks"))
}

fn row_text(row: &Row) -> String {
    let (kind, mood) = (row.kind.name(), Shortest(row.mood));
    let bank = if row.bank == 0.0 { String::new() } else { format!(",{}", Shortest(row.bank)) };
    format!("{},{kind},{},{},{mood}{bank}", row.id, numbers(row.position), numbers(row.velocity))
}

fn read_row(text: &str) -> Result<Row, String> {
    let row = || {
        let fields: Vec<&str> = text.split(',').collect();
        let [id, kind, x, y, z, vx, vy, vz, mood, ref bank @ ..] = fields[..] else { return None };
        let number = |text: &str| text.parse::<f32>().ok();
        let bank = match bank {
            [] => 0.0,
            [bank] => number(bank)?,
            _ => return None,
        };
        Some(Row {
            id: id.parse().ok()?,
            kind: Kind::from_name(kind)?,
            position: [number(x)?, number(y)?, number(z)?],
            velocity: [number(vx)?, number(vy)?, number(vz)?],
            mood: number(mood)?,
            bank,
        })
    };
    row().ok_or_else(|| format!("invalid agent `{text}`: expected id,kind,x,y,z,vx,vy,vz,mood and optionally bank"))
}

pub(super) fn numbers(numbers: [f32; 3]) -> String {
    let [x, y, z] = numbers.map(Shortest);
    format!("{x},{y},{z}")
}

pub(super) fn read_numbers(text: &str) -> Option<[f32; 3]> {
    let numbers: Vec<f32> = text.split(',').map(|text| text.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn perch_text(perch: &PerchWithGlyph) -> String {
    let at = numbers(perch.at);
    let Some(glyph) = &perch.glyph else { return at };
    let bits = (0..).zip(ATTRIBUTES).map(|(bit, attribute)| u8::from(glyph.modifier.contains(attribute)) << bit);
    let (bits, width) = (bits.sum::<u8>(), symbol_width(glyph.symbol()));
    format!("{at} {} {} {bits} {width} {}", color_text(glyph.fg), color_text(glyph.bg), glyph.symbol())
}

fn read_perch(text: &str) -> Result<PerchWithGlyph, String> {
    let parts = || match text.split_once(' ') {
        None => Some(PerchWithGlyph { at: read_numbers(text)?, glyph: None }),
        Some((at, glyph)) => Some(PerchWithGlyph { at: read_numbers(at)?, glyph: Some(read_glyph(glyph)?) }),
    };
    // A file may contain anything, also what an error must not print.
    parts().ok_or_else(|| {
        let text = text.escape_debug();
        format!("invalid perch `{text:.80}`: expected X,Y,Z, or X,Y,Z FOREGROUND BACKGROUND ATTRIBUTES WIDTH TEXT")
    })
}

fn read_glyph(text: &str) -> Option<Cell> {
    let fields: Vec<&str> = text.splitn(5, ' ').collect();
    let [fg, bg, bits, "1" | "2", symbol] = fields[..] else { return None };
    if symbol.is_empty() || symbol.len() > MAX_GLYPH || symbol.contains(char::is_control) {
        return None;
    }
    let bits: u8 = bits.parse().ok()?;
    let mut glyph = Cell::default();
    glyph.set_symbol(symbol).set_fg(read_color(fg)?).set_bg(read_color(bg)?);
    glyph.modifier =
        (0..).zip(ATTRIBUTES).filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, attribute)| attribute).collect();
    Some(glyph)
}

fn color_text(color: Color) -> String {
    if color == Color::Reset { "-".to_owned() } else { color.to_string().to_ascii_lowercase() }
}

fn read_color(text: &str) -> Option<Color> {
    if text == "-" { Some(Color::Reset) } else { text.parse().ok() }
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
