//! The font: a light geometric sans of lines and arcs, read from a table, and the lookup of its letters.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

static FONT: LazyLock<Font> = LazyLock::new(|| include_str!("strokes.txt").parse().expect("the font is valid"));

/// A part of a letter that the pen draws without lifting.
#[derive(Clone, Debug)]
pub(super) enum Stroke {
    /// Straight lines from point to point.
    Line(Vec<[f32; 2]>),
    /// An arc by center, radii, and the two angles in turns: 0 is right, 0.25 down.
    Arc([f32; 2], [f32; 2], [f32; 2]),
    /// A round dot by the middle of its lower edge.
    Dot([f32; 2]),
}

/// A letter, digit or punctuation mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) base: &'static BaseLetter,
    pub(super) accent: Option<&'static Accent>,
}

/// A letter without its accent.
#[derive(Debug)]
pub(super) struct BaseLetter {
    pub(super) width: f32,
    /// The width in dots is a multiple of this, which keeps a letter with a stem in its middle symmetric.
    pub(super) multiple: f32,
    pub(super) strokes: Vec<Stroke>,
}

/// An accent.
#[derive(Debug)]
pub(super) struct Accent {
    pub(super) above: bool,
    pub(super) strokes: Vec<Stroke>,
}

/// The letters by character, the accents by combining mark, and the base and the combining mark of composed letters.
#[derive(Debug, Default)]
struct Font {
    letters: HashMap<char, BaseLetter>,
    accents: HashMap<char, Accent>,
    composed: HashMap<char, (char, char)>,
}

/// The letter of a grapheme; `None` if the font has no strokes for it.
pub(super) fn letter(grapheme: &str) -> Option<Letter> {
    let mut characters = grapheme.chars();
    let first = characters.next()?;
    if let Some(mark) = characters.next() {
        return characters.next().is_none().then(|| accented(first, mark)).flatten();
    }
    plain(first).or_else(|| {
        let (base, mark) = FONT.composed.get(&first)?;
        accented(*base, *mark)
    })
}

fn plain(character: char) -> Option<Letter> {
    Some(Letter { base: FONT.letters.get(&character)?, accent: None })
}

/// A letter with a combining mark.
fn accented(base: char, mark: char) -> Option<Letter> {
    let accent = FONT.accents.get(&mark)?;
    let base = match base {
        'i' if accent.above => 'ı',
        base if base.is_alphabetic() => base,
        _ => return None,
    };
    Some(Letter { accent: Some(accent), ..letter(base.encode_utf8(&mut [0; 4]))? })
}

impl FromStr for Font {
    type Err = String;

    fn from_str(table: &str) -> Result<Self, Self::Err> {
        let mut font = Self::default();
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            font.add(line).ok_or_else(|| format!("`{line}` is no letter or accent"))?;
        }
        Ok(font)
    }
}

impl Font {
    fn add(&mut self, line: &str) -> Option<()> {
        let (names, rest) = line.split_once(' ')?;
        let (measures, strokes) = rest.split_once(" | ")?;
        let strokes: Vec<Stroke> = strokes.split(" | ").map(stroke).collect::<Option<_>>()?;
        let (first, second) = measures.split_once(' ')?;
        if let Some(mark) = names.strip_prefix('◌') {
            let mark = mark.parse().ok()?;
            let letters: Vec<char> = second.chars().collect();
            self.composed.extend(letters.chunks_exact(2).map(|pair| (pair[0], (pair[1], mark))));
            self.accents.insert(mark, Accent { above: first == "above", strokes });
        } else {
            let (width, multiple) = (first.parse().ok()?, second.parse().ok()?);
            let letters = names.chars();
            self.letters.extend(letters.map(|name| (name, BaseLetter { width, multiple, strokes: strokes.clone() })));
        }
        Some(())
    }
}

fn stroke(text: &str) -> Option<Stroke> {
    let (kind, points) = text.split_once(' ')?;
    let points: Vec<[f32; 2]> = points.split(' ').map(point).collect::<Option<_>>()?;
    match (kind, &points[..]) {
        ("line", [_, _, ..]) => Some(Stroke::Line(points)),
        ("arc", &[center, radii, turns]) => Some(Stroke::Arc(center, radii, turns)),
        ("dot", &[at]) => Some(Stroke::Dot(at)),
        _ => None,
    }
}

fn point(text: &str) -> Option<[f32; 2]> {
    let (x, y) = text.split_once(',')?;
    Some([x.parse().ok()?, y.parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_all_printable_ascii_characters_and_accents() {
        assert!(('!'..='~').all(|character| plain(character).is_some()));
        assert_eq!((FONT.letters.len(), FONT.accents.len(), FONT.composed.len()), (121, 14, 167));
        for (composed, (base, mark)) in &FONT.composed {
            let composed = letter(&composed.to_string()).unwrap();
            let spelled = letter(&format!("{base}{mark}")).unwrap();
            assert!(composed.accent.is_some() && std::ptr::eq(composed.base, spelled.base));
        }
    }

    #[test]
    fn a_malformed_line_is_an_error() {
        for line in ["A", "A 1 1", "A 1 1 | line 0,0", "A 1 1 | arc 0,0 1,1", "A 1 1 | dot 0", "A 1 x | dot 0,0"] {
            assert!(line.parse::<Font>().is_err(), "{line}");
        }
    }
}
