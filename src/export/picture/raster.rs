//! A page as pixels.

use std::collections::HashMap;

use ab_glyph_rasterizer::{Point, Rasterizer, point};

use super::font::FontFace;
use super::glyph;
use super::glyph::{CELL_HEIGHT, CELL_WIDTH, GlyphShape};
use super::page::{ResolvedCell, mix};
use crate::config::Rgb;
use crate::export::picture::ResolvedScreen;

/// Into how many steps the edge of a symbol is cut: enough for the eye, and small files.
const STEPS: usize = 16;
/// How many pixels a cell is wide and high.
const CELL: (usize, usize) = (CELL_WIDTH as usize, CELL_HEIGHT as usize);
/// The rows of a cell that are an underline.
const UNDERLINE: std::ops::Range<usize> = 18..19;

/// Pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// How many pixels it is wide.
    pub width: usize,
    /// How many pixels it is high.
    pub height: usize,
    /// The pixels, row by row.
    pub pixels: Vec<Rgb>,
}

impl Raster {
    /// How many pixels wide and high a page of so many cells is.
    #[must_use]
    pub fn extent(columns: usize, rows: usize) -> (usize, usize) {
        (columns * CELL.0, rows * CELL.1)
    }

    /// Draws a page.
    #[must_use]
    pub fn new(page: &ResolvedScreen) -> Self {
        let (width, height) = Self::extent(page.columns, page.rows);
        let mut raster = Self { width, height, pixels: vec![page.background; width * height] };
        let mut pen = GlyphCache::new();
        for (row, line) in page.lines().enumerate() {
            for (column, ink) in line.iter().enumerate() {
                raster.behind((column, row), ink.behind);
            }
            // After what is behind them all: a wide symbol reaches into the next cell.
            for (column, ink) in line.iter().enumerate().filter(|(_, ink)| ink.symbol != " " || ink.underlined) {
                raster.draw((column, row), ink, pen.mask(ink));
            }
        }
        raster
    }

    fn behind(&mut self, (column, row): (usize, usize), color: Rgb) {
        for y in 0..CELL.1 {
            let start = (row * CELL.1 + y) * self.width + column * CELL.0;
            self.pixels[start..start + CELL.0].fill(color);
        }
    }

    fn draw(&mut self, (column, row): (usize, usize), ink: &ResolvedCell, mask: &Coverage) {
        let colors: [Rgb; STEPS + 1] =
            std::array::from_fn(|step| mix(ink.behind, ink.color, step as f32 / STEPS as f32));
        let (x, room) = (column * CELL.0, self.width - column * CELL.0);
        for (y, steps) in mask.steps.chunks_exact(mask.width).enumerate() {
            let start = (row * CELL.1 + y) * self.width + x;
            for (pixel, step) in self.pixels[start..].iter_mut().zip(&steps[..mask.width.min(room)]) {
                if *step > 0 {
                    *pixel = colors[usize::from(*step)];
                }
            }
        }
    }
}

/// How much of each pixel of a cell a symbol covers, in steps.
struct Coverage {
    width: usize,
    steps: Vec<u8>,
}

/// Draws symbols, each once.
struct GlyphCache {
    letters: [FontFace; 2],
    masks: HashMap<(String, bool, bool), Coverage>,
}

impl GlyphCache {
    fn new() -> Self {
        Self { letters: [false, true].map(FontFace::new), masks: HashMap::new() }
    }

    fn mask(&mut self, ink: &ResolvedCell) -> &Coverage {
        let letters = &self.letters[usize::from(ink.bold)];
        self.masks.entry((ink.symbol.clone(), ink.bold, ink.underlined)).or_insert_with(|| {
            let (width, mut cover) = match glyph::shapes(&ink.symbol, ink.bold) {
                Some(shapes) => (CELL.0, fill(&shapes)),
                None => write(&ink.symbol, letters),
            };
            if ink.underlined {
                cover[UNDERLINE.start * width..UNDERLINE.end * width].fill(1.0);
            }
            let steps = cover.into_iter().map(|share| (share.clamp(0.0, 1.0) * STEPS as f32).round() as u8);
            Coverage { width, steps: steps.collect() }
        })
    }
}

