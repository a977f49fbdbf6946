//! The picture formats, by file name.

use std::io::{self, Write};
use std::path::Path;

use ratatui::buffer::Buffer;

use super::{DefaultColors, Raster, ResolvedScreen};
use crate::config::Error;
use crate::export::{OutputFile, ansi, png, svg, txt};

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Dots, areas and text that stay sharp at any size.
    Svg,
    /// Text with colors, as a terminal shows it.
    Ansi,
    /// Text alone.
    Text,
}

impl PictureFormat {
    /// By the end of a file's name; standard output is a terminal as a rule, and takes what one shows.
    ///
    /// # Errors
    ///
    /// [`Error::Flag`] with the endings that there are.
    pub fn of(path: &Path) -> Result<Self, Error> {
        if OutputFile::is_stdout(path) {
            return Ok(Self::Ansi);
        }
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some("ansi") => Ok(Self::Ansi),
            Some("txt") => Ok(Self::Text),
            _ => Err(Error::Flag {
                flag: format!("--output {}", path.display()),
                message: "a picture's name ends in .png, .svg, .ansi or .txt, or is - for ANSI".into(),
            }),
        }
    }

    /// Writes a screen.
    ///
    /// # Errors
    ///
    /// What `out` answers.
    pub fn write(self, screen: &Buffer, ground: DefaultColors, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Png => png::write(&Raster::new(&ResolvedScreen::new(screen, ground)), out),
            Self::Svg => svg::write(&ResolvedScreen::new(screen, ground), out),
            Self::Ansi => ansi::write(screen, out),
            Self::Text => txt::write(screen, out),
        }
    }
}
