//! The colours of species, made from a theme.

use palette::Oklch;
use ratatui::style::Modifier;

use super::ramp::{at, oklch, rgb};
use crate::config::{Paint, Theme};
use crate::sim::MAX_SPECIES;
use crate::viewer::ColorDepth;

/// How many species are told apart.
const SPECIES: usize = 8;
const _: () = assert!(SPECIES == MAX_SPECIES as usize, "a colour for each");
/// Eighths of the circle of hues from that of predators, less half of one: the first few lie far from each other and
/// from predators, whose neighbours come last.
const EIGHTHS: [f32; SPECIES] = [3.0, 6.0, 1.0, 5.0, 2.0, 4.0, 0.0, 7.0];
/// Of sixteen colours those that are told apart on dark ground and on light; red is mostly the predators', and one that
/// is theirs in a theme is passed over.
const NAMED: [u8; SPECIES + 1] = [6, 3, 2, 5, 4, 14, 10, 13, 12];
/// How much of the prey's ramp is passed over, which is dark.
const DARK: usize = 48;
/// The place on the prey's ramp that gives all species their lightness.
const LIGHTNESS: u8 = 176;
/// Between these hues are told apart, on any ground and in 256 colours.
const LIGHT: (f32, f32) = (0.45, 0.85);
/// The least chroma at which hues are told apart, and the least that a theme with hues must have.
const CHROMA: (f32, f32) = (0.115, 0.035);

/// A colour for each species, as a ring of stops: hues around the circle, as light as a theme's prey; shades of its prey
/// where a theme has no hues.
pub(crate) fn hues(theme: &Theme, depth: ColorDepth) -> [Paint; SPECIES] {
    let colors = &theme.colors;
    let chroma = |stops: &[Paint]| {
        let chromas = stops.iter().map(|stop| if let Paint::Rgb(color) = stop { oklch(*color).chroma } else { 0.0 });
        chromas.fold(0.0, f32::max)
    };
    let (Paint::Rgb(prey), false) = (at(&colors.prey, false, LIGHTNESS), depth == ColorDepth::Ansi) else {
        let feared = depth.color(at(&colors.predators, false, 128));
        let mut others = NAMED.map(Paint::Ansi).into_iter().filter(|named| depth.color(*named) != feared);
        return std::array::from_fn(|_| others.next().unwrap_or(Paint::Terminal));
    };
    let most = chroma(&colors.prey).max(chroma(&colors.heading));
    if most < CHROMA.1 {
        let shade = |species: usize| at(&colors.prey, false, (DARK + species * (255 - DARK) / (SPECIES - 1)) as u8);
        // Light, dark and between, rather than one shade after the other.
        return [7, 0, 4, 2, 6, 1, 5, 3].map(shade);
    }
    let feared = match at(&colors.predators, false, 128) {
        Paint::Rgb(color) => oklch(color).hue.into_degrees(),
        Paint::Terminal | Paint::Ansi(_) => 30.0,
    };
    let (lightness, chroma) = (oklch(prey).l.clamp(LIGHT.0, LIGHT.1), most.clamp(CHROMA.0, 0.19));
    EIGHTHS.map(|eighths| Paint::Rgb(rgb(Oklch::new(lightness, chroma, feared + 45.0 * (eighths + 0.5)))))
}

/// The place of a species on a ramp from its stops.
pub(crate) fn place(species: u8) -> u8 {
    species % SPECIES as u8 * (256 / SPECIES) as u8
}

/// How a species is told without colours.
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
                let mut colors: Vec<_> = hues(&theme, depth)[..3].iter().map(|hue| depth.color(*hue)).collect();
                colors.push(depth.color(at(&theme.colors.predators, false, 128)));
                for (place, color) in colors.iter().enumerate() {
                    assert!(!colors[..place].contains(color), "{} in {depth:?}: {colors:?}", theme.name);
                }
            }
        }
    }
}
