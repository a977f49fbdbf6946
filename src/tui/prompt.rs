//! A line that is typed: a value, or a name.

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

    /// Takes a sign, or the last one back.
    pub fn write(&mut self, sign: Option<char>) {
        let most = match self.ask {
            Ask::Value => 16,
            Ask::Name | Ask::Overwrite => 32,
        };
        write(&mut self.text, sign, most);
        if self.ask == Ask::Overwrite {
            self.ask = Ask::Name;
        }
    }
}

/// Adds a sign to a line of at most so many, or takes the last one away.
pub fn write(line: &mut String, sign: Option<char>, most: usize) {
    match sign {
        Some(sign) if line.chars().count() < most && !sign.is_control() => line.push(sign),
        Some(_) => {}
        None => {
            line.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_letter_makes_it_another_name() {
        let mut prompt = Prompt { ask: Ask::Overwrite, text: "geese".into() };
        prompt.write(Some('2'));
        assert_eq!(prompt, Prompt { ask: Ask::Name, text: "geese2".into() });
        (0..40).for_each(|_| prompt.write(Some('x')));
        prompt.write(Some('\n'));
        assert_eq!(prompt.text.len(), 32);
        (0..40).for_each(|_| prompt.write(None));
        assert_eq!(prompt.text, "");
    }
}
