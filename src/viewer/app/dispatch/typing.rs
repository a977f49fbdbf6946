//! What is typed, and what Enter makes of it.

use crate::viewer::app::App;
use crate::viewer::app::actions::Action;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::input::prompt::{LineEdit, Prompt, PromptKind};

impl App {
    /// Enter: takes what is marked or typed, or begins to type a value.
    pub(crate) fn enter(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(at)) => self.fly(at),
            Some(Overlay::Prompt(prompt)) if prompt.kind == PromptKind::Value => self.typed(prompt),
            Some(Overlay::Prompt(prompt)) => self.named(&prompt),
            Some(Overlay::Palette(palette)) => self.run_entry(palette),
            _ => self.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::Value))),
        }
    }

    /// A key while something is typed into: what it types, and else what it does.
    pub fn type_key(&mut self, edit: Option<LineEdit>, action: Option<Action>) {
        let is_fresh = matches!(&self.overlay, Some(Overlay::Palette(palette)) if palette.text.is_empty());
        match (edit, action) {
            // Who presses the palette's key once more has it open already.
            (_, Some(Action::Palette)) if is_fresh => {}
            (Some(edit), _) => self.write(edit),
            (None, Some(action)) => self.act(action),
            (None, None) => {}
        }
    }

    /// A key that is typed into what is open.
    pub fn write(&mut self, edit: LineEdit) {
        self.clear_message();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.write(edit),
            Some(Overlay::Palette(palette)) => {
                palette.write(edit);
                self.preview();
            }
            _ => {}
        }
    }

    /// What is pasted, up to the end of its first line, is typed where something is asked for; elsewhere its letters are
    /// no keys.
    pub fn paste(&mut self, text: &str) {
        if self.overlay.as_ref().is_some_and(Overlay::is_typed) {
            // Most terminals end the lines of a paste as Enter does.
            text.trim_start()
                .split(['\r', '\n'])
                .next()
                .unwrap_or_default()
                .chars()
                .for_each(|sign| self.write(LineEdit::Insert(sign)));
        } else {
            self.show_message("what is pasted is typed only where a value, a name or a word is asked for");
        }
    }

    fn typed(&mut self, prompt: Prompt) {
        if prompt.text.trim().is_empty() {
            return;
        }
        match self.chosen().parse(&prompt.text) {
            Ok(value) => {
                self.set(self.chosen(), value);
                self.report_change(Action::Increase);
            }
            Err(error) => {
                self.show_message(error.to_string());
                self.overlay = Some(Overlay::Prompt(prompt));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::app::tests::app;

    #[test]
    fn what_is_pasted_is_typed_where_something_is_asked_for_and_nowhere_else() {
        let mut app = app(40);
        drop(app.requests());
        app.paste("qR1\nq");
        assert!(app.overlay.is_none() && app.next_effect().is_none() && app.requests().is_empty());
        app.enter();
        app.paste(" 12.5\rq");
        let Some(Overlay::Prompt(prompt)) = &app.overlay else { panic!("it is open") };
        assert_eq!(prompt.text, "12.5");
    }

    #[test]
    fn the_palettes_own_key_is_no_word_to_look_for() {
        let mut app = app(40);
        app.act(Action::Palette);
        let text = |app: &App| match &app.overlay {
            Some(Overlay::Palette(palette)) => palette.text.clone(),
            _ => panic!("it is open"),
        };
        // Bound to a letter, it is a letter as soon as anything stands there.
        for (sign, action) in [('p', Some(Action::Palette)), ('a', None), ('p', Some(Action::Palette))] {
            app.type_key(Some(LineEdit::Insert(sign)), action);
        }
        assert_eq!(text(&app), "ap");
    }
}
