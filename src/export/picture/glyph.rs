//! Symbols drawn as shapes instead of text: braille, block elements and box drawing.

use std::f32::consts::FRAC_PI_2;

use ratatui::symbols::pixel::{OCTANTS, QUADRANTS, SEXTANTS};

/// Width of a cell, in pixels.
pub const CELL_WIDTH: f32 = 10.0;
/// Height of a cell, in pixels.
pub const CELL_HEIGHT: f32 = 20.0;
/// The baseline of text, in pixels below the upper edge of the cell.
pub const BASELINE: f32 = 16.0;

/// Radius of a braille dot, which covers 20 % of its 5 by 5 pixels. With `DejaVu` Sans Mono in foot, xterm, kitty and alacritty at 9 to
/// 11 points a dot covers 7 to 25 %.
const DOT: f32 = 1.26;
/// Radius of a bold braille dot.
const BOLD_DOT: f32 = 1.5;
/// Half the thickness of light lines.
const LIGHT: f32 = 1.0;
/// Half the thickness of heavy lines.
const HEAVY: f32 = 2.0;
/// Number of chords that approximate a quarter of a circle.
const CHORDS: usize = 8;

/// A part of a symbol, in pixels from the upper left corner of the cell.
#[derive(Clone, Debug, PartialEq)]
pub enum GlyphShape {
    /// A disc: its center and radius.
    Disc([f32; 2], f32),
    /// A rectangle: left, top, right and bottom.
    Box([f32; 4]),
    /// The corners of a polygon, in order.
    Polygon(Vec<[f32; 2]>),
    /// The whole cell at this opacity.
    Shade(f32),
}

/// The shapes of a symbol; `None` if it is text.
pub(crate) fn shapes(symbol: &str, bold: bool) -> Option<Vec<GlyphShape>> {
    let mut chars = symbol.chars();
    let (Some(char), None) = (chars.next(), chars.next()) else { return None };
    match char {
        ' ' | '\u{a0}' => Some(Vec::new()),
        '\u{2800}'..='\u{28ff}' => Some(braille((char as u32 - 0x2800) as u8, if bold { BOLD_DOT } else { DOT })),
        '\u{2500}'..='\u{257f}' => lines(char),
        _ => block(char).or_else(|| pixels(char)),
    }
}

