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
            keys: self.keymap.keys(*action).join(" "),
            search_terms: action.search_terms(),
            ..PaletteEntry::new(EntryAction::Perform(*action), action.id(), action.summary())
        });
        let params = self.params().map(|param| PaletteEntry {
            keys: match param.get(&self.session.state().params) {
                Value::Number(number) => format_number(number) + &param.unit_suffix(),
                value => value.to_string(),
            },
            search_terms: search_terms::of(param.key),
            ..PaletteEntry::new(EntryAction::SelectParam(param), param.key, param.summary)
        });
        let mouse = MOUSE_BINDINGS.iter().map(|(name, button, summary)| PaletteEntry {
            keys: (*button).to_owned(),
            search_terms: button,
            ..PaletteEntry::new(EntryAction::Explain, *name, *summary)
        });
        let presets = self.presets.iter().enumerate().map(|(index, preset)| PaletteEntry {
            keys: origin(preset.from_user),
            search_terms: if preset.world.is_3d() { "choose load 3d" } else { "choose load 2d" },
            ..PaletteEntry::new(EntryAction::LoadPreset(index), format!("preset {}", preset.name), &*preset.summary)
        });
        let themes = self.theme.themes().iter().enumerate().map(|(index, theme)| PaletteEntry {
            keys: origin(theme.from_user),
            search_terms: "choose colors",
            ..PaletteEntry::new(EntryAction::ApplyTheme(index), format!("theme {}", theme.name), &*theme.colors.summary)
        });
        actions.chain(params).chain(mouse).chain(presets).chain(themes).collect()
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
        let entry = palette.selected().cloned();
        self.overlay = Some(Overlay::Palette(palette));
        let Some(entry) = entry else { return };
        self.close();
        match entry.action {
            EntryAction::Perform(action) => self.act(action),
            EntryAction::SelectParam(param) => {
                self.select_param(param);
                self.report_param(param);
            }
            EntryAction::SetParam(param, value) => {
                self.select_param(param);
                self.show_message(format!("{} = {value}", param.key));
                self.set_param(param, value);
            }
            EntryAction::Assign(assignment) => self.assign(assignment),
            EntryAction::LoadPreset(index) => self.load_preset(index),
            EntryAction::ApplyTheme(theme) => {
                self.theme.activate(theme, true);
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
                Assignment::Boids(session.state().boids)
            }
            Assignment::Predators(predators) => {
                session.set_predators(predators);
                Assignment::Predators(session.state().predators)
            }
            Assignment::Seed(seed) => {
                session.reseed(seed);
                assignment
            }
            Assignment::Rate(rate) => {
                session.set_rate(rate);
                Assignment::Rate(session.state().rate)
            }
        };
        self.show_message(result.to_string());
    }
}

/// A label for the user's own presets and themes.
fn origin(from_user: bool) -> String {
    if from_user { "yours" } else { "" }.into()
}
