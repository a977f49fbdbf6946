//! Files that stand under their name only when they are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::config::{Error, draft};

/// How many links are followed at most: systems give up at about as many.
const MAX_LINKS: usize = 40;

/// Where something is written: a file, or standard output.
#[derive(Debug)]
pub struct Target {
    out: Out,
    /// The file that takes the final name in the end.
    pending: Option<(TempPath, PathBuf)>,
}

#[derive(Debug)]
enum Out {
    File(BufWriter<File>),
    Stdout(BufWriter<Stdout>),
}

impl Target {
    /// Whether to open it may take as long as somebody likes: a pipe waits for its reader.
    #[must_use]
    pub fn may_wait(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir())
    }

    /// Opens a file beside its final name, or standard output for `-`. A device or a pipe is
    /// written to directly.
    ///
    /// # Errors
    ///
    /// [`Error::File`]: no such folder, no right to write there …
    pub fn open(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            return Ok(Self { out: Out::Stdout(BufWriter::new(io::stdout())), pending: None });
        }
        let wrong = |source: io::Error| Error::File { path: path.to_owned(), source };
        if path.is_dir() {
            return Err(wrong(io::ErrorKind::IsADirectory.into()));
        }
        if Self::may_wait(path) {
            let file = File::options().write(true).open(path).map_err(wrong)?;
            return Ok(Self { out: Out::File(BufWriter::new(file)), pending: None });
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
        let (file, temporary) = draft(folder, Some(&name)).map_err(|error| wrong(plain(&error)))?.into_parts();
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
        one == other || (!Self::may_wait(one) && led_to(one).is_some_and(|one| Some(one) == led_to(other)))
    }

    /// Ends the file, and gives it its name.
    ///
    /// # Errors
    ///
    /// What the system answers; the name is as it was then.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self.pending.take() {
            Some((temporary, name)) => temporary.persist(name).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

/// The file that a name leads to, there or not yet: a link keeps pointing where it did, and the file behind it is what
/// is replaced.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    fs::canonicalize(&path).unwrap_or(path)
}

/// The folder in which a file lies.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::File(file) => file.write(bytes),
            Out::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::File(file) => file.flush(),
            Out::Stdout(out) => out.flush(),
        }
    }
}

/// The system's own error, without the temporary name that nobody asked for.
fn plain(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
