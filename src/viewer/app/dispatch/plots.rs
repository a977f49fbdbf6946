//! Actions on the page of plots.

use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::plots::measure::{PLOT_MEASURES, PlotMeasure};

impl App {
    /// Opens or closes the page.
    pub(crate) fn toggle_plots(&mut self) {
        self.plots.set_open(!self.plots.is_open());
        self.release_mouse();
    }

    /// Opens the page with one measure over time.
    pub(crate) fn plot_only(&mut self, measure: &'static PlotMeasure) {
        self.plots.show_only(measure);
    }

    /// Opens or closes the list of measures, with the page behind it.
    pub(crate) fn choose_measures(&mut self) {
        self.plots.set_open(true);
        self.toggle_overlay(Overlay::Measures(0));
    }

    /// Shows or hides the plot of a measure in the list.
    pub(crate) fn toggle_measure(&mut self, index: usize) {
        if let Some(measure) = PLOT_MEASURES.get(index) {
            self.plots.toggle(measure);
        }
    }

    /// Performs an action of the camera on the page that covers the flock. Returns whether it is one.
    pub(crate) fn act_on_page(&mut self, action: Action) -> bool {
        match action {
            Action::ZoomIn => self.plots.zoom(true, &self.history),
            Action::ZoomOut => self.plots.zoom(false, &self.history),
            Action::PanLeft => self.plots.pan(true, &self.history),
            Action::PanRight => self.plots.pan(false, &self.history),
            Action::ResetView => self.plots.reset_window(),
            Action::View | Action::PreviousView => self.plots.is_phase = !self.plots.is_phase,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;

    #[test]
    fn the_page_takes_the_keys_of_the_camera_and_leaves_the_others() {
        let mut app = app(20);
        app.act(Action::Plots);
        let (view, format) = (app.display.view, app.format());
        for action in [Action::ZoomIn, Action::ZoomIn, Action::PanLeft, Action::View] {
            app.act(action);
        }
        assert!(app.plots.is_phase && app.plots.window() == 200);
        assert!(app.requests().is_empty() && (app.display.view, app.format()) == (view, format));
        app.act(Action::ResetView);
        assert_eq!(app.plots.window(), 1000);
        app.act(Action::Increase);
        assert_eq!(app.requests().len(), 1, "rules change while the page is open");
        app.act(Action::Plots);
        app.act(Action::ZoomIn);
        assert_eq!((app.plots.is_open(), app.requests().len()), (false, 1));
    }

    #[test]
    fn close_ends_the_list_before_the_page() {
        let mut app = app(20);
        app.act(Action::ChooseMeasures);
        app.act(Action::NextParameter);
        app.act(Action::EditValue);
        assert_eq!(app.overlay, Some(Overlay::Measures(1)));
        let names: Vec<&str> = app.plots.chosen().iter().map(|measure| measure.name).collect();
        assert_eq!(names, ["polarization", "nearest_neighbor"]);
        app.act(Action::Close);
        assert!(app.overlay.is_none() && app.plots.is_open());
        app.act(Action::Close);
        assert!(!app.plots.is_open());
    }
}
