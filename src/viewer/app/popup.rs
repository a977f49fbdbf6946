//! Popups and prompts: moving, typing and confirming.

use std::error::Error;

use super::{App, Effect};
use crate::config::{NamedFile, Preset};
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::layout::{PlotsPlace, Popup};
use crate::viewer::letters::Subject;
use crate::viewer::palette::assignment::Assignment;
use crate::viewer::palette::{EntryAction, Palette};
use crate::viewer::popups::{Overlay, Prompt, PromptKind};
use crate::viewer::text::LineEdit;
use crate::viewer::{gauges, popups, timeline};

impl App {
    /// Opens a popup or a prompt in place of the open one.
    pub(super) fn open(&mut self, overlay: fn(&Context) -> Overlay) {
        self.close_overlay();
        self.overlay = Some(overlay(&self.context));
    }

    /// Closes the open popup or prompt. Returns whether there was one.
    pub(super) fn close_overlay(&mut self) -> bool {
        let was_open = self.overlay.take().is_some();
        self.preview_theme();
        was_open
    }

    /// Closes the open popup or prompt, else stops a long seek, else closes the page of plots, else cancels a save or a fit that takes
    /// long.
    pub(super) fn close(&mut self) {
        self.context.end_effect();
        let is_done = self.close_overlay() || timeline::cancel_seek(&mut self.context);
        let is_done = is_done || self.plots.set_place(PlotsPlace::Hidden) != PlotsPlace::Hidden;
        if !is_done && self.context.progress().is_some() {
            self.queue(Effect::Cancel);
        }
    }

    /// Moves in the open popup.
    pub(super) fn navigate(&mut self, navigation: Navigation) {
        self.context.clear_message();
        let page = self.open_popup().map_or(0, |popup| usize::from(popup.inner.height)).max(2) - 1;
        let wraps = matches!(self.overlay, Some(Overlay::Palette(_)));
        let (lines, down, wraps) = match navigation {
            Navigation::Previous => (1, false, true),
            Navigation::Next => (1, true, true),
            Navigation::Up => (1, false, wraps),
            Navigation::Down => (1, true, wraps),
            Navigation::PageUp => (page, false, false),
            Navigation::PageDown => (page, true, false),
            Navigation::First => (usize::MAX, false, false),
            Navigation::Last => (usize::MAX, true, false),
            Navigation::Confirm => return self.confirm(),
            Navigation::Close => return self.close(),
        };
        let last = self.last_line();
        if let Some(overlay) = &mut self.overlay {
            overlay.scroll(lines, down, wraps, last);
        }
        self.preview_theme();
    }

    /// The last position in the open popup: the last entry of a list, or the line that shows the end of a text.
    pub(super) fn last_line(&self) -> usize {
        self.open_popup().map_or(0, |popup| popup.last_line())
    }

    /// The layout of the open popup.
    pub(super) fn open_popup(&self) -> Option<Popup> {
        popups::layout(self.overlay.as_ref()?, self.context.display.above_status(), &self.context)
    }

    /// Shows the selected theme of an open list. Without a match the last one stays.
    pub(super) fn preview_theme(&mut self) {
        let theme = &mut self.context.theme;
        theme.preview(match &self.overlay {
            Some(Overlay::Themes(list)) => Some(list.selected().unwrap_or(theme.shown())),
            Some(Overlay::Palette(palette)) => palette.previewed(),
            _ => None,
        });
    }

    /// Takes the entry on a line of the open list.
    pub(super) fn confirm_line(&mut self, number: usize) {
        if self.overlay.as_mut().is_some_and(|overlay| overlay.select_line(number)) {
            self.navigate(Navigation::Confirm);
        }
    }

