//! A clip as GIF, where each frame contains only the pixels that changed.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use gif::{Encoder, EncodingError, Frame, Repeat};
use ratatui::buffer::Buffer;

use super::clip::{ClipTiming, ClipWriter};
use super::palette::{GifPalette, TRANSPARENT};
use super::picture::{DefaultColors, Raster, ResolvedScreen};

/// Time units per second.
const UNITS: u32 = 100;
/// Maximum frame rate: players slow down frames of less than 2 units to 10 units.
pub const MAX_FPS: f32 = 50.0;

/// Writes a GIF.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: GifPalette,
    colors: DefaultColors,
    width: usize,
    /// The palette indices of the previous frame.
    previous: Vec<u8>,
}

impl<W: Write> GifWriter<W> {
    /// Starts an endlessly repeated clip of a screen of this size, in columns and rows.
    pub fn begin(palette: GifPalette, colors: DefaultColors, (columns, rows): (u16, u16), out: W) -> io::Result<Self> {
        let (width, height) = Raster::extent(columns.into(), rows.into());
        let mut encoder = Encoder::new(out, width as u16, height as u16, &palette.bytes()).map_err(into_io)?;
        encoder.set_repeat(Repeat::Infinite).map_err(into_io)?;
        Ok(Self { encoder, palette, colors, width, previous: vec![TRANSPARENT; width * height] })
    }

    /// The palette indices of a frame.
    fn indices(&mut self, raster: &Raster) -> Vec<u8> {
        let mut indices = Vec::with_capacity(raster.pixels.len());
        for run in raster.pixels.chunk_by(|one, next| one == next) {
            indices.extend(std::iter::repeat_n(self.palette.index(run[0]), run.len()));
        }
        indices
    }

    /// The smallest rectangle, as columns and rows, that contains all changes; a single pixel if there are none.
    fn changed_area(&self, indices: &[u8]) -> (Range<usize>, Range<usize>) {
        let rows = indices.chunks_exact(self.width).zip(self.previous.chunks_exact(self.width));
        let mut area: Option<(Range<usize>, Range<usize>)> = None;
        for (row, (new, old)) in rows.enumerate().filter(|(_, (new, old))| new != old) {
            let differs = |(new, old): (&u8, &u8)| new != old;
            let left = new.iter().zip(old).position(differs).unwrap_or(0);
            let right = new.iter().zip(old).rposition(differs).unwrap_or(0) + 1;
            let (columns, rows) = area.unwrap_or((left..right, row..row));
            area = Some((columns.start.min(left)..columns.end.max(right), rows.start..row + 1));
        }
        area.unwrap_or((0..1, 0..1))
    }
}

impl<W: Write> ClipWriter for GifWriter<W> {
    fn add(&mut self, screen: &Buffer, frame: u64, timing: ClipTiming) -> io::Result<()> {
        let indices = self.indices(&Raster::new(&ResolvedScreen::new(screen, self.colors)));
        let (columns, rows) = self.changed_area(&indices);
        let changed = rows.clone().flat_map(|row| {
            let pixels = row * self.width + columns.start..row * self.width + columns.end;
            indices[pixels.clone()].iter().zip(&self.previous[pixels])
        });
        let buffer: Vec<u8> = changed.map(|(new, old)| if new == old { TRANSPARENT } else { *new }).collect();
        let frame = Frame {
            delay: timing.duration(frame, UNITS) as u16,
            transparent: Some(TRANSPARENT),
            left: columns.start as u16,
            top: rows.start as u16,
            width: columns.len() as u16,
            height: rows.len() as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.previous = indices;
        self.encoder.write_frame(&frame).map_err(into_io)
    }

    fn finish(self, _: ClipTiming) -> io::Result<()> {
        // Writes the trailer.
        self.encoder.into_inner().map(drop).map_err(into_io)
    }
}

fn into_io(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}
