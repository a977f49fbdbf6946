//! Files that stand under their name only when they are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Stderr, Stdout, Write};
use std::iter;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::config::{Error, atomic_file};

/// How many links are followed at most: systems give up at about as many.
const MAX_LINKS: usize = 40;

/// Where something is written: a file, or one of the program's own streams.
#[derive(Debug)]
pub struct OutputFile {
    out: Out,
    /// The file that takes the final name in the end.
    pending: Option<(TempPath, PathBuf)>,
}

#[derive(Debug)]
enum Out {
    File(BufWriter<File>),
    Stdout(BufWriter<Stdout>),
    Stderr(BufWriter<Stderr>),
}

impl OutputFile {
    /// Whether to open it may take as long as somebody likes: a pipe waits for its reader.
    #[must_use]
    pub fn may_wait(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir())
    }

    /// Whether it is standard output, by whatever name.
    #[must_use]
    pub fn is_stdout(path: &Path) -> bool {
        descriptor(path) == Some(1)
    }

    /// Opens a file beside its final name, or standard output for `-`. A device, a pipe or what the shell has opened is
    /// written to directly.
    ///
    /// # Errors
    ///
    /// [`Error::File`]: no such folder, no right to write there …
    pub fn open(path: &Path) -> Result<Self, Error> {
        let direct = |out| Ok(Self { out, pending: None });
        let wrong = |source: io::Error| Error::File { path: path.to_owned(), source };
        match descriptor(path) {
            Some(1) => return direct(Out::Stdout(BufWriter::new(io::stdout()))),
            Some(2) => return direct(Out::Stderr(BufWriter::new(io::stderr()))),
            // It is not ours alone: who has opened it may have written to it, and may go on.
            Some(_) => {
                let file = File::options().append(true).open(path).map_err(wrong)?;
                return direct(Out::File(BufWriter::new(file)));
            }
            None => {}
        }
        if path.is_dir() {
            return Err(wrong(ErrorKind::IsADirectory.into()));
        }
        if path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator((*last).into())) {
            return Err(wrong(io::Error::other("this is a folder's name, and there is none")));
        }
        if Self::may_wait(path) {
            let file = File::options().write(true).open(path).map_err(wrong)?;
            return direct(Out::File(BufWriter::new(file)));
        }
        let name = behind_links(path);
        // Its folder may let a file be replaced that says itself that it is not to be written.
        if name.is_file() {
            File::options().write(true).open(&name).map_err(wrong)?;
        }
        let folder = folder_of(&name);
        if !folder.is_dir() {
            return Err(wrong(io::Error::other(format!("the folder {} is not there", folder.display()))));
        }
        // What no file can be called is known before anything is flown.
        if let Err(error) = fs::symlink_metadata(&name)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(wrong(error));
        }
        let (file, temporary) = atomic_file(folder, Some(&name)).map_err(|error| wrong(plain(&error)))?.into_parts();
        Ok(Self { out: Out::File(BufWriter::new(file)), pending: Some((temporary, name)) })
    }

    /// Whether both names lead to the same file, there or not yet.
    #[must_use]
    pub fn is_same(one: &Path, other: &Path) -> bool {
        let led_to = |path: &Path| {
            let path = behind_links(path);
            let in_folder = || Some(fs::canonicalize(folder_of(&path)).ok()?.join(path.file_name()?));
            fs::canonicalize(&path).ok().or_else(in_folder)
        };
        // A device takes whatever comes.
        one == other
            || (Self::is_stdout(one) && Self::is_stdout(other))
            || (!Self::may_wait(one) && led_to(one).is_some_and(|one| Some(one) == led_to(other)))
    }

    /// Ends the file, and gives it its name.
    ///
    /// # Errors
    ///
    /// What the system answers, and where all that was written is then.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self.pending.take() {
            Some((temporary, name)) => put(temporary, &name),
            None => Ok(()),
        }
    }
}

/// Gives a file its name; or, where the file of that name cannot be replaced, as one that is mounted alone, what it
/// holds to that one.
fn put(atomic_file: TempPath, name: &Path) -> io::Result<()> {
    let Err(failed) = atomic_file.persist(name) else { return Ok(()) };
    let (error, atomic_file) = (failed.error, failed.path);
    let copied = || {
        let mut file = File::options().write(true).truncate(true).open(name)?;
        io::copy(&mut File::open(&atomic_file)?, &mut file)
    };
    if name.is_file() && copied().is_ok() {
        return Ok(());
    }
    Err(match atomic_file.keep() {
        Ok(kept) => io::Error::other(format!("{error}; what was to be there is in {}", kept.display())),
        Err(_) => error,
    })
}

/// The number of the open file that a name stands for, as `-` and `/dev/stdout` do for 1.
fn descriptor(path: &Path) -> Option<u32> {
    if path == Path::new("-") {
        return Some(1);
    }
    let open = fs::canonicalize("/dev/fd").ok()?;
    let number = |path: PathBuf| {
        let is_open = fs::canonicalize(folder_of(&path)).is_ok_and(|folder| folder == open);
        path.file_name().filter(|_| is_open)?.to_str()?.parse().ok()
    };
    links(path).find_map(number)
}

/// A name, and what it leads to from link to link.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| fs::read_link(path).ok().map(|to| folder_of(path).join(to));
    iter::successors(Some(path.to_owned()), next).take(MAX_LINKS + 1)
}

/// The file that a name leads to, there or not yet: a link keeps pointing where it did, and the file behind it is what
/// is replaced.
fn behind_links(path: &Path) -> PathBuf {
    let path = links(path).last().unwrap_or_else(|| path.to_owned());
    fs::canonicalize(&path).unwrap_or(path)
}

/// The folder in which a file lies.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::File(file) => file.write(bytes),
            Out::Stdout(out) => out.write(bytes),
            Out::Stderr(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::File(file) => file.flush(),
            Out::Stdout(out) => out.flush(),
            Out::Stderr(out) => out.flush(),
        }
    }
}

/// The system's own error, without the temporary name that nobody asked for.
fn plain(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_have_its_name_in_the_end_is_kept_and_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let name = folder.path().join("rows.csv");
        let mut target = OutputFile::open(&name).unwrap();
        target.write_all(b"long work").unwrap();
        // Somebody was quicker.
        fs::create_dir_all(name.join("full")).unwrap();
        let told = target.finish().unwrap_err().to_string();
        let kept = told.split("what was to be there is in ").nth(1).unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"long work");
    }
}
