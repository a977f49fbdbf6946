//! The picture formats by file extension.

use std::io::{self, Write};
use std::path::Path;

use ratatui::buffer::Buffer;

use super::{DefaultColors, Raster, ResolvedScreen};
use crate::config::Error;
use crate::export::{OutputFile, png, svg, text};

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Pixels.
    Png,
    /// Vector graphics with text.
    Svg,
    /// Text with ANSI escape sequences.
    Ansi,
    /// Plain text.
    Text,
}

impl PictureFormat {
    /// The format for a file extension; ANSI for standard output.
    ///
    /// # Errors
    ///
    /// [`Error::Flag`] for other extensions.
    pub fn of(path: &Path) -> Result<Self, Error> {
        if OutputFile::is_stdout(path) {
            return Ok(Self::Ansi);
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some("ansi") => Ok(Self::Ansi),
            Some("txt") => Ok(Self::Text),
            _ => Err(Error::Flag {
                flag: format!("--output {}", path.display()),
                message: "the file name must end in .png, .svg, .ansi or .txt, or be - for ANSI".into(),
            }),
        }
    }

    /// Writes a screen in this format.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write(self, screen: &Buffer, colors: DefaultColors, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Png => png::write(&Raster::new(&ResolvedScreen::new(screen, colors)), out),
            Self::Svg => svg::write(&ResolvedScreen::new(screen, colors), out),
            Self::Ansi => text::write_ansi(screen, out),
            Self::Text => text::write_plain(screen, out),
        }
    }
}
