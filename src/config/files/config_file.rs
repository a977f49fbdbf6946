//! The config file: options under the names of their flags, and tunables under `[set]`.
//!
//! Which options there are, and what values they take, the command line says; here the file is read so
//! that every complaint can name its place.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Document, scalar_text};
use super::key_bindings::KeyBindings;
use super::source::{names_a_file, read};
use crate::config::Error;
use crate::config::errors::suggest::{did_you_mean, did_you_mean_or};
use crate::config::presets::preset::is_group;
use crate::sim::{Param, Value};

/// The largest config file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The table of tunables.
const SET: &str = "set";
/// The table of keys.
const KEYS: &str = "keys";
/// What helps who cannot mend the file now.
const WAY_OUT: &str = "`--no-config` flies without this file";

/// What a config file says.
#[derive(Debug)]
pub struct ConfigFile {
    path: PathBuf,
    text: String,
    /// Its options, in their order.
    pub options: Vec<OptionEntry>,
    /// Its tunables, in their order.
    pub rules: Vec<ParamEntry>,
    /// What it says of keys.
    pub bindings: KeyBindings,
}

/// An option in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionEntry {
    /// Its name, which is its flag's.
    pub key: String,
    /// Its value as one would type it; a list has several.
    pub texts: Vec<String>,
    /// The line in which it stands, from 1.
    pub line: usize,
    /// Where the value stands.
    span: Range<usize>,
}

/// A tunable in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamEntry {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// The line in which it stands, from 1.
    pub line: usize,
}

impl ConfigFile {
    /// The config file's place among the user's settings, there or not.
    #[must_use]
    pub fn home() -> Option<PathBuf> {
        etcetera::choose_base_strategy().ok().map(|user| user.config_dir().join("flockscope").join("config.toml"))
    }

    /// Reads a file that may have these options.
    ///
    /// # Errors
    ///
    /// [`Error::File`] or [`Error::At`], which say how to do without.
    pub fn read(path: &Path, options: &[&str]) -> Result<Self, Error> {
        read(path, MAX_FILE_BYTES).and_then(|text| Self::parse(path, text, options)).map_err(Self::mine)
    }

    /// Reads the text of a file that may have these options.
    ///
    /// # Errors
    ///
    /// [`Error::At`], as [`read`](Self::read) has it.
    pub fn from_text(path: &Path, text: &str, options: &[&str]) -> Result<Self, Error> {
        Self::parse(path, text.to_owned(), options).map_err(Self::mine)
    }

    fn parse(path: &Path, text: String, options: &[&str]) -> Result<Self, Error> {
        let (mut options_read, mut rules, mut bindings) = (Vec::new(), Vec::new(), KeyBindings::default());
        let file = path.to_string_lossy();
        let document = Document { file: &file, text: &text };
        let table = document.table()?;
        for (key, value) in in_order(&table) {
            match (&**key.get_ref(), value.get_ref()) {
                (SET, DeValue::Table(table)) => read_rules(document, table, "", options, &mut rules)?,
                (SET, _) => return Err(document.at(value.span(), "set is a table: [set] with parameters below it")),
                (KEYS, DeValue::Table(table)) => bindings = KeyBindings::read(document, table)?,
                (KEYS, _) => return Err(document.at(value.span(), "keys is a table: [keys] with actions below it")),
                (name, _) if options.contains(&name) => options_read.push(OptionEntry {
                    key: name.to_owned(),
                    texts: texts(name, value.get_ref()).map_err(|why| document.at(value.span(), why))?,
                    line: document.line(key.span().start),
                    span: value.span(),
                }),
                (name, _) => return Err(document.at(key.span(), unknown_option(name, options))),
            }
        }
        Ok(Self { path: path.to_owned(), options: options_read, rules, bindings, text })
    }

    /// An error about an option's value.
    #[must_use]
    pub fn at(&self, entry: &OptionEntry, message: impl Into<String>) -> Error {
        let file = self.path.to_string_lossy();
        Self::mine(Document { file: &file, text: &self.text }.at(entry.span.clone(), message))
    }

    /// An error in the config file, with what to do meanwhile.
    #[must_use]
    pub fn mine(error: Error) -> Error {
        match error {
            Error::At { file, line, column, message, excerpt } => {
                Error::At { file, line, column, message, excerpt: format!("{excerpt}\n  {WAY_OUT}") }
            }
            Error::File { path, source } => {
                Error::File { path, source: io::Error::new(source.kind(), format!("{source}; {WAY_OUT}")) }
            }
            error => error,
        }
    }

    /// A word that may mean a file, which is then named from where the config lies, or from `~`.
    #[must_use]
    pub fn resolve(&self, word: &str) -> String {
        if !names_a_file(word, &["toml", "yaml", "yml"]) {
            return word.to_owned();
        }
        let home = word.strip_prefix("~/").and_then(|rest| Some(etcetera::home_dir().ok()?.join(rest)));
        let path = home.unwrap_or_else(|| self.path.parent().unwrap_or(Path::new("")).join(word));
        path.to_string_lossy().into_owned()
    }
}

/// Reads the tunables of `[set]`, or of a group in it.
fn read_rules(
    document: Document<'_>,
    table: &DeTable<'_>,
    group: &str,
    options: &[&str],
    rules: &mut Vec<ParamEntry>,
) -> Result<(), Error> {
    for (key, value) in in_order(table) {
        let full = format!("{group}{}", key.get_ref());
        match (value.get_ref(), Param::find(&full)) {
            (DeValue::Table(inner), None) if is_group(&full) => {
                read_rules(document, inner, &format!("{full}."), options, rules)?;
            }
            (found, Some(row)) => {
                let complain = |message: String| document.at(value.span(), message);
                let text = scalar_text(found).ok_or_else(|| complain(format!("{full} takes {}", row.range())))?;
                let value = row.parse(&text).map_err(|error| complain(error.to_string()))?;
                rules.push(ParamEntry { key: row.key, value, line: document.line(key.span().start) });
            }
            (_, None) if options.contains(&full.as_str()) => {
                let message = format!("`{full}` is an option, and stands above [set] and every other table");
                return Err(document.at(key.span(), message));
            }
            (_, None) => {
                let hint = did_you_mean(&full, Param::table().iter().map(|row| row.key));
                return Err(document.at(key.span(), format!("there is no parameter `{full}`{hint}")));
            }
        }
    }
    Ok(())
}

/// A table's entries as they stand in the file.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Spanned<std::borrow::Cow<'a, str>>, &'t Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// An option's value as one would type it.
fn texts(name: &str, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let single = |value: &DeValue<'_>| {
        scalar_text(value).ok_or_else(|| format!("{name} takes text, a number, or true or false, as `--{name}` does"))
    };
    match value {
        DeValue::Array(list) => list.iter().map(|value| single(value.get_ref())).collect(),
        value => Ok(vec![single(value)?]),
    }
}

/// What to say of a key that is none: where it would be one, or which one is like it.
fn unknown_option(name: &str, options: &[&str]) -> String {
    if Param::find(name).is_some() || is_group(name) {
        return format!("`{name}` is a rule of the flock, and stands under [set]");
    }
    let words = options.iter().copied().chain([SET, KEYS]);
    let hint = did_you_mean_or(name, words, "; `--print-config` shows all that can stand here");
    format!("there is no option `{name}`{hint}")
}
