//! A screen as pixels, and these as PNG.

use std::collections::HashMap;
use std::f32::consts::TAU;
use std::io::{self, Write};
use std::ops::Range;

use ::png::{BitDepth, ColorType, Compression, Encoder, SrgbRenderingIntent};
use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use ab_glyph_rasterizer::Rasterizer;

use super::RgbBytes;
use super::glyph::{self, BASELINE, CELL_HEIGHT, CELL_WIDTH, GlyphShape};
use super::resolved_screen::{ResolvedCell, ResolvedScreen, mix};
use crate::picture::{Rgb, UnicodeWidthStr};

/// The embedded fonts.
const REGULAR: &[u8] = include_bytes!("fonts/DejaVuSansMono.ttf");
const BOLD: &[u8] = include_bytes!("fonts/DejaVuSansMono-Bold.ttf");
/// Number of antialiasing levels: enough for the eye, and few colors for small files.
const LEVELS: usize = 16;
/// Width and height of a cell, in pixels.
const CELL: (usize, usize) = (CELL_WIDTH as usize, CELL_HEIGHT as usize);
/// The pixel rows of an underline.
const UNDERLINE: Range<usize> = 18..19;
/// The corners of a polygon that passes for a disc.
const DISC_CORNERS: usize = 24;

/// Pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Raster {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The pixels, row by row.
    pub pixels: Vec<Rgb>,
}

impl Raster {
    /// The size in pixels of a screen of this many cells.
    pub(crate) fn extent(columns: usize, rows: usize) -> (usize, usize) {
        (columns * CELL.0, rows * CELL.1)
    }

    /// Draws a screen.
    pub(crate) fn new(screen: &ResolvedScreen) -> Self {
        let (width, height) = Self::extent(screen.columns, screen.rows);
        let mut raster = Self { width, height, pixels: vec![screen.background; width * height] };
        let mut glyphs = GlyphCache { fonts: [false, true].map(FontFace::new), glyphs: HashMap::new() };
        for (row, line) in screen.lines().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                for y in row * CELL.1..(row + 1) * CELL.1 {
                    raster.pixels[y * width + column * CELL.0..][..CELL.0].fill(cell.background);
                }
            }
            // After all backgrounds: a wide symbol extends into the next cell.
            for (column, cell) in line.iter().enumerate().filter(|(_, cell)| cell.symbol != " " || cell.underlined) {
                raster.draw_symbol(column, row, cell, glyphs.coverage(cell));
            }
        }
        raster
    }

    fn draw_symbol(&mut self, column: usize, row: usize, cell: &ResolvedCell, coverage: &Coverage) {
        let colors: [Rgb; LEVELS + 1] =
            std::array::from_fn(|level| mix(cell.background, cell.foreground, level as f32 / LEVELS as f32));
        let x = column * CELL.0;
        let width = coverage.width.min(self.width - x);
        for (y, levels) in coverage.levels.chunks_exact(coverage.width).enumerate() {
            let start = (row * CELL.1 + y) * self.width + x;
            for (pixel, level) in self.pixels[start..].iter_mut().zip(&levels[..width]) {
                if *level > 0 {
                    *pixel = colors[usize::from(*level)];
                }
            }
        }
    }
}

/// How much of each pixel a symbol covers, in [`LEVELS`].
struct Coverage {
    width: usize,
    levels: Vec<u8>,
}

/// The coverage of each symbol drawn so far.
struct GlyphCache {
    fonts: [FontFace; 2],
    glyphs: HashMap<(String, bool, bool), Coverage>,
}

impl GlyphCache {
    fn coverage(&mut self, cell: &ResolvedCell) -> &Coverage {
        let font = &self.fonts[usize::from(cell.bold)];
        self.glyphs.entry((cell.symbol.clone(), cell.bold, cell.underlined)).or_insert_with(|| {
            let (width, mut cover) = match glyph::shapes(&cell.symbol, cell.bold) {
                Some(shapes) => (CELL.0, draw_shapes(&shapes)),
                None => draw_text(&cell.symbol, font),
            };
            if cell.underlined {
                cover[UNDERLINE.start * width..UNDERLINE.end * width].fill(1.0);
            }
            let levels = cover.into_iter().map(|cover| (cover.clamp(0.0, 1.0) * LEVELS as f32).round() as u8);
            Coverage { width, levels: levels.collect() }
        })
    }
}

/// The coverage of the pixels of a cell by shapes.
fn draw_shapes(shapes: &[GlyphShape]) -> Vec<f32> {
    let mut rasterizer = Rasterizer::new(CELL.0, CELL.1);
    let mut shade = 0.0;
    for shape in shapes {
        match shape {
            GlyphShape::Disc([x, y], radius) => {
                let corners = (0..DISC_CORNERS).map(|corner| {
                    let (sin, cos) = (TAU * corner as f32 / DISC_CORNERS as f32).sin_cos();
                    [x + radius * cos, y + radius * sin]
                });
                draw_polygon(&mut rasterizer, &corners.collect::<Vec<_>>());
            }
            GlyphShape::Box([left, top, right, bottom]) => {
                draw_polygon(&mut rasterizer, &[[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]]);
            }
            GlyphShape::Polygon(corners) => draw_polygon(&mut rasterizer, corners),
            GlyphShape::Shade(fraction) => shade = *fraction,
        }
    }
    let mut cover = vec![shade; CELL.0 * CELL.1];
    rasterizer.for_each_pixel(|pixel, coverage| cover[pixel] += coverage);
    cover
}