/// How much of each pixel of a cell the shapes cover.
fn fill(shapes: &[GlyphShape]) -> Vec<f32> {
    let mut rasterizer = Rasterizer::new(CELL.0, CELL.1);
    let mut all = 0.0;
    for shape in shapes {
        match shape {
            GlyphShape::Disc(middle, radius) => disc(&mut rasterizer, *middle, *radius),
            GlyphShape::Box([left, top, right, bottom]) => {
                outline(&mut rasterizer, &[[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]]);
            }
            GlyphShape::Area(corners) => outline(&mut rasterizer, corners),
            GlyphShape::Shade(part) => all = *part,
        }
    }
    let mut cover = vec![all; CELL.0 * CELL.1];
    rasterizer.for_each_pixel(|place, share| cover[place] += share);
    cover
}

fn outline(rasterizer: &mut Rasterizer, corners: &[[f32; 2]]) {
    let at = |corner: &[f32; 2]| point(corner[0], corner[1]);
    for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        rasterizer.draw_line(at(from), at(to));
    }
}

/// A circle of four curves.
fn disc(rasterizer: &mut Rasterizer, [x, y]: [f32; 2], radius: f32) {
    // How far the handles of a curve reach for a quarter of a circle.
    const HANDLE: f32 = 0.552_285;
    let at = |[a, b]: [f32; 2]| -> Point { point(x + a * radius, y + b * radius) };
    let mut from = [1.0, 0.0];
    for _ in 0..4 {
        let to = [-from[1], from[0]];
        let leaving = [from[0] + HANDLE * to[0], from[1] + HANDLE * to[1]];
        let coming = [to[0] + HANDLE * from[0], to[1] + HANDLE * from[1]];
        rasterizer.draw_cubic(at(from), at(leaving), at(coming), at(to));
        from = to;
    }
}

/// How much of each pixel text covers, and how many of them it is wide.
fn write(symbol: &str, letters: &FontFace) -> (usize, Vec<f32>) {
    use unicode_width::UnicodeWidthStr;
    let width = CELL.0 * symbol.width().max(1);
    let mut cover = vec![0.0; width * CELL.1];
    for char in symbol.chars() {
        letters.draw(char, |x, y, share| {
            if x < width && y < CELL.1 {
                cover[y * width + x] += share;
            }
        });
    }
    (width, cover)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_is_as_large_as_its_disc_and_round() {
        let cover = fill(&glyph::shapes("⠁", false).unwrap());
        let area: f32 = cover.iter().sum();
        assert!((area - std::f32::consts::PI * 4.0).abs() < 0.4, "{area}");
        for y in 0..5 {
            for x in 0..5 {
                let at = |x: usize, y: usize| cover[y * CELL.0 + x];
                assert!((at(x, y) - at(4 - x, y)).abs() < 1e-2 && (at(x, y) - at(y, x)).abs() < 1e-2, "{x} {y}");
            }
        }
    }

    #[test]
    fn every_sign_of_the_viewer_is_in_the_fonts() {
        let missing = |bold| {
            let letters = FontFace::new(bold);
            let drawn = |char| {
                let mut cover = Vec::new();
                letters.draw(char, |x, y, share| cover.push((x, y, share.to_bits())));
                cover
            };
            let unknown = drawn('\u{10ffff}');
            let symbols = "aZ09φ²°×…‖▶▸▴▾‹›→←↑↓▏·é";
            symbols
                .chars()
                .filter(|symbol| glyph::shapes(&symbol.to_string(), false).is_none())
                .filter(|symbol| drawn(*symbol) == unknown)
                .collect::<String>()
        };
        assert_eq!((missing(false), missing(true)), (String::new(), String::new()));
    }
}
