//! What lies over the flock.

use super::Action;

/// A box or a prompt over the flock.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The keys, scrolled down by so many lines.
    Help(usize),
    /// The presets, one of them marked.
    Presets(usize),
    /// A value being typed.
    Prompt(String),
    /// The command that brings the flock back.
    Command,
}

impl Overlay {
    /// Whether an action means something while this is open; what does not is not done.
    #[must_use]
    pub fn takes(&self, action: Action) -> bool {
        use Action::{
            ChoosePreset, Close, Help, Least, Most, NextParameter, Pause, PreviousParameter, Quit, ShowCommand,
            Suspend, TypeValue,
        };
        match action {
            Close | Quit | Suspend => true,
            Pause | Help | ShowCommand | ChoosePreset => !matches!(self, Self::Prompt(_)),
            PreviousParameter | NextParameter | Least | Most => matches!(self, Self::Help(_) | Self::Presets(_)),
            TypeValue => matches!(self, Self::Presets(_) | Self::Prompt(_)),
            _ => action.preset().is_some() && matches!(self, Self::Presets(_)),
        }
    }

    /// The line of the help, or of the list, that is scrolled to or marked.
    pub fn line(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help(line) | Self::Presets(line) => Some(line),
            Self::Prompt(_) | Self::Command => None,
        }
    }
}