fn draw_polygon(rasterizer: &mut Rasterizer, corners: &[[f32; 2]]) {
    let at = |corner: &[f32; 2]| point(corner[0], corner[1]);
    for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        rasterizer.draw_line(at(from), at(to));
    }
}

/// A font scaled to the width of a cell.
struct FontFace {
    font: FontRef<'static>,
    scale: PxScale,
}

impl FontFace {
    /// The regular or the bold face.
    fn new(bold: bool) -> Self {
        let font = FontRef::try_from_slice(if bold { BOLD } else { REGULAR }).expect("the embedded fonts are valid");
        let advance = font.as_scaled(PxScale::from(1000.0)).h_advance(font.glyph_id('0'));
        let scale = PxScale::from(1000.0 * CELL_WIDTH / advance);
        Self { font, scale }
    }

    /// Calls `cover` with the column, row and coverage of each pixel of a character, clipped to the left and upper edge
    /// of the cell.
    fn draw(&self, char: char, mut cover: impl FnMut(usize, usize, f32)) {
        let glyph = self.font.glyph_id(char).with_scale_and_position(self.scale, point(0.0, BASELINE));
        let Some(outline) = self.font.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, coverage| {
            let (x, y) = (corner.x + x as f32, corner.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                cover(x as usize, y as usize, coverage);
            }
        });
    }
}

/// The width of text in pixels, and the coverage of the pixels.
fn draw_text(symbol: &str, font: &FontFace) -> (usize, Vec<f32>) {
    let width = CELL.0 * symbol.width().max(1);
    let mut cover = vec![0.0; width * CELL.1];
    for char in symbol.chars() {
        font.draw(char, |x, y, coverage| {
            if x < width && y < CELL.1 {
                cover[y * width + x] += coverage;
            }
        });
    }
    (width, cover)
}

/// Maximum number of colors of an indexed image.
const MAX_PALETTE: usize = 256;

/// Writes an indexed image if the colors are few enough, or else RGB.
pub fn write_png(raster: &Raster, out: &mut impl Write) -> io::Result<()> {
    let mut encoder = Encoder::new(out, raster.width as u32, raster.height as u32);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let bytes: Vec<u8> = if let Some((palette, pixels)) = index_colors(raster) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette);
        pixels
    } else {
        encoder.set_color(ColorType::Rgb);
        raster.pixels.iter().flat_map(|pixel| RgbBytes::from(*pixel)).collect()
    };
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    Ok(writer.finish()?)
}

/// The palette, in order of first use, and the index of each pixel; `None` for too many colors.
fn index_colors(raster: &Raster) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut indices, mut palette) = (HashMap::new(), Vec::new());
    let pixels = raster.pixels.iter().map(|pixel| {
        let color = RgbBytes::from(*pixel);
        let next = indices.len();
        if next == MAX_PALETTE && !indices.contains_key(&color) {
            return None;
        }
        Some(*indices.entry(color).or_insert_with(|| {
            palette.extend(color);
            next as u8
        }))
    });
    let pixels = pixels.collect::<Option<Vec<u8>>>()?;
    Some((palette, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_round_and_have_the_area_of_their_disc() {
        let cover = draw_shapes(&glyph::shapes("⠁", false).unwrap());
        let area: f32 = cover.iter().sum();
        assert!((area - 0.2 * 25.0).abs() < 0.1, "{area}");
        for y in 0..5 {
            for x in 0..5 {
                let at = |x: usize, y: usize| cover[y * CELL.0 + x];
                assert!((at(x, y) - at(4 - x, y)).abs() < 1e-2 && (at(x, y) - at(y, x)).abs() < 1e-2, "{x} {y}");
            }
        }
    }

    #[test]
    fn the_fonts_have_all_symbols_of_the_viewer() {
        let missing = |bold| {
            let font = FontFace::new(bold);
            let pixels = |char| {
                let mut pixels = Vec::new();
                font.draw(char, |x, y, coverage| pixels.push((x, y, coverage.to_bits())));
                pixels
            };
            let unknown = pixels('\u{10ffff}');
            "aZ09φ²°×…‖▶▸▴▾‹›→←↑↓▏·é"
                .chars()
                .filter(|symbol| glyph::shapes(&symbol.to_string(), false).is_none())
                .filter(|symbol| pixels(*symbol) == unknown)
                .collect::<String>()
        };
        assert_eq!((missing(false), missing(true)), (String::new(), String::new()));
    }
}
