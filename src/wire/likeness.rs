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
    known: Vec<(Tint, Oklab)>,
}

impl Default for Likeness {
    fn default() -> Self {
        // What the terminal shows as its own nobody knows: it is never asked for.
        Self { known: vec![(Tint::OWN, Oklab::new(0.0, 0.0, 0.0)); SLOTS] }
    }
}

impl Likeness {
    /// Whether two colours are at most `tolerance` apart in `OKLab`, where about 0.02 can just be seen
    /// side by side.
    #[inline]
    pub(super) fn alike(&mut self, one: Tint, other: Tint, tolerance: f32) -> bool {
        if one == other {
            return true;
        }
        if tolerance <= 0.0 || named(one) || named(other) {
            return false;
        }
        // Among xterm's 256 neighbours are a step apart that is seen anyway.
        let few = matches!(one.shade(), Shade::Indexed(_)) && matches!(other.shade(), Shade::Indexed(_));
        let tolerance = if few { STEP * tolerance } else { tolerance };
        let (one, other) = (self.place(one), self.place(other));
        one.distance_squared(other) <= tolerance * tolerance
    }

    #[inline]
    fn place(&mut self, tint: Tint) -> Oklab {
        let slot = &mut self.known[tint.slot(SLOTS)];
        if slot.0 != tint {
            *slot = (tint, place(tint));
        }
        slot.1
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
