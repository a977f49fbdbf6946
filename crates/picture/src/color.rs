//! Colors of themes and terminals, and the nearest that a terminal has.

use std::sync::LazyLock;

use palette::{IntoColor, LinSrgb, Oklab, Srgb};
use ratatui_core::style::Color;

/// A color in sRGB, 8 bits per channel.
pub type Rgb = Srgb<u8>;

/// A color of a theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThemeColor {
    /// The terminal's default foreground or background.
    Terminal,
    /// One of the 16 ANSI colors.
    Ansi(u8),
    /// An RGB color.
    Rgb(Rgb),
}

/// How many colors are used, ordered from most to fewest: `max` of two depths is the poorer one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum ColorDepth {
    /// 24 bits.
    Truecolor,
    /// The 256 of xterm.
    #[strum(serialize = "256")]
    Colors256,
    /// The terminal's 16.
    #[strum(serialize = "16")]
    Colors16,
    /// Only the terminal's foreground.
    Mono,
}

impl ColorDepth {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether there are colors between any two, as glows, skies and fades need.
    pub fn can_blend(self) -> bool {
        matches!(self, Self::Colors256 | Self::Truecolor)
    }

    /// The nearest color to a theme's color.
    pub fn color(self, color: ThemeColor) -> Color {
        match (self, color) {
            (Self::Mono, _) | (_, ThemeColor::Terminal) => Color::Reset,
            (_, ThemeColor::Ansi(index)) => Color::Indexed(index),
            (Self::Truecolor, ThemeColor::Rgb(rgb)) => Color::Rgb(rgb.red, rgb.green, rgb.blue),
            (Self::Colors256, ThemeColor::Rgb(rgb)) => Color::Indexed(nearest(oklab(rgb), 16..=255, 1.0)),
            (Self::Colors16, ThemeColor::Rgb(rgb)) => nearest_named(oklab(rgb), 1..=15),
        }
    }

    /// The same for a background, which may be black: among 16 colors it is as dark or bright as it should be.
    pub fn background(self, color: ThemeColor) -> Color {
        let (Self::Colors16, ThemeColor::Rgb(rgb)) = (self, color) else { return self.color(color) };
        Color::Indexed(nearest(oklab(rgb), 0..=15, 1.0))
    }
}

/// xterm's colors in `OKLab`, one array for each component, so that the compiler can vectorize the search.
static XTERM_LAB: LazyLock<[[f32; 256]; 3]> = LazyLock::new(|| {
    let colors: [Oklab; 256] = std::array::from_fn(|index| oklab(xterm(index as u8)));
    [colors.map(|color| color.l), colors.map(|color| color.a), colors.map(|color| color.b)]
});

/// The weight of lightness among 16 colors, where hue matters more. Color 0, nearly invisible, is none of them.
const LIGHTNESS: f32 = 0.35;

/// The nearest of some of the 16 colors. Bright black is none of them: in some palettes it is the background.
pub fn nearest_named(wanted: Oklab, among: impl IntoIterator<Item = u8>) -> Color {
    Color::Indexed(nearest(wanted, among.into_iter().filter(|index| *index != 8), LIGHTNESS))
}

/// The index of the xterm color nearest to another in `OKLab`, with a weight for lightness. A theme for 256 colors calls it ten
/// thousand times.
fn nearest(wanted: Oklab, among: impl IntoIterator<Item = u8>, lightness: f32) -> u8 {
    let [l, a, b] = &*XTERM_LAB;
    let distances: [f32; 256] = std::array::from_fn(|index| {
        lightness * (l[index] - wanted.l).powi(2) + (a[index] - wanted.a).powi(2) + (b[index] - wanted.b).powi(2)
    });
    let distance = |index: &u8| distances[usize::from(*index)];
    among.into_iter().min_by(|one, other| distance(one).total_cmp(&distance(other))).unwrap_or_default()
}

/// The color in `OKLab`.
pub fn oklab(rgb: Rgb) -> Oklab {
    let linear: LinSrgb = rgb.into_linear();
    linear.into_color()
}

/// A color of xterm's default palette: 16 named colors, a cube of 6 × 6 × 6, and 24 grays.
pub fn xterm(index: u8) -> Rgb {
    const XTERM_16: [u32; 16] = [
        0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5, 0x7f_7f7f, 0xff_0000,
        0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
    ];
    match index {
        0..16 => Rgb::from(XTERM_16[usize::from(index)]),
        16..232 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            Rgb::new(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let gray = 8 + 10 * (index - 232);
            Rgb::new(gray, gray, gray)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_colors_keep_cube_colors_and_hues() {
        let rgb = |hex: u32| ThemeColor::Rgb(Rgb::from(hex));
        assert_eq!(ColorDepth::Colors256.color(rgb(0xff_8700)), Color::Indexed(208));
        assert_eq!(ColorDepth::Colors256.color(rgb(0x8a_8a8a)), Color::Indexed(245));
        assert_eq!(ColorDepth::Colors16.color(rgb(0xff_2010)), Color::Indexed(9));
        assert_eq!(ColorDepth::Mono.color(rgb(0xff_2010)), Color::Reset);
    }
}
