//! The flock as a widget of ratatui.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::widgets::Widget;

use super::glyph_cell::GlyphCells;
use super::marker::Marker;
use super::{CellPainter, Surface};
use crate::canvas::Picture;
use crate::cell::CellRow;
use crate::theme::{Coloring, ResolvedTheme};

/// A ratatui widget that shows the picture of a [`Canvas`](crate::Canvas). It fills its area: a smaller
/// picture is surrounded by the background, a larger one is clipped.
#[derive(Clone, Copy, Debug)]
pub struct FlockWidget<'a> {
    picture: &'a Picture,
    theme: &'a ResolvedTheme,
    coloring: Coloring,
    marker: Marker,
    glyphs: Option<&'a GlyphCells>,
}

impl<'a> FlockWidget<'a> {
    /// Shows a picture in braille, colored by heading.
    pub fn new(picture: &'a Picture, theme: &'a ResolvedTheme) -> Self {
        Self { picture, theme, coloring: Coloring::default(), marker: Marker::default(), glyphs: None }
    }

    /// Sets the property that colors show.
    #[must_use]
    pub fn coloring(self, coloring: Coloring) -> Self {
        Self { coloring, ..self }
    }

    /// Sets the glyph set.
    #[must_use]
    pub fn marker(self, marker: Marker) -> Self {
        Self { marker, ..self }
    }

    /// Sets the glyphs of boids whose perches have numbers, [converted](GlyphCells::convert) to the colors of the theme. If all perches
    /// have numbers, the picture shows them as a terminal shows a text: without light, trails, bodies and scenery, in any view.
    #[must_use]
    pub fn glyphs(self, glyphs: &'a GlyphCells) -> Self {
        Self { glyphs: Some(glyphs), ..self }
    }
}

impl Widget for FlockWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        for place in area.positions() {
            buffer[place].reset();
            buffer[place].set_style(self.theme.text);
        }
        let none = GlyphCells::default();
        let glyphs = self.glyphs.unwrap_or(&none);
        let mut painter = CellPainter::new(self.picture, self.theme, glyphs, self.coloring, self.marker);
        let mut cells = CellRow::new(area.width);
        for row in 0..area.height {
            painter.paint_background(row, area.height, &mut cells);
            painter.paint(row, &mut cells);
            buffer.draw_row(area.x, area.y + row, &cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui_core::style::Color;

    use super::*;
    use crate::canvas::{Canvas, presets};
    use crate::color::ColorDepth;
    use crate::theme::builtin;
    use flockscope_sim::Flock;

    fn picture(columns: usize, rows: usize) -> Picture {
        let flock = Flock::new(&presets::setup("drones", 7, 2.0)).unwrap();
        let mut picture = Picture::default();
        Canvas::new(columns, rows).draw(&flock, &mut picture);
        picture
    }

    fn theme(name: &str) -> ResolvedTheme {
        ResolvedTheme::new(&builtin::theme(name), ColorDepth::Truecolor)
    }

    #[test]
    fn fills_its_area_and_nothing_else() {
        let (picture, theme) = (picture(30, 10), theme("afterglow"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 20, 12));
        screen.content.iter_mut().for_each(|cell| _ = cell.set_char('#'));
        let area = Rect::new(5, 2, 50, 6);
        FlockWidget::new(&picture, &theme).render(area, &mut screen);
        let inside = area.intersection(screen.area);
        for place in screen.area.positions() {
            assert_eq!(screen[place].symbol() == "#", !inside.contains(place), "{place}");
            assert_eq!(screen[place].bg != Color::Reset, inside.contains(place), "a sky at {place}");
        }
    }

    #[test]
    fn markers_and_colorings_differ() {
        let (picture, theme) = (picture(30, 10), theme("dusk"));
        let shown = |widget: FlockWidget<'_>| {
            let mut screen = Buffer::empty(Rect::new(0, 0, 30, 10));
            widget.render(screen.area, &mut screen);
            screen
        };
        let plain = FlockWidget::new(&picture, &theme);
        assert_eq!(shown(plain), shown(plain));
        assert_ne!(shown(plain), shown(plain.coloring(Coloring::Speed)));
        let ascii = shown(plain.marker(Marker::Ascii));
        assert!(ascii.content.iter().all(|cell| cell.symbol().is_ascii()));
        assert!(ascii.content.iter().any(|cell| cell.symbol() != " "));
    }

    #[test]
    fn an_empty_area_and_an_empty_picture_draw_nothing() {
        let (nothing, theme) = (Picture::default(), theme("dusk"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 8, 4));
        FlockWidget::new(&nothing, &theme).render(Rect::new(20, 20, 5, 5), &mut screen);
        assert_eq!(screen, Buffer::empty(screen.area));
        FlockWidget::new(&nothing, &theme).render(screen.area, &mut screen);
        assert!(screen.content.iter().all(|cell| cell.symbol() == " "));
    }
}
