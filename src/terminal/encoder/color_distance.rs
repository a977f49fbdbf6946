//! Whether two colours look the same.

use palette::color_difference::EuclideanDistance;
use palette::{Oklab, Srgb};

use super::packed_cell::{Ink, Shade, Tint};
use crate::terminal::Tolerance;
use crate::terminal::color::{oklab, xterm};

/// How many colours are kept at hand; a power of two.
const SLOTS: usize = 4096;

/// How much more colours may differ: any, and two that are among xterm's 256.
const STEP: [f32; 2] = [1.0, 1.4];

/// Compares colours by their distance in `OKLab`, and keeps what it has found out.
#[derive(Debug)]
pub(crate) struct Likeness {
    known: Vec<Seen>,
}

/// A colour as it is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    tint: Tint,
    /// Nowhere, and so near to nothing, where the terminal alone knows how it looks.
    place: Oklab,
}

impl Seen {
    pub(crate) fn new(tint: Tint) -> Self {
        Self { tint, place: place(tint) }
    }

    pub(crate) fn tint(&self) -> Tint {
        self.tint
    }

    /// Whether anybody knows how it looks.
    #[inline]
    pub(crate) fn is_placed(&self) -> bool {
        !self.place.l.is_nan()
    }

    #[cold]
    fn become_new(&mut self, tint: Tint) {
        *self = Self::new(tint);
    }

    /// Whether two colours are at most `tolerance` apart in `OKLab`, where about 0.02 can just be seen
    /// side by side.
    #[inline]
    #[allow(clippy::needless_bitwise_bool, reason = "nobody foresees which it is: a branch costs more than all of it")]
    pub(crate) fn is_like(&self, other: &Self, tolerance: f32) -> bool {
        // Among xterm's 256 neighbours are a step apart that is seen anyway.
        let most = STEP[usize::from(self.tint.is_indexed() & other.tint.is_indexed())] * tolerance;
        let is_near = (tolerance > 0.0) & (self.place.distance_squared(other.place) <= most * most);
        is_near | (self.tint == other.tint)
    }
}

impl Default for Likeness {
    fn default() -> Self {
        Self { known: vec![Seen::new(Tint::OWN); SLOTS] }
    }
}

impl Likeness {
    /// Whether two colours look the same, as [`Seen::is_like`] has it; most are not looked up at all.
    #[inline]
    pub(crate) fn alike(&mut self, one: Tint, other: Tint, tolerance: f32) -> bool {
        one == other || (tolerance > 0.0 && self.see(one).is_like(&self.see(other), tolerance))
    }

    /// Whether nobody sees a difference between two cells.
    #[inline]
    pub(crate) fn is_alike(&mut self, want: Ink, show: Ink, tolerance: Tolerance) -> bool {
        want.glyph() == show.glyph() && self.looks_alike(want, show, tolerance)
    }

    /// The same of two that show one character, which few do.
    #[inline(never)]
    fn looks_alike(&mut self, want: Ink, show: Ink, tolerance: Tolerance) -> bool {
        want.modifier() == show.modifier()
            && self.alike(want.bg(), show.bg(), tolerance.rest)
            && self.alike(want.fg(), show.fg(), want.leeway(tolerance))
    }

    /// How a colour looks.
    #[inline]
    pub(crate) fn see(&mut self, tint: Tint) -> Seen {
        let slot = &mut self.known[tint.slot(SLOTS)];
        if slot.tint != tint {
            slot.become_new(tint);
        }
        *slot
    }
}

/// Where a colour stands among all. Of the terminal's own, and of the sixteen that people choose, nobody knows.
fn place(tint: Tint) -> Oklab {
    match tint.shade() {
        Shade::Own | Shade::Indexed(0..16) => Oklab::new(f32::NAN, f32::NAN, f32::NAN),
        Shade::Indexed(index) => oklab(xterm(index)),
        Shade::Rgb(red, green, blue) => oklab(Srgb::new(red, green, blue)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    #[test]
    fn near_colours_are_alike_and_named_ones_are_only_themselves() {
        let mut likeness = Likeness::default();
        let grey = |level| Tint::from(Color::Rgb(level, level, level));
        assert!(likeness.alike(grey(100), grey(103), 0.02));
        assert!(!likeness.alike(grey(100), grey(120), 0.02));
        assert!(!likeness.alike(grey(100), grey(101), 0.0));
        assert!(!likeness.alike(Color::Reset.into(), grey(0), 1.0));
        assert!(!likeness.alike(Color::Red.into(), Color::LightRed.into(), 1.0));
        assert!(likeness.alike(Color::Indexed(236).into(), Color::Indexed(237).into(), 0.05));
    }
}
