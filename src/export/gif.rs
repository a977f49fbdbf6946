//! A clip as GIF, where each frame contains only the pixels that changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::ops::Range;

use color_quant::NeuQuant;
use gif::{Encoder, EncodingError, Frame, Repeat};
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use super::clip::{ClipTiming, ClipWriter};
use super::picture::{DefaultColors, Raster, ResolvedScreen, RgbBytes};
use crate::picture::Rgb;

/// Time units per second.
const UNITS: u32 = 100;
/// Maximum frame rate: players slow down frames of less than 2 units to 10 units.
pub const MAX_FPS: f32 = 50.0;
/// Maximum number of colors, besides the transparent one. With 255 colors, clips are a third larger: codes are longer and runs of one
/// color shorter.
const COLORS: usize = 63;
/// The index of the transparent color.
const TRANSPARENT: u8 = COLORS as u8;
/// If there are more colors, those of at least one in this many pixels are exact: the background and the rows of a sky …
const EXACT_SHARE: usize = 100;
/// … but at most so many.
const MAX_EXACT: usize = 24;

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
    pub fn begin(palette: GifPalette, colors: DefaultColors, size: Size, out: W) -> io::Result<Self> {
        let (width, height) = Raster::extent(size.width.into(), size.height.into());
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
        let mut buffer = Vec::with_capacity(columns.len() * rows.len());
        for row in rows.clone().map(|row| row * self.width) {
            let pixels = row + columns.start..row + columns.end;
            let pairs = indices[pixels.clone()].iter().zip(&self.previous[pixels]);
            buffer.extend(pairs.map(|(new, old)| if new == old { TRANSPARENT } else { *new }));
        }
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

/// The number of pixels of each color in the sampled frames.
#[derive(Debug, Default)]
pub struct ColorCounts(BTreeMap<RgbBytes, usize>);

impl ColorCounts {
    /// Counts the colors of a frame.
    pub fn add(&mut self, frame: &Raster) {
        for run in frame.pixels.chunk_by(|one, next| one == next) {
            *self.0.entry(run[0].into()).or_default() += run.len();
        }
    }

    /// A palette for the colors: all exactly if they are few. Otherwise the most common exactly, the others quantized by a neural
    /// network (Dekker, *Kohonen neural networks for optimal colour quantization*, 1994).
    pub fn palette(&self) -> GifPalette {
        if self.0.len() <= COLORS {
            return GifPalette::new(self.0.keys().copied().collect());
        }
        let least = self.0.values().sum::<usize>() / EXACT_SHARE;
        let mut common: Vec<(&RgbBytes, &usize)> = self.0.iter().filter(|(_, count)| **count >= least).collect();
        common.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let mut colors: Vec<RgbBytes> = common.into_iter().take(MAX_EXACT).map(|(color, _)| *color).collect();
        // The square root raises the weight of rare colors: the few bright boids matter most.
        let samples =
            self.0.iter().flat_map(|([red, green, blue], count)| [*red, *green, *blue, u8::MAX].repeat(count.isqrt()));
        let quantized = NeuQuant::new(1, COLORS - colors.len(), &samples.collect::<Vec<u8>>());
        colors.extend(quantized.color_map_rgb().as_chunks::<3>().0);
        GifPalette::new(colors)
    }
}

/// At most [`COLORS`] colors.
pub struct GifPalette {
    colors: Vec<RgbBytes>,
    /// The indices of the colors looked up so far.
    indices: HashMap<RgbBytes, u8>,
}

impl GifPalette {
    fn new(colors: Vec<RgbBytes>) -> Self {
        Self { colors, indices: HashMap::new() }
    }

    /// All colors, as bytes of red, green and blue.
    pub fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The index of the nearest color.
    pub fn index(&mut self, color: Rgb) -> u8 {
        let color = color.into();
        *self.indices.entry(color).or_insert_with(|| {
            let nearest = self.colors.iter().zip(0..).min_by_key(|(known, _)| distance(color, **known));
            nearest.map_or(0, |(_, index)| index)
        })
    }
}

/// The square of the distance.
fn distance(one: RgbBytes, other: RgbBytes) -> u32 {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The color of the palette for each of the given colors.
    fn quantize(pixels: &[Rgb]) -> Vec<RgbBytes> {
        let mut counts = ColorCounts::default();
        counts.add(&Raster { width: pixels.len(), height: 1, pixels: pixels.to_vec() });
        let mut palette = counts.palette();
        let bytes = palette.bytes();
        assert!(bytes.len() <= 3 * COLORS);
        let indices = pixels.iter().map(|pixel| usize::from(palette.index(*pixel)));
        indices.map(|index| RgbBytes::try_from(&bytes[3 * index..][..3]).unwrap()).collect()
    }

    #[test]
    fn few_colors_are_exact() {
        let few: Vec<Rgb> = (0..60).map(|step| Rgb::new(step, 2 * step, 7)).collect();
        assert_eq!(quantize(&few), few.into_iter().map(RgbBytes::from).collect::<Vec<_>>());
    }

    #[test]
    fn many_colors_are_close_and_common_ones_exact() {
        let background = Rgb::new(12, 12, 16);
        let glow = (0..4000u16).map(|step| Rgb::new((step / 64) as u8, (step % 64) as u8, 30));
        let many: Vec<Rgb> = std::iter::repeat_n(background, 9000).chain(glow).collect();
        for (color, quantized) in many.iter().zip(quantize(&many)) {
            let difference = quantized.iter().zip(RgbBytes::from(*color)).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(difference <= if *color == background { 0 } else { 12 }, "{color:?} is {quantized:?}");
        }
    }
}
