//! Actions on presets: switching between them, and saving the flock as one.

use crate::config::{NamedFile, Preset};
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::stats::PlotHistory;
use crate::viewer::input::prompt::{Prompt, PromptKind};

impl App {
    /// Switches to the preset `offset` places further in the list.
    pub(crate) fn cycle_preset(&mut self, offset: usize) {
        let index = self.preset_index().map_or(0, |index| (index + offset) % self.presets.len());
        self.load_preset(index);
    }

    /// Switches to the preset at an index.
    pub fn load_preset(&mut self, index: usize) {
        let Some(preset) = self.presets.get(index).cloned() else { return };
        self.overlay = None;
        self.forget_click();
        self.show_message(format!("{}: {}", preset.name, preset.summary));
        if !self.session.load_preset(preset, self.format().aspect_ratio()) {
            self.history = PlotHistory::default();
        }
        self.viewport.reset_for_new_flock();
        self.param_list.clamp(&self.session.world());
    }

    /// Saves under the name in the prompt, or asks first whether to overwrite.
    pub(crate) fn confirm_name(&mut self, prompt: &Prompt) {
        let name = prompt.text.trim();
        if name.is_empty() {
            return;
        }
        if let Err(error) = Preset::check_name(name) {
            self.show_message(error.to_string());
            self.overlay = Some(Overlay::Prompt(prompt.clone()));
        } else if Preset::user_file(name).is_some() && prompt.kind == PromptKind::Name {
            self.overlay = Some(Overlay::Prompt(Prompt { kind: PromptKind::Overwrite, text: name.to_owned() }));
        } else {
            self.save_preset(name, prompt.kind == PromptKind::Overwrite);
        }
    }

    fn save_preset(&mut self, name: &str, overwrite: bool) {
        let preset = self.session.to_preset(name);
        match preset.save(overwrite) {
            Ok(path) => {
                let note = if preset.shadows_builtin() { "; it replaces the built-in preset" } else { "" };
                self.show_message(format!("saved as {name} in {}{note}", path.display()));
                match self.presets.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.clone_from(&preset),
                    None => self.presets.push(preset.clone()),
                }
                self.session.set_saved_preset(preset);
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
        let (columns, rows) = app.canvas();
        let flock = Flock::new(&app.session.preset().setup(7, app.format().aspect_ratio())).unwrap();
        app.mouse.on_frame(&Frame { camera: Camera::new(&flock, columns, rows), ..Frame::default() });
    }

    fn mouse(app: &mut App, kind: MouseEventKind) {
        let event = MouseEvent { kind, column: 60, row: 15, modifiers: KeyModifiers::NONE };
        app.on_mouse(event, Rect::new(0, 0, 80, 20));
    }

    #[test]
    fn loading_a_preset_forgets_the_last_click() {
        let mut app = app(20);
        app.set_clean(true);
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
        app.set_clean(true);
        load(&mut app, "drones");
        let middle = MouseButton::Middle;
        mouse(&mut app, MouseEventKind::Down(middle));
        mouse(&mut app, MouseEventKind::Up(middle));
        assert_eq!(app.session.zones().len(), 1);
        mouse(&mut app, MouseEventKind::Down(middle));
        load(&mut app, "bats");
        let zones = app.session.zones().to_vec();
        mouse(&mut app, MouseEventKind::Up(middle));
        assert!(!zones.is_empty() && app.session.zones() == zones);
    }
}
