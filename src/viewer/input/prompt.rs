//! A line that is typed: a value, or a name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A value for the chosen parameter.
    Value,
    /// A name for the rules.
    Name,
    /// Whether what has that name already may go.
    Overwrite,
}

/// What a key does to a line that is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Adds a sign.
    Sign(char),
    /// Takes the last sign back.
    Back,
    /// Takes the last word back.
    BackWord,
    /// Takes everything back.
    Clear,
}

impl Edit {
    /// What a key means where a line is typed, by the shells' habits.
    #[must_use]
    pub fn of(key: KeyEvent) -> Option<Self> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('u') if control => Some(Self::Clear),
            KeyCode::Char('w') if control => Some(Self::BackWord),
            // What some terminals send for Backspace.
            KeyCode::Char('h') if control => Some(Self::Back),
            KeyCode::Char(sign) if !control && !alt => Some(Self::Sign(sign)),
            KeyCode::Backspace if control || alt => Some(Self::BackWord),
            KeyCode::Backspace => Some(Self::Back),
            _ => None,
        }
    }
}

/// What is asked, and what has been typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What is asked for.
    pub ask: Ask,
    /// What stands there.
    pub text: String,
}

impl Prompt {
    /// A question without an answer yet.
    #[must_use]
    pub fn new(ask: Ask) -> Self {
        Self { ask, text: String::new() }
    }

    /// Changes what stands there. A name has no spaces.
    pub fn write(&mut self, edit: Edit) {
        let most = match self.ask {
            Ask::Value => 16,
            Ask::Name | Ask::Overwrite => 32,
        };
        let edit = match edit {
            Edit::Sign(' ') if self.ask != Ask::Value => Edit::Sign('-'),
            edit => edit,
        };
        write(&mut self.text, edit, most);
        if self.ask == Ask::Overwrite {
            self.ask = Ask::Name;
        }
    }
}

/// Changes a line of at most so many signs.
pub fn write(line: &mut String, edit: Edit, most: usize) {
    match edit {
        Edit::Sign(sign) if line.chars().count() < most && !sign.is_control() => line.push(sign),
        Edit::Sign(_) => {}
        Edit::Back => {
            line.pop();
        }
        Edit::BackWord => {
            let kept = line.trim_end().trim_end_matches(|sign: char| !sign.is_whitespace()).len();
            line.truncate(kept);
        }
        Edit::Clear => line.clear(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_letter_makes_it_another_name() {
        let mut prompt = Prompt { ask: Ask::Overwrite, text: "geese".into() };
        prompt.write(Edit::Sign('2'));
        assert_eq!(prompt, Prompt { ask: Ask::Name, text: "geese2".into() });
        (0..40).for_each(|_| prompt.write(Edit::Sign('x')));
        prompt.write(Edit::Sign('\n'));
        assert_eq!(prompt.text.len(), 32);
        (0..40).for_each(|_| prompt.write(Edit::Back));
        assert_eq!(prompt.text, "");
    }

    #[test]
    fn words_and_lines_go_at_once() {
        let mut text = "coh radius  30 ".to_owned();
        for left in ["coh radius  ", "coh ", "", ""] {
            write(&mut text, Edit::BackWord, 60);
            assert_eq!(text, left);
        }
        let mut prompt = Prompt::new(Ask::Name);
        "my geese".chars().for_each(|sign| prompt.write(Edit::Sign(sign)));
        assert_eq!(prompt.text, "my-geese");
        prompt.write(Edit::Clear);
        assert_eq!(prompt, Prompt::new(Ask::Name));
    }
}
