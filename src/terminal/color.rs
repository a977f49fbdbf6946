//! CellAttrs many colors the terminal has, and what becomes of a theme's colors there.

use std::collections::HashMap;
use std::env;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use clap::ValueEnum;
use palette::{IntoColor, LinSrgb, Oklab};
use ratatui::style::Color;
use termprofile::{DetectorSettings, IsTerminal, TermProfile, TermVars};

use crate::config::{Rgb, ThemeColor};

/// What tells of the terminal; what is said of build servers is none of ours.
const TOLD: [&str; 10] = [
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "ConEmuANSI",
    "ANSICON",
];

/// Standard output, which is known to be a terminal by then.
struct Terminal;

impl IsTerminal for Terminal {
    fn is_terminal(&self) -> bool {
        true
    }
}

/// CellAttrs many colors are used, from most to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum ColorDepth {
    /// 24 bits.
    Truecolor,
    /// The fixed 256 of xterm.
    #[value(name = "256")]
    Indexed,
    /// The terminal's own sixteen.
    #[value(name = "16")]
    Ansi,
    /// None but the terminal's own foreground.
    Mono,
}

impl ColorDepth {
    /// Whether there are colors between any two, for glows, skies and fades.
    #[must_use]
    pub fn can_blend(self) -> bool {
        matches!(self, Self::Indexed | Self::Truecolor)
    }

    /// What the environment says of the terminal.
    #[must_use]
    pub fn detect() -> Self {
        Self::of(TOLD.iter().filter_map(|name| Some(((*name).to_owned(), env::var(name).ok()?))).collect())
    }

    fn of(mut environment: HashMap<String, String>) -> Self {
        if let Some(forced) = environment.get_mut("FORCE_COLOR") {
            match forced.as_str() {
                "0" | "false" | "no_color" => return Self::Mono,
                // The levels that many programs know; termprofile has words for them.
                "2" => "ansi256".clone_into(forced),
                "3" => "truecolor".clone_into(forced),
                _ => {}
            }
        }
        let var = |name: &str| environment.get(name).map_or("", String::as_str);
        // What others say of it changes nothing in what these can do.
        if var("TERM") == "dumb" {
            return Self::Mono;
        }
        // No terminal has a name that leads out of terminfo's folders.
        let settings = DetectorSettings::new().enable_terminfo(!var("TERM").contains(['/', '\\']));
        let profile = TermProfile::detect_with_vars(TermVars::from_source(&environment, &Terminal, settings));
        let depth = match profile {
            TermProfile::NoTty | TermProfile::NoColor if var("NO_COLOR").is_empty() => Self::Ansi,
            TermProfile::NoTty | TermProfile::NoColor => Self::Mono,
            TermProfile::Ansi16 => Self::Ansi,
            TermProfile::Ansi256 => Self::Indexed,
            TermProfile::TrueColor => Self::Truecolor,
        };
        if var("TERM") == "linux" && depth != Self::Mono { Self::Ansi } else { depth }
    }

    /// A theme's color, as near as this many colors come.
    #[must_use]
    pub fn color(self, paint: ThemeColor) -> Color {
        match (self, paint) {
            (Self::Mono, _) | (_, ThemeColor::Terminal) => Color::Reset,
            (_, ThemeColor::Ansi(index)) => Color::Indexed(index),
            (Self::Truecolor, ThemeColor::Rgb(rgb)) => Color::Rgb(rgb.red, rgb.green, rgb.blue),
            (Self::Indexed, ThemeColor::Rgb(rgb)) => Color::Indexed(nearest(rgb, 16..=255, 1.0)),
            // With so few, the hue matters more than how bright it is; 0 is as good as invisible.
            (Self::Ansi, ThemeColor::Rgb(rgb)) => Color::Indexed(nearest(rgb, 1..=15, 0.35)),
        }
    }
}

