//! A line that is typed: a value, or a name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A value for the chosen parameter.
    Value,
    /// A name for the rules.
    Name,
    /// Whether what has that name already may go.
    Overwrite,
}

/// What a key does to a line that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEdit {
    /// Adds a sign.
    Insert(char),
    /// Takes the last sign back.
    DeleteChar,
    /// Takes the last word back.
    DeleteWord,
    /// Takes everything back.
    Clear,
}

impl LineEdit {
    /// What a key means where a line is typed, by the shells' habits.
    #[must_use]
    pub fn of(key: KeyEvent) -> Option<Self> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('u') if control => Some(Self::Clear),
            KeyCode::Char('w') if control => Some(Self::DeleteWord),
            // What some terminals send for Backspace.
            KeyCode::Char('h') if control => Some(Self::DeleteChar),
            KeyCode::Char(sign) if !control && !alt => Some(Self::Insert(sign)),
            KeyCode::Backspace if control || alt => Some(Self::DeleteWord),
            KeyCode::Backspace => Some(Self::DeleteChar),
            _ => None,
        }
    }
}

/// What is asked, and what has been typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What is asked for.
    pub kind: PromptKind,
    /// What stands there.
    pub text: String,
}

impl Prompt {
    /// A question without an answer yet.
    #[must_use]
    pub fn new(kind: PromptKind) -> Self {
        Self { kind, text: String::new() }
    }

    /// Changes what stands there. A name has no spaces.
    pub fn write(&mut self, edit: LineEdit) {
        let most = match self.kind {
            PromptKind::Value => 16,
            PromptKind::Name | PromptKind::Overwrite => 32,
        };
        let edit = match edit {
            LineEdit::Insert(' ') if self.kind != PromptKind::Value => LineEdit::Insert('-'),
            edit => edit,
        };
        write(&mut self.text, edit, most);
        if self.kind == PromptKind::Overwrite {
            self.kind = PromptKind::Name;
        }
    }
}

/// Changes a line of at most so many signs.
pub fn write(line: &mut String, edit: LineEdit, most: usize) {
    match edit {
        LineEdit::Insert(sign) if line.chars().count() < most && !sign.is_control() => line.push(sign),
        LineEdit::Insert(_) => {}
        LineEdit::DeleteChar => {
            line.pop();
        }
        LineEdit::DeleteWord => {
            let kept = line.trim_end().trim_end_matches(|sign: char| !sign.is_whitespace()).len();
            line.truncate(kept);
        }
        LineEdit::Clear => line.clear(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_letter_makes_it_another_name() {
        let mut prompt = Prompt { kind: PromptKind::Overwrite, text: "geese".into() };
        prompt.write(LineEdit::Insert('2'));
        assert_eq!(prompt, Prompt { kind: PromptKind::Name, text: "geese2".into() });
        (0..40).for_each(|_| prompt.write(LineEdit::Insert('x')));
        prompt.write(LineEdit::Insert('\n'));
        assert_eq!(prompt.text.len(), 32);
        (0..40).for_each(|_| prompt.write(LineEdit::DeleteChar));
        assert_eq!(prompt.text, "");
    }

    #[test]
    fn words_and_lines_go_at_once() {
        let mut text = "coh radius  30 ".to_owned();
        for left in ["coh radius  ", "coh ", "", ""] {
            write(&mut text, LineEdit::DeleteWord, 60);
            assert_eq!(text, left);
        }
        let mut prompt = Prompt::new(PromptKind::Name);
        "my geese".chars().for_each(|sign| prompt.write(LineEdit::Insert(sign)));
        assert_eq!(prompt.text, "my-geese");
        prompt.write(LineEdit::Clear);
        assert_eq!(prompt, Prompt::new(PromptKind::Name));
    }
}
