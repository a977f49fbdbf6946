//! The few colours of a clip that has thousands.

use std::collections::{BTreeMap, HashMap};

use color_quant::NeuQuant;

use crate::config::Rgb;
use crate::export::picture::Raster;

/// How many colours there may be; one more number stands for none.
const COLORS: usize = 255;
/// The number that stands for no colour.
pub const CLEAR: u8 = COLORS as u8;
/// If there are no more colours than this, each is itself.
const FEW: usize = 128;
/// Else as many of the most common: the ground and the text.
const COMMON: usize = 16;

type Color = [u8; 3];

/// How often each colour comes up in the frames that were looked at.
#[derive(Debug, Default)]
pub struct Census(BTreeMap<Color, usize>);

impl Census {
    /// Counts a frame's colours.
    pub fn add(&mut self, frame: &Raster) {
        for pixels in frame.pixels.chunk_by(|one, next| one == next) {
            *self.0.entry(pixels[0].into()).or_default() += pixels.len();
        }
    }

    /// The colours that come nearest to all of them: the most common as they are, the others by a net that has learned
    /// them (Dekker, *Kohonen neural networks for optimal colour quantization*, 1994).
    pub fn palette(&self) -> Palette {
        let mut common: Vec<(Color, usize)> = self.0.iter().map(|(color, count)| (*color, *count)).collect();
        common.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        common.truncate(if common.len() > FEW { COMMON } else { FEW });
        let common: Vec<Color> = common.into_iter().map(|(color, _)| color).collect();
        // Rare ones count for more than their share: a few bright boids are what one looks at.
        let samples =
            self.0.iter().flat_map(|([red, green, blue], count)| [*red, *green, *blue, u8::MAX].repeat(count.isqrt()));
        let net = NeuQuant::new(1, COLORS - common.len(), &samples.collect::<Vec<u8>>());
        let numbers = common.iter().copied().zip(0..).collect();
        Palette { common, net, numbers }
    }
}

/// At most 255 colours.
pub struct Palette {
    common: Vec<Color>,
    net: NeuQuant,
    /// The numbers of the colours that have been asked for.
    numbers: HashMap<Color, u8>,
}

impl Palette {
    /// All of them, a byte each for red, green and blue.
    pub fn bytes(&self) -> Vec<u8> {
        [self.common.concat(), self.net.color_map_rgb()].concat()
    }

    /// The number of the colour that comes nearest.
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

    fn palette(pixels: Vec<Rgb>) -> Palette {
        let mut census = Census::default();
        census.add(&Raster { width: pixels.len(), height: 1, pixels });
        census.palette()
    }

    #[test]
    fn few_colours_are_themselves_and_many_come_near() {
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
