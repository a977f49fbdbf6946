//! The sky: a gradient behind the flock, the same from frame to frame.

use palette::{FromColor, LinSrgb, Mix, Oklab, Oklch};
use ratatui::style::Color;

use crate::config::{Rgb, Theme, ThemeColor};
use crate::terminal::oklab;
use crate::viewer::ColorDepth;

/// Into how many steps a sky is cut, from top to bottom.
const STEPS: usize = 256;
/// Where in its square of four by four cells each cell stands in line for the next color (Bayer's order).
const ORDER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
/// From which of the 256 colors on there are only greys.
const GREYS: u8 = 232;
/// From so much of `OKLCH`'s chroma on, a color is missed where a grey stands for it.
const HUED: f32 = 0.03;

/// A theme's sky, ready for cells; none where the theme has none, or where colors are too few.
#[derive(Debug)]
pub struct Sky {
    /// From top to bottom; empty where there is no sky.
    ramp: Vec<Color>,
    /// How much of the height a change of color is spread over.
    spread: f32,
}

impl Sky {
    /// The sky of a theme with so many colors.
    #[must_use]
    pub fn new(theme: &Theme, depth: ColorDepth) -> Self {
        let stops: Vec<Oklab> = theme.colors.sky.iter().map(|stop| oklab(stop.0)).collect();
        if stops.is_empty() || !depth.can_blend() {
            return Self::none();
        }
        let wanted: Vec<Rgb> = (0..STEPS).map(|step| blend(&stops, step)).collect();
        let ramp: Vec<Color> = wanted.iter().map(|rgb| depth.color(ThemeColor::Rgb(*rgb))).collect();
        let faded = wanted.iter().zip(&ramp).filter(|(rgb, color)| is_faded(**rgb, **color)).count();
        if faded > STEPS / 2 {
            return Self::none();
        }
        let bands = 1 + ramp.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // With 24 bits neighboring rows are as near as they can be.
        let spread = if depth == ColorDepth::Indexed { 1.0 / bands as f32 } else { 0.0 };
        Self { ramp, spread }
    }

    fn none() -> Self {
        Self { ramp: Vec::new(), spread: 0.0 }
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ramp.is_empty()
    }

    /// The color at a column and row of an area so many rows high; none where there is no sky.
    #[inline]
    pub fn color(&self, column: u16, row: u16, rows: u16) -> Option<Color> {
        if self.ramp.is_empty() {
            return None;
        }
        let order = ORDER[usize::from(row % 4)][usize::from(column % 4)];
        let turn = (f32::from(order) + 0.5) / 16.0 - 0.5;
        let place = (f32::from(row) + 0.5) / f32::from(rows) + turn * self.spread;
        Some(self.ramp[((place * STEPS as f32).max(0.0) as usize).min(STEPS - 1)])
    }
}

/// Whether a color of the sky has become a grey: xterm's 256 have no dark colors, and a night in
/// grey is none.
fn is_faded(wanted: Rgb, color: Color) -> bool {
    matches!(color, Color::Indexed(GREYS..)) && Oklch::from_color(oklab(wanted)).chroma > HUED
}

/// A step of the way through the stops, mixed as `OKLab` has it.
fn blend(stops: &[Oklab], step: usize) -> Rgb {
    let at = step as f32 / (STEPS - 1) as f32 * (stops.len() - 1) as f32;
    let above = (at as usize).min(stops.len() - 1);
    let below = (above + 1).min(stops.len() - 1);
    Rgb::from_linear(LinSrgb::from_color(stops[above].mix(stops[below], at.fract())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sky over 28 columns and 22 rows.
    fn painted(theme: &str, depth: ColorDepth) -> Vec<Vec<Option<Color>>> {
        let sky = Sky::new(&Theme::load(theme).unwrap(), depth);
        (0..22).map(|row| (0..28).map(|column| sky.color(column, row, 22)).collect()).collect()
    }

    #[test]
    fn a_sky_goes_from_its_first_stop_to_its_last() {
        let sky = painted("abyss", ColorDepth::Truecolor);
        let stops = Theme::load("abyss").unwrap().colors.sky;
        let near = |color: Option<Color>, stop: Rgb| {
            let Some(Color::Rgb(r, g, b)) = color else { panic!("no sky") };
            [(r, stop.red), (g, stop.green), (b, stop.blue)].iter().all(|(a, b)| a.abs_diff(*b) < 12)
        };
        assert!(near(sky[0][0], stops[0].0) && near(sky[21][27], stops.last().unwrap().0));
    }

    #[test]
    fn rows_are_one_color_where_there_are_many_and_dithered_where_there_are_256() {
        let mixed =
            |sky: &[Vec<Option<Color>>]| sky.iter().filter(|row| row.iter().any(|color| *color != row[0])).count();
        assert_eq!(mixed(&painted("afterglow", ColorDepth::Truecolor)), 0);
        assert!(mixed(&painted("afterglow", ColorDepth::Indexed)) > 5);
    }

    #[test]
    fn there_is_no_sky_with_few_colors_nor_in_the_default_theme() {
        for (theme, depth) in
            [("abyss", ColorDepth::Ansi), ("abyss", ColorDepth::Mono), ("dusk", ColorDepth::Truecolor)]
        {
            assert!(painted(theme, depth).iter().flatten().all(Option::is_none));
        }
    }

    #[test]
    fn a_night_that_would_be_grey_is_none() {
        let is_seen = |theme| painted(theme, ColorDepth::Indexed).iter().flatten().any(Option::is_some);
        assert!(!is_seen("abyss"));
        assert!(is_seen("storm"), "which is grey as it is");
    }
}
