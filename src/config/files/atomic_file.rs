//! Files that appear under their name only when they are complete.
//!
//! Where the system has them, they have no name until then, so that nothing is left if the process is killed. Elsewhere the
//! temporary name holds host and process id, and the next file removes those of processes that have ended.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{Builder, TempPath};

/// Temporary files with a name that have not replaced their target yet.
static OPEN: Mutex<TempFiles> = Mutex::new(TempFiles { paths: Vec::new(), is_ending: false });

struct TempFiles {
    paths: Vec<PathBuf>,
    /// Whether the process ends, so that no other may appear.
    is_ending: bool,
}

/// How long the end of the process waits for a thread that creates a temporary file.
const CREATION_TIMEOUT: Duration = Duration::from_millis(50);
/// The beginning of temporary names. Host and process id follow.
const PREFIX: &str = ".flockscope-";

/// A file that is not under its name yet.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    folder: PathBuf,
    /// Its temporary name, if it has one.
    path: Option<TempPath>,
}

impl AtomicFile {
    /// Creates a file in a folder, with the permissions of the file it will replace, or those of a new file.
    pub fn create(folder: &Path, replaced: Option<&Path>) -> io::Result<Self> {
        let existing = replaced.and_then(|path| fs::metadata(path).ok()).map(|metadata| metadata.permissions());
        let unnamed = unnamed(folder, existing.as_ref());
        let (file, path) = match unnamed {
            Some(file) => (file, None),
            None => named(folder, existing.as_ref()).map(|(file, path)| (file, Some(path)))?,
        };
        if let Some(existing) = existing.filter(|_| cfg!(unix)) {
            file.set_permissions(existing)?;
        }
        Ok(Self { file, folder: folder.to_owned(), path })
    }

    /// The file, to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file a temporary name, if it has none, from which it can be renamed.
    pub fn into_temp_path(self) -> io::Result<TempPath> {
        let Self { file, folder, path } = self;
        let link = || {
            let named = Builder::new().prefix(&prefix()).make_in(&folder, |path| link(&file, path))?;
            Ok(named.into_temp_path())
        };
        path.map_or_else(link, Ok)
    }

    /// Moves the file to a name that no other file has. If there is one, returns the file with the error.
    pub fn persist_new(self, target: &Path) -> Result<(), (io::Error, Self)> {
        let Self { file, folder, path } = self;
        match path {
            Some(path) => path.persist_noclobber(target).map_err(|failed| (failed.error, Some(failed.path))),
            None => link(&file, target).map_err(|error| (error, None)),
        }
        .map_err(|(error, path)| (error, Self { file, folder, path }))
    }
}

/// A file without a name, if system and file system have such files, and a way to name them later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, permissions: Option<&fs::Permissions>) -> Option<File> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    // The system applies the umask.
    let mode = permissions.map_or(0o666, |permissions| permissions.mode() & 0o7777);
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = File::options().read(true).write(true).custom_flags(flags).mode(mode).open(folder).ok()?;
    fs::symlink_metadata(descriptor(&file)).is_ok().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: Option<&fs::Permissions>) -> Option<File> {
    None
}

/// Gives a file without a name one that no other file has.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// A file with a temporary name, after those of ended processes are removed.
fn named(folder: &Path, permissions: Option<&fs::Permissions>) -> io::Result<(File, TempPath)> {
    remove_abandoned(folder);
    let prefix = prefix();
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(permissions.cloned().unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    let _ = permissions;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if open.is_ending {
        return Err(ErrorKind::Interrupted.into());
    }
    let file = builder.tempfile_in(folder)?;
    open.paths.retain(|path| path.exists());
    open.paths.push(file.path().to_owned());
    Ok(file.into_parts())
}

/// The beginning of the temporary names of this process: `.flockscope-HOST-PID-`.
fn prefix() -> String {
    format!("{}{}-", host_prefix(), std::process::id())
}

/// The beginning of the temporary names of this host: `.flockscope-HOST-`.
fn host_prefix() -> String {
    #[cfg(unix)]
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let host = std::env::var("COMPUTERNAME").unwrap_or_default();
    let host: String = host.chars().map(|symbol| if symbol.is_ascii_alphanumeric() { symbol } else { '_' }).collect();
    format!("{PREFIX}{host}-")
}

/// Removes temporary files of processes of this host that have ended. Names of other hosts on a shared disk stay.
fn remove_abandoned(folder: &Path) {
    let prefix = host_prefix();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.split('-').next()?.parse().ok());
        if process.is_some_and(has_ended) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process has this id, as far as the system tells.
#[cfg(unix)]
fn has_ended(process: i32) -> bool {
    let process = rustix::process::Pid::from_raw(process);
    process.is_some_and(|process| rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn has_ended(_: i32) -> bool {
    false
}

/// Deletes all temporary files, before the process ends without unwinding. No other file can be created afterwards.
pub fn remove_temp_files() {
    let start = Instant::now();
    loop {
        match OPEN.try_lock() {
            Ok(mut open) => {
                open.is_ending = true;
                open.paths.drain(..).for_each(|path| _ = fs::remove_file(path));
                return;
            }
            // The thread that holds the lock may be stuck.
            Err(TryLockError::WouldBlock) if start.elapsed() < CREATION_TIMEOUT => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_unfinished_file_has_no_name_and_leaves_nothing() {
        let folder = tempfile::TempDir::new().unwrap();
        let unfinished = AtomicFile::create(folder.path(), None).unwrap();
        unfinished.file().write_all(b"half").unwrap();
        assert!(names(folder.path()).is_empty());
        let target = folder.path().join("rows.csv");
        unfinished.persist_new(&target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"half");
        let second = AtomicFile::create(folder.path(), None).unwrap();
        let (error, second) = second.persist_new(&target).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        second.into_temp_path().unwrap().persist(&target).unwrap();
        assert_eq!((fs::read(&target).unwrap(), names(folder.path())), (Vec::new(), vec!["rows.csv".to_owned()]));
    }

    #[test]
    #[cfg(unix)]
    fn files_of_ended_processes_of_this_host_are_removed() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let [ended, own] = [child.id(), std::process::id()].map(|process| format!("{}{process}-abc", host_prefix()));
        let other = format!("{PREFIX}elsewhere-{}-abc", child.id());
        for name in [&ended, &own, &other] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let (_, temporary) = named(folder.path(), None).unwrap();
        let kept = names(folder.path());
        assert!(!kept.contains(&ended) && kept.contains(&own) && kept.contains(&other), "{kept:?}");
        drop(temporary);
    }
}
