//! Files that appear under their name only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::iter;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::escaping_writer::{EscapingWriter, stderr, stdout};
use crate::config::create_temp_file;
use crate::error::InputError;

/// Maximum number of symbolic links to follow, like the limit of the operating system.
const MAX_LINKS: usize = 40;

/// How many names a file that replaces no other may try.
const MAX_NAMES: usize = 1000;
/// The part of an existing file that shows whether flockscope wrote it.
const BEGINNING: u64 = 4096;

/// Which existing file an output may replace. An empty file may always be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Any file: tables, pictures and clips.
    Any,
    /// A file whose first lines have this text, which flockscope writes: metadata, and the presets of `fit` and `breed`.
    Own(&'static str),
    /// None: sessions, and what keys of the viewer save. If the file exists, the output takes the next free name.
    Nothing,
}

impl Replaces {
    /// The metadata beside an output.
    pub const METADATA: Self = Self::Own("\"flockscope\":");
    /// Presets that a command wrote.
    pub const PRESET: Self = Self::Own("source = \"flockscope ");

    /// Checks that an output may take this path.
    ///
    /// # Errors
    ///
    /// [`InputError::File`] if it may not replace the existing file.
    pub fn check(self, path: &Path) -> Result<(), InputError> {
        let metadata = fs::metadata(path).ok().filter(|metadata| metadata.is_file() && metadata.len() > 0);
        let may_replace = match self {
            Self::Any => true,
            _ if metadata.is_none() || OutputFile::is_stream(path) => true,
            Self::Own(mark) => {
                let mut beginning = Vec::new();
                let file = File::open(path).map_err(InputError::io(path))?;
                file.take(BEGINNING).read_to_end(&mut beginning).map_err(InputError::io(path))?;
                String::from_utf8_lossy(&beginning).contains(mark)
            }
            Self::Nothing => false,
        };
        if may_replace {
            return Ok(());
        }
        let why =
            if self == Self::Nothing { "the file exists" } else { "the file exists, and flockscope did not write it" };
        Err(InputError::file(path, format!("{why}; choose another name, or remove the file")))
    }
}

/// `NAME`, `NAME-2` and so on.
pub(crate) fn numbered(name: &str) -> impl Iterator<Item = String> {
    (1..=MAX_NAMES).map(move |number| if number == 1 { name.to_owned() } else { format!("{name}-{number}") })
}

pub(crate) fn is_free(path: &Path) -> bool {
    path.symlink_metadata().is_err()
}

/// An output file, or one of the process's own streams.
pub struct OutputFile {
    out: BufWriter<EscapingWriter>,
    /// The name, or those to try in turn.
    paths: Vec<PathBuf>,
    /// The file that is not under its name yet.
    pending: Option<NamedTempFile>,
    replaces: Replaces,
}

impl OutputFile {
    /// Whether opening it may block: a named pipe waits for its reader.
    pub(crate) fn may_wait(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    }

    /// Whether it is standard output, under any name.
    pub(crate) fn is_stdout(path: &Path) -> bool {
        open_descriptor(path) == Some(1)
    }

    /// Whether it is an open stream of this process: `-` or one of `/dev/fd`.
    pub(crate) fn is_stream(path: &Path) -> bool {
        open_descriptor(path).is_some()
    }

    /// The extension in lower case, which selects the format; `-` for standard output.
    pub(crate) fn extension(path: &Path) -> String {
        let extension = if Self::is_stdout(path) { "-".as_ref() } else { path.extension().unwrap_or_default() };
        extension.to_string_lossy().to_ascii_lowercase()
    }

    /// Checks that a path is no symbolic link that leads to itself.
    pub(crate) fn check_links(path: &Path) -> io::Result<()> {
        let is_loop = resolve_links(path).is_symlink();
        if is_loop { Err(io::Error::other("the symbolic link leads to itself")) } else { Ok(()) }
    }

