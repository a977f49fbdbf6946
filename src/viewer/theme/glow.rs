//! The light of the flock: the colors that the background of its cells turns to, and that of the dots in front of it.

use palette::{IntoColor, Mix, Oklab, Oklch};

use super::cell_style::Coloring;
use super::ramp::{Gradient, color_at, oklch, rgb};
use crate::canvas::Glow;
use crate::config::{Rgb, ThemeColor};
use crate::terminal::oklab;
use crate::viewer::ColorDepth;

/// The resolution of the hues, twice as fine as the canvas reports headings.
const STEPS: usize = 32;
/// The lightness of the strongest light, on a dark and on a bright background.
const STRONGEST: (f32, f32) = (0.78, 0.36);
/// The lightness of the dots in front of it.
const DOTS: (f32, f32) = (0.99, 0.06);
/// The maximum chroma of light and of dots.
const CHROMA: (f32, f32) = (0.105, 0.03);
/// The position on a gradient of densities that gives the strongest light its hue. The light end would be pale.
const DENSEST: f32 = 150.0;

/// A theme's light for headings, speeds and species.
#[derive(Debug)]
pub(super) struct Light {
    /// The color of the strongest light, by gradient and position.
    strongest: [[Oklab; STEPS]; 3],
    /// The color of dots in front of light.
    pub(super) dots: Rgb,
}

impl Light {
    /// The light of the gradients of headings, prey and species. `None` if the terminal defines the colors of the theme
    /// itself, or has too few: between two of 256 the edges of the cells are visible.
    pub(super) fn new(gradients: [Gradient<'_>; 3], background: Rgb, depth: ColorDepth) -> Option<Self> {
        let is_rgb = |stop: &ThemeColor| matches!(stop, ThemeColor::Rgb(_));
        if depth != ColorDepth::Truecolor || !gradients[..2].iter().all(|(stops, _)| stops.iter().all(is_rgb)) {
            return None;
        }
        let is_dark = oklch(background).l < 0.5;
        let of = |(dark, bright): (f32, f32)| if is_dark { dark } else { bright };
        let source = |gradient: Gradient<'_>, index: u8| match color_at(gradient, index) {
            ThemeColor::Rgb(source) => oklch(source),
            _ => oklch(background),
        };
        let strongest = of(STRONGEST);
        let light = |gradient: Gradient<'_>| {
            std::array::from_fn(|step| {
                let index = if gradient.1 { step * 256 / STEPS } else { step * 255 / (STEPS - 1) };
                let Oklch { chroma, hue, .. } = source(gradient, index as u8);
                Oklch::new(strongest, chroma.min(CHROMA.0), hue).into_color()
            })
        };
        let nearest = source(gradients[1], u8::MAX);
        let dots = Oklch::new(of(DOTS), nearest.chroma.min(CHROMA.1), nearest.hue);
        Some(Self { strongest: gradients.map(light), dots: rgb(dots) })
    }

    /// The color of a cell in this light over the color behind it.
    pub(super) fn over(&self, behind: Rgb, glow: Glow, coloring: Coloring) -> Rgb {
        let strength = f32::from(glow.level) / f32::from(Glow::LEVELS);
        let (ramp, index) = coloring.position(glow.heading, glow.speed, (strength * DENSEST) as u8, glow.species);
        rgb(oklab(behind).mix(self.strongest[ramp][usize::from(index) * STEPS / 256], strength))
    }
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
