//! Whether two colours look the same.

use palette::color_difference::EuclideanDistance;
use palette::{Oklab, Srgb};

use super::color::{oklab, xterm};
use super::ink::{Shade, Tint};

/// How many colours are kept at hand; a power of two.
const SLOTS: usize = 4096;

/// How much more colours may differ that are among xterm's 256.
const STEP: f32 = 1.4;

/// Compares colours by their distance in `OKLab`, and keeps what it has found out.
#[derive(Debug)]
pub(super) struct Likeness {
    known: Vec<Seen>,
}

/// A colour as it is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    tint: Tint,
    place: Oklab,
    /// Whether the terminal alone knows how it looks.
    named: bool,
    /// One of xterm's 256.
    indexed: bool,
}

impl Seen {
    fn new(tint: Tint) -> Self {
        let indexed = matches!(tint.shade(), Shade::Indexed(_));
        Self { tint, place: place(tint), named: named(tint), indexed }
    }

    /// Whether two colours are at most `tolerance` apart in `OKLab`, where about 0.02 can just be seen
    /// side by side.
    #[inline]
    pub(super) fn is_like(&self, other: &Self, tolerance: f32) -> bool {
        if self.tint == other.tint {
            return true;
        }
        if tolerance <= 0.0 || self.named || other.named {
            return false;
        }
        // Among xterm's 256 neighbours are a step apart that is seen anyway.
        let tolerance = if self.indexed && other.indexed { STEP * tolerance } else { tolerance };
        self.place.distance_squared(other.place) <= tolerance * tolerance
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
    pub(super) fn alike(&mut self, one: Tint, other: Tint, tolerance: f32) -> bool {
        one == other || (tolerance > 0.0 && self.see(one).is_like(&self.see(other), tolerance))
    }

    /// How a colour looks.
    #[inline]
    pub(super) fn see(&mut self, tint: Tint) -> Seen {
        let slot = &mut self.known[tint.slot(SLOTS)];
        if slot.tint != tint {
            *slot = Seen::new(tint);
        }
        *slot
    }
}

/// Whether the terminal alone knows how a colour looks: its own, and the sixteen that people choose.
#[inline]
fn named(tint: Tint) -> bool {
    matches!(tint.shade(), Shade::Own | Shade::Indexed(0..16))
}

fn place(tint: Tint) -> Oklab {
    oklab(match tint.shade() {
        Shade::Own => Srgb::new(0, 0, 0),
        Shade::Indexed(index) => xterm(index),
        Shade::Rgb(red, green, blue) => Srgb::new(red, green, blue),
    })
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
