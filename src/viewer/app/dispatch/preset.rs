//! Actions on presets: switching between them, and saving the flock as one.

use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;

impl App {
    /// Switches to the next or the previous preset; in the palette, moves the selection.
    pub(crate) fn cycle_preset(&mut self, forward: bool) {
        if matches!(self.overlay, Some(Overlay::Palette(_))) {
            return self.move_selection(forward);
        }
        let count = self.presets.len();
        let offset = if forward { 1 } else { count - 1 };
        self.load_preset(self.preset_index().map_or(0, |index| (index + offset) % count));
    }

    /// Switches to the preset at an index.
    pub fn load_preset(&mut self, index: usize) {
        let Some(preset) = self.presets.get(index).cloned() else { return };
        self.overlay = None;
        self.release_mouse();
        // The place of the last click belongs to another world.
        self.mouse.clicked = None;
        self.show_message(format!("{}: {}", preset.name, preset.summary));
        self.session.load_preset(preset, self.format().aspect_ratio());
        self.viewport.reset_for_new_flock();
        self.param_list.clamp(self.session.state());
    }

    /// Saves the flock as a preset.
    pub(crate) fn save_preset(&mut self, name: &str, overwrite: bool) {
        let preset = self.session.to_preset(name);
        match preset.save(overwrite) {
            Ok(path) => {
                let note = if preset.shadows_builtin() { "; it replaces the built-in preset" } else { "" };
                self.show_message(format!("saved as {name} in {}{note}", path.display()));
                match self.presets.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.clone_from(&preset),
                    None => self.presets.push(preset.clone()),
                }
                self.session.preset = preset;
            }
            Err(error) => self.show_message(error.to_string()),
        }
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

    /// Loads a preset and shows a frame of it.
    fn load(app: &mut App, preset: &str) {
        let index = app.presets.iter().position(|known| known.name == preset).unwrap();
        app.load_preset(index);
        let (columns, rows) = app.display.canvas();
        let flock = Flock::new(&app.session.preset.setup(7, app.format().aspect_ratio())).unwrap();
        let frame = Frame { camera: Camera::new(&flock, columns, rows), ..Frame::default() };
        app.viewport.on_frame(&frame, false);
    }

    fn mouse(app: &mut App, kind: MouseEventKind) {
        let event = MouseEvent { kind, column: 60, row: 15, modifiers: KeyModifiers::NONE };
        app.on_mouse(event, Rect::new(0, 0, 80, 20));
    }

    #[test]
    fn loading_a_preset_forgets_the_last_click() {
        let mut app = app(20);
        app.display.clean = true;
        load(&mut app, "drones");
        mouse(&mut app, MouseEventKind::Down(MouseButton::Left));
        mouse(&mut app, MouseEventKind::Up(MouseButton::Left));
        // Half as wide: the click would lie outside.
        load(&mut app, "herring");
        app.act(Action::PlaceObstacle);
        assert_eq!(app.message(), Some("obstacle placed"));
    }

    #[test]
    fn loading_a_preset_ends_a_drag() {
        let mut app = app(20);
        app.display.clean = true;
        load(&mut app, "drones");
        let middle = MouseButton::Middle;
        mouse(&mut app, MouseEventKind::Down(middle));
        mouse(&mut app, MouseEventKind::Up(middle));
        assert_eq!(app.session.state().zones.len(), 1);
        mouse(&mut app, MouseEventKind::Down(middle));
        load(&mut app, "bats");
        let zones = app.session.state().zones.clone();
        mouse(&mut app, MouseEventKind::Up(middle));
        assert!(!zones.is_empty() && app.session.state().zones == zones);
    }
}
