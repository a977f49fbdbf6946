//! Files that appear under their name only when they are complete. Until then they have a temporary name.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// The temporary files that may exist; `None` once the process ends, so that no other can appear.
static OPEN: Mutex<Option<Vec<PathBuf>>> = Mutex::new(Some(Vec::new()));

fn open_files() -> MutexGuard<'static, Option<Vec<PathBuf>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file in a folder, with the permissions of the file it will replace, or those of a new file.
pub fn create_temp_file(folder: &Path, replaced: Option<&Path>) -> io::Result<NamedTempFile> {
    let existing = replaced.and_then(|path| fs::metadata(path).ok()).map(|metadata| metadata.permissions());
    let mut builder = Builder::new();
    builder.prefix(".flockscope-");
    #[cfg(unix)]
    if existing.is_none() {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut open = open_files();
    let paths = open.as_mut().ok_or(ErrorKind::Interrupted)?;
    let file = builder.tempfile_in(folder)?;
    paths.retain(|path| path.exists());
    paths.push(file.path().to_owned());
    drop(open);
    if let Some(existing) = existing.filter(|_| cfg!(unix)) {
        file.as_file().set_permissions(existing)?;
    }
    Ok(file)
}

/// Writes a whole file, which appears when it is complete and on the disk.
pub fn write_file(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    // Replace the file behind a symbolic link, not the link.
    let existing = fs::canonicalize(path).ok().filter(|_| overwrite);
    let target = existing.as_deref().unwrap_or(path);
    let file = create_temp_file(target.parent().unwrap_or(Path::new("")), existing.as_deref())?;
    file.as_file().write_all(bytes)?;
    file.as_file().sync_all()?;
    let file = file.into_temp_path();
    Ok(if overwrite { file.persist(target) } else { file.persist_noclobber(target) }?)
}

/// Deletes all temporary files, before the process ends without unwinding. No other file can be created afterwards.
pub fn remove_temp_files() {
    open_files().take().into_iter().flatten().for_each(|path| _ = fs::remove_file(path));
}
