//! The flock itself.

use ratatui::buffer::{self, Buffer};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::canvas::{Body, Cell, Content, Glow, Picture, Trail};
use crate::tui::Marker;
use crate::tui::app::App;
use crate::tui::look::{Coloring, Look};
use crate::tui::marker::{arrow, braille, grain, halves, octant, shade, stroke};

/// Draws a picture, as much of it as fits, over what is there already.
pub fn draw(buffer: &mut Buffer, area: Rect, picture: &Picture, app: &App) {
    let (columns, rows) = (picture.columns.min(usize::from(area.width)), picture.rows.min(usize::from(area.height)));
    let width = usize::from(buffer.area.width);
    let corner = usize::from(area.y) * width + usize::from(area.x);
    let mut brush = Brush::new(&app.look, app.coloring, app.marker, picture.layers.body);
    for row in 0..rows {
        let into = &mut buffer.content[corner + row * width..][..columns];
        let first = row * picture.columns;
        if let Some(heat) = picture.heat.get(first..first + columns) {
            heat.iter().zip(&mut *into).for_each(|(heat, into)| brush.heat(*heat, into));
        }
        if let Some(glow) = picture.glow.get(first..first + columns) {
            glow.iter().zip(&mut *into).for_each(|(glow, into)| brush.glow(*glow, into));
        }
        if let Some(trails) = picture.trails.get(first..first + columns) {
            trails.iter().zip(&mut *into).for_each(|(trail, into)| brush.trail(*trail, into));
        }
        let cells = &picture.cells[first..][..columns];
        cells.iter().zip(into).for_each(|(cell, into)| brush.cell(*cell, into));
    }
}

/// What paints cells.
struct Brush<'a> {
    look: &'a Look,
    coloring: Coloring,
    marker: Marker,
    body: Body,
    /// The last glow that was mixed, what it was painted over, and what became of it: neighbours are alike.
    last: (Glow, Color, Option<Color>),
}

impl<'a> Brush<'a> {
    fn new(look: &'a Look, coloring: Coloring, marker: Marker, body: Body) -> Self {
        Self { look, coloring, marker, body, last: (Glow::default(), Color::Reset, None) }
    }

    fn glow(&mut self, glow: Glow, into: &mut buffer::Cell) {
        if glow.level == 0 {
            return;
        }
        if (self.last.0, self.last.1) != (glow, into.bg) {
            self.last = (glow, into.bg, self.look.glow(glow, self.coloring, into.bg));
        }
        if let Some(color) = self.last.2 {
            into.bg = color;
        }
    }

    fn cell(&self, cell: Cell, into: &mut buffer::Cell) {
        match cell.content {
            Content::Empty => {}
            // A plain character has no room for tails.
            Content::Prey if self.marker == Marker::Ascii && cell.count == 0 => {}
            Content::Prey if self.marker == Marker::Ascii => {
                let sign = if self.body == Body::Shapes { arrow(cell.heading) } else { grain(cell.dots) };
                write(sign, self.look.cell(cell, self.coloring), into);
            }
            Content::Predator if self.marker == Marker::Ascii => {
                let sign = if cell.count > 0 { 'X' } else { stroke(cell.heading) };
                write(sign, self.look.cell(cell, self.coloring), into);
            }
            Content::Prey | Content::Predator => self.dots(cell.dots, self.look.cell(cell, self.coloring), into),
        }
    }

    fn trail(&self, trail: Trail, into: &mut buffer::Cell) {
        if trail.dots == 0 {
            return;
        }
        let style = self.look.trail(trail, self.coloring);
        if self.marker == Marker::Ascii {
            write(if trail.age < 128 { ':' } else { '.' }, style, into);
        } else {
            self.dots(trail.dots, style, into);
        }
    }

    /// Paints how crowded the upper and the lower half of a cell are.
    fn heat(&self, [upper, lower]: [u8; 2], into: &mut buffer::Cell) {
        let most = upper.max(lower);
        if most == 0 {
            return;
        }
        if self.marker == Marker::Ascii || self.look.has_few_colors() {
            let sign = shade(most, self.marker == Marker::Ascii);
            into.set_char(sign).set_fg(self.look.heat(most));
            return;
        }
        match (upper, lower) {
            (0, _) => into.set_char('▄').set_fg(self.look.heat(lower)),
            (_, 0) => into.set_char('▀').set_fg(self.look.heat(upper)),
            _ if upper == lower => into.set_char(' ').set_bg(self.look.heat(upper)),
            _ => into.set_char('▀').set_fg(self.look.heat(upper)).set_bg(self.look.heat(lower)),
        };
    }

    /// Paints dots over what is behind them.
    fn dots(&self, dots: u8, style: Style, into: &mut buffer::Cell) {
        match self.marker {
            Marker::Octant => write(octant(dots), style, into),
            Marker::HalfBlock => self.blocks(dots, style, into),
            Marker::Braille | Marker::Ascii => write(braille(dots), style, into),
        }
    }

    /// Paints two half blocks, each the lighter the more of its dots are set.
    fn blocks(&self, dots: u8, style: Style, into: &mut buffer::Cell) {
        let [upper, lower] = halves(dots);
        let Some(color) = style.fg else { return };
        let part = |dots: u32| self.look.part(color, into.bg, dots as f32 / 4.0);
        let (above, below) = (part(upper), part(lower));
        match (upper, lower) {
            (0, _) => write('▄', style.fg(below), into),
            (_, 0) => write('▀', style.fg(above), into),
            _ if above == below => write('█', style.fg(above), into),
            _ => {
                write('▀', style.fg(above), into);
                into.bg = below;
            }
        }
    }
}

/// Puts a sign over what is behind it: a sky or a glow may have been painted there.
fn write(sign: char, style: Style, into: &mut buffer::Cell) {
    into.set_char(sign);
    into.fg = style.fg.unwrap_or(Color::Reset);
    into.modifier = style.add_modifier;
}
