//! How far apart colors may be, and their places in `OKLab`.

use palette::Oklab;
use palette::color_difference::EuclideanDistance;

use crate::picture::{PackedColor, oklab};

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
