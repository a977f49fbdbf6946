//! New files that appear when they are complete, and never replace others.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::write_file;
use crate::error::InputError;
use crate::export::{OutputFile, Replaces, is_free, numbered};

/// The end of a file's name, and its content.
type NewFile = (&'static str, Vec<u8>);

/// A name without characters that are special in file names: a preset from a file may have any in its name.
fn file_stem(name: &str) -> String {
    name.chars().map(|symbol| if symbol.is_alphanumeric() || "-_".contains(symbol) { symbol } else { '_' }).collect()
}

/// Opens a file `NAME` with this end of the name, or `NAME-2`, and so on, which appears when it is complete.
pub(super) fn open_new(folder: &Path, name: &str, end: &str) -> Result<OutputFile, InputError> {
    OutputFile::open(&folder.join(file_stem(name) + end), Replaces::Nothing)
}

/// Saves files that begin with `NAME`, or `NAME-2` if one of them exists, and so on. Returns their paths. After an error
/// none of them is left.
pub(super) fn save_new(folder: &Path, name: &str, files: &[NewFile]) -> Result<Vec<PathBuf>, InputError> {
    for begin in numbered(&file_stem(name)) {
        let paths: Vec<PathBuf> = files.iter().map(|(end, _)| folder.join(format!("{begin}{end}"))).collect();
        if !paths.iter().all(|path| is_free(path)) {
            continue;
        }
        for (number, (path, (_, bytes))) in paths.iter().zip(files).enumerate() {
            if let Err(error) = write_file(path, bytes, false) {
                paths[..number].iter().for_each(|path| _ = fs::remove_file(path));
                return Err(InputError::io(path)(error));
            }
        }
        return Ok(paths);
    }
    Err(InputError::io(&folder.join(name))(io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::TempDir::new().unwrap()
    }

    #[test]
    fn existing_files_are_kept() {
        let folder = folder();
        let names = ["a-1-2", "a-1-2", "../b"]
            .map(|name| save_new(folder.path(), name, &[(".png", b"picture".into())]).unwrap().remove(0));
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
        let mut file = open_new(folder.path(), "a", ".gif").unwrap();
        assert_eq!(file.path(), at("a-2.gif"));
        fs::write(at("a-2.gif"), "meanwhile").unwrap();
        file.write_all(b"clip").unwrap();
        assert_eq!(file.finish().unwrap(), at("a-3.gif"));
        let contents = ["a.gif", "a-2.gif", "a-3.gif"].map(|name| fs::read_to_string(at(name)).unwrap());
        assert_eq!(contents, ["old", "meanwhile", "clip"]);
        let mut failed = open_new(folder.path(), "a", ".gif").unwrap();
        failed.write_all(b"half").unwrap();
        drop(failed);
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
