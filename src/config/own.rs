//! Presets of one's own: files under a name in the user's folder of settings.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::{Error, Preset, draft};

/// The longest name.
const LONGEST: usize = 32;
/// Names that Windows keeps for devices, whatever follows the dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// Where they lie: `presets` in flockscope's folder among the user's settings, there or not.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|user| user.config_dir().join("flockscope").join("presets"))
}

/// Checks that a preset can be saved under a name: letters, digits, `-` and `_`, so that it is a file
/// beside the others on every system, and a plain word on the command line.
///
/// # Errors
///
/// [`Error::Name`], with what would be right.
pub fn check_name(name: &str) -> Result<(), Error> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_';
    let wrong = |why: String| Err(Error::Name { name: name.to_owned(), why });
    if name.is_empty() {
        return wrong("it has no letter".into());
    }
    if let Some(sign) = name.chars().find(|sign| !is_plain(*sign)) {
        return wrong(format!("`{}` is none of letters, digits, - and _", sign.escape_debug()));
    }
    if name.starts_with('-') {
        return wrong("it would be taken for an option".into());
    }
    if name.len() > LONGEST {
        return wrong(format!("it is longer than {LONGEST} letters"));
    }
    let lower = name.to_ascii_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| lower.strip_prefix(port).is_some_and(is_digit));
    if DEVICES.contains(&lower.as_str()) || is_port {
        return wrong("some systems keep that name for themselves".into());
    }
    Ok(())
}

fn is_digit(text: &str) -> bool {
    text.len() == 1 && text.as_bytes()[0].is_ascii_digit()
}

/// The file under a name, where there is one.
#[must_use]
pub fn file(name: &str) -> Option<PathBuf> {
    file_in(&folder()?, name)
}

fn file_in(folder: &Path, name: &str) -> Option<PathBuf> {
    check_name(name).ok()?;
    let path = folder.join(format!("{name}.toml"));
    path.is_file().then_some(path)
}

/// The names that are taken, in order.
#[must_use]
pub fn names() -> Vec<String> {
    folder().map(|folder| names_in(&folder)).unwrap_or_default()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let stem = |path: PathBuf| {
        let is_preset = path.extension().is_some_and(|end| end == "toml");
        path.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_preset).map(str::to_owned)
    };
    let mut names: Vec<String> =
        entries.filter_map(|entry| stem(entry.path())).filter(|name| file_in(folder, name).is_some()).collect();
    names.sort();
    names
}

/// Saves a preset under its name, whole or not at all; over another one only where `over` says so.
///
/// # Errors
///
/// [`Error::Name`], or [`Error::File`], also where there is one of that name already.
pub fn save(preset: &Preset, over: bool) -> Result<PathBuf, Error> {
    let no_home =
        || Error::File { path: "~".into(), source: io::Error::other("there is no home folder to save it in") };
    save_in(&folder().ok_or_else(no_home)?, preset, over)
}

fn save_in(folder: &Path, preset: &Preset, over: bool) -> Result<PathBuf, Error> {
    check_name(&preset.name)?;
    let path = folder.join(format!("{}.toml", preset.name));
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = draft(folder, None)?;
        file.write_all(preset.text().as_bytes())?;
        file.as_file().sync_all()?;
        let kept = if over { file.persist(&path) } else { file.persist_noclobber(&path) };
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
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", "../x", "a/b", r"a\b", "a b", "ä", "a.toml", "-x", "con", "COM1", "a\n", &"x".repeat(33)]
        {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn what_is_saved_is_found_again_and_not_lost_by_mistake() {
        let folder = tempfile::TempDir::new().unwrap();
        let shelf = folder.path().join("deep").join("presets");
        let mut preset = Preset { name: "mine".into(), ..Preset::load("drones").unwrap() };
        let path = save_in(&shelf, &preset, false).unwrap();
        assert_eq!((names_in(&shelf), file_in(&shelf, "mine")), (vec!["mine".to_owned()], Some(path.clone())));
        let before = fs::read_to_string(&path).unwrap();
        preset.boids = 5;
        assert!(save_in(&shelf, &preset, false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        save_in(&shelf, &preset, true).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("boids = 5"));
        // Nothing else lies there, and what is no preset is not listed.
        fs::write(shelf.join("notes.txt"), "").unwrap();
        fs::write(shelf.join("my geese.toml"), "").unwrap();
        assert_eq!((names_in(&shelf), fs::read_dir(&shelf).unwrap().count()), (vec!["mine".to_owned()], 3));
    }
}
