//! Popups and prompts over the flock.

use crate::viewer::Action;
use crate::viewer::input::palette::Palette;
use crate::viewer::input::prompt::Prompt;

/// A popup or a prompt. Numbers are the first visible line of a text, or the selected entry of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The key bindings.
    Help(usize),
    /// The list of presets.
    Presets(usize),
    /// A value or a name being typed.
    Prompt(Prompt),
    /// The command palette.
    Palette(Palette),
    /// The command that reproduces the flock.
    Command(usize),
    /// The list of measures to plot.
    Measures(usize),
}

impl Overlay {
    /// Whether an action applies while this is open. All others are ignored.
    pub fn accepts(&self, action: Action) -> bool {
        use Action::{
            ChooseMeasures, ChoosePreset, Close, EditValue, Help, Maximum, Minimum, NextParameter, NextPreset,
            PageDown, PageUp, Pause, PreviousParameter, PreviousPreset, Quit, Reload, ShowCommand, Suspend,
        };
        match action {
            Close | Quit | Suspend | Reload => true,
            Pause | Help | ShowCommand | ChoosePreset | ChooseMeasures | Action::Palette => !self.is_text_input(),
            PreviousParameter | NextParameter | PageUp | PageDown | Minimum | Maximum => {
                !matches!(self, Self::Prompt(_))
            }
            // Tab and Shift-Tab.
            NextPreset | PreviousPreset => matches!(self, Self::Palette(_)),
            EditValue => !matches!(self, Self::Help(_) | Self::Command(_)),
            _ => action.preset().is_some() && matches!(self, Self::Presets(_)),
        }
    }

    /// Whether it takes typed text.
    pub fn is_text_input(&self) -> bool {
        matches!(self, Self::Prompt(_) | Self::Palette(_))
    }

    /// The first visible line of a text, or the selected entry of a list.
    pub fn line(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(line) | Self::Presets(line) | Self::Command(line) | Self::Measures(line) => Some(line),
            Self::Palette(palette) => Some(&mut palette.marked),
            Self::Prompt(_) => None,
        }
    }
}
