//! Paints a picture of the flock, row by row.

use std::ops::Range;

use ratatui_core::buffer::Buffer;
use ratatui_core::style::{Color, Modifier};

use super::glyph_cell::GlyphCells;
use super::marker::{Marker, arrow, density, halves, line, octant, shade};
use crate::canvas::{BodyStyle, Cell, Content, Glow, Picture, SceneryCell, SceneryKind};
use crate::cell::{CellRow, PackedCell, PackedColor, symbol_width};
use crate::theme::{CellStyle, Coloring, ResolvedTheme, Sky};

/// The most heat behind a predator: more would hide it.
const BEHIND: u8 = 160;

/// A target to draw rows of cells on.
pub trait Surface {
    /// Draws a row from a column on, clipped to the surface.
    fn draw_row(&mut self, column: u16, row: u16, cells: &CellRow);
}

impl Surface for Buffer {
    #[inline]
    fn draw_row(&mut self, column: u16, row: u16, cells: &CellRow) {
        for (column, packed) in (column..).zip(cells.cells()) {
            if let Some(cell) = self.cell_mut((column, row)) {
                cell.bg = packed.bg().into();
                if let Some(char) = packed.char() {
                    cell.set_char(char);
                    (cell.fg, cell.modifier) = (packed.fg().into(), packed.modifier());
                }
            }
        }
        for (at, symbol) in cells.symbols() {
            let (column, covered) = (column + *at as u16, column + *at as u16 + 1);
            let is_wide = symbol_width(symbol.symbol()) > 1;
            if is_wide && self.cell((covered, row)).is_none() {
                continue;
            }
            if let Some(cell) = self.cell_mut((column, row)) {
                cell.clone_from(symbol);
            }
            if let Some(cell) = self.cell_mut((covered, row)).filter(|_| is_wide) {
                cell.reset();
            }
        }
    }
}

/// Paints the cells of a picture.
pub struct CellPainter<'a> {
    picture: &'a Picture,
    theme: &'a ResolvedTheme,
    glyphs: &'a GlyphCells,
    coloring: Coloring,
    marker: Marker,
    body: BodyStyle,
    /// The last glow, the background, and the resulting color: neighboring cells are often equal.
    last_glow: (Glow, PackedColor, Option<PackedColor>),
}

impl<'a> CellPainter<'a> {
    /// Paints a picture in the colors of a theme, with these glyphs.
    pub fn new(
        picture: &'a Picture,
        theme: &'a ResolvedTheme,
        glyphs: &'a GlyphCells,
        coloring: Coloring,
        marker: Marker,
    ) -> Self {
        let last_glow = (Glow::default(), PackedColor::DEFAULT, None);
        Self { picture, theme, glyphs, coloring, marker, body: picture.layers.body, last_glow }
    }

    /// Fills a row of an area `rows` high with the sky or the background.
    pub fn paint_background(&self, row: u16, rows: u16, into: &mut CellRow) {
        let background = PackedColor::from(self.theme.text.bg.unwrap_or_default());
        into.clear(background);
        if let Some(sky) = self.theme.sky() {
            // A text from standard input looks as in the terminal.
            sky.paint(row, rows, !self.picture.has_glyphs, self.marker == Marker::Ascii, into);
        }
    }

