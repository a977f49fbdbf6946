//! The light behind the flock: dark on a dark ground, a tint on a light one.

use palette::{IntoColor, Mix, Oklab, Oklch};
use ratatui::style::Color;

use super::ramp::{at, oklch, rgb};
use super::resolved::Coloring;
use super::species;
use crate::canvas;
use crate::config::{Rgb, ThemeColor};
use crate::viewer::ColorDepth;

/// On how many places of a ramp a light is mixed: the canvas has no finer steps.
const PLACES: usize = 32;
const LEVELS: usize = canvas::Glow::LEVELS as usize;

/// On a dark ground: the least lightness and the most, and the most chroma. Heads are twice as light.
const DARK: (f32, f32, f32) = (0.13, 0.34, 0.105);
/// On a light ground: how much darker than it the weakest light is and the strongest, and the most chroma.
const LIGHT: (f32, f32, f32) = (0.03, 0.15, 0.085);
/// The share of its chroma that the weakest light has.
const PALE: f32 = 0.3;
/// The share of its strength below which a light fades into the ground, so that it has no edge.
const EDGE: f32 = 0.35;
/// How much of what was painted behind it the strongest light hides.
const HIDES: f32 = 0.85;

/// A theme's lights, by level and place.
#[derive(Debug)]
pub(crate) struct GlowRamps {
    heading: Vec<[Rgb; PLACES]>,
    speed: Vec<[Rgb; PLACES]>,
    species: Vec<[Rgb; PLACES]>,
    depth: ColorDepth,
    shown: [Vec<[Color; PLACES]>; 3],
}

impl GlowRamps {
    /// The lights of a theme's ramps; none where there are too few colors, or ramps of the terminal's own.
    pub(crate) fn new(
        heading: &[ThemeColor],
        prey: &[ThemeColor],
        species: &[ThemeColor],
        far: Rgb,
        depth: ColorDepth,
    ) -> Option<Self> {
        let mixed = |stops: &[ThemeColor]| stops.iter().all(|stop| matches!(stop, ThemeColor::Rgb(_)));
        if !depth.can_blend() || !mixed(heading) || !mixed(prey) {
            return None;
        }
        let lights = |stops: &[ThemeColor], ring: bool| -> Vec<[Rgb; PLACES]> {
            let light = |level: usize, place: usize| {
                let place = if ring { place * 256 / PLACES } else { place * 255 / (PLACES - 1) };
                let ThemeColor::Rgb(source) = at(stops, ring, place as u8) else { return far };
                let share = level as f32 / LEVELS as f32;
                // Of 256 colors those that are dark and not grey are too strong by far.
                if depth == ColorDepth::Indexed && oklch(far).l < 0.5 {
                    light(Rgb::new(128, 128, 128), far, share)
                } else {
                    light(source, far, share)
                }
            };
            (0..=LEVELS).map(|level| std::array::from_fn(|place| light(level, place))).collect()
        };
        let (heading, speed, species) = (lights(heading, true), lights(prey, false), lights(species, true));
        let shown = [&heading, &speed, &species].map(|lights| {
            lights.iter().map(|places| places.map(|light| depth.color(ThemeColor::Rgb(light)))).collect::<Vec<_>>()
        });
        Some(Self { heading, speed, species, depth, shown })
    }

    /// The light of a cell on the ground that it was mixed for.
    pub(crate) fn color(&self, glow: canvas::Glow, coloring: Coloring) -> Color {
        let (ramp, place) = place(glow, coloring);
        self.shown[ramp][usize::from(glow.level)][place]
    }

    /// The light of a cell over another color, as a sky.
    pub(crate) fn over(&self, ground: Rgb, glow: canvas::Glow, coloring: Coloring) -> Color {
        let (ramp, place) = place(glow, coloring);
        let lights = [&self.heading, &self.speed, &self.species][ramp];
        let share = HIDES * f32::from(glow.level) / LEVELS as f32;
        let (ground, light) = (ground.into_format::<f32>(), lights[LEVELS][place].into_format::<f32>());
        self.depth.color(ThemeColor::Rgb(ground.mix(light, share).into_format()))
    }
}

