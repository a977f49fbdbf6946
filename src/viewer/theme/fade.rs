//! A veil over painted cells: they fade into what is behind them.

use palette::{FromColor, LinSrgb, Mix};
use ratatui::style::Color;

use crate::config::{Rgb, ThemeColor};
use crate::terminal::{PackedCell, PackedColor, oklab, xterm};
use crate::viewer::ColorDepth;

/// From so much on nothing is seen through a veil.
const OPAQUE: f32 = 0.97;

/// Fades cells, and remembers the last mixture: neighbors are alike.
#[derive(Debug)]
pub struct Fade {
    /// What stands for the terminal's terminal_background background.
    terminal_background: Rgb,
    depth: ColorDepth,
    last: Option<(PackedColor, PackedColor, f32, PackedColor)>,
}

impl Fade {
    /// A veil in so many colors, where `terminal_background` stands for the terminal's terminal_background background.
    #[must_use]
    pub fn new(terminal_background: Rgb, depth: ColorDepth) -> Self {
        Self { terminal_background, depth, last: None }
    }

    /// Lays it over a cell, so thick (0 … 1); `behind` is the color of the sky or the ground there.
    pub fn cover(&mut self, ink: &mut PackedCell, behind: PackedColor, share: f32) {
        if share >= OPAQUE {
            *ink = PackedCell::blank(behind);
        } else if share > 0.0 {
            // Nobody knows what the terminal's terminal_background foreground looks like.
            if ink.char().is_some() && ink.fg() != PackedColor::DEFAULT {
                ink.set_fg(self.mix(ink.fg(), behind, share));
            }
            ink.set_bg(self.mix(ink.bg(), behind, share));
        }
    }

    /// Writes a cell with more light, or on bright ground with less.
    pub fn lift(&mut self, ink: &mut PackedCell, share: f32) {
        let far = if oklab(self.terminal_background).l < 0.5 { Color::Rgb(255, 255, 255) } else { Color::Rgb(0, 0, 0) };
        ink.set_fg(self.mix(ink.fg(), far.into(), share));
    }

    /// A color, a share of the way to another; colors that people choose do not mix.
    fn mix(&mut self, color: PackedColor, behind: PackedColor, share: f32) -> PackedColor {
        if color == behind {
            return color;
        }
        match self.last {
            Some((from, to, at, mixed)) if (from, to, at) == (color, behind, share) => mixed,
            _ => {
                let mixed = match (self.seen(color), self.seen(behind)) {
                    (Some(one), Some(other)) => {
                        let between = LinSrgb::from_color(oklab(one).mix(oklab(other), share));
                        PackedColor::from(self.depth.color(ThemeColor::Rgb(Rgb::from_linear(between))))
                    }
                    _ => color,
                };
                self.last = Some((color, behind, share, mixed));
                mixed
            }
        }
    }

    fn seen(&self, tint: PackedColor) -> Option<Rgb> {
        match tint.into() {
            Color::Reset => Some(self.terminal_background),
            Color::Rgb(red, green, blue) => Some(Rgb::new(red, green, blue)),
            Color::Indexed(index @ 16..) => Some(xterm(index)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;

    const SKY: Color = Color::Rgb(10, 20, 60);

    fn covered(share: f32, bg: Color, depth: ColorDepth) -> PackedCell {
        let mut ink = PackedCell::blank(bg.into());
        ink.set_char('⣿', Color::Rgb(250, 200, 120).into(), Modifier::empty());
        Fade::new(Rgb::new(0, 0, 0), depth).cover(&mut ink, SKY.into(), share);
        ink
    }

    fn off(ink: &PackedCell) -> u32 {
        let Color::Rgb(r, g, b) = ink.fg().into() else { panic!() };
        u32::from(r.abs_diff(10)) + u32::from(g.abs_diff(20)) + u32::from(b.abs_diff(60))
    }

    #[test]
    fn the_thicker_it_is_the_less_is_seen() {
        let at = |share| off(&covered(share, SKY, ColorDepth::Truecolor));
        assert!(at(0.0) > at(0.3) && at(0.3) > at(0.6) && at(0.6) > at(0.9) && at(0.9) > 0);
        let gone = covered(1.0, Color::Rgb(90, 90, 90), ColorDepth::Truecolor);
        assert_eq!((gone.char(), gone.bg().into()), (None, SKY));
    }

    #[test]
    fn a_glow_fades_too_and_the_sky_stays() {
        assert_eq!(Color::from(covered(0.5, SKY, ColorDepth::Truecolor).bg()), SKY);
        let Color::Rgb(r, ..) = covered(0.5, Color::Rgb(100, 20, 60), ColorDepth::Truecolor).bg().into() else {
            panic!()
        };
        assert!((20..90).contains(&r), "{r}");
    }

    #[test]
    fn of_256_colors_it_takes_those_that_are_there() {
        let ink = covered(0.5, SKY, ColorDepth::Indexed);
        assert!(matches!(ink.fg().into(), Color::Indexed(16..)), "{ink:?}");
    }
}
