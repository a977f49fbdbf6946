//! How the flock is shown, and from where.

use glam::Vec2;
use ratatui::layout::Rect;

use crate::canvas::{Aim, Format, View};
use crate::viewer::app::App;
use crate::viewer::app::viewport::Outlook;
use crate::viewer::theme::resolved::Coloring;
use crate::viewer::views::gauges_in;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::panel::gauges;

impl App {
    /// Tells that the screen has another size, or the canvas's dots, so many times as high as wide, another shape.
    pub fn resize(&mut self, screen: Rect, tall: f32) {
        let regions = Regions::new(screen, self.clean);
        (self.columns, self.has_panel) = (screen.width, regions.panel.is_some());
        if let Some(panel) = regions.panel {
            self.first_gauge = gauges::first(self, gauges_in(panel).height.into());
        }
        let canvas = regions.canvas();
        if (canvas, tall) != (self.canvas, self.tall) {
            (self.canvas, self.tall) = (canvas, tall);
            // A flock that nobody watches keeps its world.
            if !self.stage.holds_flock() {
                self.wishes.resize(self.format().shape());
            }
        }
    }

    /// What colours tell: what was chosen, or else the species, where there are several.
    #[must_use]
    pub fn coloring(&self) -> Coloring {
        let chosen = self.coloring.filter(|coloring| *coloring != Coloring::Species || self.is_mixed());
        chosen.unwrap_or(if self.is_mixed() { Coloring::Species } else { Coloring::Heading })
    }

    /// Whether there are several species.
    fn is_mixed(&self) -> bool {
        self.wishes.rules.species.count > 1.0
    }

    /// What is asked of the canvas.
    #[must_use]
    pub fn format(&self) -> Format {
        let (columns, rows) = self.canvas;
        Format {
            columns,
            rows,
            view: self.view,
            dark: !self.dress.look.has_lights(),
            densities: self.coloring() == Coloring::Density,
            aim: self.outlook.aim(),
            map: !self.clean,
            tall: self.tall,
        }
    }

    /// Draws the flock this way, in these colours, from here.
    pub(crate) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.view, self.coloring, self.outlook) = (view, coloring, Outlook::new(aim));
    }

    pub(crate) fn change_coloring(&mut self) {
        let coloring = self.coloring().next(self.is_mixed());
        self.coloring = Some(coloring);
        self.say(format!("colour shows {}", coloring.name()));
    }

    pub(crate) fn change_marker(&mut self) {
        self.marker = self.marker.next();
        self.say(format!("drawn with {}", self.marker.words()));
    }

    pub(crate) fn change_theme(&mut self, next: bool) {
        self.dress.change(next);
        self.say(format!("theme {}", self.dress.name()));
    }

    /// A step nearer or farther away; what is seen at `about`, a dot of the canvas, stays there, else its middle.
    pub fn zoom(&mut self, about: Option<Vec2>, nearer: bool) {
        self.direct(|outlook| outlook.zoom(about, nearer));
    }

    /// Looks elsewhere, and says so.
    pub(crate) fn direct(&mut self, look: impl FnOnce(&mut Outlook) -> String) {
        let said = look(&mut self.outlook);
        self.say(said);
    }

    pub(crate) fn look_at(&mut self, view: View) {
        self.view = view;
        let (columns, rows) = self.canvas;
        let layers = view.layers(self.outlook.boids().unwrap_or(self.wishes.boids), columns, rows);
        let shown = self.dress.look.shown(layers);
        self.say(match view {
            View::Auto => format!("view: what suits, now {}", shown.name()),
            View::Glow if shown != layers => format!("view: {}; a glow takes more colours", shown.name()),
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
    use crate::viewer::theme::resolved::Look;
    use crate::viewer::{Action, ColorDepth, Marker};

    /// The formats that are asked for, and nothing else.
    fn asked(app: &mut App) -> Vec<Format> {
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
        app.dress.look = Look::new(&Theme::load("dusk").unwrap(), ColorDepth::Ansi);
        (0..3).for_each(|_| app.act(Action::View));
        assert_eq!(app.message(), Some("view: heads; a glow takes more colours"));
    }

    #[test]
    fn a_glow_that_nobody_would_see_is_not_worked_out() {
        let mut app = app(20);
        let mut limited = |most| {
            app.dress.limit(most);
            asked(&mut app).first().map(|format| format.dark)
        };
        assert_eq!(limited(ColorDepth::Indexed), None);
        assert_eq!(limited(ColorDepth::Ansi), Some(true));
        assert_eq!(limited(ColorDepth::Mono), None);
        assert_eq!(limited(ColorDepth::Truecolor), Some(false));
    }
}
