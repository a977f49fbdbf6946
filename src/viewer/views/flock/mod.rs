//! The flock itself.

pub(crate) mod hud;
pub(crate) mod intro;
pub(crate) mod surface;
pub(crate) mod widget;

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::canvas::{BodyStyle, Cell, Content, Glow, Picture, SceneryCell, SceneryKind, Trail, ViewInfo};
use crate::terminal::{CellRow, PackedCell, PackedColor};
use crate::viewer::Marker;
use crate::viewer::app::App;
use crate::viewer::theme::ThemeState;
use crate::viewer::theme::cell_style::CellStyle;
use crate::viewer::theme::marker::{arrow, grain, halves, octant, shade, stroke};
use crate::viewer::theme::resolved::{Coloring, ResolvedTheme};
use crate::viewer::theme::sky::Sky;
use hud::Hud;
use surface::Surface;
use widget::{FlockWidget, Paints};

/// Draws a picture, as much of it as fits, over the theme's sky or ground; over it the map, and corners
/// around who is followed.
pub fn draw(surface: &mut impl Surface, area: Rect, picture: &Picture, view_info: &ViewInfo, app: &App) {
    let ThemeState { look, sky, .. } = &app.theme;
    let over = Hud::new(area, &picture.map, view_info, app);
    let mut brush = CellPainter::new(look, app.coloring(), app.marker(), picture.layers.body);
    let mut line = CellRow::new(area.width);
    let (intro, hidden, mut veil) = (app.screensaver.intro(), app.theme.hidden(), app.theme.veil());
    let mut behind: Vec<PackedCell> = Vec::new();
    for row in 0..area.height {
        backdrop(look, sky, row, area.height, &mut line);
        if intro.is_some() || hidden > 0.0 {
            behind.clear();
            behind.extend_from_slice(line.cells());
        }
        brush.paint(picture, row, &mut line);
        over.paint(row, &mut line);
        for (column, behind) in (0..).zip(&behind) {
            let share = intro.map_or(0.0, |intro| intro.veil(column, row)).max(hidden);
            veil.cover(line.cell_mut(column.into()), behind.bg(), share);
        }
        if let Some(intro) = intro {
            intro::paint(intro, row, app, &brush, &mut veil, line.cells_mut());
        }
        surface.draw_row(area.x, area.y + row, &line);
    }
}

/// Draws a picture alone, likewise.
pub fn draw_picture(surface: &mut impl Surface, area: Rect, widget: &FlockWidget<'_>) {
    let FlockWidget { picture, paints: Paints { look, sky }, coloring, marker } = *widget;
    let mut brush = CellPainter::new(look, coloring, marker, picture.layers.body);
    let mut line = CellRow::new(area.width);
    for row in 0..area.height {
        backdrop(look, sky, row, area.height, &mut line);
        brush.paint(picture, row, &mut line);
        surface.draw_row(area.x, area.y + row, &line);
    }
}

/// Fills a row with what stands behind everything: the theme's sky or ground.
fn backdrop(look: &ResolvedTheme, sky: &Sky, row: u16, rows: u16, into: &mut CellRow) {
    let ground = PackedColor::from(look.text.bg.unwrap_or_default());
    into.clear(ground);
    if !sky.is_empty() {
        for (column, ink) in (0..).zip(into.cells_mut()) {
            ink.set_bg(sky.color(column, row, rows).map_or(ground, PackedColor::from));
        }
    }
}

/// What paints cells.
pub(crate) struct CellPainter<'a> {
    look: &'a ResolvedTheme,
    coloring: Coloring,
    marker: Marker,
    body: BodyStyle,
    /// The last glow that was mixed, what it was painted over, and what became of it: neighbors are alike.
    last: (Glow, PackedColor, Option<PackedColor>),
}

impl<'a> CellPainter<'a> {
    fn new(look: &'a ResolvedTheme, coloring: Coloring, marker: Marker, body: BodyStyle) -> Self {
        Self { look, coloring, marker, body, last: (Glow::default(), PackedColor::DEFAULT, None) }
    }

    /// Paints a row of a picture, layer over layer, as many cells as fit; none beside the picture: it may still
    /// be that of a smaller screen.
    fn paint(&mut self, picture: &Picture, row: u16, into: &mut CellRow) {
        let (row, width) = (usize::from(row), into.width().min(picture.columns));
        let first = row * picture.columns;
        let cells = if row < picture.rows { first..first + width } else { 0..0 };
        let (heat, glow) = (part(&picture.heat, &cells), part(&picture.glow, &cells));
        let (scenery, trails) = (part(&picture.scenery, &cells), part(&picture.trails, &cells));
        // The brightest heat is as bright as a predator: behind those it is left out.
        let hunts = |column: usize| picture.cells.all()[first + column].content == Content::Predator;
        for (column, heat) in heat.filter(|(column, heat)| **heat != [0; 2] && !hunts(*column)) {
            self.heat(*heat, into.cell_mut(column));
        }
        for (column, glow) in glow.filter(|(_, glow)| glow.level > 0) {
            self.glow(*glow, into.cell_mut(column));
        }
        for (column, SceneryCell { dots, thing }) in scenery {
            if let Some(thing) = thing {
                self.mark(*dots, *thing, into.cell_mut(column));
            }
        }
        for (column, trail) in trails.filter(|(_, trail)| trail.dots > 0) {
            self.trail(*trail, into.cell_mut(column));
        }
        self.bodies(picture, row, into);
    }

