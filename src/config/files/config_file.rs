//! The config file: options with the names of their flags, parameters under `[set]` and keys under `[keys]`.
//!
//! The command line defines which options exist and which values they take.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Document, Entry, entries, is_param_group, scalar_text, suggest_param};
use super::io::read_text;
use super::key_bindings::KeyBindings;
use super::user_files::is_path;
use crate::config::errors::{ConfigError, did_you_mean_or};
use crate::sim::{Param, Value};

/// Maximum size of a config file.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The table of parameters.
const SET: &str = "set";
/// The table of keys.
const KEYS: &str = "keys";
/// How to start despite a broken config file.
const HINT: &str = "use `--no-config` to ignore this file";

/// The content of a config file.
#[derive(Debug)]
pub struct ConfigFile {
    path: PathBuf,
    text: String,
    /// The options, in the order of the file.
    pub options: Vec<OptionEntry>,
    /// The parameters, in the order of the file.
    pub params: Vec<ParamEntry>,
    /// The key bindings.
    pub bindings: KeyBindings,
}

/// An option in a config file.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionEntry {
    /// The name, equal to that of the flag.
    pub key: String,
    /// The value as typed on the command line; several for a list.
    pub texts: Vec<String>,
    /// The line, counted from 1.
    pub line: usize,
    /// The position of the value.
    span: Range<usize>,
}

/// A parameter in a config file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamEntry {
    /// The parameter's key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// The line, counted from 1.
    pub line: usize,
}

impl ConfigFile {
    /// The default path, whether the file exists or not.
    #[must_use]
    pub fn home() -> Option<PathBuf> {
        etcetera::choose_base_strategy().ok().map(|user| user.config_dir().join("flockscope").join("config.toml"))
    }

    /// Reads a config file that may contain these options.
    ///
    /// # Errors
    ///
    /// [`ConfigError::File`] or [`ConfigError::At`], with a hint at `--no-config`.
    pub fn read(path: &Path, options: &[&str]) -> Result<Self, ConfigError> {
        read_text(path, MAX_FILE_BYTES).and_then(|text| Self::parse(path, text, options)).map_err(Self::with_hint)
    }

    /// Reads the text of a config file that may contain these options.
    ///
    /// # Errors
    ///
    /// [`ConfigError::At`], with a hint at `--no-config`.
    pub fn from_text(path: &Path, text: &str, options: &[&str]) -> Result<Self, ConfigError> {
        Self::parse(path, text.to_owned(), options).map_err(Self::with_hint)
    }

    fn parse(path: &Path, text: String, known: &[&str]) -> Result<Self, ConfigError> {
        let (mut options, mut params, mut bindings) = (Vec::new(), Vec::new(), KeyBindings::default());
        let file = path.to_string_lossy();
        let document = Document { file: &file, text: &text };
        let table = document.table()?;
        for (key, value) in in_file_order(&table) {
            match (&**key.get_ref(), value.get_ref()) {
                (SET, DeValue::Table(table)) => params = read_params(document, table, known)?,
                (SET, _) => {
                    let message = "`set` must be a table: [set], then one parameter per line";
                    return Err(document.at(value.span(), message));
                }
                (KEYS, _) => bindings = KeyBindings::read(document, value)?,
                (name, _) if known.contains(&name) => options.push(OptionEntry {
                    key: name.to_owned(),
                    texts: option_texts(name, value.get_ref()).map_err(|why| document.at(value.span(), why))?,
                    line: document.line(key.span().start),
                    span: value.span(),
                }),
                (name, _) => return Err(document.at(key.span(), unknown_option(name, known))),
            }
        }
        Ok(Self { path: path.to_owned(), options, params, bindings, text })
    }

    /// An error about the value of an option.
    #[must_use]
    pub fn at(&self, entry: &OptionEntry, message: impl Into<String>) -> ConfigError {
        let file = self.path.to_string_lossy();
        Self::with_hint(Document { file: &file, text: &self.text }.at(entry.span.clone(), message))
    }

    /// Adds a hint at `--no-config` to an error in the config file.
    #[must_use]
    pub fn with_hint(error: ConfigError) -> ConfigError {
        match error {
            ConfigError::At { file, line, column, message, excerpt } => {
                ConfigError::At { file, line, column, message, excerpt: format!("{excerpt}\n{HINT}") }
            }
            ConfigError::File { path, source } => {
                ConfigError::File { path, source: io::Error::new(source.kind(), format!("{source}; {HINT}")) }
            }
            error => error,
        }
    }

    /// Resolves a value that may be a path: relative to the config file, or to the home directory after `~/`.
    #[must_use]
    pub fn resolve(&self, word: &str) -> String {
        if !is_path(word, &["toml", "yaml", "yml"]) {
            return word.to_owned();
        }
        let home = word.strip_prefix("~/").and_then(|rest| Some(etcetera::home_dir().ok()?.join(rest)));
        let path = home.unwrap_or_else(|| self.path.parent().unwrap_or(Path::new("")).join(word));
        path.to_string_lossy().into_owned()
    }
}

/// Reads the parameters of `[set]`, in the order of the file.
fn read_params(document: Document<'_>, table: &DeTable<'_>, options: &[&str]) -> Result<Vec<ParamEntry>, ConfigError> {
    let mut entries = entries(table);
    entries.sort_by_key(|(_, span, _)| span.start);
    let read = |(key, span, value): Entry<'_, '_>| {
        if let Some(row) = Param::find(&key) {
            let at_value = |message: String| document.at(value.span(), message);
            let text = scalar_text(value.get_ref()).ok_or_else(|| at_value(format!("{key} takes {}", row.range())))?;
            let value = row.parse(&text).map_err(|error| at_value(error.to_string()))?;
            Ok(ParamEntry { key: row.key, value, line: document.line(span.start) })
        } else if options.contains(&key.as_str()) {
            Err(document.at(span, format!("`{key}` is an option: put it above [set] and all other tables")))
        } else {
            let hint = suggest_param(&key, value.get_ref(), []);
            Err(document.at(span, format!("unknown parameter `{key}`{hint}")))
        }
    };
    entries.into_iter().map(read).collect()
}

/// A table's entries in the order of the file.
fn in_file_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Spanned<Cow<'a, str>>, &'t Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// An option's value as typed on the command line.
fn option_texts(name: &str, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let single = |value| scalar_text(value).ok_or_else(|| format!("{name} takes a string, a number or a boolean"));
    match value {
        DeValue::Array(list) => list.iter().map(|value| single(value.get_ref())).collect(),
        value => Ok(vec![single(value)?]),
    }
}

fn unknown_option(name: &str, options: &[&str]) -> String {
    if Param::find(name).is_some() || is_param_group(name) {
        return format!("`{name}` is a parameter of the flock: put it under [set]");
    }
    let words = options.iter().copied().chain([SET, KEYS]);
    let hint = did_you_mean_or(name, words, "; `--print-config` lists all options");
    format!("unknown option `{name}`{hint}")
}
