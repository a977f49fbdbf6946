//! What a person can set up: presets and themes, by name or as a file, and how errors in them read.

mod document;
mod error;
mod preset;
mod revival;
mod suggest;
mod theme;
mod world_size;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use error::{Error, is_closed_pipe};
pub use preset::{BUILTIN as PRESETS, Preset};
pub use revival::Revival;
pub use suggest::did_you_mean;
pub use theme::{BUILTIN as THEMES, Paint, Palette, Rgb, Theme};
pub use world_size::WorldSize;

/// Reads a text file of at most `most` bytes.
fn read_text(path: &Path, most: u64) -> Result<String, Error> {
    let wrong = |source| Error::File { path: path.to_owned(), source };
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_string(&mut text)).map_err(wrong)?;
    if read as u64 > most {
        return Err(wrong(std::io::Error::other(format!("the file is larger than {most} bytes"))));
    }
    Ok(text)
}
