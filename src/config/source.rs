//! Where a preset or a theme comes from: built in, or a file.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::Error;
use super::suggest::did_you_mean;

/// The text of a preset or a theme, and its name.
#[derive(Debug)]
pub(super) struct Source {
    pub name: String,
    pub text: Cow<'static, str>,
}

impl Source {
    /// The built-in one of this name, or the file at this path, which ends in one of `ends`, of at most `most` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] with the nearest name, or [`Error::File`].
    pub(super) fn find(
        what: &'static str,
        builtin: &[(&'static str, &'static str)],
        ends: &[&str],
        name: &str,
        most: u64,
    ) -> Result<Self, Error> {
        if let Some((name, text)) = builtin.iter().find(|(known, _)| *known == name) {
            return Ok(Self { name: (*name).to_owned(), text: Cow::Borrowed(text) });
        }
        let path = Path::new(name);
        let names_a_file = path.extension().is_some_and(|end| ends.iter().any(|known| end == *known))
            || name.contains(std::path::is_separator);
        if !names_a_file {
            let hint = did_you_mean(name, builtin.iter().map(|(name, _)| *name));
            let hint = if hint.is_empty() {
                format!("; `flockscope {what}s` lists them, and a file is named as ./{name}")
            } else {
                hint
            };
            return Err(Error::Unknown { what, name: name.to_owned(), hint });
        }
        let stem = path.file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
        Ok(Self { name: stem.into_owned(), text: Cow::Owned(read(path, most)?) })
    }
}

/// Reads a text file of at most `most` bytes.
fn read(path: &Path, most: u64) -> Result<String, Error> {
    let wrong = |source| Error::File { path: path.to_owned(), source };
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_string(&mut text)).map_err(wrong)?;
    if read as u64 > most {
        return Err(wrong(std::io::Error::other(format!("the file is larger than {most} bytes"))));
    }
    Ok(text)
}
