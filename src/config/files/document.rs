//! TOML files, read so that every complaint can name its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::Error;
use crate::config::errors::excerpt::{escape_control, excerpt, place, shorten};

/// A file's text, and what to call it in errors.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The file, as the user named it.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Document<'a> {
    /// The file's top-level table.
    ///
    /// # Errors
    ///
    /// [`Error::At`] where the text is not TOML.
    pub fn table(&self) -> Result<DeTable<'a>, Error> {
        self.check_control_chars()?;
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(|error| self.toml_error(&error))
    }

    /// Reads the file into a type that serde knows.
    ///
    /// # Errors
    ///
    /// [`Error::At`] where the text is not TOML, or does not fit the type.
    pub fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, Error> {
        self.check_control_chars()?;
        toml::from_str(self.text).map_err(|error| self.toml_error(&error))
    }

    /// Checks that it is a text: no character in it commands a terminal that shows it.
    ///
    /// # Errors
    ///
    /// [`Error::At`] where one does.
    pub fn check_control_chars(&self) -> Result<(), Error> {
        let is_foreign = |character: char| character.is_control() && !matches!(character, '\n' | '\r' | '\t');
        self.text
            .find(is_foreign)
            .map_or(Ok(()), |place| Err(self.at(place..place, "a control character has no place in a text file")))
    }

    fn toml_error(&self, error: &toml::de::Error) -> Error {
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        let message = match message.strip_prefix("missing field ") {
            Some(key) => format!("the key {key} is missing"),
            None => message,
        };
        self.at(error.span().unwrap_or(0..0), message)
    }

    /// The line of a byte, from 1.
    #[must_use]
    pub fn line(&self, at: usize) -> usize {
        place(self.text, at).0
    }

    /// An error about this part of the text.
    #[must_use]
    pub fn at(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        let (line, column) = place(self.text, span.start);
        Error::At {
            file: self.file.to_owned(),
            line,
            column,
            message: shorten(&escape_control(&message.into())),
            excerpt: excerpt(self.text, span),
        }
    }
}

/// A value of a file as text, to be read as a flag's would be.
#[must_use]
pub fn scalar_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        // What i128 does not hold is out of every range, however it is written.
        DeValue::Integer(number) => Some(
            i128::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.to_string(), |number| number.to_string()),
        ),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(on) => Some(on.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}
