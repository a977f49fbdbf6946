//! Base keymaps: where they differ from the action table.

use crate::viewer::Action;

/// A base keymap, which a key file builds on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseKeymap {
    /// The keys in the action table: arrows and letters.
    #[default]
    Default,
    /// Parameters by arrows only, which leaves `h`, `j`, `k` and `l` free.
    Arrows,
    /// The keys of vim.
    Vim,
}

/// An action and its keys.
type Row = (Action, &'static [&'static str]);

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

/// Hints show the first key, so letters come first.
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
    (Action::Plots, &["ctrl-g"]),
    (Action::SavePlots, &["alt-g"]),
];

impl BaseKeymap {
    /// All base keymaps.
    pub const ALL: [Self; 3] = [Self::Default, Self::Arrows, Self::Vim];

    /// The name in key files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Arrows => "arrows",
            Self::Vim => "vim",
        }
    }

    /// The actions whose keys differ from the action table.
    #[must_use]
    pub fn rows(self) -> &'static [(Action, &'static [&'static str])] {
        match self {
            Self::Default => &[],
            Self::Arrows => ARROWS,
            Self::Vim => VIM,
        }
    }

    /// The keys of an action.
    #[must_use]
    pub fn keys(self, action: Action) -> &'static [&'static str] {
        let row = self.rows().iter().find(|(known, _)| *known == action);
        row.map_or_else(|| action.default_keys(), |(_, keys)| *keys)
    }
}
