//! Tables of keys to begin with: what each says otherwise than the table of actions.

use crate::viewer::Action;

/// A table of keys to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseKeymap {
    /// The table of actions as it is: arrows and letters.
    #[default]
    Default,
    /// Parameters by the arrows alone, which leaves the letters free.
    Arrows,
    /// The keys that fingers know from vim.
    Vim,
}

/// An action's keys where a table does not leave it as it is.
type Row = (Action, &'static [&'static str]);

/// No letter chooses or turns a parameter.
const ARROWS: &[Row] = &[
    (Action::PreviousParameter, &["up"]),
    (Action::NextParameter, &["down"]),
    (Action::Decrease, &["left"]),
    (Action::Increase, &["right"]),
    (Action::DecreaseCoarse, &["shift-left"]),
    (Action::IncreaseCoarse, &["shift-right"]),
    (Action::DecreaseFine, &["alt-left"]),
    (Action::IncreaseFine, &["alt-right"]),
];

/// Letters come first, so that hints name them, and what vim has a key for has it here.
const VIM: &[Row] = &[
    (Action::PreviousParameter, &["k", "up"]),
    (Action::NextParameter, &["j", "down"]),
    (Action::Decrease, &["h", "left"]),
    (Action::Increase, &["l", "right"]),
    (Action::DecreaseCoarse, &["shift-h", "shift-left"]),
    (Action::IncreaseCoarse, &["shift-l", "shift-right"]),
    (Action::DecreaseFine, &["alt-h", "alt-left"]),
    (Action::IncreaseFine, &["alt-l", "alt-right"]),
    (Action::Minimum, &["g", "home"]),
    (Action::Maximum, &["shift-g", "end"]),
    (Action::EditValue, &["i", "enter"]),
    (Action::ResetParameter, &["x", "backspace"]),
    (Action::ResetAll, &["shift-x", "delete"]),
    (Action::Palette, &[":", "/"]),
];

impl BaseKeymap {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Default, Self::Arrows, Self::Vim];

    /// Its name, as in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Arrows => "arrows",
            Self::Vim => "vim",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|base| base.name() == name)
    }

    /// What it says otherwise than the table of actions.
    #[must_use]
    pub fn rows(self) -> &'static [(Action, &'static [&'static str])] {
        match self {
            Self::Default => &[],
            Self::Arrows => ARROWS,
            Self::Vim => VIM,
        }
    }

    /// The keys of an action in it.
    #[must_use]
    pub fn keys(self, action: Action) -> &'static [&'static str] {
        let row = self.rows().iter().find(|(known, _)| *known == action);
        row.map_or_else(|| action.default_keys(), |(_, keys)| *keys)
    }
}
