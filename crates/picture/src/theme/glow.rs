//! The light of the flock: the colors that the background of its cells turns to, and that of the dots in front of it.

use std::sync::atomic::{AtomicU64, Ordering};

use palette::{IntoColor, Mix, Oklab, Oklch};

use super::cell_style::Coloring;
use super::ramp::{Gradient, color_at, oklch, rgb};
use crate::canvas::Glow;
use crate::color::{ColorDepth, Rgb, ThemeColor, oklab};

/// The resolution of the hues, twice as fine as the canvas reports headings.
const STEPS: usize = 32;
/// The lightness of the strongest light on a dark background.
const LIGHTEST: f32 = 0.78;
/// How much darker than the background the strongest light on a bright one is, and its least lightness.
const DARKER: (f32, f32) = (0.44, 0.3);
/// The lightness of the dots in front of it.
const DOTS: (f32, f32) = (0.99, 0.06);
/// The maximum chroma of light and of dots.
const CHROMA: (f32, f32) = (0.1, 0.03);
/// The number of mixed colors that are kept: about as many as a screen has.
const MIXED: usize = 4096;
/// The position on a gradient of densities that gives the strongest light its hue. The light end would be pale.
const DENSEST: f32 = 150.0;

/// A theme's light for headings, speeds and species.
#[derive(Debug)]
pub struct Light {
    /// The color of the strongest light, by gradient and position. On a bright background its lightness depends on the sky.
    strongest: [[Oklab; STEPS]; 3],
    is_dark: bool,
    /// Mixed colors, each in 24 bits below what it was mixed from.
    mixed: Box<[AtomicU64]>,
    /// The color of dots in front of light.
    pub dots: Rgb,
}

impl Light {
    /// The light of the gradients of headings, prey and species. `None` if the terminal defines the colors of the theme
    /// itself, or has too few: between two of 256 the edges of the cells are visible.
    pub fn new(gradients: [Gradient<'_>; 3], background: Rgb, depth: ColorDepth) -> Option<Self> {
        let mut stops = gradients[..2].iter().flat_map(|(stops, _)| *stops);
        if depth != ColorDepth::Truecolor || !stops.all(|stop| matches!(stop, ThemeColor::Rgb(_))) {
            return None;
        }
        let is_dark = oklch(background).l < 0.5;
        let source = |gradient: Gradient<'_>, index: u8| match color_at(gradient, index) {
            ThemeColor::Rgb(source) => oklch(source),
            _ => oklch(background),
        };
        let strongest = gradients.map(|gradient| {
            std::array::from_fn(|step| {
                let index = if gradient.1 { step * 256 / STEPS } else { step * 255 / (STEPS - 1) };
                let Oklch { chroma, hue, .. } = source(gradient, index as u8);
                Oklch::new(LIGHTEST, chroma.min(CHROMA.0), hue).into_color()
            })
        });
        let nearest = source(gradients[1], u8::MAX);
        let dots = Oklch::new(if is_dark { DOTS.0 } else { DOTS.1 }, nearest.chroma.min(CHROMA.1), nearest.hue);
        let mixed = std::iter::repeat_with(AtomicU64::default).take(MIXED).collect();
        Some(Self { strongest, is_dark, mixed, dots: rgb(dots) })
    }

    /// The color of a cell in this light over the color behind it.
    pub fn over(&self, behind: Rgb, glow: Glow, coloring: Coloring) -> Rgb {
        let strength = f32::from(glow.level) / f32::from(Glow::LEVELS);
        let (ramp, index) = coloring.position(glow.heading, glow.speed, (strength * DENSEST) as u8, glow.species);
        let step = usize::from(index) * STEPS / 256;
        // Never 0, since there is no light of level 0.
        let from = [
            u32::from(glow.level) << 8 | (ramp * STEPS + step) as u32,
            u32::from_be_bytes([0, behind.red, behind.green, behind.blue]),
        ];
        let key = u64::from(from[0]) << 24 | u64::from(from[1]);
        // Fibonacci hashing: neighboring keys are far apart.
        let slot = &self.mixed[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % MIXED];
        let known = slot.load(Ordering::Relaxed);
        if known >> 24 == key {
            let [.., red, green, blue] = known.to_be_bytes();
            return Rgb::new(red, green, blue);
        }
        let (lab, mut strongest) = (oklab(behind), self.strongest[ramp][step]);
        if !self.is_dark {
            strongest.l = (lab.l - DARKER.0).max(DARKER.1);
        }
        let mixed: Rgb = rgb(lab.mix(strongest, strength));
        let color = u32::from_be_bytes([0, mixed.red, mixed.green, mixed.blue]);
        // Key and color in one word, so that another thread sees both or neither.
        slot.store(key << 24 | u64::from(color), Ordering::Relaxed);
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::blend::background_of;
    use crate::theme::builtin::{all, theme};

    /// The light of each built-in theme that has one, with its background.
    fn lights() -> impl Iterator<Item = (String, Light, Rgb)> {
        all().into_iter().filter_map(|(name, colors)| {
            let background = background_of(&colors, None);
            let gradients: [Gradient<'_>; 3] = [(&colors.heading, true), (&colors.prey, false), (&colors.prey, true)];
            let light = Light::new(gradients, background, ColorDepth::Truecolor)?;
            Some((name, light, background))
        })
    }

    fn levels(light: &Light, behind: Rgb, heading: u8) -> Vec<Rgb> {
        (0..=Glow::LEVELS)
            .map(|level| light.over(behind, Glow { level, heading, speed: heading, species: 0 }, Coloring::Heading))
            .collect()
    }

    #[test]
    fn light_goes_from_the_background_to_far_from_it_in_small_steps() {
        for (name, light, behind) in lights() {
            let colors = levels(&light, behind, 40);
            assert_eq!(colors[0], behind, "{name}");
            let lightness: Vec<f32> = colors.iter().map(|color| oklab(*color).l).collect();
            // Between the darkest colors of 8 bits a channel, the steps are larger.
            assert!(
                lightness.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 0.05 || pair[0] < 0.07),
                "{name}: {lightness:?}"
            );
            let range = lightness[Glow::LEVELS as usize] - lightness[0];
            assert!(range.abs() > 0.4, "{name}: {range}");
        }
    }

    #[test]
    fn dots_are_visible_in_front_of_every_light() {
        for (name, light, behind) in lights() {
            for heading in (0..=255).step_by(8) {
                for color in levels(&light, behind, heading) {
                    let contrast = (oklab(light.dots).l - oklab(color).l).abs();
                    assert!(contrast >= 0.18, "{name} {heading}: {contrast}");
                }
            }
        }
    }

    #[test]
    fn few_colors_have_no_light() {
        let colors = theme("paper");
        let gradients =
            || -> [Gradient<'_>; 3] { [(&colors.heading, true), (&colors.prey, false), (&colors.prey, true)] };
        for depth in [ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
            assert!(Light::new(gradients(), Rgb::new(0, 0, 0), depth).is_none());
        }
    }
}