/// xterm's colors as `OKLab` has them, each of its three numbers by itself: so many are compared at once.
static SEEN: LazyLock<[[f32; 256]; 3]> = LazyLock::new(|| {
    let seen: [Oklab; 256] = std::array::from_fn(|index| oklab(xterm(index as u8)));
    [seen.map(|color| color.l), seen.map(|color| color.a), seen.map(|color| color.b)]
});

/// The number of the xterm color that looks most like `rgb`, by distance in `OKLab` with lightness weighted. A theme
/// for 256 colors asks it ten thousand times.
fn nearest(rgb: Rgb, among: RangeInclusive<u8>, lightness: f32) -> u8 {
    let wanted = oklab(rgb);
    let [l, a, b] = &*SEEN;
    let distances: [f32; 256] = std::array::from_fn(|index| {
        lightness * (l[index] - wanted.l).powi(2) + (a[index] - wanted.a).powi(2) + (b[index] - wanted.b).powi(2)
    });
    let mut best = *among.start();
    for index in among {
        if distances[usize::from(index)] < distances[usize::from(best)] {
            best = index;
        }
    }
    best
}

pub(crate) fn oklab(rgb: Rgb) -> Oklab {
    let linear: LinSrgb = rgb.into_linear();
    linear.into_color()
}

/// xterm's default palette: sixteen named colors, a cube of 6 × 6 × 6, and 24 greys.
pub(crate) fn xterm(index: u8) -> Rgb {
    const NAMED: [u32; 16] = [
        0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5, 0x7f_7f7f, 0xff_0000,
        0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
    ];
    match index {
        0..16 => Rgb::from(NAMED[usize::from(index)]),
        16..232 => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            Rgb::new(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            Rgb::new(grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_heeded() {
        let of = |told: &[(&str, &str)]| {
            ColorDepth::of(told.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
        };
        let full = ("COLORTERM", "truecolor");
        assert_eq!(of(&[("NO_COLOR", "1"), ("TERM", "xterm-256color"), full]), ColorDepth::Mono);
        assert_eq!(of(&[("TERM", "linux"), full]), ColorDepth::Ansi);
        assert_eq!(of(&[("TERM", "dumb"), full]), ColorDepth::Mono);
        assert_eq!(of(&[("TERM", "xterm-256color"), full]), ColorDepth::Truecolor);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), ColorDepth::Truecolor);
        for (forced, depth) in [
            ("truecolor", ColorDepth::Truecolor),
            ("3", ColorDepth::Truecolor),
            ("0", ColorDepth::Mono),
            ("false", ColorDepth::Mono),
            ("no_color", ColorDepth::Mono),
            ("1", ColorDepth::Truecolor),
        ] {
            assert_eq!(of(&[("TERM", "xterm-256color"), full, ("FORCE_COLOR", forced)]), depth, "{forced}");
        }
        assert_eq!(of(&[("TERM", "xterm-kitty"), ("FORCE_COLOR", "2")]), ColorDepth::Indexed);
        assert_eq!(of(&[("TERM", "linux"), ("FORCE_COLOR", "3")]), ColorDepth::Ansi);
        if !cfg!(windows) {
            assert_eq!(of(&[("TERM", "xterm-256color")]), ColorDepth::Indexed);
            assert_eq!(of(&[("TERM", "screen-256color")]), ColorDepth::Indexed);
            assert_eq!(of(&[("TERM", "vt100")]), ColorDepth::Ansi);
            assert_eq!(of(&[]), ColorDepth::Ansi);
        }
    }

    #[test]
    fn a_color_of_the_cube_is_itself_and_a_hue_survives_sixteen() {
        let paint = |hex: u32| ThemeColor::Rgb(Rgb::from(hex));
        assert_eq!(ColorDepth::Indexed.color(paint(0xff_8700)), Color::Indexed(208));
        assert_eq!(ColorDepth::Indexed.color(paint(0x8a_8a8a)), Color::Indexed(245));
        assert_eq!(ColorDepth::Ansi.color(paint(0xff_2010)), Color::Indexed(9));
        assert_eq!(ColorDepth::Mono.color(paint(0xff_2010)), Color::Reset);
    }
}
