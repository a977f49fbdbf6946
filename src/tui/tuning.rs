//! The chosen parameter, and where the arrows, Home and End lead.

use super::app::App;
use super::knob::{Knob, Stride};
use super::overlay::Overlay;
use super::view::help;
use crate::sim::{Tunable, Value};

impl App {
    /// The rows that mean something in this world.
    pub fn rows(&self) -> impl Iterator<Item = &'static Tunable> + use<> {
        let flat = self.wishes.world.dim() == 2;
        Tunable::table().iter().filter(move |row| !(flat && row.key == "wind.z"))
    }

    /// The chosen row.
    #[must_use]
    pub fn chosen(&self) -> &'static Tunable {
        self.rows().nth(self.chosen).unwrap_or(&Tunable::table()[0])
    }

    /// The knob of a row.
    #[must_use]
    pub fn knob(&self, row: &'static Tunable) -> Knob {
        Knob::new(row, &self.wishes.shown, &self.wishes.preset.params)
    }

    /// Up and down: in what is open through its lines, else through the parameters.
    pub(super) fn choose(&mut self, down: bool) {
        let last = self.last_line();
        let at = self.overlay.as_mut().and_then(Overlay::line).unwrap_or(&mut self.chosen);
        *at = if down { (*at + 1).min(last) } else { at.saturating_sub(1) };
    }

    /// Home and End: in what is open to its ends, else the chosen parameter to its own.
    pub(super) fn end(&mut self, last: bool) {
        let end = if last { self.last_line() } else { 0 };
        match &mut self.overlay {
            Some(overlay) => overlay.line().into_iter().for_each(|line| *line = end),
            None => self.set(self.chosen(), self.knob(self.chosen()).end(last, &self.wishes.rules)),
        }
    }

    /// How far down one can go: to the last entry, in the help until the last one is seen.
    fn last_line(&self) -> usize {
        match self.overlay {
            Some(Overlay::Presets(_)) => self.presets.len() - 1,
            // A box is as high as the flock's part of the screen, and has a border.
            Some(Overlay::Help(_)) => {
                help::length(self.columns, &self.keymap).saturating_sub(self.canvas.1.saturating_sub(2))
            }
            _ => self.rows().count() - 1,
        }
    }

    pub(super) fn turn(&mut self, up: bool, stride: Stride) {
        let row = self.chosen();
        self.set(row, self.knob(row).turned(up, stride, &self.wishes.rules));
    }

    /// Gives a parameter a value, or says why it cannot have it.
    pub fn set(&mut self, row: &'static Tunable, value: Value) {
        if let Err(error) = self.wishes.set(row, value) {
            self.say(error.to_string());
        }
    }

    /// Chooses a row.
    pub fn choose_row(&mut self, row: &'static Tunable) {
        self.chosen = self.rows().position(|known| known == row).unwrap_or(self.chosen);
    }

    /// A change of the rules back, or forward again.
    pub(super) fn travel(&mut self, back: bool) {
        let values = if back { self.wishes.undo() } else { self.wishes.redo() };
        let way = if back { "back to" } else { "again" };
        if let Some([(row, _)]) = values.as_deref() {
            self.choose_row(row);
        }
        self.say(match values.as_deref() {
            None if back => "there is nothing to undo".to_owned(),
            None => "there is nothing to redo".to_owned(),
            Some([(row, value)]) => format!("{} {way} {value}", row.key),
            Some(values) => format!("{} rules {}", values.len(), if back { "as they were" } else { "changed again" }),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Action;
    use super::super::app::tests::app;
    use super::*;

    #[test]
    fn the_help_scrolls_to_its_end_and_back_at_once() {
        let mut app = app(20);
        app.act(Action::Help);
        (0..100).for_each(|_| app.act(Action::NextParameter));
        let length = help::length(80, &app.keymap);
        let end = Some(Overlay::Help(length - 18));
        assert_eq!(app.overlay, end);
        app.act(Action::Most);
        assert_eq!(app.overlay, end);
        app.act(Action::PreviousParameter);
        assert_eq!(app.overlay, Some(Overlay::Help(length - 19)));
    }
}
