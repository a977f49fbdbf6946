//! Which popup or prompt is open, and what it accepts.

use crate::viewer::actions::Action;
use crate::viewer::input::keymap::Navigation;
use crate::viewer::palette::Palette;
use crate::viewer::text::LineEdit;

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

/// The longest value.
const MAX_VALUE_LENGTH: usize = 16;
/// The longest preset name.
const MAX_NAME_LENGTH: usize = 32;

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A value for the selected parameter.
    Value,
    /// A name for the preset.
    Name,
    /// Whether to overwrite the preset of this name.
    Overwrite,
}

/// An open prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it asks for.
    pub kind: PromptKind,
    /// The typed text.
    pub text: String,
}

impl Prompt {
    /// An empty prompt.
    pub fn new(kind: PromptKind) -> Self {
        Self { kind, text: String::new() }
    }

    /// Edits the text. In a name, a space becomes `-`; a changed name is no longer one to overwrite.
    pub fn edit(&mut self, edit: LineEdit) {
        if self.kind == PromptKind::Value {
            return edit.apply(&mut self.text, MAX_VALUE_LENGTH);
        }
        let edit = if edit == LineEdit::Insert(' ') { LineEdit::Insert('-') } else { edit };
        edit.apply(&mut self.text, MAX_NAME_LENGTH);
        self.kind = PromptKind::Name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_a_name_cancels_overwriting() {
        let mut prompt = Prompt { kind: PromptKind::Overwrite, text: "geese".into() };
        prompt.edit(LineEdit::Insert('2'));
        assert_eq!(prompt, Prompt { kind: PromptKind::Name, text: "geese2".into() });
        (0..40).for_each(|_| prompt.edit(LineEdit::Insert('x')));
        prompt.edit(LineEdit::Insert('\n'));
        assert_eq!(prompt.text.len(), 32);
        (0..40).for_each(|_| prompt.edit(LineEdit::DeleteChar));
        assert_eq!(prompt.text, "");
    }

    #[test]
    fn words_and_lines_are_deleted_at_once() {
        let mut text = "coh radius  30 ".to_owned();
        for left in ["coh radius  ", "coh ", "", ""] {
            LineEdit::DeleteWord.apply(&mut text, 60);
            assert_eq!(text, left);
        }
        let mut prompt = Prompt::new(PromptKind::Name);
        "my geese".chars().for_each(|symbol| prompt.edit(LineEdit::Insert(symbol)));
        assert_eq!(prompt.text, "my-geese");
        prompt.edit(LineEdit::Clear);
        assert_eq!(prompt, Prompt::new(PromptKind::Name));
    }
}
