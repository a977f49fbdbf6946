//! Actions on parameters, and scrolling in popups with the same keys.

use crate::sim::{Param, Value, check_params};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::ParamStep;
use crate::viewer::app::session::params::HistoryOutcome;
use crate::viewer::views::panel::gauges;
use crate::viewer::views::{Popup, gauges_in, opened};

impl App {
    /// Moves up or down: in the open popup, else in the list of parameters.
    pub(crate) fn move_selection(&mut self, down: bool) {
        match &mut self.overlay {
            Some(Overlay::Palette(palette)) => {
                palette.move_selection(down);
                self.preview_theme();
            }
            Some(_) => self.scroll(1, down),
            None => {
                self.param_list.move_selection(down, self.session.state());
                self.scroll_to_selected();
                self.report_param(self.selected_param());
            }
        }
    }

    /// Scrolls the open popup by its visible lines less one.
    pub(crate) fn scroll_page(&mut self, down: bool) {
        let visible = self.open_popup().map_or(0, |popup| popup.inner.height.into());
        self.scroll(usize::max(visible, 2) - 1, down);
    }

    /// Scrolls the open popup to its end, or sets the selected parameter to the end of its bar.
    pub(crate) fn move_to_end(&mut self, last: bool) {
        if self.overlay.is_some() {
            return self.scroll(usize::MAX, last);
        }
        let param = self.selected_param();
        self.set_param(param, self.param_step(param).end_value(last, &self.session.state().params));
    }

    fn scroll(&mut self, lines: usize, down: bool) {
        let last = self.last_line();
        if let Some(line) = self.overlay.as_mut().and_then(Overlay::line) {
            // After the window has grown, the line may lie past the end.
            let current = (*line).min(last);
            *line = if down { current.saturating_add(lines).min(last) } else { current.saturating_sub(lines) };
        }
        self.preview_theme();
    }

    /// The last position in the open popup: the last entry of a list, or the line that shows the end of a text.
    pub fn last_line(&self) -> usize {
        self.open_popup().map_or(0, |popup| popup.last_line())
    }

    fn open_popup(&self) -> Option<Popup> {
        opened(self, self.display.above_status())
    }

    /// Steps the selected parameter by a share of the preset's value.
    pub(crate) fn step_param(&mut self, share: f32) {
        let param = self.selected_param();
        let mut params = self.session.state().params;
        let mut value = self.param_step(param).stepped(share, &params);
        // Skips words that do not fit the model or the world.
        while matches!(value, Value::Choice(_)) {
            param.assign(&mut params, value);
            let next = ParamStep::new(param, &params, &self.session.preset.params).stepped(share, &params);
            if next == value || check_params(&params, &self.session.state().world).is_ok() {
                break;
            }
            value = next;
        }
        self.set_param(param, value);
    }

    pub(crate) fn reset_param(&mut self) {
        let param = self.selected_param();
        self.set_param(param, param.get(&self.session.preset.params));
    }

    pub(crate) fn reset_all(&mut self) {
        self.session.reset_params();
        self.show_message(format!("parameters reset to {}", self.session.preset.name));
    }

    /// Sets a parameter, or shows why it cannot be set.
    pub fn set_param(&mut self, param: &'static Param, value: Value) {
        match self.session.set(param, value) {
            Ok(()) => self.report_param(param),
            Err(error) => self.show_message(error.to_string()),
        }
    }

    /// Shows the target of a parameter, which a morph approaches, if there is no panel.
    pub(crate) fn report_param(&mut self, param: &'static Param) {
        let step = ParamStep::new(param, &self.session.state().params, &self.session.preset.params);
        self.report(step.assignment());
    }

    /// Selects a parameter and scrolls it into view.
    pub fn select_param(&mut self, param: &'static Param) {
        self.select_visible_param(param);
        self.scroll_to_selected();
    }

    /// Selects a parameter without scrolling: it is under the mouse.
    pub(crate) fn select_visible_param(&mut self, param: &'static Param) {
        self.param_list.select(param, self.session.state());
    }

    /// Scrolls as little as needed to show the selected gauge, with its group's heading if both fit.
    fn scroll_to_selected(&mut self) {
        if let Some(panel) = self.display.panel() {
            self.param_list.first_line = gauges::first_line_with_heading(self, gauges_in(panel).height.into());
        }
    }

