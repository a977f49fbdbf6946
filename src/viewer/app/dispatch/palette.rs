//! What the palette offers, and what it does.

use crate::sim::Value;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::format_number;
use crate::viewer::input::assignment::Assignment;
use crate::viewer::input::mouse::MOUSE_BINDINGS;
use crate::viewer::input::palette::{EntryAction, Palette, PaletteEntry};
use crate::viewer::input::synonyms;

impl App {
    /// Opens the palette.
    pub(crate) fn open_palette(&mut self) {
        let active = self.theme.active();
        self.overlay = Some(Overlay::Palette(Palette::new(self.entries(), active)));
    }

    /// Everything that can be done, set, flown or active.
    fn entries(&self) -> Vec<PaletteEntry> {
        let actions = Action::ALL.iter().map(|action| PaletteEntry {
            action: EntryAction::Act(*action),
            name: action.id().to_owned(),
            keys: self.keymap.keys(*action).join(" "),
            sentence: action.sentence().to_owned(),
            words: action.words(),
        });
        let rows = self.rows().map(|row| PaletteEntry {
            action: EntryAction::Choose(row),
            name: row.key.to_owned(),
            keys: match row.get(&self.session.rules) {
                Value::Number(number) => format!("{} {}", format_number(number), row.unit()),
                value => value.to_string(),
            },
            sentence: row.summary.to_owned(),
            words: synonyms::of(row.key),
        });
        let mouse = MOUSE_BINDINGS.iter().map(|(name, button, sentence)| PaletteEntry {
            action: EntryAction::Tell,
            name: (*name).to_owned(),
            keys: (*button).to_owned(),
            sentence: (*sentence).to_owned(),
            words: button,
        });
        let presets = self.presets.iter().enumerate().map(|(place, preset)| PaletteEntry {
            action: EntryAction::Fly(place),
            name: format!("preset {}", preset.name),
            keys: whose(preset.from_user),
            sentence: preset.summary.clone(),
            words: if preset.world.is_3d() { "choose load 3d" } else { "choose load 2d" },
        });
        let themes = self.theme.themes().iter().enumerate().map(|(place, theme)| PaletteEntry {
            action: EntryAction::Wear(place),
            name: format!("theme {}", theme.name),
            keys: whose(theme.from_user),
            sentence: theme.colors.summary.clone(),
            words: "choose colors",
        });
        actions
            .filter(|entry| entry.action != EntryAction::Act(Action::Palette))
            .chain(rows)
            .chain(mouse)
            .chain(presets)
            .chain(themes)
            .collect()
    }

    /// Moves the mark, where an action means that; says whether it does.
    pub(crate) fn navigate_palette(&mut self, action: Action) -> bool {
        let Some(Overlay::Palette(palette)) = &mut self.overlay else { return false };
        match action {
            Action::NextParameter | Action::NextPreset => palette.mark(true),
            Action::PreviousParameter | Action::PreviousPreset => palette.mark(false),
            _ => return false,
        }
        self.preview();
        true
    }

    /// Wears the theme that is marked, or the one that was active before.
    pub(crate) fn preview(&mut self) {
        let Some(Overlay::Palette(palette)) = &self.overlay else { return };
        let (active, chosen) = palette.active;
        let theme = match palette.chosen().map(|entry| entry.action) {
            Some(EntryAction::Wear(theme)) => theme,
            _ => active,
        };
        self.wear(theme, chosen);
    }

    /// Wears the theme again that was active before the palette was opened.
    pub(crate) fn restore_theme(&mut self) {
        if let Some(Overlay::Palette(palette)) = &self.overlay {
            let (active, chosen) = palette.active;
            self.wear(active, chosen);
        }
    }

    fn wear(&mut self, theme: usize, chosen: bool) {
        if self.theme.active() != (theme, chosen) {
            self.theme.activate(theme, chosen);
        }
    }

    /// Does what is marked; where there is nothing, says why.
    pub(crate) fn run_entry(&mut self, palette: Palette) {
        let Some(entry) = palette.chosen() else {
            self.overlay = Some(Overlay::Palette(palette));
            return;
        };
        let action = entry.action;
        if !matches!(action, EntryAction::Wear(_)) {
            let (active, chosen) = palette.active;
            self.wear(active, chosen);
        }
        match action {
            EntryAction::Act(action) => self.act(action),
            EntryAction::Choose(row) => {
                self.select_param(row);
                // As where the arrows choose it.
                self.report_change(Action::NextParameter);
            }
            EntryAction::Set(row, value) => {
                self.select_param(row);
                self.show_message(format!("{} = {value}", row.key));
                self.set(row, value);
            }
            EntryAction::Make(amount) => self.make(amount),
            EntryAction::Fly(place) => self.fly(place),
            EntryAction::Wear(theme) => {
                self.wear(theme, true);
                self.show_message(format!("theme {}", self.theme.name()));
            }
            EntryAction::Tell => self.show_message(format!("{}: {}", entry.keys, entry.sentence)),
        }
    }
}

impl App {
    /// Makes something as much, as near as is possible, and says how much that is.
    fn make(&mut self, amount: Assignment) {
        let session = &mut self.session;
        let made = match amount {
            Assignment::Zoom(zoom) => return self.direct(|viewport| viewport.zoom_to(None, zoom)),
            Assignment::Boids(boids) => {
                session.set_boids(boids);
                Assignment::Boids(session.boids)
            }
            Assignment::Predators(predators) => {
                session.set_predators(predators);
                Assignment::Predators(session.predators)
            }
            Assignment::Seed(seed) => {
                session.reseed(seed);
                amount
            }
            Assignment::Rate(rate) => {
                session.set_rate(rate);
                Assignment::Rate(session.rate)
            }
        };
        self.show_message(made.to_string());
    }
}

/// A word for what is the user's own.
fn whose(own: bool) -> String {
    if own { "yours" } else { "" }.into()
}
