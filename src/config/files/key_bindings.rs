//! What a `[keys]` table says, with its places: which keys are to do what.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::Document;
use crate::config::Error;

/// A word of a file, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The word.
    pub text: String,
    span: Range<usize>,
}

/// The keys of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// The action's name.
    pub action: SpannedText,
    /// The keys that are to do it, as they are written; none where nothing is to.
    pub keys: Vec<SpannedText>,
}

/// The rows of a `[keys]` table, not yet understood: what is an action and what a key is known to the viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyBindings {
    /// The table of keys to begin with, where one is named.
    pub base: Option<SpannedText>,
    /// The rows, in the order of the file.
    pub rows: Vec<KeyBinding>,
    /// The file, for complaints.
    file: String,
    text: String,
}

impl KeyBindings {
    /// The row that names the table to begin with.
    pub const BASE: &str = "base";

    /// The rows of the `[keys]` table of a file, where its text has one.
    ///
    /// # Errors
    ///
    /// [`Error::At`] where the text is not TOML, or a row is neither a key nor a list of keys.
    pub fn from_text(file: &str, text: &str) -> Result<Self, Error> {
        let document = Document { file, text };
        let table = document.table()?;
        match table.get("keys") {
            None => Ok(Self::default()),
            Some(keys) => match keys.get_ref() {
                DeValue::Table(rows) => Self::read(document, rows),
                _ => Err(document.at(keys.span(), "keys is a table: [keys], and a row for each action")),
            },
        }
    }

    /// Reads the rows of a `[keys]` table.
    ///
    /// # Errors
    ///
    /// [`Error::At`] where a row is neither a key nor a list of keys.
    pub fn read(document: Document<'_>, table: &DeTable<'_>) -> Result<Self, Error> {
        let mut bindings = Self { file: document.file.to_owned(), text: document.text.to_owned(), ..Self::default() };
        for (name, value) in table {
            let action = SpannedText { text: name.get_ref().to_string(), span: name.span() };
            if action.text == Self::BASE {
                bindings.base = Some(word(value).ok_or_else(|| {
                    document.at(value.span(), "base takes the name of a table of keys, as \"vim\" or \"arrows\"")
                })?);
            } else {
                let keys = keys(document, &action.text, value)?;
                bindings.rows.push(KeyBinding { action, keys });
            }
        }
        // A table is kept by name, and a complaint is to name the later of two.
        bindings.rows.sort_by_key(|row| row.action.span.start);
        Ok(bindings)
    }

    /// An error about a word.
    #[must_use]
    pub fn at(&self, word: &SpannedText, message: impl Into<String>) -> Error {
        Document { file: &self.file, text: &self.text }.at(word.span.clone(), message)
    }

    /// Where a word stands, as errors write it.
    #[must_use]
    pub fn place(&self, word: &SpannedText) -> String {
        match self.at(word, "") {
            Error::At { file, line, column, .. } => format!("{file}:{line}:{column}"),
            _ => self.file.clone(),
        }
    }
}

/// The keys of a row: one, or a list.
fn keys(document: Document<'_>, action: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<SpannedText>, Error> {
    let wrong = |value: &Spanned<DeValue<'_>>| {
        let action = action.escape_debug();
        document
            .at(value.span(), format!("{action} takes a key, as \"space\", or a list of keys, as [\"space\", \"1\"]"))
    };
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(|entry| word(entry).ok_or_else(|| wrong(entry))).collect(),
        _ => word(value).map(|key| vec![key]).ok_or_else(|| wrong(value)),
    }
}

fn word(value: &Spanned<DeValue<'_>>) -> Option<SpannedText> {
    match value.get_ref() {
        DeValue::String(text) => Some(SpannedText { text: text.to_string(), span: value.span() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_order_and_their_places() {
        let bindings = KeyBindings::from_text(
            "mine.toml",
            "[keys]\nstep = \"n\"\nbase = \"vim\"\npause = [\"f5\", \"p\"]\nquit = []\n",
        )
        .unwrap();
        let texts = |words: &[SpannedText]| words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join(" ");
        let rows: Vec<(&str, String)> =
            bindings.rows.iter().map(|row| (row.action.text.as_str(), texts(&row.keys))).collect();
        assert_eq!(rows, [("step", "n".into()), ("pause", "f5 p".into()), ("quit", String::new())]);
        assert_eq!(bindings.base.as_ref().unwrap().text, "vim");
        assert_eq!(bindings.place(&bindings.rows[1].keys[1]), "mine.toml:4:16");
    }

    #[test]
    fn what_is_no_key_names_its_place() {
        let complaint =
            |row: &str| KeyBindings::from_text("mine.toml", &format!("[keys]\n{row}\n")).unwrap_err().to_string();
        for (row, place) in [("pause = 1", "2:9"), ("pause = [\"a\", 1]", "2:15"), ("pause = { a = \"b\" }", "2:9")] {
            let says = complaint(row);
            assert!(says.starts_with(&format!("mine.toml:{place}: pause takes a key, as \"space\"")), "{says}");
        }
        let says = KeyBindings::from_text("mine.toml", "keys = 1\n").unwrap_err().to_string();
        assert!(says.starts_with("mine.toml:1:8: keys is a table"), "{says}");
        assert!(complaint("base = [\"vim\"]").contains("mine.toml:2:8: base takes the name of a table"));
    }
}
