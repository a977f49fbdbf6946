//! Whether two colors look the same.

use palette::color_difference::EuclideanDistance;
use palette::{Oklab, Srgb};

use super::packed_cell::{ColorKind, PackedCell, PackedColor};
use crate::terminal::color::{oklab, xterm};

/// CellAttrs many colors are kept at hand; a power of two.
const SLOTS: usize = 4096;

/// CellAttrs much more colors may differ: any, and two that are among xterm's 256.
const STEP: [f32; 2] = [1.0, 1.4];

/// How far apart in `OKLab` colors may be and still pass for equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// For thin dots: braille.
    pub dots: f32,
    /// For everything else: backgrounds, letters, blocks.
    pub rest: f32,
}

impl Tolerance {
    /// No difference.
    pub const EXACT: Self = Self { dots: 0.0, rest: 0.0 };
    /// A difference that cannot be seen.
    pub const UNSEEN: Self = Self { dots: 0.06, rest: 0.025 };
    /// A difference that is visible but acceptable on a slow link.
    pub(crate) const COARSE: Self = Self { dots: 0.12, rest: 0.05 };
}

/// Compares colors by their distance in `OKLab`, and keeps what it has found out.
#[derive(Debug)]
pub(crate) struct ColorDistance {
    known: Vec<LabColor>,
}

/// A color as it is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabColor {
    color: PackedColor,
    /// Nowhere, and so near to nothing, where the terminal alone knows how it looks.
    place: Oklab,
}

impl LabColor {
    pub(crate) fn new(color: PackedColor) -> Self {
        Self { color, place: place(color) }
    }

    pub(crate) fn color(&self) -> PackedColor {
        self.color
    }

    /// Whether anybody knows how it looks.
    #[inline]
    pub(crate) fn is_placed(&self) -> bool {
        !self.place.l.is_nan()
    }

    #[cold]
    fn become_new(&mut self, color: PackedColor) {
        *self = Self::new(color);
    }

    /// Whether two colors are at most `tolerance` apart in `OKLab`, where about 0.02 can just be seen
    /// side by side.
    #[inline]
    #[allow(clippy::needless_bitwise_bool, reason = "nobody foresees which it is: a branch costs more than all of it")]
    pub(crate) fn is_like(&self, other: &Self, tolerance: f32) -> bool {
        // Among xterm's 256 neighbors are a step apart that is seen anyway.
        let most = STEP[usize::from(self.color.is_indexed() & other.color.is_indexed())] * tolerance;
        let is_near = (tolerance > 0.0) & (self.place.distance_squared(other.place) <= most * most);
        is_near | (self.color == other.color)
    }
}

impl Default for ColorDistance {
    fn default() -> Self {
        Self { known: vec![LabColor::new(PackedColor::DEFAULT); SLOTS] }
    }
}

impl ColorDistance {
    /// Whether two colors look the same, as [`LabColor::is_like`] has it; most are not looked up at all.
    #[inline]
    pub(crate) fn alike(&mut self, one: PackedColor, other: PackedColor, tolerance: f32) -> bool {
        one == other || (tolerance > 0.0 && self.see(one).is_like(&self.see(other), tolerance))
    }

    /// Whether nobody sees a difference between two cells.
    #[inline]
    pub(crate) fn is_alike(&mut self, want: PackedCell, show: PackedCell, tolerance: Tolerance) -> bool {
        want.glyph() == show.glyph() && self.looks_alike(want, show, tolerance)
    }

    /// The same of two that show one character, which few do.
    #[inline(never)]
    fn looks_alike(&mut self, want: PackedCell, show: PackedCell, tolerance: Tolerance) -> bool {
        want.modifier() == show.modifier()
            && self.alike(want.bg(), show.bg(), tolerance.rest)
            && self.alike(want.fg(), show.fg(), want.leeway(tolerance))
    }

    /// CellAttrs a color looks.
    #[inline]
    pub(crate) fn see(&mut self, color: PackedColor) -> LabColor {
        let slot = &mut self.known[color.slot(SLOTS)];
        if slot.color != color {
            slot.become_new(color);
        }
        *slot
    }
}

/// Where a color stands among all. Of the terminal's own, and of the sixteen that people choose, nobody knows.
fn place(color: PackedColor) -> Oklab {
    match color.shade() {
        ColorKind::Own | ColorKind::Indexed(0..16) => Oklab::new(f32::NAN, f32::NAN, f32::NAN),
        ColorKind::Indexed(index) => oklab(xterm(index)),
        ColorKind::Rgb(red, green, blue) => oklab(Srgb::new(red, green, blue)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    #[test]
    fn near_colors_are_alike_and_named_ones_are_only_themselves() {
        let mut distance = ColorDistance::default();
        let grey = |level| PackedColor::from(Color::Rgb(level, level, level));
        assert!(distance.alike(grey(100), grey(103), 0.02));
        assert!(!distance.alike(grey(100), grey(120), 0.02));
        assert!(!distance.alike(grey(100), grey(101), 0.0));
        assert!(!distance.alike(Color::Reset.into(), grey(0), 1.0));
        assert!(!distance.alike(Color::Red.into(), Color::LightRed.into(), 1.0));
        assert!(distance.alike(Color::Indexed(236).into(), Color::Indexed(237).into(), 0.05));
    }
}
