//! Which preset flies.

use crate::viewer::app::App;
use crate::viewer::app::plot_history::PlotHistory;

impl App {
    /// The place of the preset among those that there are.
    pub(crate) fn preset_place(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.session.preset.origin)
    }

    pub(crate) fn load_neighbor_preset(&mut self, by: usize) {
        let place = self.preset_place().map_or(0, |place| (place + by) % self.presets.len());
        self.fly(place);
    }

    /// Flies another preset.
    pub fn fly(&mut self, place: usize) {
        let Some(preset) = self.presets.get(place).cloned() else { return };
        self.overlay = None;
        self.leave_world();
        self.show_message(format!("{}: {}", preset.name, preset.summary));
        if !self.session.fly(preset, self.format().aspect_ratio()) {
            self.history = PlotHistory::default();
        }
        self.viewport.begin();
        self.chosen = self.chosen.min(self.rows().count() - 1);
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    use ratatui::layout::Rect;

    use super::*;
    use crate::canvas::Camera;
    use crate::engine::Frame;
    use crate::sim::Flock;
    use crate::viewer::Action;
    use crate::viewer::app::tests::app;

    /// Flies a preset, and sees its world.
    fn watch(app: &mut App, preset: &str) {
        let place = app.presets.iter().position(|known| known.name == preset).unwrap();
        app.fly(place);
        let (columns, rows) = app.canvas();
        let flock = Flock::new(&app.session.preset.setup(7, app.format().aspect_ratio())).unwrap();
        app.mouse.notice(&Frame { camera: Camera::new(&flock, columns, rows), ..Frame::default() });
    }

    fn mouse(app: &mut App, kind: MouseEventKind) {
        let event = MouseEvent { kind, column: 60, row: 15, modifiers: KeyModifiers::NONE };
        app.touch(event, Rect::new(0, 0, 80, 20));
    }

    #[test]
    fn in_another_presets_world_nothing_was_pressed() {
        let mut app = app(20);
        app.clean = true;
        watch(&mut app, "drones");
        mouse(&mut app, MouseEventKind::Down(MouseButton::Left));
        mouse(&mut app, MouseEventKind::Up(MouseButton::Left));
        // Half as wide: what was pressed would lie beside it.
        watch(&mut app, "herring");
        app.act(Action::PlaceObstacle);
        assert_eq!(app.message(), Some("an obstacle here"));
    }

    #[test]
    fn nothing_is_held_over_a_change_of_presets() {
        let mut app = app(20);
        app.clean = true;
        watch(&mut app, "drones");
        let middle = MouseButton::Middle;
        mouse(&mut app, MouseEventKind::Down(middle));
        mouse(&mut app, MouseEventKind::Up(middle));
        assert_eq!(app.session.zones.len(), 1);
        mouse(&mut app, MouseEventKind::Down(middle));
        watch(&mut app, "bats");
        let stands = app.session.zones.clone();
        mouse(&mut app, MouseEventKind::Up(middle));
        assert!(!stands.is_empty() && app.session.zones == stands);
    }
}
