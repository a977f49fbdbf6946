//! The config file: options with the names of their flags, parameters under `[set]` and under `[presets.NAME]`, and keys under
//! `[keys]`.
//!
//! The command line defines which options exist and which values they take, and checks presets; the viewer interprets actions
//! and keys.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::user_files::is_path;
use super::{Document, entries, is_param_group, read_text, scalar_text, suggest_param};
use crate::error::{InputError, did_you_mean_or, line_and_column};
use crate::sim::{Param, Value};

/// Maximum size of a config file.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The table of parameters.
const SET: &str = "set";
/// The table of tables of parameters for single presets.
const PRESETS: &str = "presets";
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
    /// The parameters for single presets, in the order of the file.
    pub(crate) presets: Vec<PresetEntry>,
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
    pub span: Range<usize>,
}

/// A preset in a config file, and parameters for it.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetEntry {
    /// Its name.
    pub name: SpannedText,
    /// The parameters, in the order of the file.
    pub params: Vec<ParamEntry>,
}

/// A parameter in a config file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamEntry {
    /// The parameter's key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// The line, counted from 1.
    pub line: usize,
    /// The position of the key.
    pub(crate) span: Range<usize>,
}

impl ConfigFile {
    /// The default path, whether the file exists or not.
    pub(crate) fn home() -> Option<PathBuf> {
        etcetera::choose_base_strategy().ok().map(|user| user.config_dir().join("flockscope").join("config.toml"))
    }

    /// Reads a config file that may contain these options.
    ///
    /// # Errors
    ///
    /// [`InputError::File`] or [`InputError::At`], with a hint at `--no-config`.
    pub fn read(path: &Path, options: &[&str]) -> Result<Self, InputError> {
        read_text(path, MAX_FILE_BYTES).and_then(|text| Self::parse(path, text, options)).map_err(Self::with_hint)
    }

    /// Reads the text of a config file that may contain these options.
    ///
    /// # Errors
    ///
    /// [`InputError::At`], with a hint at `--no-config`.
    pub fn from_text(path: &Path, text: &str, options: &[&str]) -> Result<Self, InputError> {
        Self::parse(path, text.to_owned(), options).map_err(Self::with_hint)
    }

    fn parse(path: &Path, text: String, known: &[&str]) -> Result<Self, InputError> {
        let (mut options, mut params, mut bindings) = (Vec::new(), Vec::new(), KeyBindings::default());
        let mut presets = Vec::new();
        let file = path.to_string_lossy();
        let document = Document { file: &file, text: &text };
        let table = document.table()?;
        for (key, value) in in_file_order(&table) {
            match (&**key.get_ref(), value.get_ref()) {
                (SET, DeValue::Table(table)) => params = read_params(document, table, known)?,
                (PRESETS, _) => presets = read_presets(document, value, known)?,
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
        Ok(Self { path: path.to_owned(), options, params, presets, bindings, text })
    }

    /// An error about a part of the file.
    pub fn at_span(&self, span: &Range<usize>, message: impl Into<String>) -> InputError {
        let file = self.path.to_string_lossy();
        Self::with_hint(Document { file: &file, text: &self.text }.at(span.clone(), message))
    }

    /// Adds a hint at `--no-config` to an error in the config file.
    pub(crate) fn with_hint(error: InputError) -> InputError {
        match error {
            InputError::At { file, line, column, message, excerpt } => {
                InputError::At { file, line, column, message, excerpt: format!("{excerpt}\n{HINT}") }
            }
            InputError::File { path, source } => {
                InputError::File { path, source: io::Error::new(source.kind(), format!("{source}; {HINT}")) }
            }
            error => error,
        }
    }

    /// Resolves a value that may be a path: relative to the config file, or to the home directory after `~/`.
    pub fn resolve(&self, word: &str) -> String {
        if !is_path(word) {
            return word.to_owned();
        }
        let home = word.strip_prefix("~/").and_then(|rest| Some(etcetera::home_dir().ok()?.join(rest)));
        let path = home.unwrap_or_else(|| self.path.parent().unwrap_or(Path::new("")).join(word));
        path.to_string_lossy().into_owned()
    }
}

/// Reads the tables under `[presets]`, in the order of the file.
fn read_presets(
    document: Document<'_>,
    presets: &Spanned<DeValue<'_>>,
    options: &[&str],
) -> Result<Vec<PresetEntry>, InputError> {
    let invalid = |span| document.at(span, "`presets` holds a table for each preset, such as [presets.herring]");
    let DeValue::Table(table) = presets.get_ref() else { return Err(invalid(presets.span())) };
    let presets = in_file_order(table).into_iter().map(|(name, value)| {
        let DeValue::Table(params) = value.get_ref() else { return Err(invalid(value.span())) };
        let name = SpannedText { text: name.get_ref().to_string(), span: name.span() };
        Ok(PresetEntry { name, params: read_params(document, params, options)? })
    });
    presets.collect()
}

/// Reads the parameters of `[set]` or of a preset, in the order of the file.
fn read_params(document: Document<'_>, table: &DeTable<'_>, options: &[&str]) -> Result<Vec<ParamEntry>, InputError> {
    let mut entries = entries(table);
    entries.sort_by_key(|(_, span, _)| span.start);
    let params = entries.into_iter().map(|(key, span, value)| {
        if let Some(row) = Param::find(&key) {
            let at_value = |message: String| document.at(value.span(), message);
            let text = scalar_text(value.get_ref()).ok_or_else(|| at_value(format!("{key} takes {}", row.range())))?;
            let value = row.parse(&text).map_err(|error| at_value(error.to_string()))?;
            Ok(ParamEntry { key: row.key, value, line: document.line(span.start), span })
        } else if options.contains(&key.as_str()) {
            Err(document.at(span, format!("`{key}` is an option: put it above all tables")))
        } else {
            let hint = suggest_param(&key, value.get_ref(), []);
            Err(document.at(span, format!("unknown parameter `{key}`{hint}")))
        }
    });
    params.collect()
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
    let words = options.iter().copied().chain([SET, PRESETS, KEYS]);
    let hint = did_you_mean_or(name, words, "; `--print-config` lists all options");
    format!("unknown option `{name}`{hint}")
}

/// A string of a file and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The string.
    pub text: String,
    pub(crate) span: Range<usize>,
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
    /// [`InputError::At`] if the file is not TOML or a row has no list of keys.
    pub fn from_text(file: &str, text: &str) -> Result<Self, InputError> {
        let document = Document { file, text };
        document.table()?.get(KEYS).map_or_else(|| Ok(Self::default()), |keys| Self::read(document, keys))
    }

    /// Reads the `[keys]` table.
    pub(super) fn read(document: Document<'_>, keys: &Spanned<DeValue<'_>>) -> Result<Self, InputError> {
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
    pub fn at(&self, text: &SpannedText, message: impl Into<String>) -> InputError {
        Document { file: &self.file, text: &self.text }.at(text.span.clone(), message)
    }

    /// The position of a string as `file:line:column`.
    pub(crate) fn place(&self, text: &SpannedText) -> String {
        let (line, column) = line_and_column(&self.text, text.span.start);
        format!("{}:{line}:{column}", self.file)
    }
}

fn read_keys(
    document: Document<'_>,
    action: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<SpannedText>, InputError> {
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
        let rows = bindings.rows.iter().map(|row| {
            let keys: Vec<&str> = row.keys.iter().map(|key| key.text.as_str()).collect();
            (row.action.text.as_str(), keys.join(" "))
        });
        assert!(rows.eq([("step", "n".into()), ("pause", "f5 p".into()), ("quit", String::new())]));
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
