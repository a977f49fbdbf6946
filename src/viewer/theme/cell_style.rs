//! What colors mean, and the style of one cell.

use ratatui::style::{Modifier, Style};

use super::species::ramp_index;
use crate::terminal::PackedColor;

/// The property of a boid that its color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coloring {
    /// Direction of flight.
    #[default]
    Heading,
    /// Speed.
    Speed,
    /// Number of boids nearby.
    Density,
    /// Species.
    Species,
}

impl Coloring {
    /// The next one, wrapping around; `Species` only if the flock has several.
    #[must_use]
    pub fn next(self, has_species: bool) -> Self {
        match self {
            Self::Heading => Self::Speed,
            Self::Speed => Self::Density,
            Self::Density if has_species => Self::Species,
            Self::Density | Self::Species => Self::Heading,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Species => "species",
        }
    }

    /// The gradient (of headings, prey or species) and the position on it for something with these values.
    #[inline]
    pub(super) fn position(self, heading: u8, speed: u8, density: u8, species: u8) -> (usize, u8) {
        match self {
            Self::Heading => (0, heading),
            Self::Speed => (1, speed),
            Self::Density => (1, density),
            Self::Species => (2, ramp_index(species)),
        }
    }
}

/// The color and modifiers of a glyph: the part of a [`Style`] that flock cells need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellStyle {
    /// The foreground color.
    pub fg: PackedColor,
    /// The modifiers.
    pub modifier: Modifier,
}

impl CellStyle {
    pub(super) fn of(fg: PackedColor) -> Self {
        Self { fg, modifier: Modifier::empty() }
    }

    pub(super) fn with(self, modifier: Modifier) -> Self {
        Self { modifier: self.modifier | modifier, ..self }
    }
}

impl From<Style> for CellStyle {
    fn from(style: Style) -> Self {
        Self { fg: style.fg.unwrap_or_default().into(), modifier: style.add_modifier }
    }
}
