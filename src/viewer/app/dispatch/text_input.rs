//! Typing into prompts and the palette.

use std::error::Error;

use crate::config::{NamedFile, Preset};
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::input::prompt::{LineEdit, Prompt, PromptKind};

impl App {
    /// Enter: confirms the selection or the typed text, or opens the prompt for a value.
    pub(crate) fn confirm(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(index)) => self.load_preset(index),
            Some(Overlay::Measures(index)) => {
                self.toggle_measure(index);
                self.overlay = Some(Overlay::Measures(index));
            }
            Some(Overlay::Prompt(prompt)) => {
                if let Err(error) = self.confirm_prompt(&prompt) {
                    self.show_message(error.to_string());
                    self.overlay = Some(Overlay::Prompt(prompt));
                }
            }
            Some(Overlay::Palette(palette)) => self.run_entry(palette),
            _ => self.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Value))),
        }
    }

    /// Handles a key in a text input: what it types, else its action.
    pub fn on_text_key(&mut self, edit: Option<LineEdit>, action: Option<Action>) {
        let is_empty = matches!(&self.overlay, Some(Overlay::Palette(palette)) if palette.text.is_empty());
        match (edit, action) {
            // Key repeat of the key that opened the palette.
            (_, Some(Action::Palette)) if is_empty => {}
            (Some(edit), _) => self.edit_text(edit),
            (None, Some(action)) => self.act(action),
            (None, None) => {}
        }
    }

    /// Edits the text of the open prompt or palette.
    pub fn edit_text(&mut self, edit: LineEdit) {
        self.clear_message();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.edit(edit),
            Some(Overlay::Palette(palette)) => {
                palette.edit(edit);
                self.preview_theme();
            }
            _ => {}
        }
    }

    /// Types the first line of pasted text into the open prompt or palette. Elsewhere a paste does nothing.
    pub fn paste(&mut self, text: &str) {
        if self.overlay.as_ref().is_some_and(Overlay::is_text_input) {
            // Most terminals end pasted lines with a carriage return.
            let line = text.trim_start().split(['\r', '\n']).next().unwrap_or_default();
            line.chars().for_each(|symbol| self.edit_text(LineEdit::Insert(symbol)));
        } else {
            self.show_message("pasting works only in a prompt or the palette");
        }
    }

    /// Sets the value, or saves under the name, but asks first whether to overwrite.
    fn confirm_prompt(&mut self, prompt: &Prompt) -> Result<(), Box<dyn Error>> {
        let name = prompt.text.trim();
        match prompt.kind {
            _ if name.is_empty() => {}
            PromptKind::Value => {
                let param = self.selected_param();
                self.set_param(param, param.parse(&prompt.text)?);
            }
            kind => {
                Preset::check_name(name)?;
                if kind == PromptKind::Name && Preset::user_file(name).is_some() {
                    self.overlay = Some(Overlay::Prompt(Prompt { kind: PromptKind::Overwrite, text: name.to_owned() }));
                } else {
                    self.save_preset(name, kind == PromptKind::Overwrite);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;

    #[test]
    fn paste_types_the_first_line_into_a_prompt_only() {
        let mut app = app(40);
        drop(app.requests());
        app.paste("qR1\nq");
        assert!(app.overlay.is_none() && app.effects.is_empty() && app.requests().is_empty());
        app.confirm();
        app.paste(" 12.5\rq");
        let Some(Overlay::Prompt(prompt)) = &app.overlay else { panic!("the prompt is closed") };
        assert_eq!(prompt.text, "12.5");
    }

    #[test]
    fn an_empty_palette_ignores_its_own_key() {
        let mut app = app(40);
        app.act(Action::Palette);
        let text = |app: &App| match &app.overlay {
            Some(Overlay::Palette(palette)) => palette.text.clone(),
            _ => panic!("the palette is closed"),
        };
        for (symbol, action) in [('p', Some(Action::Palette)), ('a', None), ('p', Some(Action::Palette))] {
            app.on_text_key(Some(LineEdit::Insert(symbol)), action);
        }
        assert_eq!(text(&app), "ap");
    }
}
