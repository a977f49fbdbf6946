//! Actions on the display and the camera.

use ratatui::layout::Rect;

use crate::canvas::View;
use crate::viewer::app::App;
use crate::viewer::app::viewport::Viewport;
use crate::viewer::views::gauges_in;
use crate::viewer::views::layout::Regions;
use crate::viewer::views::panel::gauges;

impl App {
    /// Adapts to the size of the screen and to the shape of a dot (height / width).
    pub fn resize(&mut self, screen: Rect, dot_height: f32) {
        let canvas_changed = self.display.resize(screen, dot_height);
        if let Some(panel) = Regions::new(screen, self.display.clean).panel {
            self.param_list.first_line = gauges::first(self, gauges_in(panel).height.into());
        }
        // An idle slideshow hides the panel, but must not change the world.
        if canvas_changed && !self.screensaver.is_idle() {
            self.session.resize(self.format().aspect_ratio());
        }
    }

    pub(crate) fn cycle_coloring(&mut self) {
        let coloring = self.coloring().next(self.is_mixed());
        self.display.coloring = Some(coloring);
        self.show_message(format!("coloring: {}", coloring.name()));
    }

    pub(crate) fn cycle_marker(&mut self) {
        self.display.marker = self.display.marker.next();
        self.show_message(format!("glyphs: {}", self.display.marker.words()));
    }

    pub(crate) fn cycle_theme(&mut self, next: bool) {
        self.theme.cycle(next);
        self.show_message(format!("theme: {}", self.theme.name()));
    }

    pub(crate) fn cycle_view(&mut self, next: bool) {
        let view = if next { self.display.view.next() } else { self.display.view.previous() };
        self.display.view = view;
        let (columns, rows) = self.display.canvas();
        let state = self.session.state();
        let boids = self.viewport.boids().unwrap_or(state.boids);
        let layers = view.layers(boids, state.world.dim(), columns, rows);
        let shown = self.theme.resolved().visible_layers(layers);
        self.show_message(match view {
            View::Auto => format!("view: auto ({})", shown.name()),
            View::Glow if shown != layers => format!("view: {} (glow needs more colors)", shown.name()),
            _ => format!("view: {}", shown.name()),
        });
    }

    /// Moves the camera and shows the message that `change` returns.
    pub(crate) fn move_camera(&mut self, change: impl FnOnce(&mut Viewport) -> String) {
        let message = change(&mut self.viewport);
        self.show_message(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::CanvasFormat;
    use crate::engine::Request;
    use crate::viewer::app::tests::app;
    use crate::viewer::{Action, ColorDepth, Marker};

    /// The requested formats; panics on other requests.
    fn requested(app: &mut App) -> Vec<CanvasFormat> {
        let formats = app.requests().into_iter().map(|request| match request {
            Request::Canvas(format) => format,
            other => panic!("{other:?}"),
        });
        formats.collect()
    }

    #[test]
    fn views_request_formats_and_markers_do_not() {
        let mut app = app(20);
        let (mut messages, mut views) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            app.act(Action::View);
            messages.push(app.message().unwrap().to_owned());
            let [format] = requested(&mut app)[..] else { panic!("one request per view") };
            assert_eq!((format.columns, format.rows), (80, 20));
            views.push(format.view);
        }
        assert_eq!(messages[0], "view: heads");
        assert_eq!(messages[5], "view: auto (shapes with trails)");
        assert_eq!(views, [View::Heads, View::Trails, View::Glow, View::Heat, View::Shapes, View::Auto]);
        app.act(Action::Marker);
        assert_eq!((app.display.marker, app.requests().len()), (Marker::Octant, 0));
        // Only the last of several changes is requested.
        (0..8).for_each(|_| app.act(Action::View));
        assert_eq!(requested(&mut app).len(), 1);
        (0..6).for_each(|_| app.act(Action::View));
        assert_eq!(requested(&mut app), []);
        (0..4).for_each(|_| app.act(Action::View));
        app.theme.limit_depth(ColorDepth::Colors16);
        (0..3).for_each(|_| app.act(Action::View));
        assert_eq!(app.message(), Some("view: heads (glow needs more colors)"));
    }

    #[test]
    fn the_canvas_skips_an_invisible_glow() {
        let mut app = app(20);
        let mut limited = |most| {
            app.theme.limit_depth(most);
            requested(&mut app).first().map(|format| format.no_glow)
        };
        assert_eq!(limited(ColorDepth::Colors256), Some(true));
        assert_eq!(limited(ColorDepth::Colors16), None);
        assert_eq!(limited(ColorDepth::Mono), None);
        assert_eq!(limited(ColorDepth::Truecolor), Some(false));
    }
}
