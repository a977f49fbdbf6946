//! The entries of the command palette, and what they do.

use crate::sim::Value;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::format_number;
use crate::viewer::input::assignment::Assignment;
use crate::viewer::input::mouse::MOUSE_BINDINGS;
use crate::viewer::input::palette::{EntryAction, Palette, PaletteEntry};
use crate::viewer::input::search_terms;

impl App {
    /// Opens the palette.
    pub(crate) fn open_palette(&mut self) {
        self.overlay = Some(Overlay::Palette(Palette::new(self.palette_entries(), self.theme.active())));
    }

    fn palette_entries(&self) -> Vec<PaletteEntry> {
        let actions = Action::ALL.iter().filter(|action| **action != Action::Palette).map(|action| PaletteEntry {
            action: EntryAction::Perform(*action),
            name: action.id().to_owned(),
            keys: self.keymap.keys(*action).join(" "),
            summary: action.summary().to_owned(),
            search_terms: action.search_terms(),
        });
        let params = self.params().map(|param| PaletteEntry {
            action: EntryAction::SelectParam(param),
            name: param.key.to_owned(),
            keys: match param.get(self.session.params()) {
                Value::Number(number) => format!("{} {}", format_number(number), param.unit()),
                value => value.to_string(),
            },
            summary: param.summary.to_owned(),
            search_terms: search_terms::of(param.key),
        });
        let mouse = MOUSE_BINDINGS.iter().map(|(name, button, summary)| PaletteEntry {
            action: EntryAction::Explain,
            name: (*name).to_owned(),
            keys: (*button).to_owned(),
            summary: (*summary).to_owned(),
            search_terms: button,
        });
        let presets = self.presets.iter().enumerate().map(|(index, preset)| PaletteEntry {
            action: EntryAction::LoadPreset(index),
            name: format!("preset {}", preset.name),
            keys: origin(preset.from_user),
            summary: preset.summary.clone(),
            search_terms: if preset.world.is_3d() { "choose load 3d" } else { "choose load 2d" },
        });
        let themes = self.theme.themes().iter().enumerate().map(|(index, theme)| PaletteEntry {
            action: EntryAction::ApplyTheme(index),
            name: format!("theme {}", theme.name),
            keys: origin(theme.from_user),
            summary: theme.colors.summary.clone(),
            search_terms: "choose colors",
        });
        actions.chain(params).chain(mouse).chain(presets).chain(themes).collect()
    }

    /// Moves the selection in an open palette. Returns whether the action does that.
    pub(crate) fn navigate_palette(&mut self, action: Action) -> bool {
        let Some(Overlay::Palette(palette)) = &mut self.overlay else { return false };
        match action {
            Action::NextParameter | Action::NextPreset => palette.move_selection(true),
            Action::PreviousParameter | Action::PreviousPreset => palette.move_selection(false),
            _ => return false,
        }
        self.preview_theme();
        true
    }

    /// Shows the selected theme while the palette is open.
    pub(crate) fn preview_theme(&mut self) {
        let Some(Overlay::Palette(palette)) = &self.overlay else { return };
        let (original, chosen) = palette.original_theme;
        let theme = match palette.selected().map(|entry| entry.action) {
            Some(EntryAction::ApplyTheme(theme)) => theme,
            _ => original,
        };
        self.apply_theme(theme, chosen);
    }

    /// Restores the theme from before the palette was opened.
    pub(crate) fn end_theme_preview(&mut self) {
        if let Some(Overlay::Palette(palette)) = &self.overlay {
            let (original, chosen) = palette.original_theme;
            self.apply_theme(original, chosen);
        }
    }

    fn apply_theme(&mut self, theme: usize, chosen: bool) {
        if self.theme.active() != (theme, chosen) {
            self.theme.activate(theme, chosen);
        }
    }

    /// Runs the selected entry. Without one, the palette stays open.
    pub(crate) fn run_entry(&mut self, palette: Palette) {
        let Some(entry) = palette.selected() else {
            self.overlay = Some(Overlay::Palette(palette));
            return;
        };
        let action = entry.action;
        if !matches!(action, EntryAction::ApplyTheme(_)) {
            let (original, chosen) = palette.original_theme;
            self.apply_theme(original, chosen);
        }
        match action {
            EntryAction::Perform(action) => self.act(action),
            EntryAction::SelectParam(param) => {
                self.select_param(param);
                self.report_change(Action::NextParameter);
            }
            EntryAction::SetParam(param, value) => {
                self.select_param(param);
                self.show_message(format!("{} = {value}", param.key));
                self.set_param(param, value);
            }
            EntryAction::Assign(assignment) => self.assign(assignment),
            EntryAction::LoadPreset(index) => self.load_preset(index),
            EntryAction::ApplyTheme(theme) => {
                self.apply_theme(theme, true);
                self.show_message(format!("theme: {}", self.theme.name()));
            }
            EntryAction::Explain => self.show_message(format!("{}: {}", entry.keys, entry.summary)),
        }
    }

    /// Carries out an assignment, clamped to its range, and shows the result.
    fn assign(&mut self, assignment: Assignment) {
        let session = &mut self.session;
        let result = match assignment {
            Assignment::Zoom(zoom) => return self.move_camera(|viewport| viewport.zoom_to(None, zoom)),
            Assignment::Boids(boids) => {
                session.set_boids(boids);
                Assignment::Boids(session.boids())
            }
            Assignment::Predators(predators) => {
                session.set_predators(predators);
                Assignment::Predators(session.predators())
            }
            Assignment::Seed(seed) => {
                session.reseed(seed);
                assignment
            }
            Assignment::Rate(rate) => {
                session.set_rate(rate);
                Assignment::Rate(session.rate())
            }
        };
        self.show_message(result.to_string());
    }
}

/// A label for the user's own presets and themes.
fn origin(from_user: bool) -> String {
    if from_user { "yours" } else { "" }.into()
}
