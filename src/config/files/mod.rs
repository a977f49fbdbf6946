//! Files that the user writes: the config file, and presets and themes by name. They are text files of limited size, read so that
//! every error has a line and a column, and replaced only by complete ones.

mod config_file;
mod temp_files;
mod user_files;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{
    InputError, did_you_mean, did_you_mean_or, escape_control, excerpt, line_and_column, nearest, shorten,
};
use crate::picture::ThemeColor;
use crate::sim::Param;
pub use config_file::{ConfigFile, KeyBinding, KeyBindings, OptionEntry, ParamEntry, PresetEntry, SpannedText};
pub use temp_files::{create_temp_file, remove_temp_files, write_file};
pub(super) use user_files::save;
pub use user_files::{BuiltinFile, NamedFile};

/// The text of a file, and the file's name for errors.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The file, as the user named it.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Document<'a> {
    /// Parses the file as TOML and returns its top-level table.
    pub fn table(&self) -> Result<DeTable<'a>, InputError> {
        self.check_control_chars()?;
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(|error| self.toml_error(&error))
    }

    /// Deserializes the file from TOML.
    pub fn deserialize<T: serde::de::DeserializeOwned>(&self) -> Result<T, InputError> {
        self.check_control_chars()?;
        toml::from_str(self.text).map_err(|error| self.toml_error(&error))
    }

    /// Rejects control characters, which could reach a terminal when the file is displayed.
    pub fn check_control_chars(&self) -> Result<(), InputError> {
        let found = self.text.find(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
        found.map_or(Ok(()), |at| Err(self.at(at..at, "control characters are not allowed")))
    }

    /// An error of the TOML parser or deserializer.
    pub(crate) fn toml_error(&self, error: &toml::de::Error) -> InputError {
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        let message = if let Some(key) = message.strip_prefix("missing field ") {
            format!("missing key {key}")
        } else if message.starts_with("unknown field `") {
            // serde: unknown field `a`, expected one of `b`, `c`
            let mut words = message.split('`').skip(1).step_by(2);
            let key = words.next().unwrap_or_default();
            format!("unknown key `{key}`{}", did_you_mean(key, words))
        } else if let Some(rest) = message.strip_prefix("invalid color `") {
            let color = rest.rsplit_once("`: expected ").map_or(rest, |(color, _)| color);
            format!("{message}{}", did_you_mean(color, ThemeColor::names().iter().map(String::as_str)))
        } else {
            message
        };
        self.at(error.span().unwrap_or(0..0), message)
    }

    /// The line of a byte offset, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        line_and_column(self.text, at).0
    }

    /// An error about a part of the text.
    pub fn at(&self, span: Range<usize>, message: impl Into<String>) -> InputError {
        let (line, column) = line_and_column(self.text, span.start);
        InputError::At {
            file: self.file.to_owned(),
            line,
            column,
            message: shorten(&escape_control(&message.into())),
            excerpt: excerpt(self.text, span),
        }
    }
}

/// A string, number or boolean as the text of the equivalent flag; `None` for other values.
pub fn scalar_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        // A number that overflows i128 is out of every range, in any notation.
        DeValue::Integer(number) => Some(
            i128::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.to_string(), |number| number.to_string()),
        ),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(on) => Some(on.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// Whether a key is a group of parameters, such as `separation`.
pub fn is_param_group(key: &str) -> bool {
    Param::table().iter().any(|row| row.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// `; did you mean …?` for an unknown key, among the parameters and these other keys.
///
/// A table is compared with the groups first: as a whole, a key of another group could be more similar.
pub fn suggest_param(key: &str, value: &DeValue<'_>, others: impl IntoIterator<Item = &'static str>) -> String {
    let params = Param::table().iter().map(|row| row.key);
    let group = match value {
        DeValue::Table(_) => nearest(key, params.clone().filter_map(|param| Some(param.split_once('.')?.0))),
        _ => None,
    };
    if let Some(group) = group {
        let in_group = params.filter(|param| param.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')));
        return did_you_mean_or(key, in_group, &format!("; did you mean `{group}`?"));
    }
    did_you_mean(key, params.chain(others))
}

/// The full key of an entry, its position, and its value.
pub type Entry<'t, 'a> = (String, Range<usize>, &'t Spanned<DeValue<'a>>);

/// The entries of a table by name, those of parameter groups as `group.key`.
pub fn entries<'t, 'a>(table: &'t DeTable<'a>) -> Vec<Entry<'t, 'a>> {
    let mut entries = Vec::new();
    for (key, value) in table {
        match value.get_ref() {
            DeValue::Table(group) if is_param_group(key.get_ref()) => entries.extend(
                group
                    .iter()
                    .map(|(inner, value)| (format!("{}.{}", key.get_ref(), inner.get_ref()), inner.span(), value)),
            ),
            _ => entries.push((key.get_ref().to_string(), key.span(), value)),
        }
    }
    entries
}

/// Content read from pipes, which deliver it only once: the config is read again on reload.
static PIPED: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads a UTF-8 file of at most `max_bytes`.
fn read_text(path: &Path, max_bytes: u64) -> Result<String, InputError> {
    let metadata = fs::metadata(path).map_err(InputError::io(path))?;
    if metadata.is_dir() {
        return Err(InputError::file(path, "is a directory, not a file"));
    }
    // Opening a named pipe blocks. Process substitution (/dev/fd/63) and /dev/null are fine.
    let is_device = (path.starts_with("/dev/fd") || path.parent() == Some(Path::new("/dev")))
        && !path.components().any(|part| part == Component::ParentDir);
    if !metadata.is_file() && !is_device {
        return Err(InputError::file(path, "not a regular file"));
    }
    let mut piped = PIPED.lock().ok().filter(|_| !metadata.is_file());
    let bytes = if let Some(bytes) = piped.as_ref().and_then(|piped| piped.get(path)) {
        bytes.clone()
    } else {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes))
            .map_err(InputError::io(path))?;
        tracing::info!(?path, bytes = bytes.len(), "read");
        if let Some(piped) = &mut piped {
            piped.insert(path.to_owned(), bytes.clone());
        }
        bytes
    };
    if bytes.len() as u64 > max_bytes {
        return Err(InputError::file(path, format!("larger than the limit of {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Document { file: &path.to_string_lossy(), text: &text }.at(at..at, "not valid UTF-8")
    })
}
