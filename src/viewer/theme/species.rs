//! The colors of species, made from a theme.

use palette::Oklch;
use ratatui::style::Modifier;

use super::ramp::{at, oklch, rgb};
use crate::config::{Theme, ThemeColor};
use crate::sim::MAX_SPECIES;
use crate::viewer::ColorDepth;

/// How many species are told apart.
const SPECIES: usize = 8;
const _: () = assert!(SPECIES == MAX_SPECIES as usize, "a color for each");
/// Eighths of the circle of species_colors from that of predators, less half of one: the first few lie far from each other and
/// from predators, whose neighbors come last.
const EIGHTHS: [f32; SPECIES] = [3.0, 6.0, 1.0, 5.0, 2.0, 4.0, 0.0, 7.0];
/// Of sixteen colors those that are told apart on dark ground and on light; red is mostly the predators', and one that
/// is theirs in a theme is passed over.
const NAMED: [u8; SPECIES + 1] = [6, 3, 2, 5, 4, 14, 10, 13, 12];
/// How much of the prey's ramp is passed over, which is dark.
const DARK: usize = 48;
/// The place on the prey's ramp that gives all species their lightness.
const LIGHTNESS: u8 = 176;
/// Between these species_colors are told apart, on any ground and in 256 colors.
const LIGHT: (f32, f32) = (0.45, 0.85);
/// The least chroma at which species_colors are told apart, and the least that a theme with species_colors must have.
const CHROMA: (f32, f32) = (0.115, 0.035);

/// A color for each species, as a ring of stops: species_colors around the circle, as light as a theme's prey; shades of its prey
/// where a theme has no species_colors.
pub(crate) fn species_colors(theme: &Theme, depth: ColorDepth) -> [ThemeColor; SPECIES] {
    let colors = &theme.colors;
    let chroma = |stops: &[ThemeColor]| {
        let chromas =
            stops.iter().map(|stop| if let ThemeColor::Rgb(color) = stop { oklch(*color).chroma } else { 0.0 });
        chromas.fold(0.0, f32::max)
    };
    let (ThemeColor::Rgb(prey), false) = (at(&colors.prey, false, LIGHTNESS), depth == ColorDepth::Ansi) else {
        let predator = depth.color(at(&colors.predators, false, 128));
        let mut others = NAMED.map(ThemeColor::Ansi).into_iter().filter(|named| depth.color(*named) != predator);
        return std::array::from_fn(|_| others.next().unwrap_or(ThemeColor::Terminal));
    };
    let most = chroma(&colors.prey).max(chroma(&colors.heading));
    if most < CHROMA.1 {
        let shade = |species: usize| at(&colors.prey, false, (DARK + species * (255 - DARK) / (SPECIES - 1)) as u8);
        // Light, dark and between, rather than one shade after the other.
        return [7, 0, 4, 2, 6, 1, 5, 3].map(shade);
    }
    let predator = match at(&colors.predators, false, 128) {
        ThemeColor::Rgb(color) => oklch(color).hue.into_degrees(),
        ThemeColor::Terminal | ThemeColor::Ansi(_) => 30.0,
    };
    let (lightness, chroma) = (oklch(prey).l.clamp(LIGHT.0, LIGHT.1), most.clamp(CHROMA.0, 0.19));
    EIGHTHS.map(|eighths| ThemeColor::Rgb(rgb(Oklch::new(lightness, chroma, predator + 45.0 * (eighths + 0.5)))))
}

/// The place of a species on a ramp from its stops.
pub(crate) fn place(species: u8) -> u8 {
    species % SPECIES as u8 * (256 / SPECIES) as u8
}

/// How a species is told without colors.
pub(crate) fn weight(species: u8) -> Modifier {
    [Modifier::empty(), Modifier::BOLD, Modifier::DIM][usize::from(species) % 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_three_species_differ_in_every_theme_and_from_predators() {
        for theme in Theme::builtin() {
            for depth in [ColorDepth::Truecolor, ColorDepth::Indexed, ColorDepth::Ansi] {
                let mut colors: Vec<_> =
                    species_colors(&theme, depth)[..3].iter().map(|hue| depth.color(*hue)).collect();
                colors.push(depth.color(at(&theme.colors.predators, false, 128)));
                for (place, color) in colors.iter().enumerate() {
                    assert!(!colors[..place].contains(color), "{} in {depth:?}: {colors:?}", theme.name);
                }
            }
        }
    }
}
