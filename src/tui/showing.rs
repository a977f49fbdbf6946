//! How the flock is shown, and from where.

use glam::Vec2;

use super::app::App;
use super::look::Coloring;
use super::outlook::Outlook;
use crate::canvas::{Aim, Format, View};

impl App {
    /// Tells that the canvas has another size, or its dots, so many times as high as wide, another shape.
    pub fn resize(&mut self, canvas: (usize, usize), tall: f32) {
        if (canvas, tall) != (self.canvas, self.tall) {
            (self.canvas, self.tall) = (canvas, tall);
            // A flock that nobody watches keeps its world.
            if self.stage.holds_flock() {
                self.wishes.show(self.format());
            } else {
                self.wishes.resize(self.format());
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
        let densities = self.coloring() == Coloring::Density;
        Format { columns, rows, view: self.view, densities, aim: self.outlook.aim(), map: !self.clean, tall: self.tall }
    }

    /// Draws the flock this way, in these colours, from here.
    pub(super) fn show_as(&mut self, view: View, coloring: Option<Coloring>, aim: Aim) {
        (self.view, self.coloring, self.outlook) = (view, coloring, Outlook::new(aim));
        self.wishes.show(self.format());
    }

    pub(super) fn change_coloring(&mut self) {
        let coloring = self.coloring().next(self.is_mixed());
        self.coloring = Some(coloring);
        self.wishes.show(self.format());
        self.say(format!("colour shows {}", coloring.name()));
    }

    pub(super) fn change_marker(&mut self) {
        self.marker = self.marker.next();
        self.say(format!("drawn with {}", self.marker.words()));
    }

    pub(super) fn change_theme(&mut self, next: bool) {
        self.dress.change(next);
        self.say(format!("theme {}", self.dress.name()));
    }

    /// A step nearer or farther away; what is seen at `about`, a dot of the canvas, stays there, else its middle.
    pub fn zoom(&mut self, about: Option<Vec2>, nearer: bool) {
        self.direct(|outlook| outlook.zoom(about, nearer));
    }

    /// Looks elsewhere, and says so.
    pub(super) fn direct(&mut self, look: impl FnOnce(&mut Outlook) -> String) {
        let said = look(&mut self.outlook);
        self.wishes.show(self.format());
        self.say(said);
    }

    pub(super) fn look_at(&mut self, view: View) {
        self.view = view;
        self.wishes.show(self.format());
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
    use super::super::app::tests::app;
    use super::super::look::Look;
    use super::super::{Action, ColorDepth, Marker};
    use super::*;
    use crate::config::Theme;
    use crate::engine::Request;

    #[test]
    fn views_and_markers_are_said_and_asked_for() {
        let mut app = app(20);
        let mut said = Vec::new();
        for _ in 0..6 {
            app.act(Action::View);
            said.push(app.message().unwrap().to_owned());
        }
        assert_eq!(said[0], "view: heads");
        assert_eq!(said[5], "view: what suits, now shapes with trails");
        let views: Vec<View> = app
            .requests()
            .into_iter()
            .map(|request| match request {
                Request::Canvas(format) if (format.columns, format.rows) == (80, 20) => format.view,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(views, [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes, View::Auto]);
        app.act(Action::Marker);
        assert_eq!((app.marker, app.requests().len()), (Marker::Octant, 0));
        app.dress.look = Look::new(&Theme::load("dusk").unwrap(), ColorDepth::Ansi);
        (0..3).for_each(|_| app.act(Action::View));
        assert_eq!(app.message(), Some("view: heads; a glow takes more colours"));
    }
}
