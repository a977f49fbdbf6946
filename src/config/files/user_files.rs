//! Presets and themes by name: built in, in the user's config folder, or at a path.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Document, read_text, write_file};
use crate::error::InputError;

/// Maximum length of a name.
const MAX_NAME: usize = 32;
/// Maximum number of files to list from a folder.
const MAX_LISTED: usize = 500;
/// Device names that are reserved on Windows, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// Built-in and user-made presets or themes.
#[derive(Debug, Default)]
pub struct Catalog<T> {
    /// The built-in ones in order, then the user's by name. A user's file replaces the built-in one of the same name.
    pub all: Vec<T>,
    /// Why some of the user's files cannot be used.
    pub broken: Vec<InputError>,
}

/// A preset or a theme that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinFile {
    /// Its name.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
    /// The heading above it in lists; may be empty.
    pub heading: &'static str,
}

/// A preset or a theme: a text file that is found by name.
pub trait NamedFile: Sized {
    /// `preset` or `theme`; the user's folder has the plural as its name.
    const KIND: &'static str;
    /// Maximum size of a file.
    const MAX_BYTES: u64;
    /// The built-in ones.
    const BUILTIN: &'static [BuiltinFile];

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// [`InputError::At`].
    fn parse(name: &str, document: Document<'_>) -> Result<Self, InputError>;

    /// The name, as displayed.
    fn name(&self) -> &str;

    /// Sets the name or path that it was loaded by, and whether that is a name in the user's folder.
    fn set_origin(&mut self, origin: &str, from_user: bool);

    /// The heading above it in lists; may be empty.
    fn heading(&self) -> &'static str {
        ""
    }

    /// Loads the user's file of this name, the built-in one, or the file at this path, in this order; returns the
    /// text, too.
    ///
    /// # Errors
    ///
    /// [`InputError::Unknown`] with the nearest name, [`InputError::File`] or [`InputError::At`].
    fn load_with_text(name: &str) -> Result<(Self, String), InputError> {
        let builtin = Self::BUILTIN.iter().find(|file| file.name == name);
        // `flockscope presets show geese > geese.toml` in the user's folder: the shell creates an empty file first.
        let user_file = Self::user_file(name)
            .filter(|path| builtin.is_none() || !fs::metadata(path).is_ok_and(|file| file.len() == 0));
        let text = match (&user_file, builtin) {
            (Some(path), _) => read_text(path, Self::MAX_BYTES)?.into(),
            (None, Some(file)) => Cow::Borrowed(file.text),
            (None, None) if is_path(name) => read_text(Path::new(name), Self::MAX_BYTES)?.into(),
            (None, None) => return Err(unknown::<Self>(name, &format!(", or give a path such as ./{name}"))),
        };
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let file = user_file.as_ref().map_or(name.into(), |path| path.to_string_lossy());
        let mut loaded = Self::parse(&stem, Document { file: &file, text: &text })?;
        loaded.set_origin(name, user_file.is_some());
        Ok((loaded, text.into_owned()))
    }

    /// The built-in ones.
    ///
    /// # Panics
    ///
    /// If one of them is invalid, which a test rules out.
    fn all_builtin() -> Vec<Self> {
        let parse = |file: &BuiltinFile| Self::parse(file.name, Document { file: file.name, text: file.text });
        Self::BUILTIN.iter().map(|file| parse(file).expect("built-in files are valid")).collect()
    }

    /// The built-in ones and the user's.
    fn all() -> Catalog<Self> {
        let names = Self::folder().map(|folder| scan::<Self>(&folder)).unwrap_or_default();
        let mut catalog = Catalog { all: Self::all_builtin(), broken: names.broken };
        for name in names.all {
            match Self::load_with_text(&name) {
                Ok((loaded, _)) => match catalog.all.iter_mut().find(|known| known.name() == name) {
                    Some(known) => *known = loaded,
                    None => catalog.all.push(loaded),
                },
                Err(error) => catalog.broken.push(error),
            }
        }
        catalog
    }

