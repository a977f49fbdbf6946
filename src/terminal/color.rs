//! Colors, as themes and the terminal name them.

use palette::{IntoColor, LinSrgb, Oklab, Srgb};

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

/// The color in `OKLab`.
pub(crate) fn oklab(rgb: Rgb) -> Oklab {
    let linear: LinSrgb = rgb.into_linear();
    linear.into_color()
}

/// A color of xterm's default palette: 16 named colors, a cube of 6 × 6 × 6, and 24 grays.
pub(crate) fn xterm(index: u8) -> Rgb {
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
