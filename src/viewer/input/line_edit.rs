//! Editing a line of text.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// An edit at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEdit {
    /// Appends a character.
    Insert(char),
    /// Deletes the last character.
    DeleteChar,
    /// Deletes the last word.
    DeleteWord,
    /// Deletes everything.
    Clear,
}

impl LineEdit {
    /// The edit that a key makes, as in common shells.
    pub fn of(key: KeyEvent) -> Option<Self> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('u') if control => Some(Self::Clear),
            KeyCode::Char('w') if control => Some(Self::DeleteWord),
            // Some terminals send Ctrl-H for Backspace.
            KeyCode::Char('h') if control => Some(Self::DeleteChar),
            KeyCode::Char(symbol) if !control && !alt => Some(Self::Insert(symbol)),
            KeyCode::Backspace if control || alt => Some(Self::DeleteWord),
            KeyCode::Backspace => Some(Self::DeleteChar),
            _ => None,
        }
    }

    /// Edits a line of at most `max_length` characters.
    pub fn apply(self, line: &mut String, max_length: usize) {
        match self {
            Self::Insert(symbol) if line.chars().count() < max_length && !symbol.is_control() => line.push(symbol),
            Self::Insert(_) => {}
            Self::DeleteChar => {
                line.pop();
            }
            Self::DeleteWord => {
                let kept = line.trim_end().trim_end_matches(|symbol: char| !symbol.is_whitespace()).len();
                line.truncate(kept);
            }
            Self::Clear => line.clear(),
        }
    }
}