/// Which ramp a glow is read from, and where.
fn place(glow: canvas::Glow, coloring: Coloring) -> (usize, usize) {
    match coloring {
        Coloring::Heading => (0, usize::from(glow.heading) * PLACES / 256),
        Coloring::Speed => (1, usize::from(glow.speed) * PLACES / 256),
        Coloring::Species => (2, usize::from(species::place(glow.species)) * PLACES / 256),
        Coloring::Density => (1, usize::from(glow.level) * (PLACES - 1) / LEVELS),
    }
}

/// The light that has `source`'s hue, before `far`, at a share of its strength.
fn light(source: Rgb, far: Rgb, share: f32) -> Rgb {
    let (source, ground) = (oklch(source), oklch(far));
    let dark = ground.l < 0.5;
    let (least, most, chroma) = if dark { DARK } else { LIGHT };
    let strength = least + (most - least) * share;
    let l = if dark { strength.max(ground.l + 0.5 * share * most) } else { ground.l - strength };
    let light: Oklab =
        Oklch::new(l, source.chroma.min(chroma) * (PALE + (1.0 - PALE) * share), source.hue).into_color();
    let ground: Oklab = ground.into_color();
    rgb(ground.mix(light, (share / EDGE).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Theme;

    fn glow(level: u8) -> canvas::Glow {
        canvas::Glow { level, heading: 40, speed: 64, species: 0 }
    }

    #[test]
    fn lights_stay_well_below_the_heads_on_every_ground() {
        for theme in Theme::builtin() {
            let colors = theme.colors;
            let ((ThemeColor::Rgb(far), _) | (_, ThemeColor::Rgb(far))) = (colors.background, colors.far) else {
                continue;
            };
            let Some(lights) = GlowRamps::new(&colors.heading, &colors.prey, &colors.prey, far, ColorDepth::Truecolor)
            else {
                continue;
            };
            for place in (0..=255).step_by(8) {
                let ThemeColor::Rgb(head) = at(&colors.heading, true, place) else { continue };
                for level in 1..=canvas::Glow::LEVELS {
                    let glow = canvas::Glow { level, heading: place, speed: place, species: 0 };
                    let Color::Rgb(r, g, b) = lights.color(glow, Coloring::Heading) else { panic!() };
                    let apart = (oklch(head).l - oklch(Rgb::new(r, g, b)).l).abs();
                    assert!(apart > 0.15, "{} {place} {level}: {apart}", theme.name);
                }
            }
        }
    }

    #[test]
    fn a_light_ground_gets_tints_and_few_colors_get_nothing() {
        let colors = Theme::load("paper").unwrap().colors;
        let ThemeColor::Rgb(far) = colors.background else { panic!() };
        let lights = |depth| GlowRamps::new(&colors.heading, &colors.prey, &colors.heading, far, depth);
        let Color::Rgb(r, g, b) = lights(ColorDepth::Truecolor).unwrap().color(glow(5), Coloring::Heading) else {
            panic!()
        };
        assert!(r.min(g).min(b) > 150, "{r} {g} {b}");
        assert!(lights(ColorDepth::Ansi).is_none() && lights(ColorDepth::Mono).is_none());
    }

    #[test]
    fn a_sky_shows_through_a_weak_light() {
        let colors = Theme::load("dusk").unwrap().colors;
        let lights =
            GlowRamps::new(&colors.heading, &colors.prey, &colors.prey, Rgb::new(0, 0, 0), ColorDepth::Truecolor)
                .unwrap();
        let sky = Rgb::new(10, 20, 60);
        let off = |level| {
            let Color::Rgb(r, g, b) = lights.over(sky, glow(level), Coloring::Heading) else { panic!() };
            u32::from(r.abs_diff(10)) + u32::from(g.abs_diff(20)) + u32::from(b.abs_diff(60))
        };
        assert!(off(1) > 0 && off(1) < off(5) && off(5) < off(9), "{} {} {}", off(1), off(5), off(9));
    }
}