    /// The user's folder, whether it exists or not.
    fn folder() -> Option<PathBuf> {
        let user = etcetera::choose_base_strategy().ok()?;
        Some(user.config_dir().join("flockscope").join(format!("{}s", Self::KIND)))
    }

    /// The user's file of this name, if there is one.
    fn user_file(name: &str) -> Option<PathBuf> {
        file_in::<Self>(&Self::folder()?, name)
    }

    /// Checks that a built-in one or one of the user's has this name.
    ///
    /// # Errors
    ///
    /// [`InputError::Unknown`] with the nearest name.
    fn check_known(name: &str) -> Result<(), InputError> {
        let is_known = Self::BUILTIN.iter().any(|file| file.name == name) || Self::user_file(name).is_some();
        if is_known { Ok(()) } else { Err(unknown::<Self>(name, "")) }
    }

    /// Checks that a name consists of letters, digits, `-` and `_`, so that it is a valid file name on every system and
    /// a plain word on the command line.
    ///
    /// # Errors
    ///
    /// [`InputError::Name`].
    fn check_name(name: &str) -> Result<(), InputError> {
        let invalid = |why: String| Err(InputError::Name { what: Self::KIND, name: name.to_owned(), why });
        if name.is_empty() {
            return invalid("it is empty".into());
        }
        if let Some(c) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
            return invalid(format!("`{}` is not a letter, a digit, - or _", c.escape_debug()));
        }
        if name.starts_with('-') {
            return invalid("it starts with - like an option".into());
        }
        if name.len() > MAX_NAME {
            return invalid(format!("it is longer than {MAX_NAME} characters"));
        }
        let lower = name.to_ascii_lowercase();
        let is_port = |port| lower.strip_prefix(port).is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']));
        if DEVICES.contains(&lower.as_str()) || is_port("com") || is_port("lpt") {
            return invalid("Windows reserves it for a device".into());
        }
        Ok(())
    }
}

/// Whether a word is a path to a file, as opposed to a name.
pub(super) fn is_path(word: &str) -> bool {
    word.contains(std::path::is_separator) || is_toml(Path::new(word))
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// The error about an unknown name, with the nearest one, or how to list them and `else_hint`.
fn unknown<T: NamedFile>(name: &str, else_hint: &str) -> InputError {
    let user = T::folder().map(|folder| scan::<T>(&folder).all).unwrap_or_default();
    let known = T::BUILTIN.iter().map(|file| file.name).chain(user.iter().map(String::as_str));
    let otherwise = format!("; run `flockscope {}s` for a list{else_hint}", T::KIND);
    InputError::unknown(T::KIND, name, known, &otherwise)
}

fn file_in<T: NamedFile>(folder: &Path, name: &str) -> Option<PathBuf> {
    T::check_name(name).ok()?;
    // Only regular files: opening a pipe blocks.
    Some(folder.join(format!("{name}.toml"))).filter(|path| path.is_file())
}

/// The names of the files in a folder, in order.
fn scan<T: NamedFile>(folder: &Path) -> Catalog<String> {
    let mut names = Catalog::default();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries.flatten(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return names,
        Err(error) => {
            names.broken.push(InputError::io(folder)(error));
            return names;
        }
    };
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let name = path.file_stem()?.to_string_lossy().into_owned();
        (is_toml(&path) && !name.starts_with('.')).then_some((name, path))
    });
    let mut files: Vec<(String, PathBuf)> = files.collect();
    files.sort();
    if files.len() > MAX_LISTED {
        let why = format!("only {MAX_LISTED} of {} files are listed; the others can be used by name", files.len());
        names.broken.push(InputError::file(folder, why));
        files.truncate(MAX_LISTED);
    }
    for (name, path) in files {
        let checked = T::check_name(&name).and_then(|()| match fs::metadata(&path) {
            Ok(data) if !data.is_file() => Err(InputError::file(&path, "not a regular file")),
            Ok(_) => Ok(()),
            Err(error) => Err(InputError::io(&path)(error)),
        });
        match checked {
            Ok(()) => names.all.push(name),
            Err(error) => names.broken.push(error),
        }
    }
    names
}

