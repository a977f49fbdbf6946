//! Ramps of 256 colors for the flock, and blending in `OKLab` and `OKLCH`.

use std::ops::RangeInclusive;

use palette::{IntoColor, LinSrgb, Mix, Oklab, Oklch};
use ratatui_core::style::Color;

use crate::cell::PackedColor;
use crate::color::{Rgb, ThemeColor, oklab};

/// The number of steps from the pure color toward the background.
const FADES: usize = 8;
/// Bayer's 4 × 4 matrix for ordered dithering.
const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// The color stops of a gradient, and whether the last one joins the first.
pub type Gradient<'a> = (&'a [ThemeColor], bool);

/// 256 colors, each in several steps toward the background.
#[derive(Debug)]
pub struct Ramp {
    fades: Box<[[PackedColor; 256]; FADES]>,
}

impl Ramp {
    /// Builds a ramp from a gradient. `shares` are the shares of the background color `far` in the first and in the
    /// last fade step, `shown` the nearest color that the terminal has.
    pub fn new(
        gradient: Gradient<'_>,
        far: Rgb,
        shares: &RangeInclusive<f32>,
        shown: impl Fn(ThemeColor) -> Color,
    ) -> Self {
        // Converted to OKLab once for all fade steps: a theme has a dozen ramps.
        let near: [(ThemeColor, Option<Oklab>); 256] = std::array::from_fn(|index| {
            let color = color_at(gradient, index as u8);
            (color, known_oklab(color))
        });
        let far = oklab(far);
        let fades = std::array::from_fn(|fade| {
            let share = shares.start() + (shares.end() - shares.start()) * fade as f32 / (FADES - 1) as f32;
            near.map(|(color, lab)| shown(mix_oklab(color, lab, far, share)).into())
        });
        Self { fades: Box::new(fades) }
    }

    /// The color at an index, faded toward the background by `fade` of 255.
    #[inline]
    pub fn color(&self, index: u8, fade: u8) -> PackedColor {
        self.fades[usize::from(fade) * FADES / 256][usize::from(index)]
    }
}

/// The color at one of 256 positions along a gradient, mixed in `OKLCH`.
pub fn color_at((stops, ring): Gradient<'_>, index: u8) -> ThemeColor {
    let count = stops.len();
    let span = if ring { count as f32 / 256.0 } else { (count - 1) as f32 / 255.0 };
    let at = f32::from(index) * span;
    let stop = (at as usize).min(count - 1);
    let next = if ring { (stop + 1) % count } else { (stop + 1).min(count - 1) };
    match (stops[stop], stops[next]) {
        (ThemeColor::Rgb(from), ThemeColor::Rgb(to)) => ThemeColor::Rgb(rgb(oklch(from).mix(oklch(to), at.fract()))),
        (from, to) => nearer(from, to, at.fract()),
    }
}

/// The nearer of two colors that cannot blend because the terminal defines them.
pub fn nearer(from: ThemeColor, to: ThemeColor, share: f32) -> ThemeColor {
    if share < 0.5 { from } else { to }
}

/// A color mixed with `far` in `OKLab`; a color that the terminal defines stays as it is.
pub fn toward(color: ThemeColor, far: Rgb, share: f32) -> ThemeColor {
    mix_oklab(color, known_oklab(color), oklab(far), share)
}

fn mix_oklab(color: ThemeColor, lab: Option<Oklab>, far: Oklab, share: f32) -> ThemeColor {
    lab.map_or(color, |near| ThemeColor::Rgb(rgb(near.mix(far, share))))
}

fn known_oklab(color: ThemeColor) -> Option<Oklab> {
    if let ThemeColor::Rgb(rgb) = color { Some(oklab(rgb)) } else { None }
}

/// A color that does not depend on the terminal's palette.
pub fn known_rgb(color: Color) -> Option<Rgb> {
    if let Color::Rgb(red, green, blue) = color { Some(Rgb::new(red, green, blue)) } else { None }
}

/// White to stand out from a dark background, black from a bright one.
pub fn contrast(background: Rgb) -> Rgb {
    if oklch(background).l < 0.5 { Rgb::new(255, 255, 255) } else { Rgb::new(0, 0, 0) }
}

/// A color in `OKLCH`: lightness, chroma and hue.
pub fn oklch(rgb: Rgb) -> Oklch {
    let linear: LinSrgb = rgb.into_linear();
    linear.into_color()
}

/// A color in 8 bits a channel, clamped to the sRGB gamut.
pub fn rgb(color: impl IntoColor<LinSrgb>) -> Rgb {
    let linear: LinSrgb = color.into_color();
    Rgb::from_linear(linear)
}

/// The offset of a cell in ordered dithering, between −0.5 and 0.5.
#[inline]
pub fn dither(column: usize, row: usize) -> f32 {
    (f32::from(BAYER[row % 4][column % 4]) + 0.5) / 16.0 - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::ColorDepth;

    #[test]
    fn a_ramp_ends_on_its_stops_and_a_ring_closes() {
        let stops = [(255, 0, 0), (0, 255, 0), (0, 0, 255)].map(|(r, g, b)| ThemeColor::Rgb(Rgb::new(r, g, b)));
        let ends = |ring| {
            let ramp =
                Ramp::new((&stops, ring), Rgb::new(0, 0, 0), &(0.0..=0.8), |color| ColorDepth::Truecolor.color(color));
            [ramp.color(0, 0), ramp.color(255, 0)].map(Color::from)
        };
        assert_eq!(ends(false), [Color::Rgb(255, 0, 0), Color::Rgb(0, 0, 255)]);
        let [Color::Rgb(first, ..), Color::Rgb(last, ..)] = ends(true) else { panic!() };
        assert!(first == 255 && last > 230, "{first} {last}");
    }
}
