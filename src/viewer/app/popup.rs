//! Popups and prompts: moving, typing and confirming.

use std::error::Error;
use std::mem::discriminant;

use super::App;
use crate::config::{NamedFile, Preset};
use crate::viewer::actions::Action;
use crate::viewer::gauges;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::layout::{PlotsPlace, Popup};
use crate::viewer::palette::assignment::Assignment;
use crate::viewer::palette::{EntryAction, Palette};
use crate::viewer::popups::overlay::{Overlay, Prompt, PromptKind};
use crate::viewer::text::LineEdit;
use crate::viewer::{popups, timeline};

impl App {
    /// Opens an overlay, or closes it if it is open.
    pub(super) fn toggle(&mut self, overlay: Overlay) {
        let is_open = self.overlay.as_ref().is_some_and(|open| discriminant(open) == discriminant(&overlay));
        self.overlay = if is_open { None } else { Some(overlay) };
    }

    /// Opens the palette.
    pub(super) fn open_palette(&mut self) {
        self.overlay = Some(Overlay::Palette(Palette::open(&self.context)));
    }

    /// Closes the open popup or prompt, else stops a long seek, else closes the page of plots.
    pub(super) fn close(&mut self) {
        if let Some(overlay) = self.overlay.take() {
            if let Overlay::Palette(palette) = overlay {
                palette.end_preview(&mut self.context.theme);
            }
        } else if !timeline::cancel_seek(&mut self.context) {
            self.plots.set_place(PlotsPlace::Hidden);
        }
    }

    /// Moves in the open popup.
    pub(super) fn navigate(&mut self, navigation: Navigation) {
        self.context.clear_message();
        let page = self.open_popup().map_or(0, |popup| popup.inner.height.into());
        match (navigation, &mut self.overlay) {
            (Navigation::Up | Navigation::Previous, Some(Overlay::Palette(palette))) => palette.move_selection(false),
            (Navigation::Down | Navigation::Next, Some(Overlay::Palette(palette))) => palette.move_selection(true),
            (Navigation::Up | Navigation::Previous, _) => self.scroll(1, false),
            (Navigation::Down | Navigation::Next, _) => self.scroll(1, true),
            (Navigation::PageUp, _) => self.scroll(usize::max(page, 2) - 1, false),
            (Navigation::PageDown, _) => self.scroll(usize::max(page, 2) - 1, true),
            (Navigation::First, _) => self.scroll(usize::MAX, false),
            (Navigation::Last, _) => self.scroll(usize::MAX, true),
            (Navigation::Confirm, _) => return self.confirm(),
            (Navigation::Close, _) => return self.close(),
        }
        self.preview_theme();
    }

    fn scroll(&mut self, lines: usize, down: bool) {
        let last = self.last_line();
        if let Some(line) = self.overlay.as_mut().and_then(Overlay::line) {
            // After the window has grown, the line may lie past the end.
            let current = (*line).min(last);
            *line = if down { current.saturating_add(lines).min(last) } else { current.saturating_sub(lines) };
        }
    }

    /// The last position in the open popup: the last entry of a list, or the line that shows the end of a text.
    pub(super) fn last_line(&self) -> usize {
        self.open_popup().map_or(0, |popup| popup.last_line())
    }

    /// The layout of the open popup.
    pub(super) fn open_popup(&self) -> Option<Popup> {
        popups::layout(self.overlay.as_ref()?, self.context.display.above_status(), &self.context)
    }

    fn preview_theme(&mut self) {
        if let Some(Overlay::Palette(palette)) = &self.overlay {
            palette.preview(&mut self.context.theme);
        }
    }

    /// Takes an entry of the open list.
    pub(super) fn confirm_entry(&mut self, index: usize) {
        if let Some(line) = self.overlay.as_mut().and_then(Overlay::line) {
            *line = index;
            self.navigate(Navigation::Confirm);
        }
    }

    fn confirm(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(index)) => self.load_preset(index),
            Some(Overlay::Measures(index)) => {
                self.plots.toggle(index);
                self.overlay = Some(Overlay::Measures(index));
            }
            Some(Overlay::Prompt(prompt)) => {
                if let Err(error) = self.confirm_prompt(&prompt) {
                    self.context.show_message(error.to_string());
                    self.overlay = Some(Overlay::Prompt(prompt));
                }
            }
            Some(Overlay::Palette(palette)) => self.run_entry(palette),
            overlay => self.overlay = overlay,
        }
    }

    /// Runs the selected entry of the palette. Without one, the palette stays open.
    fn run_entry(&mut self, palette: Palette) {
        let Some(entry) = palette.selected().cloned() else {
            self.overlay = Some(Overlay::Palette(palette));
            return;
        };
        palette.end_preview(&mut self.context.theme);
        let (area, context) = (self.gauges_area(), &mut self.context);
        match entry.action {
            EntryAction::Perform(action) => self.act(action),
            EntryAction::SelectParam(param) => {
                self.gauges.select(param, area, context);
                gauges::report(param, context);
            }
            EntryAction::SetParam(param, value) => {
                self.gauges.select(param, area, context);
                context.show_message(format!("{} = {value}", param.key));
                gauges::set(param, value, context);
            }
            EntryAction::Assign(assignment) => {
                let text = match assignment {
                    Assignment::Zoom(zoom) => self.viewport.zoom_to(None, zoom),
                    _ => assignment.carry_out(&mut context.client).to_string(),
                };
                context.show_message(text);
            }
            EntryAction::LoadPreset(index) => self.load_preset(index),
            EntryAction::ApplyTheme(theme) => {
                context.theme.activate(theme, true);
                context.show_message(format!("theme: {}", context.theme.name()));
            }
            EntryAction::Explain => context.show_message(format!("{}: {}", entry.keys, entry.summary)),
        }
    }

    /// Handles a key in a text input: what it types, else its action.
    pub(super) fn on_text_key(&mut self, edit: Option<LineEdit>, action: Option<Action>) {
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
        self.context.clear_message();
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.edit(edit),
            Some(Overlay::Palette(palette)) => palette.edit(edit),
            _ => {}
        }
        self.preview_theme();
    }

    /// Types the first line of pasted text into the open prompt or palette. Elsewhere a paste does nothing.
    pub fn paste(&mut self, text: &str) {
        if self.overlay.as_ref().is_some_and(Overlay::is_text_input) {
            // Most terminals end pasted lines with a carriage return.
            let line = text.trim_start().split(['\r', '\n']).next().unwrap_or_default();
            line.chars().for_each(|symbol| self.edit_text(LineEdit::Insert(symbol)));
        } else {
            self.context.show_message("pasting works only in a prompt or the palette");
        }
    }

    /// Sets the value, or saves under the name, but asks first whether to overwrite.
    fn confirm_prompt(&mut self, prompt: &Prompt) -> Result<(), Box<dyn Error>> {
        let name = prompt.text.trim();
        match prompt.kind {
            _ if name.is_empty() => {}
            PromptKind::Value => {
                let param = self.gauges.selected(&self.context);
                gauges::set(param, param.parse(&prompt.text)?, &mut self.context);
            }
            kind => {
                Preset::check_name(name)?;
                if kind == PromptKind::Name && Preset::user_file(name).is_some() {
                    self.overlay = Some(Overlay::Prompt(Prompt { kind: PromptKind::Overwrite, text: name.to_owned() }));
                } else {
                    let context = &mut self.context;
                    let message = context.presets.save(name, kind == PromptKind::Overwrite, context.client.controls());
                    context.show_message(message);
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
        app.act(Action::EditValue);
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