/// Braille: dots 1 to 6 run down two columns, dots 7 and 8 are below them.
fn braille(dots: u8, radius: f32) -> Vec<GlyphShape> {
    const PLACES: [(u8, u8); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let set = (0..8).filter(|bit| dots >> bit & 1 == 1).map(|bit| PLACES[bit]);
    set.map(|(x, y)| GlyphShape::Disc([2.5 + 5.0 * f32::from(x), 2.5 + 5.0 * f32::from(y)], radius)).collect()
}

/// Eighth blocks and shades.
fn block(char: char) -> Option<Vec<GlyphShape>> {
    let eighths = |from: u32| (char as u32 - from) as f32 / 8.0;
    Some(vec![match char {
        '\u{2581}'..='\u{2588}' => {
            GlyphShape::Box([0.0, CELL_HEIGHT * (1.0 - eighths(0x2580)), CELL_WIDTH, CELL_HEIGHT])
        }
        '\u{2589}'..='\u{258f}' => GlyphShape::Box([0.0, 0.0, CELL_WIDTH * (1.0 - eighths(0x2588)), CELL_HEIGHT]),
        '\u{2591}'..='\u{2593}' => GlyphShape::Shade((char as u32 - 0x2590) as f32 / 4.0),
        '\u{2594}' => GlyphShape::Box([0.0, 0.0, CELL_WIDTH, CELL_HEIGHT / 8.0]),
        '\u{2595}' => GlyphShape::Box([CELL_WIDTH * 7.0 / 8.0, 0.0, CELL_WIDTH, CELL_HEIGHT]),
        _ => return None,
    }])
}

/// Quadrants, sextants and octants: cells divided into two columns.
fn pixels(char: char) -> Option<Vec<GlyphShape>> {
    let tables: [(&[char], usize); 3] = [(&QUADRANTS, 2), (&OCTANTS, 4), (&SEXTANTS, 3)];
    let (bits, rows) =
        tables.into_iter().find_map(|(table, rows)| Some((table.iter().position(|known| *known == char)?, rows)))?;
    let height = CELL_HEIGHT / rows as f32;
    let row = |row: usize| {
        let (top, bottom) = (height * row as f32, height * (row + 1) as f32);
        match bits >> (2 * row) & 3 {
            0 => None,
            1 => Some(GlyphShape::Box([0.0, top, CELL_WIDTH / 2.0, bottom])),
            2 => Some(GlyphShape::Box([CELL_WIDTH / 2.0, top, CELL_WIDTH, bottom])),
            _ => Some(GlyphShape::Box([0.0, top, CELL_WIDTH, bottom])),
        }
    };
    Some((0..rows).filter_map(row).collect())
}

/// Box drawing: the lines, corners and arcs that the viewer uses; other characters are text.
fn lines(char: char) -> Option<Vec<GlyphShape>> {
    const W: f32 = CELL_WIDTH;
    const H: f32 = CELL_HEIGHT;
    let (x, y) = (W / 2.0, H / 2.0);
    let horizontal = |left, right, half: f32| GlyphShape::Box([left, y - half, right, y + half]);
    let vertical = |top, bottom| GlyphShape::Box([x - LIGHT, top, x + LIGHT, bottom]);
    Some(match char {
        '─' => vec![horizontal(0.0, W, LIGHT)],
        '━' => vec![horizontal(0.0, W, HEAVY)],
        '╸' => vec![horizontal(0.0, x, HEAVY)],
        '╺' => vec![horizontal(x, W, HEAVY)],
        '│' => vec![vertical(0.0, H)],
        '┌' => vec![horizontal(x - LIGHT, W, LIGHT), vertical(y - LIGHT, H)],
        '┐' => vec![horizontal(0.0, x + LIGHT, LIGHT), vertical(y - LIGHT, H)],
        '└' => vec![horizontal(x - LIGHT, W, LIGHT), vertical(0.0, y + LIGHT)],
        '┘' => vec![horizontal(0.0, x + LIGHT, LIGHT), vertical(0.0, y + LIGHT)],
        '╭' => arc(1.0, 1.0),
        '╮' => arc(-1.0, 1.0),
        '╯' => arc(-1.0, -1.0),
        '╰' => arc(1.0, -1.0),
        _ => return None,
    })
}

/// A light arc between the centers of two sides; 1 or -1 for right or left and for down or up.
fn arc(right: f32, down: f32) -> Vec<GlyphShape> {
    let (x, y, half) = (CELL_WIDTH / 2.0, CELL_HEIGHT / 2.0, LIGHT);
    // The radius is the distance to the nearer side.
    let middle = [x + right * x, y + down * x];
    let point = |radius: f32, step: usize| {
        let angle = FRAC_PI_2 * step as f32 / CHORDS as f32;
        [middle[0] - right * radius * angle.cos(), middle[1] - down * radius * angle.sin()]
    };
    let outer = (0..=CHORDS).map(|step| point(x + half, step));
    let inner = (0..=CHORDS).rev().map(|step| point(x - half, step));
    let end = if down > 0.0 { CELL_HEIGHT } else { 0.0 };
    let stem = [x - half, middle[1].min(end), x + half, middle[1].max(end)];
    vec![GlyphShape::Polygon(outer.chain(inner).collect()), GlyphShape::Box(stem)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braille_dots_are_at_their_positions() {
        assert_eq!(shapes("⠁", false), Some(vec![GlyphShape::Disc([2.5, 2.5], DOT)]));
        assert_eq!(shapes("⢀", true), Some(vec![GlyphShape::Disc([7.5, 17.5], BOLD_DOT)]));
        assert_eq!(shapes("⣿", false).unwrap().len(), 8);
    }

    #[test]
    fn blocks_fill_their_part_of_the_cell() {
        assert_eq!(shapes("▄", false), Some(vec![GlyphShape::Box([0.0, 10.0, 10.0, 20.0])]));
        assert_eq!(shapes("▎", false), Some(vec![GlyphShape::Box([0.0, 0.0, 2.5, 20.0])]));
        assert_eq!(shapes("▝", false), Some(vec![GlyphShape::Box([5.0, 0.0, 10.0, 10.0])]));
        assert_eq!(shapes("\u{1cd00}", false), Some(vec![GlyphShape::Box([0.0, 5.0, 5.0, 10.0])]));
    }

    #[test]
    fn lines_reach_the_edges_of_the_cell() {
        assert_eq!(shapes("━", false), Some(vec![GlyphShape::Box([0.0, 8.0, 10.0, 12.0])]));
        assert_eq!(
            shapes("┌", false),
            Some(vec![GlyphShape::Box([4.0, 9.0, 10.0, 11.0]), GlyphShape::Box([4.0, 9.0, 6.0, 20.0])])
        );
        for (symbol, [x, y]) in [("╭", [10.0, 9.0]), ("╮", [0.0, 9.0]), ("╯", [0.0, 11.0]), ("╰", [10.0, 11.0])]
        {
            let GlyphShape::Polygon(corners) = &shapes(symbol, false).unwrap()[0] else { panic!("{symbol}") };
            assert!(
                corners.iter().any(|corner| (corner[0] - x).abs() < 1e-3 && (corner[1] - y).abs() < 1e-3),
                "{symbol} {corners:?}"
            );
        }
    }

    #[test]
    fn letters_are_text() {
        for symbol in ["a", "▶", "é", "e\u{301}", "漢", ""] {
            assert_eq!(shapes(symbol, false), None, "{symbol}");
        }
    }
}
