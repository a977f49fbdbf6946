//! Where a preset or a theme comes from: built in, or a file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use super::document::Document;
use crate::config::Error;
use crate::config::errors::suggest::did_you_mean_or;

/// The text of a preset or a theme, and its name.
#[derive(Debug)]
pub(crate) struct Source {
    pub name: String,
    pub text: Cow<'static, str>,
}

impl Source {
    /// The built-in one of this name, or the file at this path, which ends in one of `ends`, of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] with the nearest name, or [`Error::File`].
    pub(crate) fn find(
        what: &'static str,
        builtin: &[(&'static str, &'static str)],
        ends: &[&str],
        name: &str,
        most: u64,
    ) -> Result<Self, Error> {
        if let Some((name, text)) = builtin.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: (*name).to_owned(), text: Cow::Borrowed(text) });
        }
        if !names_a_file(name, ends) {
            let otherwise = format!("; `flockscope {what}s` lists them, and a file is named as ./{name}");
            let hint = did_you_mean_or(name, builtin.iter().map(|(name, _)| *name), &otherwise);
            return Err(Error::Unknown { what, name: name.to_owned(), hint });
        }
        Self::from_file(Path::new(name), most)
    }

    /// A file, called by its name without the end.
    ///
    /// # Errors
    ///
    /// [`Error::File`].
    pub(crate) fn from_file(path: &Path, most: u64) -> Result<Self, Error> {
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Self { name: stem.into_owned(), text: Cow::Owned(read(path, most)?) })
    }
}

/// Whether a word that stands for a name or a file means a file, which ends in one of `ends`.
pub(crate) fn names_a_file(word: &str, ends: &[&str]) -> bool {
    let end = Path::new(word).extension();
    word.contains(std::path::is_separator) || end.is_some_and(|end| ends.iter().any(|known| end == *known))
}

/// What came out of pipes, which give it once: who reads the config again asks twice.
static PIPED: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads a text file of at most `most` bytes.
///
/// # Errors
///
/// [`Error::File`], or [`Error::At`] where it is no text.
pub(crate) fn read(path: &Path, most: u64) -> Result<String, Error> {
    let wrong = |source| Error::File { path: path.to_owned(), source };
    let no_file = |why: &str| wrong(io::Error::other(why.to_owned()));
    let kind = fs::metadata(path).map_err(wrong)?;
    if kind.is_dir() {
        return Err(no_file("it is a folder, and is to be a file"));
    }
    // A pipe would be waited for, unless the shell has made it; and the empty device is how one says: no file.
    let is_device = path.starts_with("/dev") && !path.components().any(|part| part == Component::ParentDir);
    if !kind.is_file() && !is_device {
        return Err(no_file("it is no regular file"));
    }
    let mut piped = PIPED.lock().ok().filter(|_| !kind.is_file());
    let bytes = if let Some(bytes) = piped.as_ref().and_then(|piped| piped.get(path)) {
        bytes.clone()
    } else {
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(wrong)?;
        tracing::info!(?path, bytes = bytes.len(), "read");
        if let Some(piped) = &mut piped {
            piped.insert(path.to_owned(), bytes.clone());
        }
        bytes
    };
    if bytes.len() as u64 > most {
        return Err(no_file(&format!("the file is larger than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let document = Document { file: &path.to_string_lossy(), text: &text };
        document.at(at..at, "this is no UTF-8, in which the file is to be written")
    })
}
