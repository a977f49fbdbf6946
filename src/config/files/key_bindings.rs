//! The `[keys]` table of a config file, before the viewer interprets actions and keys.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::document::Document;
use crate::config::errors::{ConfigError, line_and_column};

/// A string of a file and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The string.
    pub text: String,
    span: Range<usize>,
}

/// The keys of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// The action's name.
    pub action: SpannedText,
    /// The keys bound to it, as written; none to unbind it.
    pub keys: Vec<SpannedText>,
}

/// The rows of a `[keys]` table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyBindings {
    /// The name of the base keymap, if given.
    pub base: Option<SpannedText>,
    /// The rows, in the order of the file.
    pub rows: Vec<KeyBinding>,
    /// The file, for errors.
    file: String,
    text: String,
}

impl KeyBindings {
    /// The key that names the base keymap.
    pub const BASE: &str = "base";

    /// Reads the `[keys]` table of a file; empty if the file has none.
    ///
    /// # Errors
    ///
    /// [`ConfigError::At`] if the file is not TOML or a row has no list of keys.
    pub fn from_text(file: &str, text: &str) -> Result<Self, ConfigError> {
        let document = Document { file, text };
        document.table()?.get("keys").map_or_else(|| Ok(Self::default()), |keys| Self::read(document, keys))
    }

    /// Reads the `[keys]` table.
    ///
    /// # Errors
    ///
    /// [`ConfigError::At`].
    pub(super) fn read(document: Document<'_>, keys: &Spanned<DeValue<'_>>) -> Result<Self, ConfigError> {
        let DeValue::Table(table) = keys.get_ref() else {
            return Err(document.at(keys.span(), "`keys` must be a table: [keys], then one action per line"));
        };
        let mut bindings = Self { file: document.file.to_owned(), text: document.text.to_owned(), ..Self::default() };
        for (name, value) in table {
            let action = SpannedText { text: name.get_ref().to_string(), span: name.span() };
            if action.text == Self::BASE {
                let message = "base takes the name of a keymap, such as \"vim\" or \"arrows\"";
                bindings.base = Some(string(value).ok_or_else(|| document.at(value.span(), message))?);
            } else {
                let keys = read_keys(document, &action.text, value)?;
                bindings.rows.push(KeyBinding { action, keys });
            }
        }
        // The table is sorted by name; errors about duplicates should name the later row.
        bindings.rows.sort_by_key(|row| row.action.span.start);
        Ok(bindings)
    }

    /// An error about a string of the table.
    #[must_use]
    pub fn at(&self, text: &SpannedText, message: impl Into<String>) -> ConfigError {
        Document { file: &self.file, text: &self.text }.at(text.span.clone(), message)
    }

    /// The position of a string as `file:line:column`.
    #[must_use]
    pub fn place(&self, text: &SpannedText) -> String {
        let (line, column) = line_and_column(&self.text, text.span.start);
        format!("{}:{line}:{column}", self.file)
    }
}

fn read_keys(
    document: Document<'_>,
    action: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<SpannedText>, ConfigError> {
    let read = |value: &Spanned<DeValue<'_>>| {
        string(value).ok_or_else(|| {
            let form = "takes a key such as \"space\", or a list of keys such as [\"space\", \"1\"]";
            document.at(value.span(), format!("{action} {form}"))
        })
    };
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(read).collect(),
        _ => Ok(vec![read(value)?]),
    }
}

fn string(value: &Spanned<DeValue<'_>>) -> Option<SpannedText> {
    match value.get_ref() {
        DeValue::String(text) => Some(SpannedText { text: text.to_string(), span: value.span() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_order_and_position() {
        let text = "[keys]\nstep = \"n\"\nbase = \"vim\"\npause = [\"f5\", \"p\"]\nquit = []\n";
        let bindings = KeyBindings::from_text("mine.toml", text).unwrap();
        let texts = |keys: &[SpannedText]| keys.iter().map(|key| key.text.clone()).collect::<Vec<_>>().join(" ");
        let rows: Vec<(&str, String)> =
            bindings.rows.iter().map(|row| (row.action.text.as_str(), texts(&row.keys))).collect();
        assert_eq!(rows, [("step", "n".into()), ("pause", "f5 p".into()), ("quit", String::new())]);
        assert_eq!(bindings.base.as_ref().unwrap().text, "vim");
        assert_eq!(bindings.place(&bindings.rows[1].keys[1]), "mine.toml:4:16");
    }

    #[test]
    fn errors_have_a_position() {
        let error = |text: &str| KeyBindings::from_text("mine.toml", text).unwrap_err().to_string();
        for (row, place) in [("pause = 1", "2:9"), ("pause = [\"a\", 1]", "2:15"), ("pause = { a = \"b\" }", "2:9")] {
            let error = error(&format!("[keys]\n{row}\n"));
            assert!(error.starts_with(&format!("mine.toml:{place}: pause takes a key such as \"space\"")), "{error}");
        }
        assert!(error("keys = 1\n").starts_with("mine.toml:1:8: `keys` must be a table"));
        assert!(error("[keys]\nbase = [\"vim\"]").starts_with("mine.toml:2:8: base takes the name of a keymap"));
    }
}
