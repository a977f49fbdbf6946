//! Presets and themes of one's own: files under a name in the user's folder of settings.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::source::Source;
use crate::config::errors::suggest::did_you_mean;
use crate::config::{Error, Preset, atomic_file};

/// The longest name.
const MAX_NAME: usize = 32;
/// The most files of a folder that are read to list them.
const MAX_LISTED: usize = 500;
/// Names that Windows keeps for devices, whatever follows the dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// A folder of files of one's own, each found by its name.
#[derive(Clone, Copy, Debug)]
pub struct UserFolder {
    /// What lies there; the folder has the same name with an s.
    what: &'static str,
    /// How the files' names end; of two files with one name the earlier end counts.
    ends: &'static [&'static str],
}

/// The presets.
pub const PRESET_FOLDER: UserFolder = UserFolder { what: "preset", ends: &["toml"] };
/// The themes.
pub const THEME_FOLDER: UserFolder = UserFolder { what: "theme", ends: &["toml", "yaml", "yml"] };

/// All there is of a kind.
#[derive(Debug)]
pub struct Catalog<T> {
    /// The built-in ones in their order, each unless the user has one of that name, then the user's others by name.
    pub all: Vec<T>,
    /// What is wrong with those of the user's that cannot be used.
    pub broken: Vec<Error>,
}

/// The names on a shelf, in order, and what is wrong with other files there.
#[derive(Debug, Default)]
struct Found {
    names: Vec<String>,
    broken: Vec<Error>,
}

impl UserFolder {
    /// Where it is, in flockscope's folder among the user's settings, there or not.
    #[must_use]
    pub fn folder(self) -> Option<PathBuf> {
        let user = etcetera::choose_base_strategy().ok()?;
        Some(user.config_dir().join("flockscope").join(format!("{}s", self.what)))
    }

    /// Checks that something can lie here under a name: letters, digits, `-` and `_`, so that it is a file
    /// beside the others on every system, and a plain word on the command line.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], with what would be right.
    pub fn check_name(self, name: &str) -> Result<(), Error> {
        let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '-' || character == '_';
        let wrong = |why: String| Err(Error::Name { what: self.what, name: name.to_owned(), why });
        if name.is_empty() {
            return wrong("it has no letter".into());
        }
        if let Some(character) = name.chars().find(|character| !is_plain(*character)) {
            return wrong(format!("`{}` is none of letters, digits, - and _", character.escape_debug()));
        }
        if name.starts_with('-') {
            return wrong("it would be taken for an option".into());
        }
        if name.len() > MAX_NAME {
            return wrong(format!("it is longer than {MAX_NAME} letters"));
        }
        let lower = name.to_ascii_lowercase();
        let is_port = ["com", "lpt"].iter().any(|port| lower.strip_prefix(port).is_some_and(is_digit));
        if DEVICES.contains(&lower.as_str()) || is_port {
            return wrong("some systems keep that name for themselves".into());
        }
        Ok(())
    }

    /// The file under a name, where there is one.
    #[must_use]
    pub fn file(self, name: &str) -> Option<PathBuf> {
        self.file_in(&self.folder()?, name)
    }

    /// The text of the user's own one of this name, and of which file; or else what is built in, or the file
    /// at this path.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] with the nearest name, or what is wrong with the file.
    pub(crate) fn find(
        self,
        builtin: &[(&'static str, &'static str)],
        name: &str,
        most: u64,
    ) -> Result<(Source, Option<String>), Error> {
        // An empty file is one that a shell has made for what this is to print into it.
        let is_meant = |path: &PathBuf| {
            builtin.iter().all(|known| known.0 != name) || fs::metadata(path).is_ok_and(|file| file.len() > 0)
        };
        if let Some(path) = self.file(name).filter(is_meant) {
            return Ok((Source::from_file(&path, most)?, Some(path.to_string_lossy().into_owned())));
        }
        let source = Source::find(self.what, builtin, self.ends, name, most);
        Ok((source.map_err(|error| self.with_own_names(error, builtin))?, None))
    }

