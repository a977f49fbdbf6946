//! Pictures that are taken while watching: in the current folder, and never over another one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;

use crate::config::{Error, Theme, atomic_file};
use crate::export::picture::{DefaultColors, PictureFormat};

/// How many pictures of one name are tried for.
const MOST: usize = 1000;

/// Saves a screen in a theme's colors as `NAME.png`, or `NAME-2.png` where that is taken, and so on; returns
/// where.
///
/// # Errors
///
/// [`Error::File`]; nothing half-written stands there then.
pub fn keep(screen: &Buffer, theme: &Theme, name: &str) -> Result<PathBuf, Error> {
    save_to(Path::new("."), screen, theme, name)
}

fn save_to(folder: &Path, screen: &Buffer, theme: &Theme, name: &str) -> Result<PathBuf, Error> {
    // A preset from a file is named by its user, who may have any symbol there.
    let name: String = name
        .chars()
        .map(|symbol| if symbol.is_alphanumeric() || "-_".contains(symbol) { symbol } else { '_' })
        .collect();
    let path =
        |number: usize| folder.join(if number == 1 { format!("{name}.png") } else { format!("{name}-{number}.png") });
    let wrong = |source: io::Error| Error::File { path: path(1), source };
    // Drawn before there is a file: that takes a while, in which the program may end.
    let mut bytes = Vec::new();
    PictureFormat::Png.write(screen, DefaultColors::of(theme), &mut bytes).map_err(wrong)?;
    let mut file = atomic_file(folder, None).map_err(wrong)?;
    file.as_file().write_all(&bytes).map_err(wrong)?;
    for path in (1..=MOST).map(path) {
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(wrong(error.error)),
        }
    }
    Err(wrong(io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn no_picture_is_written_over_another() {
        let folder = tempfile::TempDir::new().unwrap();
        let screen = Buffer::empty(Rect::new(0, 0, 4, 2));
        let theme = Theme::load("dusk").unwrap();
        let keep = |name| save_to(folder.path(), &screen, &theme, name).unwrap();
        let names: Vec<PathBuf> = ["a-1-2", "a-1-2", "../b"].map(keep).into();
        let expected = ["a-1-2.png", "a-1-2-2.png", "___b.png"].map(|name| folder.path().join(name));
        assert_eq!(names, expected);
        assert!(std::fs::read(&names[0]).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(save_to(Path::new("/no/such/folder"), &screen, &theme, "x").is_err());
    }
}