    /// Paints a row of the picture, layer over layer. The picture may be smaller than the row after a resize.
    pub fn paint(&mut self, row: u16, into: &mut CellRow) {
        let picture = self.picture;
        let (row, width) = (usize::from(row), into.width().min(picture.columns));
        let first = row * picture.columns;
        let cells = if row < picture.rows { first..first + width } else { 0..0 };
        let (heat, glow) = (layer(&picture.heat, &cells), layer(&picture.glow, &cells));
        let (scenery, trails) = (layer(&picture.scenery, &cells), layer(&picture.trails, &cells));
        for (column, heat) in heat.filter(|(_, heat)| **heat != [0; 2]) {
            let cell = into.cell_mut(column);
            match picture.cells.all()[first + column].content {
                Content::Predator => self.heat_behind(*heat, cell),
                _ => self.heat(*heat, cell),
            }
        }
        let ground = self.theme.sky().and_then(Sky::ground);
        let shows_light = self.shows_light();
        for (column, glow) in glow.filter(|(_, glow)| glow.level > 0 && shows_light) {
            let cell = into.cell_mut(column);
            if Some(cell.bg()) != ground {
                self.glow(*glow, cell);
            }
        }
        for (column, SceneryCell { dots, thing }) in scenery {
            if let Some(kind) = thing {
                self.dots_or(scenery_char(*kind), *dots, self.theme.scenery(*kind), into.cell_mut(column));
            }
        }
        for (column, trail) in trails.filter(|(_, trail)| trail.dots > 0) {
            let (char, style) = (if trail.age < 128 { ':' } else { '.' }, self.theme.trail(*trail, self.coloring));
            self.dots_or(char, trail.dots, style, into.cell_mut(column));
        }
        self.bodies(row, into);
        self.glyphs.paint(picture, row, into);
    }

    /// Whether boids have light behind them. Blocks cover it, and show the mass of a flock themselves.
    fn shows_light(&self) -> bool {
        matches!(self.marker, Marker::Braille | Marker::Ascii)
    }

    /// Paints boids and predators: the most expensive layer.
    #[inline(never)]
    fn bodies(&self, row: usize, into: &mut CellRow) {
        let (picture, width) = (self.picture, into.width());
        let row_cells = into.mark_drawn(picture.cells.words_in(row, width));
        let cells = picture.cells.drawn_in(row, width).filter(|(_, cell)| cell.content != Content::Empty);
        let glow = picture.glow.get(row * picture.columns..).unwrap_or_default();
        let style = |column: usize, cell: &Cell| {
            let is_lit =
                self.theme.has_glow() && self.shows_light() && glow.get(column).is_some_and(|glow| glow.level > 0);
            self.theme.cell_at([column, row], cell, is_lit, self.coloring)
        };
        match self.marker {
            Marker::Ascii => {
                cells.for_each(|(column, cell)| self.ascii(cell, style(column, cell), &mut row_cells[column]));
            }
            Marker::Braille => cells.for_each(|(column, cell)| {
                let style = style(column, cell);
                row_cells[column].set_braille(cell.dots, style.fg, style.modifier);
            }),
            Marker::Octant | Marker::HalfBlock => {
                cells.for_each(|(column, cell)| self.blocks(cell.dots, style(column, cell), &mut row_cells[column]));
            }
        }
    }

    fn glow(&mut self, glow: Glow, into: &mut PackedCell) {
        if (self.last_glow.0, self.last_glow.1) != (glow, into.bg()) {
            let color = self.theme.light(glow, self.coloring, into.bg().into());
            self.last_glow = (glow, into.bg(), color.map(PackedColor::from));
        }
        if let Some(color) = self.last_glow.2 {
            into.set_bg(color);
        }
    }

    fn ascii(&self, cell: &Cell, style: CellStyle, into: &mut PackedCell) {
        let char = match cell.content {
            Content::Empty => return,
            // ASCII cannot show tails.
            Content::Prey if cell.count == 0 => return,
            Content::Prey if self.body == BodyStyle::Shapes => arrow(cell.heading),
            Content::Prey => density(cell.dots),
            Content::Predator if cell.count > 0 => 'X',
            Content::Predator => line(cell.heading),
        };
        write_char(char, style, into);
    }

