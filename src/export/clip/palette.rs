//! The few colors of a clip that has thousands.

use std::collections::{BTreeMap, HashMap};

use color_quant::NeuQuant;

use crate::config::Rgb;
use crate::export::picture::Raster;

/// How many colors there may be; one more number stands for none.
const COLORS: usize = 255;
/// The number that stands for no color.
pub const TRANSPARENT: u8 = COLORS as u8;
/// If there are no more colors than this, each is itself.
const MAX_EXACT: usize = 128;
/// Else as many of the most common: the ground and the text.
const EXACT_COMMON: usize = 16;

type Color = [u8; 3];

/// How often each color comes up in the frames that were looked at.
#[derive(Debug, Default)]
pub struct ColorCounts(BTreeMap<Color, usize>);

impl ColorCounts {
    /// Counts a frame's colors.
    pub fn add(&mut self, frame: &Raster) {
        for pixels in frame.pixels.chunk_by(|one, next| one == next) {
            *self.0.entry(pixels[0].into()).or_default() += pixels.len();
        }
    }

    /// The colors that come nearest to all of them: the most common as they are, the others by a net that has learned
    /// them (Dekker, *Kohonen neural networks for optimal color quantization*, 1994).
    pub fn palette(&self) -> GifPalette {
        let mut common: Vec<(Color, usize)> = self.0.iter().map(|(color, count)| (*color, *count)).collect();
        common.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        common.truncate(if common.len() > MAX_EXACT { EXACT_COMMON } else { MAX_EXACT });
        let common: Vec<Color> = common.into_iter().map(|(color, _)| color).collect();
        // Rare ones count for more than their share: a few bright boids are what one looks at.
        let samples =
            self.0.iter().flat_map(|([red, green, blue], count)| [*red, *green, *blue, u8::MAX].repeat(count.isqrt()));
        let net = NeuQuant::new(1, COLORS - common.len(), &samples.collect::<Vec<u8>>());
        let numbers = common.iter().copied().zip(0..).collect();
        GifPalette { common, net, numbers }
    }
}

/// At most 255 colors.
pub struct GifPalette {
    common: Vec<Color>,
    net: NeuQuant,
    /// The numbers of the colors that have been asked for.
    numbers: HashMap<Color, u8>,
}

impl GifPalette {
    /// All of them, a byte each for red, green and blue.
    pub fn bytes(&self) -> Vec<u8> {
        [self.common.concat(), self.net.color_map_rgb()].concat()
    }

    /// The number of the color that comes nearest.
    pub fn number(&mut self, color: Rgb) -> u8 {
        let color: Color = color.into();
        let [red, green, blue] = color;
        *self
            .numbers
            .entry(color)
            .or_insert_with(|| (self.common.len() + self.net.index_of(&[red, green, blue, u8::MAX])) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(pixels: Vec<Rgb>) -> GifPalette {
        let mut census = ColorCounts::default();
        census.add(&Raster { width: pixels.len(), height: 1, pixels });
        census.palette()
    }

    #[test]
    fn few_colors_are_themselves_and_many_come_near() {
        let few: Vec<Rgb> = (0..100).map(|step| Rgb::new(step, 2 * step, 7)).collect();
        let mut palette = palette(few.clone());
        for color in few {
            let number = usize::from(palette.number(color));
            assert_eq!(palette.bytes()[3 * number..][..3], <[u8; 3]>::from(color));
        }
        let ground = Rgb::new(12, 12, 16);
        let glow = (0..4000u16).map(|step| Rgb::new((step / 64) as u8, (step % 64) as u8, 30));
        let many: Vec<Rgb> = std::iter::repeat_n(ground, 9000).chain(glow).collect();
        let mut palette = super::tests::palette(many.clone());
        assert_eq!(palette.bytes().len(), 3 * COLORS);
        let bytes = palette.bytes();
        for color in many {
            let [near, far] = [&bytes[3 * usize::from(palette.number(color))..][..3], &<[u8; 3]>::from(color)];
            let off = near.iter().zip(far).map(|(near, far)| near.abs_diff(*far)).max();
            assert!(off <= Some(6) && (color != ground || off == Some(0)), "{far:?} is {near:?}");
        }
    }
}
