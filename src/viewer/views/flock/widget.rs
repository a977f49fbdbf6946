//! A flock on a screen that is not flockscope's: a widget for programs built on ratatui.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::canvas::Picture;
use crate::config::Theme;
use crate::viewer::ColorDepth;
use crate::viewer::theme::marker::Marker;
use crate::viewer::theme::resolved::{Coloring, ResolvedTheme};
use crate::viewer::theme::sky::Sky;
use crate::viewer::views;

/// A theme at work, worked out once: thousands of colors, and the sky.
#[derive(Debug)]
pub struct Paints {
    pub(crate) look: ResolvedTheme,
    pub(crate) sky: Sky,
}

impl Paints {
    /// The paints of a theme on a terminal with so many colors.
    #[must_use]
    pub fn new(theme: &Theme, depth: ColorDepth) -> Self {
        Self { look: ResolvedTheme::new(theme, depth), sky: Sky::new(theme, depth) }
    }
}

/// What a [`Canvas`](crate::canvas::Canvas) has drawn, as a widget of ratatui's. It fills its area: where the
/// picture is smaller, the rest is sky or background; where it is larger, the upper left part is shown.
///
/// ```
/// use flockscope::canvas::{Canvas, Picture};
/// use flockscope::config::{Preset, Theme};
/// use flockscope::sim::Flock;
/// use flockscope::tui::{ColorDepth, FlockWidget, Paints};
/// use ratatui::buffer::Buffer;
/// use ratatui::layout::Rect;
/// use ratatui::widgets::Widget;
///
/// let flock = Flock::new(&Preset::load("starlings")?.setup(7, 4.0))?;
/// let (mut canvas, mut picture) = (Canvas::new(40, 20), Picture::default());
/// canvas.draw(&flock, &mut picture);
///
/// let paints = Paints::new(&Theme::load("dusk")?, ColorDepth::Truecolor);
/// let mut screen = Buffer::empty(Rect::new(0, 0, 40, 20));
/// FlockWidget::new(&picture, &paints).render(screen.area, &mut screen);
/// assert!(screen.content.iter().any(|cell| cell.symbol() > "⠀" && cell.symbol() <= "⣿"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FlockWidget<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) paints: &'a Paints,
    pub(crate) coloring: Coloring,
    pub(crate) marker: Marker,
}

impl<'a> FlockWidget<'a> {
    /// A picture in these paints: colored by heading, and in braille.
    #[must_use]
    pub fn new(picture: &'a Picture, paints: &'a Paints) -> Self {
        Self { picture, paints, coloring: Coloring::default(), marker: Marker::default() }
    }

    /// The same, with another meaning of its colors.
    #[must_use]
    pub fn coloring(self, coloring: Coloring) -> Self {
        Self { coloring, ..self }
    }

    /// The same, drawn with other characters.
    #[must_use]
    pub fn marker(self, marker: Marker) -> Self {
        Self { marker, ..self }
    }
}

impl Widget for FlockWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        Clear.render(area, buffer);
        buffer.set_style(area, self.paints.look.text);
        views::draw_picture(buffer, area, &self);
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;
    use crate::canvas::Canvas;
    use crate::config::Preset;
    use crate::sim::Flock;

    fn picture(columns: usize, rows: usize) -> Picture {
        let flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 2.0)).unwrap();
        let mut picture = Picture::default();
        Canvas::new(columns, rows).draw(&flock, &mut picture);
        picture
    }

    fn paints(theme: &str) -> Paints {
        Paints::new(&Theme::load(theme).unwrap(), ColorDepth::Truecolor)
    }

    #[test]
    fn it_stays_in_its_area_and_covers_what_was_there() {
        let (picture, paints) = (picture(30, 10), paints("afterglow"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 20, 12));
        screen.content.iter_mut().for_each(|cell| _ = cell.set_char('#'));
        let area = Rect::new(5, 2, 50, 6);
        FlockWidget::new(&picture, &paints).render(area, &mut screen);
        let inside = area.intersection(screen.area);
        for place in screen.area.positions() {
            assert_eq!(screen[place].symbol() == "#", !inside.contains(place), "{place}");
            assert_eq!(screen[place].bg != Color::Reset, inside.contains(place), "a sky at {place}");
        }
    }

    #[test]
    fn it_shows_markers_and_colorings() {
        let (picture, paints) = (picture(30, 10), paints("dusk"));
        let shown = |widget: FlockWidget<'_>| {
            let mut screen = Buffer::empty(Rect::new(0, 0, 30, 10));
            widget.render(screen.area, &mut screen);
            screen
        };
        let plain = FlockWidget::new(&picture, &paints);
        assert_eq!(shown(plain), shown(plain));
        assert_ne!(shown(plain), shown(plain.coloring(Coloring::Speed)));
        let ascii = shown(plain.marker(Marker::Ascii));
        assert!(ascii.content.iter().all(|cell| cell.symbol().is_ascii()));
        assert!(ascii.content.iter().any(|cell| cell.symbol() != " "));
    }

    #[test]
    fn no_area_and_no_picture_are_nothing() {
        let (nothing, paints) = (Picture::default(), paints("dusk"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 8, 4));
        FlockWidget::new(&nothing, &paints).render(Rect::new(20, 20, 5, 5), &mut screen);
        assert_eq!(screen, Buffer::empty(screen.area));
        FlockWidget::new(&nothing, &paints).render(screen.area, &mut screen);
        assert!(screen.content.iter().all(|cell| cell.symbol() == " "));
    }
}