    pub(crate) fn undo(&mut self) {
        let outcome = self.session.undo();
        self.report_history_step("undo", outcome);
    }

    pub(crate) fn redo(&mut self) {
        let outcome = self.session.redo();
        self.report_history_step("redo", outcome);
    }

    fn report_history_step(&mut self, name: &str, outcome: HistoryOutcome) {
        let message = match outcome {
            HistoryOutcome::Nothing => format!("nothing to {name}"),
            HistoryOutcome::Later => {
                let end =
                    self.keymap.key(Action::LastTick).map_or(String::new(), |key| format!("; {key} goes to its end"));
                format!("nothing to {name} here: the change comes later in the session{end}")
            }
            HistoryOutcome::Branch if name == "undo" => "undo: back to the old branch".to_owned(),
            HistoryOutcome::Branch => "redo: back to the new branch".to_owned(),
            HistoryOutcome::Values(values) => match values[..] {
                [(param, value)] => {
                    self.select_param(param);
                    format!("{name}: {} = {value}", param.key)
                }
                _ => format!("{name}: {} parameters", values.len()),
            },
        };
        self.show_message(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;
    use crate::viewer::views::layout::Regions;
    use ratatui::layout::Rect;

    #[test]
    fn help_scrolls_to_its_end_and_back() {
        let mut app = app(20);
        app.act(Action::Help);
        (0..100).for_each(|_| app.act(Action::NextParameter));
        let length = app.open_popup().unwrap().lines;
        let end = Some(Overlay::Help(length - 18));
        assert_eq!(app.overlay, end);
        app.act(Action::Maximum);
        assert_eq!(app.overlay, end);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(length - 19)));
        // A larger window shows more of the end.
        app.resize(Rect::new(0, 0, 80, 31), 1.0);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(length - 29)));
    }

    #[test]
    fn gauges_scroll_as_little_as_needed() {
        let mut app = app(23);
        app.resize(Rect::new(0, 0, 80, 24), 1.0);
        let first_after = |app: &mut App, times: usize, action| {
            (0..times).for_each(|_| app.act(action));
            app.param_list.first_line
        };
        // Eight lines, of two groups: a heading and four rows, a heading and two.
        let (up, down) = (Action::PreviousParameter, Action::NextParameter);
        assert_eq!([first_after(&mut app, 5, down), first_after(&mut app, 1, down)], [0, 1]);
        assert_eq!([first_after(&mut app, 2, up), first_after(&mut app, 1, up)], [1, 0]);
        let end = first_after(&mut app, 100, down);
        assert_eq!(first_after(&mut app, 3, up), end);
        // The selected parameter is visible at every height.
        for height in [10, 24, 200, 60, 24] {
            let screen = Rect::new(0, 0, 80, height);
            app.resize(screen, 1.0);
            let gauges_area = gauges_in(Regions::new(screen, false).panel.unwrap());
            let seen = gauges_area.rows().filter_map(|line| gauges::param_at(gauges_area, &app, line.y));
            assert!(seen.into_iter().any(|row| row == app.selected_param()), "{height}");
            assert!(height < 200 || app.param_list.first_line == 0, "{}", app.param_list.first_line);
        }
    }

    #[test]
    fn a_page_is_the_visible_lines_less_one() {
        let line = |app: &mut App| *app.overlay.as_mut().and_then(Overlay::line).unwrap();
        for (open, height) in [(Action::Help, 18), (Action::ChoosePreset, 18), (Action::Palette, 14)] {
            let mut app = app(20);
            app.act(open);
            app.act(Action::Minimum);
            let lines =
                [Action::PageDown, Action::PageUp, Action::PageUp, Action::Maximum, Action::PageDown, Action::Minimum]
                    .map(|action| {
                        app.act(action);
                        line(&mut app)
                    });
            let last = app.last_line();
            assert_eq!(lines, [(height - 1).min(last), 0, 0, last, last, 0], "{open:?}");
            assert!(last >= height - 1, "{open:?}");
        }
        let mut app = app(20);
        app.act(Action::PageDown);
        assert_eq!((app.selected_param(), &app.overlay), (app.params().next().unwrap(), &None));
    }
}
