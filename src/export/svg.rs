//! SVG: dots, areas and text that stay sharp at any size, one path for each color.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use unicode_width::UnicodeWidthStr;

use super::picture::font::BASELINE;
use super::picture::glyph;
use super::picture::glyph::{CELL_HEIGHT, CELL_WIDTH, GlyphShape};
use super::picture::page::{ResolvedCell, mix};
use crate::config::Rgb;
use crate::export::picture::ResolvedScreen;

/// What letters are taken from: what is there of this.
const FONTS: &str = "'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace";
/// How large they are, so that one is about as wide as a cell.
const FONT_SIZE: &str = "16.6";

/// Writes a page.
pub fn write(page: &ResolvedScreen, out: &mut impl Write) -> io::Result<()> {
    let (width, height) = (CELL_WIDTH * page.columns as f32, CELL_HEIGHT * page.rows as f32);
    let mut svg = Writer::new(out);
    let root = BytesStart::new("svg").with_attributes([
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("width", &width.to_string()),
        ("height", &height.to_string()),
        ("viewBox", &format!("0 0 {width} {height}")),
    ]);
    svg.write_event(Event::Start(root))?;
    let all = format!("M0 0H{width}V{height}H0z");
    empty(&mut svg, "path", &[("fill", &hex(page.background)), ("d", &all)])?;
    let drawing = Drawing::new(page);
    drawing.paths(&mut svg)?;
    texts(page, &mut svg)?;
    svg.write_event(Event::End(BytesEnd::new("svg")))?;
    writeln!(svg.get_mut())
}

/// The paths of each color.
#[derive(Default)]
struct Drawing {
    /// What is behind symbols.
    behind: BTreeMap<[u8; 3], String>,
    /// Whose edges run along pixels.
    boxes: BTreeMap<[u8; 3], String>,
    areas: BTreeMap<[u8; 3], String>,
    /// By diameter in hundredths of a pixel, and color: lines of no length, with round ends.
    discs: BTreeMap<(u32, [u8; 3]), String>,
}

impl Drawing {
    fn new(page: &ResolvedScreen) -> Self {
        let mut drawing = Self::default();
        for (row, line) in page.lines().enumerate() {
            let y = CELL_HEIGHT * row as f32;
            for (column, width, first) in runs(line, |a, b| a.behind == b.behind) {
                if first.behind != page.background {
                    let x = CELL_WIDTH * column as f32;
                    push_rect(
                        drawing.behind.entry(first.behind.into()).or_default(),
                        [x, y, x + width, y + CELL_HEIGHT],
                    );
                }
            }
            for (column, ink) in line.iter().enumerate() {
                for shape in glyph::shapes(&ink.symbol, ink.bold).unwrap_or_default() {
                    drawing.draw(&shape, ink, [CELL_WIDTH * column as f32, y]);
                }
            }
            for (column, width, first) in runs(line, |a, b| (a.underlined, a.color) == (b.underlined, b.color)) {
                if first.underlined {
                    let x = CELL_WIDTH * column as f32;
                    let line = [x, y + CELL_HEIGHT - 2.0, x + width, y + CELL_HEIGHT - 1.0];
                    push_rect(drawing.boxes.entry(first.color.into()).or_default(), line);
                }
            }
        }
        drawing
    }

    fn draw(&mut self, shape: &GlyphShape, ink: &ResolvedCell, [x, y]: [f32; 2]) {
        let color: [u8; 3] = ink.color.into();
        // Writing to a string cannot fail.
        match shape {
            GlyphShape::Disc(middle, radius) => {
                let key = ((radius * 200.0).round() as u32, color);
                let path = self.discs.entry(key).or_default();
                let _ = write!(path, "M{} {}h0", rounded(x + middle[0]), rounded(y + middle[1]));
            }
            GlyphShape::Box([left, top, right, bottom]) => {
                push_rect(self.boxes.entry(color).or_default(), [x + left, y + top, x + right, y + bottom]);
            }
            GlyphShape::Shade(part) => {
                let shaded = mix(ink.behind, ink.color, *part).into();
                push_rect(self.boxes.entry(shaded).or_default(), [x, y, x + CELL_WIDTH, y + CELL_HEIGHT]);
            }
            GlyphShape::Area(corners) => {
                let path = self.areas.entry(color).or_default();
                for (number, corner) in corners.iter().enumerate() {
                    let step = if number == 0 { 'M' } else { 'L' };
                    let _ = write!(path, "{step}{} {}", rounded(x + corner[0]), rounded(y + corner[1]));
                }
                path.push('z');
            }
        }
    }

