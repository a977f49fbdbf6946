//! What lies over the flock.

use crate::viewer::Action;
use crate::viewer::input::palette::Palette;
use crate::viewer::input::prompt::Prompt;

/// A box or a prompt over the flock.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The keys, scrolled down by so many lines.
    Help(usize),
    /// The presets, one of them marked.
    Presets(usize),
    /// A value or a name being typed.
    Prompt(Prompt),
    /// Everything that can be done.
    Palette(Palette),
    /// The command that brings the flock back, scrolled down by so many lines.
    Command(usize),
}

impl Overlay {
    /// Whether an action means something while this is open; what does not is not done.
    #[must_use]
    pub fn takes(&self, action: Action) -> bool {
        use Action::{
            ChoosePreset, Close, EditValue, Help, Maximum, Minimum, NextParameter, NextPreset, PageDown, PageUp, Pause,
            PreviousParameter, PreviousPreset, Quit, Reload, ShowCommand, Suspend,
        };
        match action {
            Close | Quit | Suspend | Reload => true,
            Pause | Help | ShowCommand | ChoosePreset | Action::Palette => !self.is_typed(),
            PreviousParameter | NextParameter | PageUp | PageDown | Minimum | Maximum => {
                !matches!(self, Self::Prompt(_))
            }
            // Tab and Shift-Tab.
            NextPreset | PreviousPreset => matches!(self, Self::Palette(_)),
            EditValue => matches!(self, Self::Presets(_) | Self::Prompt(_) | Self::Palette(_)),
            _ => action.preset().is_some() && matches!(self, Self::Presets(_)),
        }
    }

    /// Whether letters are written into it.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        matches!(self, Self::Prompt(_) | Self::Palette(_))
    }

    /// The line that a text is scrolled to, or that is marked in a list.
    pub fn line(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(line) | Self::Presets(line) | Self::Command(line) => Some(line),
            Self::Palette(palette) => Some(&mut palette.marked),
            Self::Prompt(_) => None,
        }
    }
}