    /// All there is: what is built in and what lies here.
    pub(crate) fn gather<T>(
        self,
        builtin: Vec<T>,
        name: impl Fn(&T) -> &str,
        load: impl Fn(&str) -> Result<T, Error>,
    ) -> Catalog<T> {
        let Found { names, broken } = self.folder().map(|folder| self.scan(&folder)).unwrap_or_default();
        let mut gathered = Catalog { all: builtin, broken };
        for own in names {
            match load(&own) {
                Ok(thing) => match gathered.all.iter_mut().find(|known| name(known) == own) {
                    Some(known) => *known = thing,
                    None => gathered.all.push(thing),
                },
                Err(error) => gathered.broken.push(error),
            }
        }
        gathered
    }

    fn file_in(self, folder: &Path, name: &str) -> Option<PathBuf> {
        self.check_name(name).ok()?;
        let paths = self.ends.iter().map(|end| folder.join(format!("{name}.{end}")));
        // Whatever is no file is not opened: a pipe would be waited for.
        paths.into_iter().find(|path| path.is_file())
    }

    fn scan(self, folder: &Path) -> Found {
        let mut found = Found::default();
        let wrong = |path: &Path, source| Error::File { path: path.to_owned(), source };
        let mut files = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().filter_map(|entry| self.named(entry.path())).collect::<Vec<_>>(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return found,
            Err(error) => {
                found.broken.push(wrong(folder, error));
                return found;
            }
        };
        files.sort();
        if files.len() > MAX_LISTED {
            let why = format!(
                "of its {} files the first {MAX_LISTED} are listed; any other is found by its name",
                files.len()
            );
            found.broken.push(wrong(folder, io::Error::other(why)));
            files.truncate(MAX_LISTED);
        }
        for (name, _, path) in files {
            let checked = self.check_name(&name).and_then(|()| match fs::metadata(&path) {
                Ok(data) if !data.is_file() => Err(wrong(&path, io::Error::other("it is no regular file"))),
                Ok(_) if found.names.last() == Some(&name) => {
                    Err(wrong(&path, io::Error::other(format!("another file is called {name} already"))))
                }
                Ok(_) => Ok(()),
                Err(error) => Err(wrong(&path, error)),
            });
            match checked {
                Ok(()) => found.names.push(name),
                Err(error) => found.broken.push(error),
            }
        }
        found
    }

    /// A file's name without its end, and the rank of that; none where it is something else, or hidden.
    fn named(self, path: PathBuf) -> Option<(String, usize, PathBuf)> {
        let end = path.extension()?;
        let rank = self.ends.iter().position(|known| end == *known)?;
        let name = path.file_stem()?.to_string_lossy().into_owned();
        (!name.starts_with('.')).then_some((name, rank, path))
    }

    /// The same error, which knows the user's own names too.
    fn with_own_names(self, error: Error, builtin: &[(&str, &str)]) -> Error {
        let Error::Unknown { what, name, hint } = error else { return error };
        let own = self.folder().map(|folder| self.scan(&folder).names).unwrap_or_default();
        let nearer = did_you_mean(&name, builtin.iter().map(|(name, _)| *name).chain(own.iter().map(String::as_str)));
        Error::Unknown { what, name, hint: if nearer.is_empty() { hint } else { nearer } }
    }
}

fn is_digit(text: &str) -> bool {
    text.len() == 1 && text.as_bytes()[0].is_ascii_digit()
}

/// Saves a preset under its name, whole or not at all; over another one only where `over` says so.
///
/// # Errors
///
/// [`Error::Name`], or [`Error::File`], also where there is one of that name already.
pub fn save(preset: &Preset, over: bool) -> Result<PathBuf, Error> {
    let no_home =
        || Error::File { path: "~".into(), source: io::Error::other("there is no home folder to save it in") };
    save_in(&PRESET_FOLDER.folder().ok_or_else(no_home)?, preset, over)
}

