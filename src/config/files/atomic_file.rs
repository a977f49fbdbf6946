//! Files that are written beside their place, and take it when they are whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

/// Those that have not taken their place yet.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary file in a folder, with the rights of the one that it is to replace, or else of a new one.
///
/// # Errors
///
/// What the system answers.
pub fn atomic_file(folder: &Path, replaced: Option<&Path>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".flockscope-");
    let known = replaced.and_then(|path| fs::metadata(path).ok()).map(|known| known.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system takes from these what new files do not get.
        builder.permissions(known.clone().unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(known) = known.filter(|_| cfg!(unix)) {
        file.as_file().set_permissions(known)?;
    }
    if let Ok(mut open) = OPEN.lock() {
        open.retain(|path| path.exists());
        open.push(file.path().to_owned());
    }
    Ok(file)
}

/// Takes all of them away, for who is about to end the process without a word to anybody.
pub fn remove_temp_files() {
    // Who holds it is stuck, or making one: nobody waits for that.
    if let Ok(mut open) = OPEN.try_lock() {
        open.drain(..).for_each(|path| _ = fs::remove_file(path));
    }
}
