//! Fades drawn cells into their background.

use palette::Mix;
use ratatui::style::Color;

use super::ramp::{contrast, known_rgb, rgb};
use crate::config::{Rgb, ThemeColor};
use crate::terminal::{PackedCell, PackedColor, oklab, xterm};
use crate::viewer::ColorDepth;

/// The share from which a faded cell is invisible.
const OPAQUE: f32 = 0.97;

/// Fades cells. It caches the last mix, because neighboring cells are often equal.
#[derive(Debug)]
pub struct Fade {
    /// The color of the terminal's default background.
    background: Rgb,
    depth: ColorDepth,
    last: Option<((PackedColor, PackedColor, f32), PackedColor)>,
}

impl Fade {
    pub(super) fn new(background: Rgb, depth: ColorDepth) -> Self {
        Self { background, depth, last: None }
    }

    /// Fades a cell into `behind` by a share of 0 … 1.
    pub fn apply(&mut self, cell: &mut PackedCell, behind: PackedColor, share: f32) {
        if share >= OPAQUE {
            *cell = PackedCell::blank(behind);
        } else if share > 0.0 {
            // The terminal's default foreground is unknown.
            if cell.char().is_some() && cell.fg() != PackedColor::DEFAULT {
                cell.set_fg(self.mix(cell.fg(), behind, share));
            }
            cell.set_bg(self.mix(cell.bg(), behind, share));
        }
    }

    /// Makes a cell's glyph brighter, or darker on a bright background.
    pub fn highlight(&mut self, cell: &mut PackedCell, share: f32) {
        let far = ColorDepth::Truecolor.color(ThemeColor::Rgb(contrast(self.background)));
        cell.set_fg(self.mix(cell.fg(), far.into(), share));
    }

    /// Mixes two colors; a color from the terminal's palette stays as it is.
    fn mix(&mut self, color: PackedColor, behind: PackedColor, share: f32) -> PackedColor {
        if color == behind {
            return color;
        }
        let key = (color, behind, share);
        if let Some((last, mixed)) = self.last
            && last == key
        {
            return mixed;
        }
        let mixed = match (self.rgb(color), self.rgb(behind)) {
            (Some(one), Some(other)) => {
                self.depth.color(ThemeColor::Rgb(rgb(oklab(one).mix(oklab(other), share)))).into()
            }
            _ => color,
        };
        self.last = Some((key, mixed));
        mixed
    }

    fn rgb(&self, color: PackedColor) -> Option<Rgb> {
        match color.into() {
            Color::Reset => Some(self.background),
            Color::Indexed(index @ 16..) => Some(xterm(index)),
            color => known_rgb(color),
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;

    const SKY: Color = Color::Rgb(10, 20, 60);

    fn faded(share: f32, bg: Color, depth: ColorDepth) -> PackedCell {
        let mut cell = PackedCell::blank(bg.into());
        cell.set_char('⣿', Color::Rgb(250, 200, 120).into(), Modifier::empty());
        Fade::new(Rgb::new(0, 0, 0), depth).apply(&mut cell, SKY.into(), share);
        cell
    }

    #[test]
    fn a_cell_fades_into_the_sky() {
        let difference = |share| {
            let Color::Rgb(r, g, b) = faded(share, SKY, ColorDepth::Truecolor).fg().into() else { panic!() };
            u32::from(r.abs_diff(10)) + u32::from(g.abs_diff(20)) + u32::from(b.abs_diff(60))
        };
        let differences = [0.0, 0.3, 0.6, 0.9].map(difference);
        assert!(differences.is_sorted_by(|a, b| a > b) && differences[3] > 0, "{differences:?}");
        let gone = faded(1.0, Color::Rgb(90, 90, 90), ColorDepth::Truecolor);
        assert_eq!((gone.char(), gone.bg().into()), (None, SKY));
    }

    #[test]
    fn a_glow_fades_and_the_sky_stays() {
        assert_eq!(Color::from(faded(0.5, SKY, ColorDepth::Truecolor).bg()), SKY);
        let glow = faded(0.5, Color::Rgb(100, 20, 60), ColorDepth::Truecolor);
        let Color::Rgb(r, ..) = glow.bg().into() else { panic!() };
        assert!((20..90).contains(&r), "{r}");
    }

    #[test]
    fn a_fade_in_256_colors_stays_in_the_palette() {
        let cell = faded(0.5, SKY, ColorDepth::Colors256);
        assert!(matches!(cell.fg().into(), Color::Indexed(16..)), "{cell:?}");
    }
}
