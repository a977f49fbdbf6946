//! Maps the colors of braille dots to few that look the same, so that the pen changes less often.

use super::PackedColor;
use super::color::{ColorDistance, LabColor};

/// Size of the cache; a power of two.
const CACHE_SIZE: usize = 1024;
/// With more entries than this the palette is chosen again: most are of a theme that is gone.
const MAX_ENTRIES: usize = 256;

/// A palette that grows with the colors it sees.
#[derive(Debug)]
pub(super) struct Quantizer {
    /// Colors with their entries in the palette.
    cache: Vec<(LabColor, u16)>,
    palette: Vec<LabColor>,
    /// How far a color may be from its entry.
    tolerance: f32,
}

impl Default for Quantizer {
    fn default() -> Self {
        let default = LabColor::new(PackedColor::DEFAULT);
        Self { cache: vec![(default, 0); CACHE_SIZE], palette: vec![default], tolerance: 0.0 }
    }
}

impl Quantizer {
    /// Sets the tolerance. Starts a new palette if it changed, or if the palette is too large.
    #[inline]
    pub(super) fn set_tolerance(&mut self, tolerance: f32) {
        if self.tolerance != tolerance || self.palette.len() > MAX_ENTRIES {
            *self = Self { tolerance, ..Self::default() };
        }
    }

    /// The color in `OKLab`, and its entry in the palette.
    #[inline]
    pub(super) fn find(&mut self, color: PackedColor, distance: &mut ColorDistance) -> &(LabColor, u16) {
        let slot = color.slot(CACHE_SIZE);
        if self.cache[slot].0.color() != color {
            self.cache[slot] = self.quantize(distance.lab(color));
        }
        &self.cache[slot]
    }

    #[cold]
    fn quantize(&mut self, color: LabColor) -> (LabColor, u16) {
        let found = self.palette.iter().position(|entry| entry.is_like(&color, self.tolerance));
        let entry = found.unwrap_or_else(|| {
            self.palette.push(color);
            self.palette.len() - 1
        });
        (color, entry as u16)
    }

    /// The color of an entry.
    #[inline]
    pub(super) fn entry(&self, entry: u16) -> LabColor {
        self.palette[usize::from(entry)]
    }

    /// The entry with exactly this color, if its color has one.
    pub(super) fn exact_entry(&mut self, color: PackedColor, distance: &mut ColorDistance) -> Option<u16> {
        let entry = self.find(color, distance).1;
        (self.entry(entry).color() == color).then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    fn colors(count: u16) -> impl Iterator<Item = PackedColor> {
        (0..count)
            .map(|at| PackedColor::from(Color::Rgb((at * 7 % 256) as u8, (at * 3 % 256) as u8, (at / 2 % 256) as u8)))
    }

    #[test]
    fn few_entries_are_near_many_colors() {
        let (mut quantizer, mut distance) = (Quantizer::default(), ColorDistance::default());
        quantizer.set_tolerance(0.06);
        // Twice, to use the cache, in which colors can share a slot.
        for color in colors(600).chain(colors(600)) {
            quantizer.set_tolerance(0.06);
            let &(lab, entry) = quantizer.find(color, &mut distance);
            assert_eq!(lab.color(), color);
            assert!(quantizer.entry(entry).is_like(&lab, 0.06), "{color:?}");
        }
        assert!((20..200).contains(&quantizer.palette.len()), "{}", quantizer.palette.len());
    }

    #[test]
    fn without_tolerance_each_color_has_its_entry_until_there_are_too_many() {
        let (mut quantizer, mut distance) = (Quantizer::default(), ColorDistance::default());
        for color in colors(MAX_ENTRIES as u16 + 1) {
            let entry = quantizer.exact_entry(color, &mut distance);
            assert_eq!(entry.map(|entry| quantizer.entry(entry).color()), Some(color));
        }
        quantizer.set_tolerance(0.0);
        assert_eq!(quantizer.palette.len(), 1);
        assert_eq!(quantizer.exact_entry(PackedColor::DEFAULT, &mut distance), Some(0));
    }
}
