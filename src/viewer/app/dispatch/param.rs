//! The chosen parameter, and where the arrows, pages, Home and End lead.

use ratatui::layout::Rect;

use crate::sim::{Param, Value};
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::{ParamStep, StepSize};
use crate::viewer::views::layout::Regions;
use crate::viewer::views::panel::gauges;
use crate::viewer::views::{OpenPopup, gauges_in, opened};

impl App {
    /// The rows that mean something in this world.
    pub fn rows(&self) -> impl Iterator<Item = &'static Param> + use<> {
        let flat = self.session.world.dim() == 2;
        Param::table().iter().filter(move |row| !(flat && row.key == "wind.z"))
    }

    /// The chosen row.
    #[must_use]
    pub fn chosen(&self) -> &'static Param {
        self.rows().nth(self.chosen).unwrap_or(&Param::table()[0])
    }

    /// The knob of a row.
    #[must_use]
    pub fn knob(&self, row: &'static Param) -> ParamStep {
        ParamStep::new(row, &self.session.shown, &self.session.preset.params)
    }

    /// Up and down: in what is open through its lines, else through the parameters.
    pub(crate) fn choose(&mut self, down: bool) {
        if self.overlay.is_some() {
            return self.go(1, down);
        }
        let last = self.rows().count() - 1;
        self.chosen = if down { (self.chosen + 1).min(last) } else { self.chosen.saturating_sub(1) };
        self.show_chosen();
    }

    /// `PageUp` and `PageDown`: in what is open by as much as is seen of it, less a line that stays.
    pub(crate) fn page(&mut self, down: bool) {
        let seen = self.opened().map_or(0, |opened| opened.room.height.into());
        self.go(usize::max(seen, 2) - 1, down);
    }

    /// Home and End: in what is open to its ends, else the chosen parameter to its own.
    pub(crate) fn end(&mut self, last: bool) {
        if self.overlay.is_some() {
            return self.go(usize::MAX, last);
        }
        self.set(self.chosen(), self.knob(self.chosen()).end(last, &self.session.rules));
    }

    /// So many lines up or down in what is open, as far as it goes.
    fn go(&mut self, lines: usize, down: bool) {
        let last = self.last_line();
        if let Some(line) = self.overlay.as_mut().and_then(Overlay::line) {
            // The window may have grown, and the text end further up.
            let at = (*line).min(last);
            *line = if down { at.saturating_add(lines).min(last) } else { at.saturating_sub(lines) };
        }
        self.preview();
    }

    /// How far down one can go in what is open: in a list to its last entry, in a text until its end is seen.
    #[must_use]
    pub fn last_line(&self) -> usize {
        self.opened().map_or(0, |OpenPopup { room, lines, .. }| match self.overlay {
            Some(Overlay::Presets(_) | Overlay::Palette(_)) => lines.saturating_sub(1),
            _ => lines.saturating_sub(room.height.into()),
        })
    }

    /// What is open; a box lies over all of the screen that is as high as the flock's part of it.
    fn opened(&self) -> Option<OpenPopup> {
        opened(self, Rect::new(0, 0, self.columns, self.canvas.1 as u16))
    }

    pub(crate) fn turn(&mut self, up: bool, stride: StepSize) {
        let row = self.chosen();
        self.set(row, self.knob(row).turned(up, stride, &self.session.rules));
    }

    /// Gives a parameter a value, or says why it cannot have it.
    pub fn set(&mut self, row: &'static Param, value: Value) {
        if let Err(error) = self.session.set(row, value) {
            self.show_message(error.to_string());
        }
    }

    /// Chooses a row, and brings it into view.
    pub fn select_param(&mut self, row: &'static Param) {
        self.select_visible_param(row);
        self.show_chosen();
    }

    /// Chooses a row that is in view: the list stays as it is under the hand.
    pub(crate) fn select_visible_param(&mut self, row: &'static Param) {
        self.chosen = self.rows().position(|known| known == row).unwrap_or(self.chosen);
    }

    /// Moves the list of gauges as far as it takes to show the chosen one, and its group's heading where that fits.
    fn show_chosen(&mut self) {
        let screen = Rect::new(0, 0, self.columns, self.canvas.1 as u16 + 1);
        if let Some(panel) = Regions::new(screen, self.clean).panel {
            self.first_gauge = gauges::first_line_with_heading(self, gauges_in(panel).height.into());
        }
    }

    /// A change of the rules back, or forward again.
    pub(crate) fn travel(&mut self, back: bool) {
        let values = if back { self.session.undo() } else { self.session.redo() };
        let way = if back { "back to" } else { "again" };
        if let Some([(row, _)]) = values.as_deref() {
            self.select_param(row);
        }
        self.show_message(match values.as_deref() {
            None if back => "there is nothing to undo".to_owned(),
            None => "there is nothing to redo".to_owned(),
            Some([(row, value)]) => format!("{} {way} {value}", row.key),
            Some(values) => format!("{} rules {}", values.len(), if back { "as they were" } else { "changed again" }),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::Action;
    use crate::viewer::app::tests::app;
    use crate::viewer::views::popups::help;

    #[test]
    fn the_help_scrolls_to_its_end_and_back_at_once() {
        let mut app = app(20);
        app.act(Action::Help);
        (0..100).for_each(|_| app.act(Action::NextParameter));
        let length = help::length(80, &app.keymap);
        let end = Some(Overlay::Help(length - 18));
        assert_eq!(app.overlay, end);
        app.act(Action::Maximum);
        assert_eq!(app.overlay, end);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(length - 19)));
        // A larger window shows the end from further up.
        app.resize(Rect::new(0, 0, 80, 31), 1.0);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(length - 29)));
    }

    #[test]
    fn the_list_of_gauges_moves_no_farther_than_it_must() {
        let mut app = app(23);
        app.resize(Rect::new(0, 0, 80, 24), 1.0);
        let first_after = |app: &mut App, times: usize, action| {
            (0..times).for_each(|_| app.act(action));
            app.first_gauge
        };
        // Eight lines, of two groups: a heading and four rows, a heading and two.
        let (up, down) = (Action::PreviousParameter, Action::NextParameter);
        assert_eq!([first_after(&mut app, 5, down), first_after(&mut app, 1, down)], [0, 1]);
        assert_eq!([first_after(&mut app, 2, up), first_after(&mut app, 1, up)], [1, 0]);
        let end = first_after(&mut app, 100, down);
        assert_eq!(first_after(&mut app, 3, up), end);
        // Whatever room there is and was, the chosen one is seen.
        for height in [10, 24, 200, 60, 24] {
            let screen = Rect::new(0, 0, 80, height);
            app.resize(screen, 1.0);
            let room = gauges_in(Regions::new(screen, false).panel.unwrap());
            let seen = room.rows().filter_map(|line| gauges::param_at(room, &app, line.y));
            assert!(seen.into_iter().any(|row| row == app.chosen()), "{height}");
            assert!(height < 200 || app.first_gauge == 0, "{}", app.first_gauge);
        }
    }

    #[test]
    fn a_page_is_what_is_seen_less_a_line() {
        let line = |app: &mut App| *app.overlay.as_mut().and_then(Overlay::line).unwrap();
        for (open, height) in [(Action::Help, 18), (Action::ChoosePreset, 16), (Action::Palette, 14)] {
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
        assert_eq!((app.chosen, app.overlay), (0, None));
    }
}
