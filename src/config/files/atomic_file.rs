//! Temporary files that replace their target only when they are complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

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