    fn confirm(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(list)) => match list.selected() {
                Some(index) => self.load_preset(index),
                None => self.overlay = Some(Overlay::Presets(list)),
            },
            Some(Overlay::Themes(list)) => match list.selected() {
                Some(index) => self.choose_theme(index),
                None => self.overlay = Some(Overlay::Themes(list)),
            },
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
        self.preview_theme();
        let mode = self.context.mode();
        if entry.action.needs_other_mode(mode) {
            return self.refuse(Action::Increase, mode);
        }
        let (area, context) = (self.gauges_area(), &mut self.context);
        match entry.action {
            EntryAction::Perform(action) => self.act(action),
            EntryAction::SelectParam(param) => {
                self.gauges.select(param, area, context);
                gauges::report(param, context);
            }
            EntryAction::SetParam(param, value) => {
                self.gauges.select(param, area, context);
                gauges::set(param, value, context);
            }
            EntryAction::Say(text) => self.letters.call(Subject::Text(text)),
            EntryAction::Assign(assignment) => {
                let text = match assignment {
                    Assignment::Zoom(zoom) => self.viewport.zoom_to(None, zoom, context.client.frame()),
                    _ => assignment.carry_out(&mut context.client).to_string(),
                };
                context.show_message(text);
            }
            EntryAction::LoadPreset(index) => self.load_preset(index),
            EntryAction::ApplyTheme(theme) => self.choose_theme(theme),
            EntryAction::ShowView(view) => {
                let boids_in_view = self.viewport.boids(context.client.frame());
                context.show_view(view, boids_in_view);
            }
            EntryAction::Explain => context.show_message(format!("{}: {}", entry.keys, entry.summary)),
        }
    }

    fn choose_theme(&mut self, index: usize) {
        self.context.theme.activate(index, true);
        self.context.show_message(format!("theme: {}", self.context.theme.name()));
    }

    /// Handles a key in a text input: what it types, else its action.
    pub(super) fn on_text_key(&mut self, edit: Option<LineEdit>, action: Option<Action>) {
        let is_empty = matches!(&self.overlay, Some(Overlay::Palette(palette)) if palette.text.is_empty());
        let types = |symbol| self.overlay.as_ref().is_none_or(|overlay| overlay.types(symbol, action));
        match (edit, action) {
            // Key repeat of the key that opened the palette.
            (_, Some(Action::Palette)) if is_empty => {}
            (Some(LineEdit::Insert(symbol)), Some(action)) if !types(symbol) => self.act(action),
            (Some(edit), _) => self.edit_text(edit),
            (None, Some(action)) => self.act(action),
            (None, None) => {}
        }
    }

    /// Edits the text of the open prompt or palette.
    pub fn edit_text(&mut self, edit: LineEdit) {
        self.context.clear_message();
        if let Some(overlay) = &mut self.overlay {
            overlay.edit(edit);
        }
        // In the palette a theme is shown once it is selected, not while typing.
        if matches!(self.overlay, Some(Overlay::Palette(_))) {
            self.context.theme.preview(None);
        } else {
            self.preview_theme();
        }
    }

    /// Types the first line of pasted text into the open prompt or palette. Elsewhere a paste does nothing.
    pub fn paste(&mut self, text: &str) {
        if self.overlay.as_ref().is_some_and(Overlay::is_text_input) {
            // Most terminals end pasted lines with a carriage return.
            let line = text.trim_start().split(['\r', '\n']).next().unwrap_or_default();
            line.chars().for_each(|symbol| self.edit_text(LineEdit::Insert(symbol)));
        } else {
            self.context.show_message("pasting works only in a prompt, the palette or a filter");
        }
    }

    /// Sets the value, or saves under the name, but asks first whether to overwrite.
    fn confirm_prompt(&mut self, prompt: &Prompt) -> Result<(), Box<dyn Error>> {
        let name = prompt.text.trim();
        match prompt.kind {
            _ if name.is_empty() => {}
            PromptKind::Text => self.letters.call(Subject::Text(name.to_owned())),
            PromptKind::Value => {
                let param = self.gauges.selected(&self.context);
                gauges::set(param, param.parse(&prompt.text)?, &mut self.context);
            }
            kind => {
                Preset::check_name(name)?;
                if kind == PromptKind::Name && Preset::check_known(name).is_ok() {
                    self.overlay = Some(Overlay::Prompt(Prompt { kind: PromptKind::Overwrite, text: name.to_owned() }));
                } else {
                    let controls = self.breeding.controls(&self.context);
                    let is_breeding = self.context.client.is_breeding();
                    let Context { presets, theme, .. } = &mut self.context;
                    let theme = Some(theme.name()).filter(|_| theme.active().1);
                    let base = is_breeding.then(|| presets.base.clone());
                    let message = presets.save(name, kind == PromptKind::Overwrite, &controls, theme);
                    if let Some(base) = base {
                        presets.base = base;
                    }
                    self.context.show_message(message);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;
    use crate::config::Theme;
    use crate::viewer::app::Effect;
    use crate::viewer::app::screen_tests::screen;
    use crate::viewer::app::tests::app;

    fn press(app: &mut App, code: KeyCode) {
        app.on_key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn type_text(app: &mut App, text: &str) {
        text.chars().for_each(|symbol| press(app, KeyCode::Char(symbol)));
    }

    #[test]
    fn popups_filter_by_letters_and_close_by_keys() {
        for open in [Action::Help, Action::ChoosePreset, Action::ChooseTheme] {
            let mut app = app(30);
            for close in [KeyCode::Esc, KeyCode::F(1), KeyCode::Char('?')] {
                app.act(open);
                press(&mut app, close);
                assert!(app.overlay.is_none(), "{open:?} {close:?}");
            }
            app.act(open);
            type_text(&mut app, "q?");
            assert!(app.overlay.is_some() && app.effects.is_empty(), "{open:?}");
            assert!(screen(&app, 80, 31).contains(": q?▏"), "{}", screen(&app, 80, 31));
            app.on_key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
            assert_eq!(app.effects, [Effect::Quit], "{open:?}");
        }
    }

    #[test]
    fn escape_and_a_key_that_arrive_together_count_as_two_keys() {
        let mut app = app(30);
        let alt = |symbol| KeyEvent::new(KeyCode::Char(symbol), KeyModifiers::ALT);
        app.act(Action::ChooseTheme);
        app.on_key(alt(':'));
        assert!(matches!(app.overlay, Some(Overlay::Palette(_))));
        app.on_key(alt('q'));
        assert_eq!(app.effects, [Effect::Quit]);
        app.effects.clear();
        app.on_key(alt('q'));
        assert!(app.effects.is_empty(), "nothing is open that Escape closes");
    }

    #[test]
    fn the_help_begins_with_essentials_and_finds_keys_and_words() {
        let mut app = app(60);
        app.act(Action::Help);
        let lines = |app: &App| -> Vec<String> {
            let screen = screen(app, 80, 61);
            let inside = screen.lines().filter_map(|line| line.split('│').nth(1).map(|line| line.trim().to_owned()));
            inside.filter(|line| !line.is_empty()).collect()
        };
        let all = lines(&app);
        let end = all.iter().position(|line| line == "Parameters").unwrap();
        assert_eq!(all[0], "Essentials");
        let essential = all[1..end].iter().filter(|line| line.contains("  ")).count();
        assert_eq!(essential, Action::ESSENTIAL.len());
        type_text(&mut app, "zoom");
        let found = lines(&app);
        assert_eq!(found[0], "Camera");
        assert!(found.iter().any(|line| line.starts_with("]  Zoom in")), "{found:?}");
        assert!(found.iter().all(|line| !line.contains("Essentials") && !line.contains("Pause")), "{found:?}");
        app.edit_text(LineEdit::Clear);
        type_text(&mut app, "[");
        assert_eq!(lines(&app).len(), 2, "{:?}", lines(&app));
        type_text(&mut app, "xyz");
        assert_eq!(lines(&app), ["nothing matches `[xyz`"]);
    }

    #[test]
    fn the_list_of_presets_has_headings_and_finds_presets() {
        let mut app = app(40);
        app.act(Action::ChoosePreset);
        let text = screen(&app, 80, 41);
        let at = |word: &str| text.lines().position(|line| line.contains(word)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(at("Show pieces") + 1, at(" 1 murmuration"));
        assert_eq!(at("After other programs") + 1, at("▸13 drones"));
        assert_eq!(at("Published models") + 1, at("18 stardisplay"));
        type_text(&mut app, "sharks");
        press(&mut app, KeyCode::Enter);
        assert_eq!((app.context.presets.base.name.as_str(), &app.overlay), ("herring", &None));
        app.act(Action::ChoosePreset);
        press(&mut app, KeyCode::Char('3'));
        assert_eq!(app.context.presets.base.name, "trio");
        // A line without an entry does nothing.
        app.act(Action::ChoosePreset);
        app.confirm_line(0);
        type_text(&mut app, "xyzzy");
        press(&mut app, KeyCode::Enter);
        assert!(app.overlay.is_some() && app.context.presets.base.name == "trio");
    }

    #[test]
    fn the_list_of_themes_shows_the_selected_theme() {
        let mut app = app(30);
        app.context.theme.install(Theme::load("moon").unwrap());
        let first = app.context.theme.active();
        let name = |app: &App| app.context.theme.name().to_owned();
        let mut seen = Vec::new();
        type_text(&mut app, "C");
        for key in [KeyCode::Down, KeyCode::Up, KeyCode::Char('n'), KeyCode::Char('e'), KeyCode::Char('o')] {
            seen.push(name(&app));
            press(&mut app, key);
        }
        // Typing leads to the best match directly.
        assert_eq!(seen, ["moon", "afterglow", "moon", "nightfall", "nebula"]);
        assert_eq!(name(&app), "neon");
        type_text(&mut app, "x");
        assert_eq!(name(&app), "neon", "without a match the theme stays");
        press(&mut app, KeyCode::Esc);
        assert_eq!(app.context.theme.active(), first);
        for (key, expected) in [(KeyCode::Enter, "ember"), (KeyCode::F(1), "ember")] {
            type_text(&mut app, if key == KeyCode::Enter { "Cember" } else { "Cink" });
            press(&mut app, key);
            assert_eq!((name(&app).as_str(), &app.overlay), (expected, &None));
        }
    }

    #[test]
    fn a_preset_is_replaced_or_shadowed_after_a_second_enter() {
        let mut app = app(30);
        app.act(Action::SavePreset);
        type_text(&mut app, "murmuration");
        press(&mut app, KeyCode::Enter);
        let Some(Overlay::Prompt(prompt)) = &app.overlay else { panic!("the prompt is closed") };
        assert_eq!((prompt.kind, &*prompt.text), (PromptKind::Overwrite, "murmuration"));
        assert!(screen(&app, 100, 31).contains("is there already: Enter replaces it"), "{}", screen(&app, 100, 31));
    }

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