    /// Opens a file that will be at `path` when it is complete, or standard output for `-`. Devices, pipes and files opened by the
    /// shell are written directly.
    ///
    /// # Errors
    ///
    /// [`InputError::File`].
    pub fn open(path: &Path, replaces: Replaces) -> Result<Self, InputError> {
        let io_error = InputError::io(path);
        if ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].map(Path::new).contains(&path) {
            return Err(io_error(io::Error::other("it is standard input; `-` is standard output")));
        }
        let direct = |out: EscapingWriter| Self {
            out: BufWriter::new(out),
            paths: vec![path.to_owned()],
            pending: None,
            replaces,
        };
        let existing =
            |options: &OpenOptions| options.open(path).map(|file| direct(EscapingWriter::new(file))).map_err(&io_error);
        match open_descriptor(path) {
            Some(1) => return Ok(direct(stdout())),
            Some(2) => return Ok(direct(stderr())),
            // Append: the shell shares the descriptor with other commands.
            Some(_) => return existing(File::options().append(true)),
            None if Self::may_wait(path) => return existing(File::options().write(true)),
            None => {}
        }
        if path.is_dir() {
            return Err(io_error(ErrorKind::IsADirectory.into()));
        }
        if path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator((*last).into())) {
            return Err(io_error(io::Error::other("no such directory")));
        }
        let paths = match replaces {
            Replaces::Nothing => free_names(path),
            _ => replaces.check(path).map(|()| vec![resolve_links(path)])?,
        };
        let target = paths.first().ok_or_else(|| io_error(ErrorKind::AlreadyExists.into()))?;
        // Renaming ignores the permissions of the replaced file.
        if target.is_file() {
            File::options().write(true).open(target).map_err(&io_error)?;
        }
        Self::check_links(target).map_err(&io_error)?;
        let folder = parent(target);
        if !folder.is_dir() {
            return Err(io_error(io::Error::other(format!("the directory {} does not exist", folder.display()))));
        }
        // Reject an invalid file name before the run, not after it.
        if let Err(error) = fs::symlink_metadata(target)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(io_error(error));
        }
        let file = create_temp_file(folder, Some(target)).map_err(|error| {
            let in_folder = matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
            let folder = folder.display();
            let error = without_path(&error);
            io_error(if in_folder {
                io::Error::other(format!("cannot create files in {folder}: {error}"))
            } else {
                error
            })
        })?;
        let handle = file.as_file().try_clone().map_err(&io_error)?;
        Ok(Self { paths, pending: Some(file), ..direct(EscapingWriter::new(handle)) })
    }

    /// Lets the output control a terminal: for a picture of escaped text.
    pub(crate) fn allow_control_sequences(&mut self) {
        self.out.get_mut().allow_control_sequences();
    }

    /// An unnamed file for data that will be part of an output file; on the same disk, if that has a name.
    pub(super) fn temporary(output: &Path) -> io::Result<File> {
        if Self::is_stream(output) || Self::may_wait(output) {
            return tempfile::tempfile();
        }
        tempfile::tempfile_in(parent(&resolve_links(output))).map_err(|error| without_path(&error))
    }

    /// Whether both paths lead to the same file, which may not exist yet.
    pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
        let resolve = |path: &Path| {
            let path = resolve_links(path);
            fs::canonicalize(&path).ok().or_else(|| Some(fs::canonicalize(parent(&path)).ok()?.join(path.file_name()?)))
        };
        // A device accepts both.
        one == other
            || (Self::is_stdout(one) && Self::is_stdout(other))
            || (!Self::may_wait(one) && resolve(one).is_some_and(|one| Some(one) == resolve(other)))
    }

    /// The path that it will probably have.
    pub(crate) fn path(&self) -> &Path {
        &self.paths[0]
    }

    /// Completes the file and moves it to its name. Returns its path.
    ///
    /// # Errors
    ///
    /// I/O errors, with the path of the temporary file if it has to stay there.
    pub fn finish(mut self) -> io::Result<PathBuf> {
        self.out.flush()?;
        let path = self.paths[0].clone();
        let Some(pending) = self.pending.take() else { return Ok(path) };
        // After a power failure, the name must not lead to an empty file.
        pending.as_file().sync_all()?;
        let mut pending = pending.into_temp_path();
        if self.replaces != Replaces::Nothing {
            return replace(pending, &path).map(|()| path);
        }
        for path in self.paths {
            match pending.persist_noclobber(&path) {
                Ok(()) => return Ok(path),
                Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => pending = failed.path,
                Err(failed) => return Err(failed.error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// A path and those to take if it exists, from the first that is free: `a.gif`, `a-2.gif` and so on.
fn free_names(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let others = numbered(&stem).skip(1).map(|stem| {
        let name = path.extension().map_or(stem.clone(), |end| format!("{stem}.{}", end.to_string_lossy()));
        path.with_file_name(name)
    });
    [path.to_owned()].into_iter().chain(others).skip_while(|path| !is_free(path)).collect()
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Renames a temporary file to its target. If the target cannot be replaced, such as a mounted file, copies the content.
fn replace(temporary: TempPath, target: &Path) -> io::Result<()> {
    let Err(failed) = temporary.persist(target) else { return Ok(()) };
    let (error, temporary) = (failed.error, failed.path);
    let copy = || {
        let mut file = File::options().write(true).truncate(true).open(target)?;
        io::copy(&mut File::open(&temporary)?, &mut file)
    };
    if target.is_file() && copy().is_ok() {
        return Ok(());
    }
    Err(match temporary.keep() {
        Ok(kept) => io::Error::other(format!("{error}; the output is in {}", kept.display())),
        Err(_) => error,
    })
}

/// The open file descriptor behind a path: 1 for `-` and `/dev/stdout`.
fn open_descriptor(path: &Path) -> Option<u32> {
    if path == Path::new("-") {
        return Some(1);
    }
    let descriptors = fs::canonicalize("/dev/fd").ok()?;
    links(path).find_map(|path| {
        let is_descriptor = fs::canonicalize(parent(&path)).is_ok_and(|folder| folder == descriptors);
        path.file_name().filter(|_| is_descriptor)?.to_str()?.parse().ok()
    })
}

/// A path and the targets of its chain of symbolic links.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    iter::successors(Some(path.to_owned()), |path| fs::read_link(path).ok().map(|to| parent(path).join(to)))
        .take(MAX_LINKS + 1)
}

/// The file behind symbolic links, which may not exist yet: writing replaces the file and keeps the link.
fn resolve_links(path: &Path) -> PathBuf {
    let path = links(path).last().unwrap_or_else(|| path.to_owned());
    fs::canonicalize(&path).unwrap_or(path)
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The bare system error, without the path of the temporary file.
fn without_path(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn refuses_a_link_to_itself_in_one_sentence() {
        let folder = tempfile::TempDir::new().unwrap();
        let link = folder.path().join("link.csv");
        std::os::unix::fs::symlink(&link, &link).unwrap();
        let error = OutputFile::open(&link, Replaces::Any).err().expect("an error").to_string();
        assert!(error.contains("leads to itself") && error.lines().count() == 1, "{error}");
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn keeps_the_output_if_the_target_cannot_be_replaced() {
        let folder = tempfile::TempDir::new().unwrap();
        let target = folder.path().join("rows.csv");
        let mut file = OutputFile::open(&target, Replaces::Any).unwrap();
        file.write_all(b"long work").unwrap();
        fs::create_dir_all(target.join("full")).unwrap();
        let error = file.finish().unwrap_err().to_string();
        let kept = error.split("the output is in ").nth(1).unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"long work");
    }
}
