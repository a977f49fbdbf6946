//! Popups and prompts over the flock.

use super::prompt::Prompt;
use crate::viewer::actions::Action;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::palette::Palette;

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
    /// Whether a move applies while this is open.
    pub fn accepts_move(&self, navigation: Navigation) -> bool {
        match navigation {
            Navigation::Close => true,
            Navigation::Next | Navigation::Previous => matches!(self, Self::Palette(_)),
            Navigation::Confirm => !matches!(self, Self::Help(_) | Self::Command(_)),
            _ => !matches!(self, Self::Prompt(_)),
        }
    }

    /// Whether an action applies while this is open. All others are ignored.
    pub fn accepts(&self, action: Action) -> bool {
        use Action::{ChooseMeasures, ChoosePreset, Help, Pause, Quit, Reload, ShowCommand, Suspend};
        match action {
            Quit | Suspend | Reload => true,
            Pause | Help | ShowCommand | ChoosePreset | ChooseMeasures | Action::Palette => !self.is_text_input(),
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
