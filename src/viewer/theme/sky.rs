//! A vertical color gradient behind the flock.

use palette::{Mix, Oklab};
use ratatui::style::Color;

use super::ramp::{oklch, rgb};
use crate::config::{Rgb, Theme, ThemeColor};
use crate::terminal::oklab;
use crate::viewer::ColorDepth;

/// The vertical resolution of a sky.
const STEPS: usize = 256;
/// Bayer's 4 × 4 matrix for ordered dithering.
const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
/// The first gray in the xterm palette.
const GRAYS: u8 = 232;
/// The `OKLCH` chroma from which a gray is no substitute for a color.
const COLORFUL: f32 = 0.03;

/// A theme's sky.
#[derive(Debug)]
pub struct Sky {
    /// From top to bottom.
    ramp: Vec<Color>,
    /// The height that dithering spreads a color change over, as a share of the whole.
    spread: f32,
}

impl Sky {
    /// `None` if the theme has no sky or the terminal has too few colors for it.
    pub(super) fn new(theme: &Theme, depth: ColorDepth) -> Option<Self> {
        let stops: Vec<Oklab> = theme.colors.sky.iter().map(|stop| oklab(stop.0)).collect();
        if stops.is_empty() || !depth.can_blend() {
            return None;
        }
        let wanted: Vec<Rgb> = (0..STEPS).map(|step| color_at(&stops, step)).collect();
        let ramp: Vec<Color> = wanted.iter().map(|rgb| depth.color(ThemeColor::Rgb(*rgb))).collect();
        if wanted.iter().zip(&ramp).filter(|(rgb, color)| lost_its_hue(**rgb, **color)).count() > STEPS / 2 {
            return None;
        }
        let bands = 1 + ramp.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // True color needs no dithering.
        let spread = if depth == ColorDepth::Colors256 { 1.0 / bands as f32 } else { 0.0 };
        Some(Self { ramp, spread })
    }

    /// The color of a cell in an area of `rows` rows.
    #[inline]
    #[must_use]
    pub fn color(&self, column: u16, row: u16, rows: u16) -> Color {
        let height = (f32::from(row) + 0.5) / f32::from(rows) + dither(column.into(), row.into()) * self.spread;
        self.ramp[((height * STEPS as f32).max(0.0) as usize).min(STEPS - 1)]
    }
}

/// The offset of a cell in ordered dithering, between −0.5 and 0.5.
#[inline]
pub(super) fn dither(column: usize, row: usize) -> f32 {
    (f32::from(BAYER[row % 4][column % 4]) + 0.5) / 16.0 - 0.5
}

/// Whether a hue became gray: the xterm palette has no dark colors, and a night sky in gray is worse than none.
fn lost_its_hue(wanted: Rgb, color: Color) -> bool {
    matches!(color, Color::Indexed(GRAYS..)) && oklch(wanted).chroma > COLORFUL
}

fn color_at(stops: &[Oklab], step: usize) -> Rgb {
    let at = step as f32 / (STEPS - 1) as f32 * (stops.len() - 1) as f32;
    let above = (at as usize).min(stops.len() - 1);
    let below = (above + 1).min(stops.len() - 1);
    rgb(stops[above].mix(stops[below], at.fract()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sky over 28 columns and 22 rows.
    fn sky(theme: &str, depth: ColorDepth) -> Vec<Vec<Option<Color>>> {
        let sky = Sky::new(&Theme::load(theme).unwrap(), depth);
        let color = |column, row| sky.as_ref().map(|sky| sky.color(column, row, 22));
        (0..22).map(|row| (0..28).map(|column| color(column, row)).collect()).collect()
    }

    #[test]
    fn a_sky_runs_from_its_first_stop_to_its_last() {
        let sky = sky("abyss", ColorDepth::Truecolor);
        let stops = Theme::load("abyss").unwrap().colors.sky;
        let near = |color: Option<Color>, stop: Rgb| {
            let Some(Color::Rgb(r, g, b)) = color else { panic!("no sky") };
            [(r, stop.red), (g, stop.green), (b, stop.blue)].iter().all(|(a, b)| a.abs_diff(*b) < 12)
        };
        assert!(near(sky[0][0], stops[0].0) && near(sky[21][27], stops.last().unwrap().0));
    }

    #[test]
    fn only_256_colors_are_dithered() {
        let dithered = |depth| {
            let sky = sky("afterglow", depth);
            sky.iter().filter(|row| row.iter().any(|color| *color != row[0])).count()
        };
        assert_eq!(dithered(ColorDepth::Truecolor), 0);
        assert!(dithered(ColorDepth::Colors256) > 5);
    }

    #[test]
    fn few_colors_and_plain_themes_have_no_sky() {
        let has_sky = |theme, depth| sky(theme, depth).iter().flatten().any(Option::is_some);
        assert!(!has_sky("abyss", ColorDepth::Colors16) && !has_sky("abyss", ColorDepth::Mono));
        assert!(!has_sky("dusk", ColorDepth::Truecolor));
        assert!(!has_sky("abyss", ColorDepth::Colors256), "it would turn gray");
        assert!(has_sky("storm", ColorDepth::Colors256), "it is gray by design");
    }
}
