//! What colors mean, the style of one cell, and a color for each species, derived from a theme.

use palette::Oklch;
use ratatui_core::style::{Modifier, Style};

use super::colors::ThemeColors;
use super::ramp::{color_at, oklch, rgb};
use crate::cell::PackedColor;
use crate::color::{ColorDepth, ThemeColor};
use flockscope_sim::MAX_SPECIES;

/// The property of a boid that its color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
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
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The gradient (of headings, prey or species) and the position on it for something with these values.
    #[inline]
    pub fn position(self, heading: u8, speed: u8, density: u8, species: u8) -> (usize, u8) {
        match self {
            Self::Heading => (0, heading),
            Self::Speed => (1, speed),
            Self::Density => (1, density),
            Self::Species => (2, species % SPECIES as u8 * (256 / SPECIES) as u8),
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
    /// A color without modifiers.
    pub fn of(fg: PackedColor) -> Self {
        Self { fg, modifier: Modifier::empty() }
    }

    /// With another modifier.
    #[must_use]
    pub fn with(self, modifier: Modifier) -> Self {
        Self { modifier: self.modifier | modifier, ..self }
    }
}

impl From<Style> for CellStyle {
    fn from(style: Style) -> Self {
        Self { fg: style.fg.unwrap_or_default().into(), modifier: style.add_modifier }
    }
}

const SPECIES: usize = 8;
const _: () = assert!(SPECIES == MAX_SPECIES as usize, "a color for each");
/// Hues in eighths of the color circle from that of predators, less half an eighth: the first few are far from each
/// other and from predators.
const EIGHTHS: [f32; SPECIES] = [3.0, 6.0, 1.0, 5.0, 2.0, 4.0, 0.0, 7.0];
/// Those of the 16 colors that are readable on dark and on bright backgrounds. Red is mostly for predators; a
/// theme's predator color is skipped.
const SPECIES_INDICES: [u8; SPECIES + 1] = [6, 3, 2, 5, 4, 14, 10, 13, 12];
/// The dark start of the prey gradient, which is skipped.
const DARK: usize = 48;
/// The position on the prey gradient that gives all species their lightness.
const LIGHTNESS: u8 = 176;
/// The range of lightness in which hues are distinguishable on any background and in 256 colors.
const LIGHT: (f32, f32) = (0.45, 0.85);
/// The minimum chroma of a species color, and of a theme to derive hues for.
const CHROMA: (f32, f32) = (0.115, 0.035);

/// Colors for the species as the stops of a ring: hues around the circle, or shades of the prey in a gray theme.
pub fn species_colors(colors: &ThemeColors, depth: ColorDepth) -> [ThemeColor; SPECIES] {
    let prey = |index| color_at((&colors.prey, false), index);
    let predator = color_at((&colors.predators, false), 128);
    let (ThemeColor::Rgb(light), false) = (prey(LIGHTNESS), depth == ColorDepth::Colors16) else {
        let predator = depth.color(predator);
        let mut others =
            SPECIES_INDICES.map(ThemeColor::Ansi).into_iter().filter(|named| depth.color(*named) != predator);
        return std::array::from_fn(|_| others.next().unwrap_or(ThemeColor::Terminal));
    };
    let chroma = |stop: &ThemeColor| if let ThemeColor::Rgb(color) = stop { oklch(*color).chroma } else { 0.0 };
    let most = colors.prey.iter().chain(&colors.heading).map(chroma).fold(0.0, f32::max);
    if most < CHROMA.1 {
        // Alternating light and dark, so that the first few differ most.
        return [7, 0, 4, 2, 6, 1, 5, 3].map(|species| prey((DARK + species * (255 - DARK) / (SPECIES - 1)) as u8));
    }
    let hue = match predator {
        ThemeColor::Rgb(color) => oklch(color).hue.into_degrees(),
        ThemeColor::Terminal | ThemeColor::Ansi(_) => 30.0,
    };
    let (lightness, chroma) = (oklch(light).l.clamp(LIGHT.0, LIGHT.1), most.clamp(CHROMA.0, 0.19));
    EIGHTHS.map(|eighths| ThemeColor::Rgb(rgb(Oklch::new(lightness, chroma, hue + 45.0 * (eighths + 0.5)))))
}

/// The modifier that distinguishes a species in monochrome.
pub fn species_modifier(species: u8) -> Modifier {
    [Modifier::empty(), Modifier::BOLD, Modifier::DIM][usize::from(species) % 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::builtin::all;

    #[test]
    fn the_first_three_species_and_predators_differ_in_every_theme() {
        for (name, theme) in all() {
            for depth in [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16] {
                let mut colors: Vec<_> =
                    species_colors(&theme, depth)[..3].iter().map(|color| depth.color(*color)).collect();
                colors.push(depth.color(color_at((&theme.predators, false), 128)));
                for (index, color) in colors.iter().enumerate() {
                    assert!(!colors[..index].contains(color), "{name} in {depth:?}: {colors:?}");
                }
            }
        }
    }
}