    /// Paints the density in the upper and the lower half of a cell.
    fn heat(&self, [upper, lower]: [u8; 2], into: &mut PackedCell) {
        let most = upper.max(lower);
        if self.marker == Marker::Ascii || self.theme.has_few_colors() {
            let char = shade(most, self.marker == Marker::Ascii);
            into.set_char(char, self.theme.heat(most), Modifier::empty());
            return;
        }
        let (above, below) = (self.theme.heat(upper), self.theme.heat(lower));
        match (upper, lower) {
            (0, _) => into.set_char('▄', below, Modifier::empty()),
            (_, 0) => into.set_char('▀', above, Modifier::empty()),
            _ if upper == lower => {
                into.clear();
                into.set_bg(above);
            }
            _ => {
                into.set_char('▀', above, Modifier::empty());
                into.set_bg(below);
            }
        }
    }

    /// Paints the heat behind a predator, which leaves no box in the map.
    fn heat_behind(&self, [upper, lower]: [u8; 2], into: &mut PackedCell) {
        if self.marker != Marker::Ascii && !self.theme.has_few_colors() {
            into.set_bg(self.theme.heat(upper.midpoint(lower).min(BEHIND)));
        }
    }

    /// Paints a character in ASCII, or else braille dots.
    fn dots_or(&self, ascii: char, dots: u8, style: CellStyle, into: &mut PackedCell) {
        if self.marker == Marker::Ascii {
            write_char(ascii, style, into);
        } else {
            self.dots(dots, style, into);
        }
    }

    /// Paints braille dots with the glyphs of the marker.
    #[inline]
    pub fn dots(&self, dots: u8, style: CellStyle, into: &mut PackedCell) {
        match self.marker {
            Marker::Braille | Marker::Ascii => into.set_braille(dots, style.fg, style.modifier),
            Marker::Octant | Marker::HalfBlock => self.blocks(dots, style, into),
        }
    }

    /// Paints dots as an octant, or as half blocks whose opacity shows the number of dots.
    #[inline(never)]
    fn blocks(&self, dots: u8, style: CellStyle, into: &mut PackedCell) {
        if self.marker == Marker::Octant {
            return write_char(octant(dots), style, into);
        }
        let [upper, lower] = halves(dots);
        let (color, behind) = (Color::from(style.fg), Color::from(into.bg()));
        let half =
            |dots: u32| CellStyle { fg: self.theme.partial_block(color, behind, dots as f32 / 4.0).into(), ..style };
        let (above, below) = (half(upper), half(lower));
        match (upper, lower) {
            (0, _) => write_char('▄', below, into),
            (_, 0) => write_char('▀', above, into),
            _ if above == below => write_char('█', above, into),
            _ => {
                write_char('▀', above, into);
                into.set_bg(below.fg);
            }
        }
    }
}

/// Some cells of a layer with their columns; none if the picture lacks the layer.
fn layer<'a, T>(all: &'a [T], cells: &Range<usize>) -> impl Iterator<Item = (usize, &'a T)> {
    all.get(cells.clone()).unwrap_or_default().iter().enumerate()
}

fn scenery_char(kind: SceneryKind) -> char {
    match kind {
        SceneryKind::Obstacle => '%',
        SceneryKind::Food => ',',
        SceneryKind::Roost => '~',
        SceneryKind::Pointer => 'o',
    }
}

/// Writes a character and keeps the background, which may be a sky or a glow.
#[inline]
pub fn write_char(char: char, style: CellStyle, into: &mut PackedCell) {
    into.set_char(char, style.fg, style.modifier);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui_core::layout::Rect;

    #[test]
    fn symbols_of_a_row_keep_their_width_in_a_buffer() {
        let symbol = |symbol: &'static str| ratatui_core::buffer::Cell::new(symbol);
        let mut row = CellRow::new(6);
        row.cells_mut().iter_mut().for_each(|cell| cell.set_char('x', PackedColor::DEFAULT, Modifier::empty()));
        row.set_symbol(0, symbol("鳥"));
        row.set_symbol(3, symbol("e\u{301}"));
        row.set_symbol(5, symbol("鳥"));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        buffer.draw_row(0, 0, &row);
        assert_eq!(buffer, Buffer::with_lines(["鳥xe\u{301}x "]));
    }
}
