//! How the flock is shown, and from where.

use glam::Vec2;
use ratatui::layout::Rect;

use crate::canvas::{Aim, CanvasFormat, View};
use crate::viewer::app::App;
use crate::viewer::app::viewport::Viewport;
use crate::viewer::theme::resolved::Coloring;
use crate::viewer::views::gauges_in;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::panel::gauges;

impl App {
    /// Tells that the screen has another size, or the canvas's dots, so many times as high as wide, another shape.
    pub fn resize(&mut self, screen: Rect, dot_height: f32) {
        let regions = Regions::new(screen, self.clean);
        (self.columns, self.has_panel) = (screen.width, regions.panel.is_some());
        if let Some(panel) = regions.panel {
            self.first_gauge = gauges::first(self, gauges_in(panel).height.into());
        }
        let canvas = regions.canvas();
        if (canvas, dot_height) != (self.canvas, self.dot_height) {
            (self.canvas, self.dot_height) = (canvas, dot_height);
            // A flock that nobody watches keeps its world.
            if !self.screensaver.keeps_flock() {
                self.session.resize(self.format().aspect_ratio());
            }
        }
    }

    /// What colors tell: what was chosen, or else the species, where there are several.
    #[must_use]
    pub fn coloring(&self) -> Coloring {
        let chosen = self.coloring.filter(|coloring| *coloring != Coloring::Species || self.is_mixed());
        chosen.unwrap_or(if self.is_mixed() { Coloring::Species } else { Coloring::Heading })
    }

    /// Whether there are several species.
    fn is_mixed(&self) -> bool {
        self.session.rules.species.count > 1.0
    }

    /// What is asked of the canvas.
    #[must_use]
    pub fn format(&self) -> CanvasFormat {
        let (columns, rows) = self.canvas;
        CanvasFormat {
            columns,
            rows,
            view: self.view,
            no_glow: !self.theme.look.has_glow(),
            densities: self.coloring() == Coloring::Density,
            aim: self.viewport.aim(),
            map: !self.clean,
            dot_height: self.dot_height,
        }
    }

    /// Draws the flock this way, in these colors, from here.
    pub(crate) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.view, self.coloring, self.viewport) = (view, coloring, Viewport::new(aim));
    }

    pub(crate) fn change_coloring(&mut self) {
        let coloring = self.coloring().next(self.is_mixed());
        self.coloring = Some(coloring);
        self.show_message(format!("color shows {}", coloring.name()));
    }

    pub(crate) fn change_marker(&mut self) {
        self.marker = self.marker.next();
        self.show_message(format!("drawn with {}", self.marker.words()));
    }

    pub(crate) fn change_theme(&mut self, next: bool) {
        self.theme.change(next);
        self.show_message(format!("theme {}", self.theme.name()));
    }

    /// A step nearer or farther away; what is seen at `about`, a dot of the canvas, stays there, else its middle.
    pub fn zoom(&mut self, about: Option<Vec2>, nearer: bool) {
        self.direct(|viewport| viewport.zoom(about, nearer));
    }

    /// Looks elsewhere, and says so.
    pub(crate) fn direct(&mut self, look: impl FnOnce(&mut Viewport) -> String) {
        let said = look(&mut self.viewport);
        self.show_message(said);
    }

    pub(crate) fn look_at(&mut self, view: View) {
        self.view = view;
        let (columns, rows) = self.canvas;
        let layers = view.layers(self.viewport.boids().unwrap_or(self.session.boids), columns, rows);
        let shown = self.theme.look.shown(layers);
        self.show_message(match view {
            View::Auto => format!("view: what suits, now {}", shown.name()),
            View::Glow if shown != layers => format!("view: {}; a glow takes more colors", shown.name()),
            _ => format!("view: {}", shown.name()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Theme;
    use crate::engine::Request;
    use crate::viewer::app::tests::app;
    use crate::viewer::theme::resolved::ResolvedTheme;
    use crate::viewer::{Action, ColorDepth, Marker};

    /// The formats that are asked for, and nothing else.
    fn asked(app: &mut App) -> Vec<CanvasFormat> {
        let formats = app.requests().into_iter().map(|request| match request {
            Request::Canvas(format) => format,
            other => panic!("{other:?}"),
        });
        formats.collect()
    }

    #[test]
    fn views_and_markers_are_said_and_asked_for() {
        let mut app = app(20);
        let (mut said, mut views) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            app.act(Action::View);
            said.push(app.message().unwrap().to_owned());
            let [format] = asked(&mut app)[..] else { panic!("another view is another format") };
            assert_eq!((format.columns, format.rows), (80, 20));
            views.push(format.view);
        }
        assert_eq!(said[0], "view: heads");
        assert_eq!(said[5], "view: what suits, now shapes with trails");
        assert_eq!(views, [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes, View::Auto]);
        app.act(Action::Marker);
        assert_eq!((app.marker, app.requests().len()), (Marker::Octant, 0));
        // Of many that come at once only the last matters.
        (0..8).for_each(|_| app.act(Action::View));
        assert_eq!(asked(&mut app).len(), 1);
        (0..6).for_each(|_| app.act(Action::View));
        assert_eq!(asked(&mut app), []);
        (0..4).for_each(|_| app.act(Action::View));
        app.theme.look = ResolvedTheme::new(&Theme::load("dusk").unwrap(), ColorDepth::Ansi);
        (0..3).for_each(|_| app.act(Action::View));
        assert_eq!(app.message(), Some("view: heads; a glow takes more colors"));
    }

    #[test]
    fn a_glow_that_nobody_would_see_is_not_worked_out() {
        let mut app = app(20);
        let mut limited = |most| {
            app.theme.limit(most);
            asked(&mut app).first().map(|format| format.no_glow)
        };
        assert_eq!(limited(ColorDepth::Indexed), None);
        assert_eq!(limited(ColorDepth::Ansi), Some(true));
        assert_eq!(limited(ColorDepth::Mono), None);
        assert_eq!(limited(ColorDepth::Truecolor), Some(false));
    }
}
