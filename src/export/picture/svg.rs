//! A screen as SVG: dots, rectangles and text, with one path for each color.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::RgbBytes;
use super::glyph::{self, BASELINE, CELL_HEIGHT, CELL_WIDTH, GlyphShape};
use super::resolved_screen::{ResolvedCell, ResolvedScreen, mix};
use crate::picture::{Rgb, UnicodeWidthStr};

/// Attributes of text: the first of these fonts that is installed, in a size that makes letters about as wide as a cell.
const FONT: &str =
    "font-family=\"&apos;DejaVu Sans Mono&apos;,ui-monospace,Menlo,Consolas,monospace\" font-size=\"16.6\"";

/// Writes a screen.
pub fn write(screen: &ResolvedScreen, out: &mut impl Write) -> io::Result<()> {
    let (width, height) = (CELL_WIDTH * screen.columns as f32, CELL_HEIGHT * screen.rows as f32);
    let size = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
    write!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>")?;
    write!(out, "<path fill=\"#{:x}\" d=\"M0 0H{width}V{height}H0z\"/>", screen.background)?;
    Paths::new(screen).write(out)?;
    write_text(screen, out)?;
    writeln!(out, "</svg>")
}

/// The path data of each color.
#[derive(Default)]
struct Paths {
    /// Backgrounds of cells.
    backgrounds: BTreeMap<RgbBytes, String>,
    /// Rectangles along pixel edges.
    boxes: BTreeMap<RgbBytes, String>,
    polygons: BTreeMap<RgbBytes, String>,
    /// Discs by diameter, in hundredths of a pixel: lines of length 0 with round caps.
    discs: BTreeMap<(u32, RgbBytes), String>,
}

impl Paths {
    fn new(screen: &ResolvedScreen) -> Self {
        let mut paths = Self::default();
        for (row, line) in screen.lines().enumerate() {
            let y = CELL_HEIGHT * row as f32;
            for (column, width, first) in runs(line, |a, b| a.background == b.background) {
                if first.background != screen.background {
                    let x = CELL_WIDTH * column as f32;
                    let path = paths.backgrounds.entry(first.background.into()).or_default();
                    push_rect(path, [x, y, x + width, y + CELL_HEIGHT]);
                }
            }
            for (column, cell) in line.iter().enumerate() {
                for shape in glyph::shapes(&cell.symbol, cell.bold).unwrap_or_default() {
                    paths.add(&shape, cell, [CELL_WIDTH * column as f32, y]);
                }
            }
            let same_underline =
                |a: &ResolvedCell, b: &ResolvedCell| (a.underlined, a.foreground) == (b.underlined, b.foreground);
            for (column, width, first) in runs(line, same_underline).filter(|(.., first)| first.underlined) {
                let x = CELL_WIDTH * column as f32;
                let path = paths.boxes.entry(first.foreground.into()).or_default();
                push_rect(path, [x, y + CELL_HEIGHT - 2.0, x + width, y + CELL_HEIGHT - 1.0]);
            }
        }
        paths
    }

    fn add(&mut self, shape: &GlyphShape, cell: &ResolvedCell, [x, y]: [f32; 2]) {
        let color: RgbBytes = cell.foreground.into();
        // Writing to a string cannot fail.
        match shape {
            GlyphShape::Disc(center, radius) => {
                let path = self.discs.entry(((radius * 200.0).round() as u32, color)).or_default();
                let _ = write!(path, "M{} {}h0", rounded(x + center[0]), rounded(y + center[1]));
            }
            GlyphShape::Box([left, top, right, bottom]) => {
                push_rect(self.boxes.entry(color).or_default(), [x + left, y + top, x + right, y + bottom]);
            }
            GlyphShape::Shade(opacity) => {
                let shaded = mix(cell.background, cell.foreground, *opacity).into();
                push_rect(self.boxes.entry(shaded).or_default(), [x, y, x + CELL_WIDTH, y + CELL_HEIGHT]);
            }
            GlyphShape::Polygon(corners) => {
                let path = self.polygons.entry(color).or_default();
                for (number, corner) in corners.iter().enumerate() {
                    let command = if number == 0 { 'M' } else { 'L' };
                    let _ = write!(path, "{command}{} {}", rounded(x + corner[0]), rounded(y + corner[1]));
                }
                path.push('z');
            }
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (color, path) in self.backgrounds.iter().chain(&self.boxes) {
            write!(out, "<path fill=\"#{:x}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>", Rgb::from(*color))?;
        }
        for (color, path) in &self.polygons {
            write!(out, "<path fill=\"#{:x}\" d=\"{path}\"/>", Rgb::from(*color))?;
        }
        let discs: Vec<_> = self.discs.iter().collect();
        for same_size in discs.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let ((diameter, _), _) = same_size[0];
            let width = rounded(*diameter as f32 / 100.0);
            write!(out, "<g stroke-width=\"{width}\" stroke-linecap=\"round\">")?;
            for ((_, color), path) in same_size {
                write!(out, "<path stroke=\"#{:x}\" d=\"{path}\"/>", Rgb::from(*color))?;
            }
            write!(out, "</g>")?;
        }
        Ok(())
    }
}

