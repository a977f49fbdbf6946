//! Compares colors by how they look, and maps those of braille dots to a small palette, so that the pen changes less often.

use palette::Oklab;
use palette::color_difference::EuclideanDistance;

use crate::picture::{CellAttrs, PackedCell, PackedColor, oklab};

/// Number of slots; a power of two.
const SIZE: usize = 4096;
/// The palette's share of the tolerance. Stricter, because palette colors appear everywhere, and coarse steps would be visible.
const PALETTE_SHARE: f32 = 0.65;
/// With more colors than this the palette starts again: most are of a theme that is gone.
const MAX_PALETTE: usize = 256;

/// How far apart in `OKLab` colors may be and still pass for equal. A difference of about 0.02 is just visible between large
/// areas side by side; thin dots hide more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// For thin dots: braille.
    pub dots: f32,
    /// For everything else: backgrounds, letters, blocks.
    pub rest: f32,
    /// For the background of blank cells: beside a sky, a small difference shows as a square.
    pub blank: f32,
}

impl Tolerance {
    /// No difference.
    pub const EXACT: Self = Self { dots: 0.0, rest: 0.0, blank: 0.0 };
    /// A difference that is hardly visible in moving dots, letters and blocks.
    pub const FINE: Self = Self { dots: 0.06, rest: 0.025, blank: 0.0 };
    /// A difference that is visible but acceptable on a slow link.
    pub(crate) const COARSE: Self = Self { dots: 0.12, rest: 0.05, blank: 0.05 };
}

/// A color with its place in `OKLab`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabColor {
    pub(super) color: PackedColor,
    /// Not a number if only the terminal knows the color: no distance from it is small.
    lab: Oklab,
}

impl LabColor {
    #[cold]
    pub(super) fn new(color: PackedColor) -> Self {
        Self { color, lab: color.rgb().map_or(Oklab::new(f32::NAN, f32::NAN, f32::NAN), oklab) }
    }

    /// Whether the place in `OKLab` is known.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        !self.lab.l.is_nan()
    }

    /// Whether two colors are equal or at most `tolerance` apart.
    #[inline]
    #[allow(clippy::needless_bitwise_bool, reason = "a branch would be mispredicted often")]
    pub(super) fn is_like(&self, other: &Self, tolerance: f32) -> bool {
        // Neighbors among xterm's 256 are a visible step apart anyway, so they may differ more.
        let factor = [1.0, 1.4][usize::from(self.color.is_indexed() & other.color.is_indexed())];
        let most = factor * tolerance;
        let is_near = (tolerance > 0.0) & (self.lab.distance_squared(other.lab) <= most * most);
        is_near | (self.color == other.color)
    }
}

/// Caches the place of colors in `OKLab` and their index in the palette, which grows with the colors it sees.
#[derive(Debug)]
pub(super) struct ColorCache {
    slots: Vec<Slot>,
    palette: Vec<LabColor>,
    tolerance: Tolerance,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    color: LabColor,
    index: Option<u16>,
}

impl Default for ColorCache {
    fn default() -> Self {
        let color = LabColor::new(PackedColor::DEFAULT);
        Self { slots: vec![Slot { color, index: None }; SIZE], palette: vec![color], tolerance: Tolerance::EXACT }
    }
}

impl ColorCache {
    #[inline]
    fn slot(&mut self, color: PackedColor) -> &mut Slot {
        let slot = &mut self.slots[color.slot(SIZE)];
        if slot.color.color != color {
            *slot = Slot { color: LabColor::new(color), index: None };
        }
        slot
    }

    /// The color in `OKLab`.
    #[inline]
    pub(super) fn lab(&mut self, color: PackedColor) -> LabColor {
        self.slot(color).color
    }

    /// Whether two colors are equal or at most `tolerance` apart.
    #[inline]
    pub(super) fn colors_alike(&mut self, one: PackedColor, other: PackedColor, tolerance: f32) -> bool {
        one == other || (tolerance > 0.0 && self.lab(one).is_like(&self.lab(other), tolerance))
    }

    /// Whether two cells look alike.
    #[inline]
    pub(super) fn cells_alike(&mut self, one: PackedCell, other: PackedCell) -> bool {
        // Few have the same glyph.
        one.glyph() == other.glyph()
            && self.attrs_alike(other.attrs, one)
            && self.colors_alike(one.fg(), other.fg(), self.fg_tolerance(one))
    }

