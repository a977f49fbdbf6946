//! New files that appear when they are complete, and never replace others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::config::{ConfigError, atomic_file};

/// How many file names to try.
const MAX_NAMES: usize = 1000;

/// The end of a file's name, and its content.
type NewFile = (&'static str, Vec<u8>);

/// `NAME`, `NAME-2` and so on.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    // A preset from a file may have any character in its name.
    let is_kept = |symbol: char| symbol.is_alphanumeric() || "-_".contains(symbol);
    let name: String = name.chars().map(|symbol| if is_kept(symbol) { symbol } else { '_' }).collect();
    (1..=MAX_NAMES).map(move |number| if number == 1 { name.clone() } else { format!("{name}-{number}") })
}

fn is_free(path: &Path) -> bool {
    path.symlink_metadata().is_err()
}

/// The error if all names are taken.
fn no_free_name(folder: &Path, name: &str) -> ConfigError {
    ConfigError::io(&folder.join(name))(io::ErrorKind::AlreadyExists.into())
}

/// Saves files that begin with `NAME`, or `NAME-2` if one of them exists, and so on. Returns their paths. After an error
/// none of them is left.
pub(super) fn save_new(folder: &Path, name: &str, files: &[NewFile]) -> Result<Vec<PathBuf>, ConfigError> {
    for begin in numbered(name) {
        let paths: Vec<PathBuf> = files.iter().map(|(end, _)| folder.join(format!("{begin}{end}"))).collect();
        if !paths.iter().all(|path| is_free(path)) {
            continue;
        }
        for (number, (path, (_, bytes))) in paths.iter().zip(files).enumerate() {
            if let Err(error) = create(folder, path, bytes) {
                paths[..number].iter().for_each(|path| _ = fs::remove_file(path));
                return Err(error);
            }
        }
        return Ok(paths);
    }
    Err(no_free_name(folder, name))
}

/// A new file whose content comes bit by bit, and which appears when it is complete.
pub(super) struct GrowingFile {
    file: NamedTempFile,
    /// Its path, and those to take if that exists in the end.
    paths: Vec<PathBuf>,
}

impl GrowingFile {
    /// Begins a file `NAME` with this end of the name, or `NAME-2`, and so on.
    pub(super) fn create(folder: &Path, name: &str, end: &str) -> Result<Self, ConfigError> {
        let paths = numbered(name).map(|begin| folder.join(format!("{begin}{end}")));
        let paths: Vec<PathBuf> = paths.skip_while(|path| !is_free(path)).collect();
        let first = paths.first().ok_or_else(|| no_free_name(folder, name))?;
        let file = atomic_file(folder, None).map_err(ConfigError::io(first))?;
        Ok(Self { file, paths })
    }

    /// The path that it will probably have.
    pub(super) fn path(&self) -> &Path {
        &self.paths[0]
    }

    /// Writes the content. Returns the path and the number of bytes.
    pub(super) fn write(
        self,
        content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(PathBuf, u64), ConfigError> {
        let Self { mut file, paths } = self;
        let mut out = BufWriter::new(file.as_file());
        let written = content(&mut out).and_then(|()| out.flush());
        drop(out);
        let bytes =
            written.and_then(|()| file.as_file().sync_all()).and_then(|()| Ok(file.as_file().metadata()?.len()));
        let bytes = bytes.map_err(ConfigError::io(&paths[0]))?;
        for path in &paths {
            match file.persist_noclobber(path) {
                Ok(_) => return Ok((path.clone(), bytes)),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => file = failed.file,
                Err(failed) => return Err(ConfigError::io(path)(failed.error)),
            }
        }
        Err(ConfigError::io(&paths[0])(io::ErrorKind::AlreadyExists.into()))
    }
}

/// Writes a new file, which appears when it is complete.
fn create(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), ConfigError> {
    let io_error = ConfigError::io(path);
    let file = atomic_file(folder, None).map_err(&io_error)?;
    file.as_file().write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(&io_error)?;
    file.persist_noclobber(path).map_err(|error| io_error(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::TempDir::new().unwrap()
    }

    #[test]
    fn existing_files_are_kept() {
        let folder = folder();
        let save = |name| save_new(folder.path(), name, &[(".png", b"picture".into())]).unwrap().remove(0);
        let names: Vec<PathBuf> = ["a-1-2", "a-1-2", "../b"].map(save).into();
        let expected = ["a-1-2.png", "a-1-2-2.png", "___b.png"].map(|name| folder.path().join(name));
        assert_eq!(names, expected);
        assert_eq!(fs::read(&names[0]).unwrap(), b"picture");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(save_new(Path::new("/no/such/folder"), "x", &[(".png", Vec::new())]).is_err());
    }

    #[test]
    fn files_of_a_group_have_the_same_number() {
        let folder = folder();
        fs::write(folder.path().join("a.png"), "old").unwrap();
        let files: [NewFile; 2] = [(".csv", b"new".into()), (".png", b"new".into())];
        let paths = save_new(folder.path(), "a", &files).unwrap();
        assert_eq!(paths, ["a-2.csv", "a-2.png"].map(|name| folder.path().join(name)));
        assert_eq!(fs::read(folder.path().join("a.png")).unwrap(), b"old");
    }

    #[test]
    fn a_growing_file_takes_the_first_name_that_is_free_in_the_end() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.gif"), "old").unwrap();
        let file = GrowingFile::create(folder.path(), "a", ".gif").unwrap();
        assert_eq!(file.path(), at("a-2.gif"));
        fs::write(at("a-2.gif"), "meanwhile").unwrap();
        assert_eq!(file.write(|out| out.write_all(b"clip")).unwrap(), (at("a-3.gif"), 4));
        let contents = ["a.gif", "a-2.gif", "a-3.gif"].map(|name| fs::read_to_string(at(name)).unwrap());
        assert_eq!(contents, ["old", "meanwhile", "clip"]);
        let failed = GrowingFile::create(folder.path(), "a", ".gif").unwrap();
        let error = failed.write(|out| out.write_all(b"half").and(Err(io::ErrorKind::StorageFull.into()))).unwrap_err();
        assert!(error.to_string().contains("a-4.gif"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn after_an_error_no_file_is_left() {
        let folder = folder();
        let files: [NewFile; 2] = [(".csv", b"new".into()), ("/no/such/folder.png", b"new".into())];
        assert!(save_new(folder.path(), "a", &files).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