/// Writes each run of text in one style, stretched to the width of its cells.
fn write_text(screen: &ResolvedScreen, out: &mut impl Write) -> io::Result<()> {
    write!(out, "<g {FONT} xml:space=\"preserve\">")?;
    for (row, line) in screen.lines().enumerate() {
        let y = CELL_HEIGHT * row as f32 + BASELINE;
        for (column, width, first) in runs(line, continues_text) {
            let cells = &line[column..][..(width / CELL_WIDTH).round() as usize];
            let blanks = cells.iter().take_while(|cell| cell.symbol == " ").count();
            let text: String = cells[blanks..].iter().map(|cell| cell.symbol.as_str()).collect();
            let text = text.trim_end_matches(' ');
            if text.is_empty() || !is_text(&cells[blanks]) {
                continue;
            }
            let (x, length) = (CELL_WIDTH * (column + blanks) as f32, CELL_WIDTH * text.width() as f32);
            let (fill, weight) = (first.foreground, if first.bold { " font-weight=\"bold\"" } else { "" });
            write!(out, "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" fill=\"#{fill:x}\"{weight}>")?;
            write!(out, "{}</text>", escape(text))?;
        }
    }
    write!(out, "</g>")
}

/// Escapes the special characters of XML, and replaces those that it cannot have.
fn escape(text: &str) -> String {
    let special = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\'', "&apos;"), ('"', "&quot;")];
    special
        .iter()
        .fold(text.to_owned(), |text, (character, entity)| text.replace(*character, entity))
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Whether two neighboring cells belong to the same run of text, which may contain blanks.
fn continues_text(a: &ResolvedCell, b: &ResolvedCell) -> bool {
    let is_text_or_blank = |cell: &ResolvedCell| cell.symbol == " " || is_text(cell);
    is_text_or_blank(a)
        && is_text_or_blank(b)
        && (a.foreground, a.bold) == (b.foreground, b.bold)
        && a.symbol.width() == 1
}

fn is_text(cell: &ResolvedCell) -> bool {
    !cell.symbol.is_empty() && glyph::shapes(&cell.symbol, cell.bold).is_none()
}

/// Runs of equal cells: the first column, the width in pixels, and the first cell.
fn runs<'a>(
    line: &'a [ResolvedCell],
    equal: impl Fn(&ResolvedCell, &ResolvedCell) -> bool + 'a,
) -> impl Iterator<Item = (usize, f32, &'a ResolvedCell)> + 'a {
    let mut column = 0;
    line.chunk_by(equal).map(move |run| {
        let start = column;
        column += run.len();
        (start, CELL_WIDTH * run.len() as f32, &run[0])
    })
}

fn push_rect(path: &mut String, edges: [f32; 4]) {
    let [left, top, right, bottom] = edges.map(rounded);
    // Writing to a string cannot fail.
    let _ = write!(path, "M{left} {top}H{right}V{bottom}H{left}z");
}

/// A coordinate, rounded to a hundredth of a pixel.
fn rounded(at: f32) -> String {
    ((at * 100.0).round() / 100.0).to_string()
}
