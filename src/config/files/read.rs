//! Reads text files of limited size.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use super::document::Document;
use crate::config::Error;

/// Content read from pipes, which deliver it only once: the config is read again on reload.
static PIPED: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads a UTF-8 file of at most `max_bytes`.
///
/// # Errors
///
/// [`Error::File`], or [`Error::At`] if the file is not UTF-8.
pub(super) fn read_text(path: &Path, max_bytes: u64) -> Result<String, Error> {
    let io_error = |source| Error::File { path: path.to_owned(), source };
    let metadata = fs::metadata(path).map_err(io_error)?;
    if metadata.is_dir() {
        return Err(Error::file(path, "is a directory, not a file"));
    }
    // Opening a named pipe blocks. Process substitution (/dev/fd/63) and /dev/null are fine.
    let is_device = path.starts_with("/dev") && !path.components().any(|part| part == Component::ParentDir);
    if !metadata.is_file() && !is_device {
        return Err(Error::file(path, "not a regular file"));
    }
    let mut piped = PIPED.lock().ok().filter(|_| !metadata.is_file());
    let bytes = if let Some(bytes) = piped.as_ref().and_then(|piped| piped.get(path)) {
        bytes.clone()
    } else {
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(io_error)?;
        tracing::info!(?path, bytes = bytes.len(), "read");
        if let Some(piped) = &mut piped {
            piped.insert(path.to_owned(), bytes.clone());
        }
        bytes
    };
    if bytes.len() as u64 > max_bytes {
        return Err(Error::file(path, format!("larger than the limit of {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Document { file: &path.to_string_lossy(), text: &text }.at(at..at, "not valid UTF-8")
    })
}