    fn paths(&self, svg: &mut Writer<&mut impl Write>) -> io::Result<()> {
        for (color, path) in self.behind.iter().chain(&self.boxes) {
            let fill = hex(Rgb::from(*color));
            empty(svg, "path", &[("fill", &fill), ("shape-rendering", "crispEdges"), ("d", path)])?;
        }
        for (color, path) in &self.areas {
            empty(svg, "path", &[("fill", &hex(Rgb::from(*color))), ("d", path)])?;
        }
        let mut last = None;
        for ((wide, color), path) in &self.discs {
            if last != Some(wide) {
                if last.is_some() {
                    svg.write_event(Event::End(BytesEnd::new("g")))?;
                }
                let width = rounded(*wide as f32 / 100.0);
                let group = [("stroke-width", width.as_str()), ("stroke-linecap", "round")];
                svg.write_event(Event::Start(BytesStart::new("g").with_attributes(group)))?;
                last = Some(wide);
            }
            empty(svg, "path", &[("stroke", &hex(Rgb::from(*color))), ("d", path)])?;
        }
        if last.is_some() {
            svg.write_event(Event::End(BytesEnd::new("g")))?;
        }
        Ok(())
    }
}

/// Text, a run of one style at a time, each as wide as its cells.
fn texts(page: &ResolvedScreen, svg: &mut Writer<&mut impl Write>) -> io::Result<()> {
    let group = [("font-family", FONTS), ("font-size", FONT_SIZE), ("xml:space", "preserve")];
    svg.write_event(Event::Start(BytesStart::new("g").with_attributes(group)))?;
    for (row, line) in page.lines().enumerate() {
        let y = (CELL_HEIGHT * row as f32 + BASELINE).to_string();
        for (column, width, first) in runs(line, continues_run) {
            let cells = &line[column..][..(width / CELL_WIDTH).round() as usize];
            let blanks = cells.iter().take_while(|ink| ink.symbol == " ").count();
            let text: String = cells[blanks..].iter().map(|ink| ink.symbol.as_str()).collect();
            let text = text.trim_end_matches(' ');
            if text.is_empty() || !is_text(&cells[blanks]) {
                continue;
            }
            let x = (CELL_WIDTH * (column + blanks) as f32).to_string();
            let (width, fill) = ((CELL_WIDTH * text.width() as f32).to_string(), hex(first.color));
            let mut start = BytesStart::new("text");
            start.extend_attributes([("x", x.as_str()), ("y", &y), ("textLength", &width), ("fill", &fill)]);
            if first.bold {
                start.push_attribute(("font-weight", "bold"));
            }
            svg.write_event(Event::Start(start))?;
            svg.write_event(Event::Text(BytesText::new(text)))?;
            svg.write_event(Event::End(BytesEnd::new("text")))?;
        }
    }
    svg.write_event(Event::End(BytesEnd::new("g")))
}

/// Whether a run of text goes on from one cell to the next; blanks are part of it.
fn continues_run(a: &ResolvedCell, b: &ResolvedCell) -> bool {
    let text = |ink: &ResolvedCell| ink.symbol == " " || is_text(ink);
    text(a) && text(b) && (a.color, a.bold) == (b.color, b.bold) && a.symbol.width() == 1
}

fn is_text(ink: &ResolvedCell) -> bool {
    !ink.symbol.is_empty() && glyph::shapes(&ink.symbol, ink.bold).is_none()
}

/// Neighboring cells that are alike: the column of the first, how many pixels wide they are, and the first.
fn runs<'a>(
    line: &'a [ResolvedCell],
    alike: impl Fn(&ResolvedCell, &ResolvedCell) -> bool + 'a,
) -> impl Iterator<Item = (usize, f32, &'a ResolvedCell)> + 'a {
    let mut column = 0;
    line.chunk_by(alike).map(move |run| {
        let start = column;
        column += run.len();
        (start, CELL_WIDTH * run.len() as f32, &run[0])
    })
}

fn push_rect(path: &mut String, [left, top, right, bottom]: [f32; 4]) {
    let (left, top, right, bottom) = (rounded(left), rounded(top), rounded(right), rounded(bottom));
    // Writing to a string cannot fail.
    let _ = write!(path, "M{left} {top}H{right}V{bottom}H{left}z");
}

fn empty(svg: &mut Writer<&mut impl Write>, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
    svg.write_event(Event::Empty(BytesStart::new(name).with_attributes(attributes.iter().copied())))
}

/// A place to a hundredth of a pixel.
fn rounded(place: f32) -> String {
    ((place * 100.0).round() / 100.0).to_string()
}

fn hex(color: Rgb) -> String {
    format!("#{color:x}")
}
