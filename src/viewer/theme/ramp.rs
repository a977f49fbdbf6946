//! Ramps of 256 colors, and how colors mix.

use std::ops::RangeInclusive;

use palette::{IntoColor, LinSrgb, Mix, Oklab, Oklch};

use crate::config::{Rgb, ThemeColor};
use crate::terminal::{PackedColor, oklab};
use crate::viewer::ColorDepth;

/// Into how many steps a ramp fades.
const FADES: usize = 8;

/// 256 colors, each in several steps toward the background.
#[derive(Debug)]
pub(crate) struct Ramp {
    fades: Box<[[PackedColor; 256]; FADES]>,
}

impl Ramp {
    /// From stops; `ring` joins the last one to the first. `shares` says how much of the background `far`
    /// the first and the last step take on.
    pub(crate) fn new(
        stops: &[ThemeColor],
        ring: bool,
        far: Rgb,
        shares: &RangeInclusive<f32>,
        depth: ColorDepth,
    ) -> Self {
        // A theme has a dozen of these: each place is mixed once, and seen by OKLab's eyes once.
        let near: [(ThemeColor, Option<Oklab>); 256] = std::array::from_fn(|place| {
            let paint = at(stops, ring, place as u8);
            (paint, seen(paint))
        });
        let far = oklab(far);
        let fades = std::array::from_fn(|fade| {
            let share = shares.start() + (shares.end() - shares.start()) * fade as f32 / (FADES - 1) as f32;
            near.map(|(paint, seen)| depth.color(faded(paint, seen, far, share)).into())
        });
        Self { fades: Box::new(fades) }
    }

    /// The color at a place, `fade` of the way toward the background.
    #[inline]
    pub(crate) fn color(&self, place: u8, fade: u8) -> PackedColor {
        self.fades[usize::from(fade) * FADES / 256][usize::from(place)]
    }
}

/// The paint at a place of 256 among stops.
pub(crate) fn at(stops: &[ThemeColor], ring: bool, place: u8) -> ThemeColor {
    let count = stops.len();
    let span = if ring { count as f32 / 256.0 } else { (count - 1) as f32 / 255.0 };
    let at = f32::from(place) * span;
    let stop = (at as usize).min(count - 1);
    let next = if ring { (stop + 1) % count } else { (stop + 1).min(count - 1) };
    mix(stops[stop], stops[next], at.fract())
}

/// Between two stops, along OKLCH's hue; colors of the terminal's own do not mix.
fn mix(from: ThemeColor, to: ThemeColor, share: f32) -> ThemeColor {
    match (from, to) {
        (ThemeColor::Rgb(a), ThemeColor::Rgb(b)) => ThemeColor::Rgb(rgb(oklch(a).mix(oklch(b), share))),
        _ if share < 0.5 => from,
        _ => to,
    }
}

/// Faded toward the background.
pub(crate) fn toward(paint: ThemeColor, far: Rgb, share: f32) -> ThemeColor {
    faded(paint, seen(paint), oklab(far), share)
}

/// The same of a paint that is seen so, where anybody knows.
fn faded(paint: ThemeColor, seen: Option<Oklab>, far: Oklab, share: f32) -> ThemeColor {
    seen.map_or(paint, |near| ThemeColor::Rgb(rgb(near.mix(far, share))))
}

/// A paint as `OKLab` has it; the terminal's own colors nobody knows.
fn seen(paint: ThemeColor) -> Option<Oklab> {
    if let ThemeColor::Rgb(rgb) = paint { Some(oklab(rgb)) } else { None }
}

/// A color by lightness, chroma and hue.
pub(crate) fn oklch(rgb: Rgb) -> Oklch {
    let linear: LinSrgb = rgb.into_linear();
    linear.into_color()
}

/// A color in 8 bits a channel; what no screen shows goes to the nearest end.
pub(crate) fn rgb(color: impl IntoColor<LinSrgb>) -> Rgb {
    let linear: LinSrgb = color.into_color();
    Rgb::from_linear(linear)
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    #[test]
    fn a_ring_closes_and_a_ramp_ends_on_its_stops() {
        let stops: Vec<ThemeColor> =
            ["#ff0000", "#00ff00", "#0000ff"].map(|text| ThemeColor::try_from(text.to_owned()).unwrap()).to_vec();
        let far = Rgb::new(0, 0, 0);
        let ramp = Ramp::new(&stops, false, far, &(0.0..=0.8), ColorDepth::Truecolor);
        let ends = [ramp.color(0, 0), ramp.color(255, 0)].map(Color::from);
        assert_eq!(ends, [Color::Rgb(255, 0, 0), Color::Rgb(0, 0, 255)]);
        let ring = Ramp::new(&stops, true, far, &(0.0..=0.8), ColorDepth::Truecolor);
        let [Color::Rgb(last, ..), Color::Rgb(first, ..)] = [ring.color(255, 0), ring.color(0, 0)].map(Color::from)
        else {
            panic!()
        };
        assert!(first == 255 && last > 230, "{first} {last}");
    }
}