    /// Whether a cell looks alike with other attributes.
    #[inline]
    pub(super) fn attrs_alike(&mut self, attrs: CellAttrs, cell: PackedCell) -> bool {
        let tolerance = if cell.is_blank() { self.tolerance.blank } else { self.tolerance.rest };
        // Most are equal.
        attrs == cell.attrs
            || attrs.modifier() == cell.modifier() && self.colors_alike(attrs.bg(), cell.bg(), tolerance)
    }

    /// How far the foreground of a cell may be off: thin dots hide more than letters and blocks do.
    #[inline]
    pub(super) fn fg_tolerance(&self, cell: PackedCell) -> f32 {
        if cell.is_braille() { self.tolerance.dots } else { self.tolerance.rest }
    }

    /// Sets the tolerance. Starts a new palette if that for dots changed, or if the palette is too large.
    #[inline]
    pub(super) fn set_tolerance(&mut self, tolerance: Tolerance) {
        if self.tolerance.dots != tolerance.dots || self.palette.len() > MAX_PALETTE {
            *self = Self::default();
        }
        self.tolerance = tolerance;
    }

    /// The index of the palette's color for this one.
    #[inline]
    pub(super) fn palette_index(&mut self, color: PackedColor) -> u16 {
        let slot = *self.slot(color);
        slot.index.unwrap_or_else(|| self.quantize(slot.color))
    }

    #[cold]
    fn quantize(&mut self, color: LabColor) -> u16 {
        let tolerance = PALETTE_SHARE * self.tolerance.dots;
        let found = self.palette.iter().position(|known| known.is_like(&color, tolerance));
        let index = found.unwrap_or_else(|| {
            self.palette.push(color);
            self.palette.len() - 1
        });
        self.slot(color.color).index = Some(index as u16);
        index as u16
    }

    /// A color of the palette.
    #[inline]
    pub(super) fn palette_color(&self, index: u16) -> LabColor {
        self.palette[usize::from(index)]
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    #[test]
    fn only_colors_with_a_known_place_have_neighbors() {
        let mut cache = ColorCache::default();
        let mut alike = |one: Color, other: Color, tolerance| cache.colors_alike(one.into(), other.into(), tolerance);
        let gray = |level| Color::Rgb(level, level, level);
        assert!(alike(gray(100), gray(103), 0.02));
        assert!(!alike(gray(100), gray(120), 0.02));
        assert!(!alike(gray(100), gray(101), 0.0));
        assert!(!alike(Color::Reset, gray(0), 1.0));
        assert!(!alike(Color::Red, Color::LightRed, 1.0));
        assert!(alike(Color::Indexed(236), Color::Indexed(237), 0.05));
    }

    fn colors(count: u16) -> impl Iterator<Item = PackedColor> {
        (0..count)
            .map(|at| PackedColor::from(Color::Rgb((at * 7 % 256) as u8, (at * 3 % 256) as u8, (at / 2 % 256) as u8)))
    }

    #[test]
    fn a_small_palette_is_near_many_colors() {
        let mut cache = ColorCache::default();
        let tolerance = Tolerance { dots: 0.06 / PALETTE_SHARE, ..Tolerance::EXACT };
        cache.set_tolerance(tolerance);
        // Twice, to use the cache, in which colors can share a slot.
        for color in colors(600).chain(colors(600)) {
            cache.set_tolerance(tolerance);
            let lab = cache.lab(color);
            let index = cache.palette_index(color);
            assert_eq!(lab.color, color);
            assert!(cache.palette_color(index).is_like(&lab, 0.06), "{color:?}");
        }
        assert!((20..200).contains(&cache.palette.len()), "{}", cache.palette.len());
    }

    #[test]
    fn without_tolerance_the_palette_has_each_color_until_it_is_full() {
        let mut cache = ColorCache::default();
        for color in colors(MAX_PALETTE as u16 + 1) {
            let index = cache.palette_index(color);
            assert_eq!(cache.palette_color(index).color, color);
        }
        cache.set_tolerance(Tolerance::EXACT);
        assert_eq!(cache.palette.len(), 1);
        assert_eq!(cache.palette_index(PackedColor::DEFAULT), 0);
    }
}
