//! The palette of a GIF.

use std::collections::{BTreeMap, HashMap};

use color_quant::NeuQuant;

use crate::config::Rgb;
use crate::export::picture::Raster;

/// Maximum number of colors, besides the transparent one.
const COLORS: usize = 255;
/// The index of the transparent color.
pub const TRANSPARENT: u8 = COLORS as u8;
/// Up to this number of colors, all are exact.
const MAX_EXACT: usize = 128;
/// Otherwise, this number of the most common colors is exact: the background and the text.
const EXACT_COMMON: usize = 16;

type Color = [u8; 3];

/// The number of pixels of each color in the sampled frames.
#[derive(Debug, Default)]
pub struct ColorCounts(BTreeMap<Color, usize>);

impl ColorCounts {
    /// Counts the colors of a frame.
    pub fn add(&mut self, frame: &Raster) {
        for run in frame.pixels.chunk_by(|one, next| one == next) {
            *self.0.entry(run[0].into()).or_default() += run.len();
        }
    }

    /// A palette for the colors: the most common exactly, the others quantized by a neural network (Dekker, *Kohonen
    /// neural networks for optimal colour quantization*, 1994).
    pub fn palette(&self) -> GifPalette {
        let mut common: Vec<(Color, usize)> = self.0.iter().map(|(color, count)| (*color, *count)).collect();
        common.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        common.truncate(if common.len() > MAX_EXACT { EXACT_COMMON } else { MAX_EXACT });
        let exact: Vec<Color> = common.into_iter().map(|(color, _)| color).collect();
        // The square root raises the weight of rare colors: the few bright boids matter most.
        let samples =
            self.0.iter().flat_map(|([red, green, blue], count)| [*red, *green, *blue, u8::MAX].repeat(count.isqrt()));
        let quantized = NeuQuant::new(1, COLORS - exact.len(), &samples.collect::<Vec<u8>>());
        let indices = exact.iter().copied().zip(0..).collect();
        GifPalette { exact, quantized, indices }
    }
}

/// At most 255 colors.
pub struct GifPalette {
    exact: Vec<Color>,
    quantized: NeuQuant,
    /// The indices of the exact colors and of those looked up so far.
    indices: HashMap<Color, u8>,
}

impl GifPalette {
    /// All colors, as bytes of red, green and blue.
    pub fn bytes(&self) -> Vec<u8> {
        [self.exact.concat(), self.quantized.color_map_rgb()].concat()
    }

    /// The index of the nearest color.
    pub fn index(&mut self, color: Rgb) -> u8 {
        let [red, green, blue] = color.into();
        *self
            .indices
            .entry([red, green, blue])
            .or_insert_with(|| (self.exact.len() + self.quantized.index_of(&[red, green, blue, u8::MAX])) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The color of the palette for each of the given colors.
    fn quantize(pixels: &[Rgb]) -> Vec<Color> {
        let mut counts = ColorCounts::default();
        counts.add(&Raster { width: pixels.len(), height: 1, pixels: pixels.to_vec() });
        let mut palette = counts.palette();
        let bytes = palette.bytes();
        assert!(bytes.len() <= 3 * COLORS);
        let color = |index: u8| Color::try_from(&bytes[3 * usize::from(index)..][..3]).unwrap();
        pixels.iter().map(|pixel| color(palette.index(*pixel))).collect()
    }

    #[test]
    fn few_colors_are_exact() {
        let few: Vec<Rgb> = (0..100).map(|step| Rgb::new(step, 2 * step, 7)).collect();
        assert_eq!(quantize(&few), few.into_iter().map(Color::from).collect::<Vec<_>>());
    }

    #[test]
    fn many_colors_are_close_and_common_ones_exact() {
        let background = Rgb::new(12, 12, 16);
        let glow = (0..4000u16).map(|step| Rgb::new((step / 64) as u8, (step % 64) as u8, 30));
        let many: Vec<Rgb> = std::iter::repeat_n(background, 9000).chain(glow).collect();
        for (color, quantized) in many.iter().zip(quantize(&many)) {
            let difference = quantized.iter().zip(Color::from(*color)).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(difference <= if *color == background { 0 } else { 6 }, "{color:?} is {quantized:?}");
        }
    }
}
