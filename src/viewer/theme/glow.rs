//! The colors of the glow behind the flock: dark tones on a dark background, tints on a bright one.

use palette::{IntoColor, Mix, Oklab, Oklch};
use ratatui::style::Color;

use super::cell_style::Coloring;
use super::ramp::{Gradient, color_at, oklch, rgb};
use crate::canvas::Glow;
use crate::config::{Rgb, ThemeColor};
use crate::viewer::ColorDepth;

/// The resolution of a glow ramp, as fine as the canvas reports headings and speeds.
const STEPS: usize = 32;
const LEVELS: usize = Glow::LEVELS as usize;

/// On a dark background: the minimum and maximum lightness, and the maximum chroma. Heads are more than twice as light,
/// and two levels differ by too little to see the cells.
const DARK: (f32, f32, f32) = (0.13, 0.29, 0.09);
/// On a bright background: how much darker the weakest and the strongest glow is, and the maximum chroma.
const BRIGHT: (f32, f32, f32) = (0.03, 0.15, 0.085);
/// The share of its chroma that the weakest glow has.
const PALE: f32 = 0.3;
/// The strength below which a glow fades into the background, so that it has no visible edge.
const EDGE: f32 = 0.6;
/// The position on a gradient of densities that gives the strongest glow its hue. The light end would be murky.
const DENSEST: f32 = 150.0;
/// The opacity of the strongest glow over a dark and over a bright sky. In front of a bright one it is the shade of the
/// boids.
const OPACITY: (f32, f32) = (0.85, 0.5);

/// A theme's glow colors for headings, speeds and species.
#[derive(Debug)]
pub(super) struct GlowRamps {
    /// By level and position.
    ramps: [Vec<[Color; STEPS]>; 3],
    /// The color that covers a sky, by position, and its opacity.
    cover: [[Rgb; STEPS]; 3],
    opacity: f32,
    depth: ColorDepth,
}

impl GlowRamps {
    /// The glow of the gradients of headings, prey and species. `None` if the terminal defines the colors of the theme
    /// itself, or has too few: between two of 256 the edges of the cells are visible.
    pub(super) fn new(gradients: [Gradient<'_>; 3], background: Rgb, depth: ColorDepth) -> Option<Self> {
        let is_rgb = |stop: &ThemeColor| matches!(stop, ThemeColor::Rgb(_));
        if depth != ColorDepth::Truecolor || !gradients[..2].iter().all(|(stops, _)| stops.iter().all(is_rgb)) {
            return None;
        }
        let dark = oklch(background).l < 0.5;
        let sources = |gradient: Gradient<'_>| -> [Rgb; STEPS] {
            std::array::from_fn(|step| {
                let index = if gradient.1 { step * 256 / STEPS } else { step * 255 / (STEPS - 1) };
                if let ThemeColor::Rgb(source) = color_at(gradient, index as u8) { source } else { background }
            })
        };
        let colors = |gradient: Gradient<'_>, level: usize| {
            sources(gradient).map(|source| glow_color(source, background, level as f32 / LEVELS as f32))
        };
        let shown = |colors: [Rgb; STEPS]| colors.map(|rgb| depth.color(ThemeColor::Rgb(rgb)));
        Some(Self {
            ramps: gradients.map(|gradient| (0..=LEVELS).map(|level| shown(colors(gradient, level))).collect()),
            cover: gradients.map(|gradient| if dark { colors(gradient, LEVELS) } else { sources(gradient) }),
            opacity: if dark { OPACITY.0 } else { OPACITY.1 },
            depth,
        })
    }

    /// The color of a glowing cell over the theme's background.
    pub(super) fn color(&self, glow: Glow, coloring: Coloring) -> Color {
        let (ramp, step) = position(glow, coloring);
        self.ramps[ramp][usize::from(glow.level)][step]
    }

    /// The color of a glowing cell over another color, such as a sky.
    pub(super) fn over(&self, behind: Rgb, glow: Glow, coloring: Coloring) -> Color {
        let (ramp, step) = position(glow, coloring);
        // Squared, so that the edge of the shade is not visible.
        let strength = f32::from(glow.level) / LEVELS as f32;
        let share = self.opacity * strength * strength;
        let (behind, light) = (behind.into_format::<f32>(), self.cover[ramp][step].into_format::<f32>());
        self.depth.color(ThemeColor::Rgb(behind.mix(light, share).into_format()))
    }
}

/// The ramp and the step in it that show a glow.
fn position(glow: Glow, coloring: Coloring) -> (usize, usize) {
    let density = f32::from(glow.level) / LEVELS as f32 * DENSEST;
    let (ramp, index) = coloring.position(glow.heading, glow.speed, density as u8, glow.species);
    (ramp, usize::from(index) * STEPS / 256)
}

