//! GIF: pixels, of which a frame holds only those that change.

use std::borrow::Cow;
use std::io::{self, Write};

use gif::{Encoder, EncodingError, Frame, Repeat};
use ratatui::buffer::Buffer;

use super::clip::palette::{GifPalette, TRANSPARENT};
use super::clip::timing::ClipTiming;
use crate::export::clip::ClipWriter;
use crate::export::picture::{DefaultColors, Raster, ResolvedScreen};

/// In what a frame's time is counted: so many a second.
const UNITS: u32 = 100;
/// Who shows a GIF takes ten hundredths of a second for less than two.
pub const MAX_FPS: f32 = 50.0;

/// A GIF that is being written.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: GifPalette,
    ground: DefaultColors,
    width: usize,
    /// The numbers of the colors that are shown.
    shown: Vec<u8>,
    /// The same of those that are to be.
    wanted: Vec<u8>,
}

impl<W: Write> GifWriter<W> {
    /// Begins one that shows a screen of so many columns and rows, again and again.
    pub fn begin(palette: GifPalette, ground: DefaultColors, (columns, rows): (u16, u16), out: W) -> io::Result<Self> {
        let (width, height) = Raster::extent(columns.into(), rows.into());
        let mut encoder = Encoder::new(out, width as u16, height as u16, &palette.bytes()).map_err(plain)?;
        encoder.set_repeat(Repeat::Infinite).map_err(plain)?;
        Ok(Self { encoder, palette, ground, width, shown: vec![TRANSPARENT; width * height], wanted: Vec::new() })
    }

    /// What is to be shown, in numbers.
    fn number(&mut self, raster: &Raster) {
        self.wanted.clear();
        for pixels in raster.pixels.chunk_by(|one, next| one == next) {
            let number = self.palette.number(pixels[0]);
            self.wanted.extend(std::iter::repeat_n(number, pixels.len()));
        }
    }

    /// The part of the picture in which anything changes; where nothing does, its first pixel.
    fn part(&self) -> DirtyRect {
        let rows = self.wanted.chunks_exact(self.width).zip(self.shown.chunks_exact(self.width));
        let mut part: Option<DirtyRect> = None;
        for (row, (wanted, shown)) in rows.enumerate().filter(|(_, (wanted, shown))| wanted != shown) {
            let differs = |(wanted, shown): (&u8, &u8)| wanted != shown;
            let left = wanted.iter().zip(shown).position(differs).unwrap_or(0);
            let right = wanted.iter().zip(shown).rposition(differs).unwrap_or(0) + 1;
            let before = part.unwrap_or(DirtyRect { left, right, top: row, bottom: row });
            part = Some(DirtyRect {
                left: before.left.min(left),
                right: before.right.max(right),
                bottom: row + 1,
                ..before
            });
        }
        part.unwrap_or(DirtyRect { left: 0, right: 1, top: 0, bottom: 1 })
    }

    /// A part's pixels; what is shown already is not shown again.
    fn cut(&self, part: DirtyRect) -> Vec<u8> {
        let fresh = |row: usize| {
            let places = row * self.width + part.left..row * self.width + part.right;
            self.wanted[places.clone()].iter().zip(&self.shown[places])
        };
        let numbers = (part.top..part.bottom).flat_map(fresh);
        numbers.map(|(wanted, shown)| if wanted == shown { TRANSPARENT } else { *wanted }).collect()
    }
}

impl<W: Write> ClipWriter for GifWriter<W> {
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()> {
        self.number(&Raster::new(&ResolvedScreen::new(screen, self.ground)));
        let part = self.part();
        let frame = Frame {
            delay: timing.lasts(frame, UNITS) as u16,
            transparent: Some(TRANSPARENT),
            left: part.left as u16,
            top: part.top as u16,
            width: (part.right - part.left) as u16,
            height: (part.bottom - part.top) as u16,
            buffer: Cow::Owned(self.cut(part)),
            ..Frame::default()
        };
        std::mem::swap(&mut self.shown, &mut self.wanted);
        self.encoder.write_frame(&frame).map_err(plain)
    }

    fn finish(self, _: ClipTiming) -> io::Result<()> {
        // Which ends the file.
        self.encoder.into_inner().map(drop).map_err(plain)
    }
}

/// A part of a picture, in pixels.
#[derive(Clone, Copy, Debug)]
struct DirtyRect {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

/// The system's own error, where it is one.
fn plain(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}