fn save_in(folder: &Path, preset: &Preset, over: bool) -> Result<PathBuf, Error> {
    PRESET_FOLDER.check_name(&preset.name)?;
    let path = folder.join(format!("{}.toml", preset.name));
    let write = || {
        fs::create_dir_all(folder)?;
        // A link keeps pointing where it did: the file behind it is what is replaced.
        let behind = fs::canonicalize(&path).ok().filter(|_| over);
        let place = behind.as_deref().unwrap_or(&path);
        let file = atomic_file(place.parent().unwrap_or(folder), behind.as_deref())?;
        // Not through the atomic_file, whose errors name a file that nobody knows.
        file.as_file().write_all(preset.text().as_bytes())?;
        file.as_file().sync_all()?;
        let kept = if over { file.persist(place) } else { file.persist_noclobber(place) };
        kept.map(|_| ()).map_err(|error| error.error)
    };
    write().map(|()| path.clone()).map_err(|source| Error::File { path: path.clone(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_words_are_names() {
        for name in ["geese", "my-geese_2", "7", "Geese"] {
            assert!(PRESET_FOLDER.check_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", "../x", "a/b", r"a\b", "a b", "ä", "a.toml", "-x", "con", "COM1", "a\n", &"x".repeat(33)]
        {
            assert!(PRESET_FOLDER.check_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn what_is_saved_is_found_again_and_not_lost_by_mistake() {
        let folder = tempfile::TempDir::new().unwrap();
        let shelf = folder.path().join("deep").join("presets");
        let mut preset = Preset { name: "mine".into(), ..Preset::load("drones").unwrap() };
        let path = save_in(&shelf, &preset, false).unwrap();
        assert_eq!(PRESET_FOLDER.scan(&shelf).names, ["mine"]);
        assert_eq!(PRESET_FOLDER.file_in(&shelf, "mine"), Some(path.clone()));
        let before = fs::read_to_string(&path).unwrap();
        preset.boids = 5;
        assert!(save_in(&shelf, &preset, false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        save_in(&shelf, &preset, true).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("boids = 5"));
        // Nothing else lies there.
        assert_eq!(fs::read_dir(&shelf).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_saved_over_a_link_goes_to_the_file_behind_it_which_keeps_its_rights() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::TempDir::new().unwrap();
        let (dotfiles, shelf) = (folder.path().join("dotfiles"), folder.path().join("presets"));
        for folder in [&dotfiles, &shelf] {
            fs::create_dir(folder).unwrap();
        }
        let preset = Preset { name: "mine".into(), ..Preset::load("drones").unwrap() };
        let real = save_in(&dotfiles, &preset, false).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, shelf.join("mine.toml")).unwrap();
        save_in(&shelf, &Preset { boids: 5, ..preset }, true).unwrap();
        assert!(shelf.join("mine.toml").is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("boids = 5"));
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(&dotfiles).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_listed_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let shelf = folder.path();
        for name in ["a.toml", "a.yaml", "b.yml", "my own.toml", "notes.txt", ".hidden.toml"] {
            fs::write(shelf.join(name), "").unwrap();
        }
        fs::create_dir(shelf.join("folder.toml")).unwrap();
        let found = THEME_FOLDER.scan(shelf);
        assert_eq!(found.names, ["a", "b"]);
        let says: Vec<String> = found.broken.iter().map(ToString::to_string).collect();
        assert_eq!(says.len(), 3, "{says:?}");
        assert!(says[0].ends_with("a.yaml: another file is called a already"));
        assert!(says[1].ends_with("folder.toml: it is no regular file"));
        assert_eq!(says[2], "`my own` is no name for a theme: ` ` is none of letters, digits, - and _");
        // A file is no folder, and a folder that is not there holds nothing.
        assert_eq!(THEME_FOLDER.scan(&shelf.join("a.toml")).broken.len(), 1);
        assert!(THEME_FOLDER.scan(&shelf.join("none")).broken.is_empty());
    }

    #[test]
    fn of_very_many_files_the_first_are_listed_and_every_one_is_found() {
        let folder = tempfile::TempDir::new().unwrap();
        (0..=MAX_LISTED).for_each(|number| fs::write(folder.path().join(format!("t{number:04}.toml")), "").unwrap());
        let found = THEME_FOLDER.scan(folder.path());
        assert_eq!((found.names.len(), found.broken.len()), (MAX_LISTED, 1));
        assert!(found.broken[0].to_string().contains("of its 501 files the first 500 are listed"));
        assert!(THEME_FOLDER.file_in(folder.path(), "t0500").is_some());
    }
}
