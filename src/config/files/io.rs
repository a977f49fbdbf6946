//! Reading text files of limited size, and writing files that replace their target only when they are complete.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

use super::document::Document;
use crate::config::ConfigError;

/// Content read from pipes, which deliver it only once: the config is read again on reload.
static PIPED: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Reads a UTF-8 file of at most `max_bytes`.
///
/// # Errors
///
/// [`ConfigError::File`], or [`ConfigError::At`] if the file is not UTF-8.
pub(super) fn read_text(path: &Path, max_bytes: u64) -> Result<String, ConfigError> {
    let metadata = fs::metadata(path).map_err(ConfigError::io(path))?;
    if metadata.is_dir() {
        return Err(ConfigError::file(path, "is a directory, not a file"));
    }
    // Opening a named pipe blocks. Process substitution (/dev/fd/63) and /dev/null are fine.
    let is_device = path.starts_with("/dev") && !path.components().any(|part| part == Component::ParentDir);
    if !metadata.is_file() && !is_device {
        return Err(ConfigError::file(path, "not a regular file"));
    }
    let mut piped = PIPED.lock().ok().filter(|_| !metadata.is_file());
    let bytes = if let Some(bytes) = piped.as_ref().and_then(|piped| piped.get(path)) {
        bytes.clone()
    } else {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes))
            .map_err(ConfigError::io(path))?;
        tracing::info!(?path, bytes = bytes.len(), "read");
        if let Some(piped) = &mut piped {
            piped.insert(path.to_owned(), bytes.clone());
        }
        bytes
    };
    if bytes.len() as u64 > max_bytes {
        return Err(ConfigError::file(path, format!("larger than the limit of {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Document { file: &path.to_string_lossy(), text: &text }.at(at..at, "not valid UTF-8")
    })
}

/// Temporary files that have not replaced their target yet.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a temporary file in a folder, with the permissions of the file it will replace, or those of a new file.
///
/// # Errors
///
/// I/O errors.
pub fn atomic_file(folder: &Path, replaced: Option<&Path>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".flockscope-");
    let existing = replaced.and_then(|path| fs::metadata(path).ok()).map(|metadata| metadata.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(existing.clone().unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(existing) = existing.filter(|_| cfg!(unix)) {
        file.as_file().set_permissions(existing)?;
    }
    if let Ok(mut open) = OPEN.lock() {
        open.retain(|path| path.exists());
        open.push(file.path().to_owned());
    }
    Ok(file)
}

/// Deletes all temporary files, before the process ends without unwinding.
pub fn remove_temp_files() {
    // Never wait for the lock: the thread that holds it may be stuck.
    if let Ok(mut open) = OPEN.try_lock() {
        open.drain(..).for_each(|path| _ = fs::remove_file(path));
    }
}
