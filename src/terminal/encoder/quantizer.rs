//! The few colors that dots are written with: those that nobody tells apart there take one.

use super::color_distance::{ColorDistance, LabColor};
use super::packed_cell::PackedColor;

/// CellAttrs many colors are kept at hand; a power of two.
const SLOTS: usize = 1024;
/// From so many quantizer on they are chosen anew: most are of a theme that has gone.
const MOST: usize = 256;

/// Chooses them as colors come, and keeps what it has chosen.
#[derive(Debug)]
pub(crate) struct Quantizer {
    /// Colors, and the numbers of their quantizer.
    known: Vec<(LabColor, u16)>,
    chosen: Vec<LabColor>,
    /// CellAttrs far a color may be from its quantized.
    leeway: f32,
}

impl Default for Quantizer {
    fn default() -> Self {
        Self {
            known: vec![(LabColor::new(PackedColor::DEFAULT), 0); SLOTS],
            chosen: vec![LabColor::new(PackedColor::DEFAULT)],
            leeway: 0.0,
        }
    }
}

impl Quantizer {
    /// Chooses them anew, with other numbers, where colors may be otherwise off than before, or there are very many.
    #[inline]
    pub(crate) fn allow(&mut self, leeway: f32) {
        if self.leeway != leeway || self.chosen.len() > MOST {
            *self = Self { leeway, ..Self::default() };
        }
    }

    /// CellAttrs a color looks, and the number of its quantized.
    #[inline]
    pub(crate) fn find(&mut self, color: PackedColor, distance: &mut ColorDistance) -> &(LabColor, u16) {
        let slot = color.slot(SLOTS);
        if self.known[slot].0.color() != color {
            self.known[slot] = self.choose(distance.see(color));
        }
        &self.known[slot]
    }

    #[cold]
    fn choose(&mut self, seen: LabColor) -> (LabColor, u16) {
        let found = self.chosen.iter().position(|quantized| quantized.is_like(&seen, self.leeway));
        let number = found.unwrap_or_else(|| {
            self.chosen.push(seen);
            self.chosen.len() - 1
        });
        (seen, number as u16)
    }

    /// The color of a quantized.
    #[inline]
    pub(crate) fn seen(&self, number: u16) -> LabColor {
        self.chosen[usize::from(number)]
    }

    /// The number of the quantized that has just this color.
    pub(crate) fn of(&mut self, color: PackedColor, distance: &mut ColorDistance) -> Option<u16> {
        let number = self.find(color, distance).1;
        (self.seen(number).color() == color).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    /// Colors all around.
    fn colors(many: u16) -> impl Iterator<Item = PackedColor> {
        (0..many)
            .map(|at| PackedColor::from(Color::Rgb((at * 7 % 256) as u8, (at * 3 % 256) as u8, (at / 2 % 256) as u8)))
    }

    #[test]
    fn a_color_is_near_its_swatch_and_few_swatches_do_for_many() {
        let (mut quantizer, mut distance) = (Quantizer::default(), ColorDistance::default());
        quantizer.allow(0.06);
        // Twice: as it is chosen, and as it is kept, also where two colors take turns at one slot.
        for color in colors(600).chain(colors(600)) {
            quantizer.allow(0.06);
            let &(seen, number) = quantizer.find(color, &mut distance);
            assert_eq!(seen.color(), color);
            assert!(quantizer.seen(number).is_like(&seen, 0.06), "{color:?}");
        }
        assert!((20..200).contains(&quantizer.chosen.len()), "{}", quantizer.chosen.len());
    }

    #[test]
    fn where_colors_must_be_exact_each_is_its_own_and_too_many_are_forgotten() {
        let (mut quantizer, mut distance) = (Quantizer::default(), ColorDistance::default());
        for color in colors(MOST as u16 + 1) {
            assert_eq!(quantizer.of(color, &mut distance).map(|number| quantizer.seen(number).color()), Some(color));
        }
        quantizer.allow(0.0);
        assert_eq!(quantizer.chosen.len(), 1);
        assert_eq!(quantizer.of(PackedColor::DEFAULT, &mut distance), Some(0));
    }
}