/// Saves the text of a preset or theme in the user's folder, atomically.
pub(in crate::config) fn save<T: NamedFile>(name: &str, text: &str, overwrite: bool) -> Result<PathBuf, InputError> {
    let folder = T::folder().ok_or_else(|| InputError::file("~", "no home directory"))?;
    save_in::<T>(&folder, name, text, overwrite)
}

fn save_in<T: NamedFile>(folder: &Path, name: &str, text: &str, overwrite: bool) -> Result<PathBuf, InputError> {
    T::check_name(name)?;
    let path = folder.join(format!("{name}.toml"));
    let written = fs::create_dir_all(folder).and_then(|()| write_file(&path, text.as_bytes(), overwrite));
    written.map_err(InputError::io(&path)).map(|()| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Preset, Theme};

    #[test]
    fn names_are_plain_words() {
        for name in ["geese", "my-geese_2", "7", "Geese"] {
            assert!(Preset::check_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", "../x", "a/b", r"a\b", "a b", "ä", "a.toml", "-x", "con", "COM1", "a\n", &"x".repeat(33)]
        {
            assert!(Preset::check_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn saved_files_are_found_and_not_overwritten_by_accident() {
        let home = tempfile::TempDir::new().unwrap();
        let folder = home.path().join("deep").join("presets");
        let path = save_in::<Preset>(&folder, "mine", "boids = 9", false).unwrap();
        assert_eq!(scan::<Preset>(&folder).all, ["mine"]);
        assert_eq!(file_in::<Preset>(&folder, "mine"), Some(path.clone()));
        assert!(save_in::<Preset>(&folder, "mine", "boids = 5", false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "boids = 9");
        save_in::<Preset>(&folder, "mine", "boids = 5", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "boids = 5");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "a temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn saving_over_a_link_keeps_the_link_and_the_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let home = tempfile::TempDir::new().unwrap();
        let (dotfiles, folder) = (home.path().join("dotfiles"), home.path().join("presets"));
        for folder in [&dotfiles, &folder] {
            fs::create_dir(folder).unwrap();
        }
        let real = save_in::<Preset>(&dotfiles, "mine", "boids = 9", false).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, folder.join("mine.toml")).unwrap();
        save_in::<Preset>(&folder, "mine", "boids = 5", true).unwrap();
        assert!(folder.join("mine.toml").is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "boids = 5");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(&dotfiles).unwrap().count(), 1);
    }

    #[test]
    fn listing_reports_unusable_files() {
        let home = tempfile::TempDir::new().unwrap();
        let folder = home.path();
        for name in ["a.toml", "b.toml", "my own.toml", "notes.txt", ".hidden.toml"] {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::create_dir(folder.join("folder.toml")).unwrap();
        let names = scan::<Theme>(folder);
        assert_eq!(names.all, ["a", "b"]);
        let errors: Vec<String> = names.broken.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].ends_with("folder.toml: not a regular file"));
        assert_eq!(errors[1], "invalid theme name `my own`: ` ` is not a letter, a digit, - or _");
        assert_eq!(scan::<Theme>(&folder.join("a.toml")).broken.len(), 1, "not a directory");
        assert!(scan::<Theme>(&folder.join("none")).broken.is_empty());
    }

    #[test]
    fn listing_stops_after_many_files() {
        let home = tempfile::TempDir::new().unwrap();
        (0..=MAX_LISTED).for_each(|number| fs::write(home.path().join(format!("t{number:04}.toml")), "").unwrap());
        let names = scan::<Theme>(home.path());
        assert_eq!((names.all.len(), names.broken.len()), (MAX_LISTED, 1));
        assert!(names.broken[0].to_string().contains("only 500 of 501 files are listed"));
        assert!(file_in::<Theme>(home.path(), "t0500").is_some());
    }
}
