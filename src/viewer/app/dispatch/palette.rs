//! What the palette offers, and what it does.

use crate::sim::Value;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::figure;
use crate::viewer::input::assignment::Amount;
use crate::viewer::input::mouse::BUTTONS;
use crate::viewer::input::palette::{Deed, Entry, Palette};
use crate::viewer::input::synonyms;

impl App {
    /// Opens the palette.
    pub(crate) fn open_palette(&mut self) {
        let worn = self.dress.worn();
        self.overlay = Some(Overlay::Palette(Palette::new(self.entries(), worn)));
    }

    /// Everything that can be done, set, flown or worn.
    fn entries(&self) -> Vec<Entry> {
        let actions = Action::ALL.iter().map(|action| Entry {
            deed: Deed::Act(*action),
            name: action.id().to_owned(),
            keys: self.keymap.keys(*action).join(" "),
            sentence: action.sentence().to_owned(),
            words: action.words(),
        });
        let rows = self.rows().map(|row| Entry {
            deed: Deed::Choose(row),
            name: row.key.to_owned(),
            keys: match row.get(&self.wishes.rules) {
                Value::Number(number) => format!("{} {}", figure(number), row.unit()),
                value => value.to_string(),
            },
            sentence: row.sentence.to_owned(),
            words: synonyms::of(row.key),
        });
        let mouse = BUTTONS.iter().map(|(name, button, sentence)| Entry {
            deed: Deed::Tell,
            name: (*name).to_owned(),
            keys: (*button).to_owned(),
            sentence: (*sentence).to_owned(),
            words: button,
        });
        let presets = self.presets.iter().enumerate().map(|(place, preset)| Entry {
            deed: Deed::Fly(place),
            name: format!("preset {}", preset.name),
            keys: whose(preset.own),
            sentence: preset.summary.clone(),
            words: if preset.world.is_deep() { "choose load 3d" } else { "choose load 2d" },
        });
        let themes = self.dress.themes().iter().enumerate().map(|(place, theme)| Entry {
            deed: Deed::Wear(place),
            name: format!("theme {}", theme.name),
            keys: whose(theme.own),
            sentence: theme.colors.summary.clone(),
            words: "choose colors",
        });
        actions
            .filter(|entry| entry.deed != Deed::Act(Action::Palette))
            .chain(rows)
            .chain(mouse)
            .chain(presets)
            .chain(themes)
            .collect()
    }

    /// Moves the mark, where an action means that; says whether it does.
    pub(crate) fn steer_palette(&mut self, action: Action) -> bool {
        let Some(Overlay::Palette(palette)) = &mut self.overlay else { return false };
        match action {
            Action::NextParameter | Action::NextPreset => palette.mark(true),
            Action::PreviousParameter | Action::PreviousPreset => palette.mark(false),
            _ => return false,
        }
        self.preview();
        true
    }

    /// Wears the theme that is marked, or the one that was worn before.
    pub(crate) fn preview(&mut self) {
        let Some(Overlay::Palette(palette)) = &self.overlay else { return };
        let (worn, chosen) = palette.worn;
        let theme = match palette.chosen().map(|entry| entry.deed) {
            Some(Deed::Wear(theme)) => theme,
            _ => worn,
        };
        self.wear(theme, chosen);
    }

    /// Wears the theme again that was worn before the palette was opened.
    pub(crate) fn undress(&mut self) {
        if let Some(Overlay::Palette(palette)) = &self.overlay {
            let (worn, chosen) = palette.worn;
            self.wear(worn, chosen);
        }
    }

    fn wear(&mut self, theme: usize, chosen: bool) {
        if self.dress.worn() != (theme, chosen) {
            self.dress.put_on(theme, chosen);
        }
    }

    /// Does what is marked; where there is nothing, says why.
    pub(crate) fn take_entry(&mut self, palette: Palette) {
        let Some(entry) = palette.chosen() else {
            self.overlay = Some(Overlay::Palette(palette));
            return;
        };
        let deed = entry.deed;
        if !matches!(deed, Deed::Wear(_)) {
            let (worn, chosen) = palette.worn;
            self.wear(worn, chosen);
        }
        match deed {
            Deed::Act(action) => self.act(action),
            Deed::Choose(row) => {
                self.choose_row(row);
                // As where the arrows choose it.
                self.tell_unseen(Action::NextParameter);
            }
            Deed::Set(row, value) => {
                self.choose_row(row);
                self.say(format!("{} = {value}", row.key));
                self.set(row, value);
            }
            Deed::Make(amount) => self.make(amount),
            Deed::Fly(place) => self.fly(place),
            Deed::Wear(theme) => {
                self.wear(theme, true);
                self.say(format!("theme {}", self.dress.name()));
            }
            Deed::Tell => self.say(format!("{}: {}", entry.keys, entry.sentence)),
        }
    }
}

impl App {
    /// Makes something as much, as near as is possible, and says how much that is.
    fn make(&mut self, amount: Amount) {
        let wishes = &mut self.wishes;
        let made = match amount {
            Amount::Zoom(zoom) => return self.direct(|outlook| outlook.zoom_to(None, zoom)),
            Amount::Boids(boids) => {
                wishes.set_boids(boids);
                Amount::Boids(wishes.boids)
            }
            Amount::Predators(predators) => {
                wishes.set_predators(predators);
                Amount::Predators(wishes.predators)
            }
            Amount::Seed(seed) => {
                wishes.reseed(seed);
                amount
            }
            Amount::Rate(rate) => {
                wishes.set_rate(rate);
                Amount::Rate(wishes.rate)
            }
        };
        self.say(made.to_string());
    }
}

/// A word for what is the user's own.
fn whose(own: bool) -> String {
    if own { "yours" } else { "" }.into()
}
