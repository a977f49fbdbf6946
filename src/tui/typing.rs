//! What is typed, and what Enter makes of it.

use super::app::App;
use super::overlay::Overlay;
use super::prompt::{Ask, Edit, Prompt};

impl App {
    /// Enter: takes what is marked or typed, or begins to type a value.
    pub(super) fn enter(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(at)) => self.fly(at),
            Some(Overlay::Prompt(prompt)) if prompt.ask == Ask::Value => self.typed(prompt),
            Some(Overlay::Prompt(prompt)) => self.named(&prompt),
            Some(Overlay::Palette(palette)) => self.take_entry(palette),
            _ => self.overlay = Some(Overlay::Prompt(Prompt::new(Ask::Value))),
        }
    }

    /// A key that is typed into what is open.
    pub fn write(&mut self, edit: Edit) {
        self.hush();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.write(edit),
            Some(Overlay::Palette(palette)) => {
                palette.write(edit);
                self.preview();
            }
            _ => {}
        }
    }

    fn typed(&mut self, prompt: Prompt) {
        if prompt.text.trim().is_empty() {
            return;
        }
        match self.chosen().parse(&prompt.text) {
            Ok(value) => self.set(self.chosen(), value),
            Err(error) => {
                self.say(error.to_string());
                self.overlay = Some(Overlay::Prompt(prompt));
            }
        }
    }
}
