//! Pictures that are taken while watching: in the current folder, and never over another one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;

use crate::config::{Error, Theme, draft};
use crate::export::picture::{Format, Ground};

/// How many pictures of one name are tried for.
const MOST: usize = 1000;

/// Saves a screen in a theme's colours as `NAME.png`, or `NAME-2.png` where that is taken, and so on; returns
/// where.
///
/// # Errors
///
/// [`Error::File`]; nothing half-written stands there then.
pub fn keep(screen: &Buffer, theme: &Theme, name: &str) -> Result<PathBuf, Error> {
    keep_in(Path::new("."), screen, theme, name)
}

fn keep_in(folder: &Path, screen: &Buffer, theme: &Theme, name: &str) -> Result<PathBuf, Error> {
    // A preset from a file is named by its user, who may have any sign there.
    let name: String =
        name.chars().map(|sign| if sign.is_alphanumeric() || "-_".contains(sign) { sign } else { '_' }).collect();
    let path =
        |number: usize| folder.join(if number == 1 { format!("{name}.png") } else { format!("{name}-{number}.png") });
    let wrong = |source: io::Error| Error::File { path: path(1), source };
    // Drawn before there is a file: that takes a while, in which the program may end.
    let mut bytes = Vec::new();
    Format::Png.write(screen, Ground::of(theme), &mut bytes).map_err(wrong)?;
    let mut file = draft(folder, None).map_err(wrong)?;
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
        let keep = |name| keep_in(folder.path(), &screen, &theme, name).unwrap();
        let names: Vec<PathBuf> = ["a-1-2", "a-1-2", "../b"].map(keep).into();
        let expected = ["a-1-2.png", "a-1-2-2.png", "___b.png"].map(|name| folder.path().join(name));
        assert_eq!(names, expected);
        assert!(std::fs::read(&names[0]).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        assert!(keep_in(Path::new("/no/such/folder"), &screen, &theme, "x").is_err());
    }
}