    /// Paints who is seen in a row of a picture: of all layers the one with most to do.
    #[inline(never)]
    fn bodies(&self, picture: &Picture, row: usize, into: &mut CellRow) {
        let width = into.width();
        let inks = into.mark_drawn(picture.cells.words_in(row, width));
        let cells = picture.cells.drawn_in(row, width).filter(|(_, cell)| cell.content != Content::Empty);
        let coat = |cell: &Cell| self.look.cell(cell, self.coloring);
        match self.marker {
            Marker::Ascii => cells.for_each(|(column, cell)| self.plain(cell, &mut inks[column])),
            Marker::Braille => cells.for_each(|(column, cell)| {
                let coat = coat(cell);
                inks[column].set_braille(cell.dots, coat.fg, coat.modifier);
            }),
            Marker::Octant | Marker::HalfBlock => {
                cells.for_each(|(column, cell)| self.blocks(cell.dots, coat(cell), &mut inks[column]));
            }
        }
    }

    fn glow(&mut self, glow: Glow, into: &mut PackedCell) {
        if (self.last.0, self.last.1) != (glow, into.bg()) {
            let color = self.look.glow(glow, self.coloring, into.bg().into());
            self.last = (glow, into.bg(), color.map(PackedColor::from));
        }
        if let Some(color) = self.last.2 {
            into.set_bg(color);
        }
    }

    /// Paints a cell with a plain character.
    fn plain(&self, cell: &Cell, into: &mut PackedCell) {
        let sign = match cell.content {
            Content::Empty => return,
            // It has no room for tails.
            Content::Prey if cell.count == 0 => return,
            Content::Prey if self.body == BodyStyle::Shapes => arrow(cell.heading),
            Content::Prey => grain(cell.dots),
            Content::Predator if cell.count > 0 => 'X',
            Content::Predator => stroke(cell.heading),
        };
        write(sign, self.look.cell(cell, self.coloring), into);
    }

    fn mark(&self, dots: u8, thing: SceneryKind, into: &mut PackedCell) {
        let coat = self.look.thing(thing);
        if self.marker == Marker::Ascii {
            write(sign(thing), coat, into);
        } else {
            self.dots(dots, coat, into);
        }
    }

    fn trail(&self, trail: Trail, into: &mut PackedCell) {
        let coat = self.look.trail(trail, self.coloring);
        if self.marker == Marker::Ascii {
            write(if trail.age < 128 { ':' } else { '.' }, coat, into);
        } else {
            self.dots(trail.dots, coat, into);
        }
    }

    /// Paints how crowded the upper and the lower half of a cell are.
    fn heat(&self, [upper, lower]: [u8; 2], into: &mut PackedCell) {
        let most = upper.max(lower);
        if self.marker == Marker::Ascii || self.look.has_few_colors() {
            let sign = shade(most, self.marker == Marker::Ascii);
            into.set_char(sign, self.look.heat(most), Modifier::empty());
            return;
        }
        let (above, below) = (self.look.heat(upper), self.look.heat(lower));
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

    /// Paints dots over what is behind them.
    #[inline]
    pub(crate) fn dots(&self, dots: u8, coat: CellStyle, into: &mut PackedCell) {
        match self.marker {
            Marker::Braille | Marker::Ascii => into.set_braille(dots, coat.fg, coat.modifier),
            Marker::Octant | Marker::HalfBlock => self.blocks(dots, coat, into),
        }
    }

    /// Paints dots as an octant, or as two half blocks, each the lighter the more of its dots are set.
    #[inline(never)]
    fn blocks(&self, dots: u8, coat: CellStyle, into: &mut PackedCell) {
        if self.marker == Marker::Octant {
            return write(octant(dots), coat, into);
        }
        let [upper, lower] = halves(dots);
        let (color, behind) = (Color::from(coat.fg), Color::from(into.bg()));
        let part = |dots: u32| CellStyle { fg: self.look.part(color, behind, dots as f32 / 4.0).into(), ..coat };
        let (above, below) = (part(upper), part(lower));
        match (upper, lower) {
            (0, _) => write('▄', below, into),
            (_, 0) => write('▀', above, into),
            _ if above == below => write('█', above, into),
            _ => {
                write('▀', above, into);
                into.set_bg(below.fg);
            }
        }
    }
}

/// Some cells of a layer with their columns; none where there is no such layer.
fn part<'a, T>(layer: &'a [T], cells: &Range<usize>) -> impl Iterator<Item = (usize, &'a T)> {
    layer.get(cells.clone()).unwrap_or_default().iter().enumerate()
}

/// A plain character for what stands in the world.
fn sign(thing: SceneryKind) -> char {
    match thing {
        SceneryKind::Obstacle => '%',
        SceneryKind::Food => ',',
        SceneryKind::Roost => '~',
        SceneryKind::Pointer => 'o',
    }
}

/// Puts a sign over what is behind it: a sky or a glow may have been painted there.
#[inline]
fn write(sign: char, coat: CellStyle, into: &mut PackedCell) {
    into.set_char(sign, coat.fg, coat.modifier);
}
