//! The picture formats by file extension.

use std::io::{self, Write};
use std::path::Path;

use ratatui::buffer::Buffer;

use super::{DefaultColors, Raster, ResolvedScreen};
use crate::config::ConfigError;
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
    /// [`ConfigError::Flag`] for other extensions.
    pub fn of(path: &Path) -> Result<Self, ConfigError> {
        match OutputFile::extension(path).as_str() {
            "png" => Ok(Self::Png),
            "svg" => Ok(Self::Svg),
            "ansi" | "-" => Ok(Self::Ansi),
            "txt" => Ok(Self::Text),
            _ => Err(ConfigError::Flag {
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