/// A glow of `source`'s hue on a background, at a strength of 0 … 1.
fn glow_color(source: Rgb, background: Rgb, strength: f32) -> Rgb {
    let (source, background) = (oklch(source), oklch(background));
    let dark = background.l < 0.5;
    let (least, most, chroma) = if dark { DARK } else { BRIGHT };
    let offset = least + (most - least) * strength;
    let l = if dark { offset.max(background.l + 0.5 * strength * most) } else { background.l - offset };
    let chroma = source.chroma.min(chroma) * (PALE + (1.0 - PALE) * strength);
    let glow: Oklab = Oklch::new(l, chroma, source.hue).into_color();
    let background: Oklab = background.into_color();
    rgb(background.mix(glow, (strength / EDGE).min(1.0).powi(2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Theme;
    use crate::terminal::oklab;

    fn ramps(theme: &Theme, background: Rgb, depth: ColorDepth) -> Option<GlowRamps> {
        let colors = &theme.colors;
        GlowRamps::new([(&colors.heading, true), (&colors.prey, false), (&colors.prey, true)], background, depth)
    }

    fn glow(level: u8) -> Glow {
        Glow { level, heading: 40, speed: 64, species: 0 }
    }

    #[test]
    fn a_glow_stays_well_below_the_heads_on_every_background() {
        for theme in Theme::builtin() {
            let colors = &theme.colors;
            let ((ThemeColor::Rgb(far), _) | (_, ThemeColor::Rgb(far))) = (colors.background, colors.far) else {
                continue;
            };
            let Some(ramps) = ramps(&theme, far, ColorDepth::Truecolor) else { continue };
            for index in (0..=255).step_by(8) {
                let ThemeColor::Rgb(head) = color_at((&colors.heading, true), index) else { continue };
                for level in 1..=Glow::LEVELS {
                    let glow = Glow { level, heading: index, speed: index, species: 0 };
                    let Color::Rgb(r, g, b) = ramps.color(glow, Coloring::Heading) else { panic!() };
                    let contrast = (oklch(head).l - oklch(Rgb::new(r, g, b)).l).abs();
                    assert!(contrast > 0.15, "{} {index} {level}: {contrast}", theme.name);
                }
            }
        }
    }

    #[test]
    fn the_strongest_glow_stands_out_from_a_sky_and_the_weakest_does_not() {
        for (name, behind) in [("moon", Rgb::new(28, 43, 80)), ("afterglow", Rgb::new(219, 161, 168))] {
            let ramps = ramps(&Theme::load(name).unwrap(), behind, ColorDepth::Truecolor).unwrap();
            let contrast = |level| {
                let Color::Rgb(r, g, b) = ramps.over(behind, glow(level), Coloring::Density) else { panic!() };
                let (shown, behind) = (oklab(Rgb::new(r, g, b)), oklab(behind));
                (shown.l - behind.l).hypot(shown.a - behind.a).hypot(shown.b - behind.b)
            };
            let (most, least) = (contrast(Glow::LEVELS), contrast(1));
            assert!(most > 0.06 && least < 0.01, "{name}: {most} {least}");
        }
    }

    #[test]
    fn a_bright_background_gets_tints_and_few_colors_no_glow() {
        let theme = Theme::load("paper").unwrap();
        let ThemeColor::Rgb(far) = theme.colors.background else { panic!() };
        let ramps = |depth| ramps(&theme, far, depth);
        let Color::Rgb(r, g, b) = ramps(ColorDepth::Truecolor).unwrap().color(glow(5), Coloring::Heading) else {
            panic!()
        };
        assert!(r.min(g).min(b) > 150, "{r} {g} {b}");
        assert!(ramps(ColorDepth::Colors16).is_none() && ramps(ColorDepth::Mono).is_none());
    }

    #[test]
    fn a_sky_shows_through_a_weak_glow() {
        let theme = Theme::load("dusk").unwrap();
        let ramps = ramps(&theme, Rgb::new(0, 0, 0), ColorDepth::Truecolor).unwrap();
        let difference = |level| {
            let Color::Rgb(r, g, b) = ramps.over(Rgb::new(10, 20, 60), glow(level), Coloring::Heading) else {
                panic!()
            };
            u32::from(r.abs_diff(10)) + u32::from(g.abs_diff(20)) + u32::from(b.abs_diff(60))
        };
        assert!(difference(3) > 0 && difference(3) < difference(5) && difference(5) < difference(9));
    }
}
