//! How many colors the terminal has, and the nearest of them to the colors of a theme.

use std::collections::HashMap;
use std::env;
use std::sync::{LazyLock, OnceLock};

use palette::{IntoColor, LinSrgb, Oklab, Srgb};
use ratatui::style::Color;
use termini::{NumberCapability, TermInfo};
use termprofile::{DetectorSettings, IsTerminal, TermProfile, TermVars};

/// The variables to look at. Others that termprofile knows are about build servers.
const VARIABLES: [&str; 10] = [
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

/// Standard output, which is a terminal if this is asked.
struct Terminal;

impl IsTerminal for Terminal {
    fn is_terminal(&self) -> bool {
        true
    }
}

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

    /// Detects the depth from the environment.
    pub fn detect() -> Self {
        // terminfo is read in a thousand small pieces.
        static DETECTED: OnceLock<ColorDepth> = OnceLock::new();
        let variables = || VARIABLES.iter().filter_map(|name| Some(((*name).to_owned(), env::var(name).ok()?)));
        *DETECTED.get_or_init(|| Self::from_env(variables().collect()))
    }

    fn from_env(mut environment: HashMap<String, String>) -> Self {
        if let Some(forced) = environment.get_mut("FORCE_COLOR") {
            match forced.as_str() {
                "0" | "false" | "no_color" => return Self::Mono,
                // Levels that many programs know. termprofile has names for them.
                "2" => "ansi256".clone_into(forced),
                "3" => "truecolor".clone_into(forced),
                _ => {}
            }
        }
        let var = |name: &str| environment.get(name).map_or("", String::as_str);
        // Other variables do not change what such a terminal can do.
        if var("TERM") == "dumb" {
            return Self::Mono;
        }
        // A slash would lead out of terminfo's folders.
        // `tmux info` would be another program, and what tmux supports it also tells by COLORTERM and DECRQSS.
        let term = Some(var("TERM")).filter(|term| !term.contains(['/', '\\']));
        let settings = DetectorSettings::new().enable_terminfo(term.is_some()).enable_tmux_info(false);
        let profile = TermProfile::detect_with_vars(TermVars::from_source(&environment, &Terminal, settings));
        // tmux converts colors for terminals that have fewer.
        let in_tmux = !var("TMUX").is_empty() && ["tmux", "screen"].iter().any(|name| var("TERM").starts_with(name));
        let has_truecolor = in_tmux && matches!(var("COLORTERM"), "truecolor" | "24bit");
        let depth = match profile {
            TermProfile::Ansi256 if has_truecolor => Self::Truecolor,
            TermProfile::NoTty | TermProfile::NoColor if var("NO_COLOR").is_empty() => Self::Colors16,
            TermProfile::NoTty | TermProfile::NoColor => Self::Mono,
            TermProfile::Ansi16 => Self::Colors16,
            TermProfile::Ansi256 => Self::Colors256,
            TermProfile::TrueColor => Self::Truecolor,
        };
        let says_more = ["COLORTERM", "FORCE_COLOR", "CLICOLOR_FORCE"].iter().any(|name| !var(name).is_empty());
        match depth {
            Self::Colors16 if !says_more && term.is_some_and(is_monochrome) => Self::Mono,
            Self::Colors256 | Self::Truecolor if var("TERM") == "linux" => Self::Colors16,
            depth => depth,
        }
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
    pub(crate) fn background(self, color: ThemeColor) -> Color {
        let (Self::Colors16, ThemeColor::Rgb(rgb)) = (self, color) else { return self.color(color) };
        Color::Indexed(nearest(oklab(rgb), 0..=15, 1.0))
    }
}

/// The background according to the environment: black on the Linux console, and elsewhere the last number of `COLORFGBG`, which is one
/// of the 16 colors.
pub(crate) fn background_from_env() -> Option<Rgb> {
    let var = |name| env::var(name).unwrap_or_default();
    background(&var("TERM"), &var("COLORFGBG"))
}

fn background(term: &str, colorfgbg: &str) -> Option<Rgb> {
    let number = if term == "linux" { "0" } else { colorfgbg.rsplit_once(';')?.1 };
    number.parse().ok().filter(|index| *index < 16).map(xterm)
}

/// Whether a terminal has no colors, according to terminfo or, where that has no entry, to its name.
fn is_monochrome(term: &str) -> bool {
    match TermInfo::from_name(term) {
        Ok(info) => info.number_cap(NumberCapability::MaxColors).is_none_or(|colors| colors <= 0),
        Err(_) => {
            ["vt1", "vt2"].iter().any(|start| term.starts_with(start))
                || ["-m", "-mono"].iter().any(|end| term.ends_with(end))
        }
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
pub(crate) fn nearest_named(wanted: Oklab, among: impl IntoIterator<Item = u8>) -> Color {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_sets_the_depth() {
        let of = |variables: &[(&str, &str)]| {
            ColorDepth::from_env(
                variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            )
        };
        let full = ("COLORTERM", "truecolor");
        assert_eq!(of(&[("NO_COLOR", "1"), ("TERM", "xterm-256color"), full]), ColorDepth::Mono);
        assert_eq!(of(&[("TERM", "linux"), full]), ColorDepth::Colors16);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux"), full]), ColorDepth::Truecolor);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux")]), ColorDepth::Colors256);
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
        assert_eq!(of(&[("TERM", "xterm-kitty"), ("FORCE_COLOR", "2")]), ColorDepth::Colors256);
        assert_eq!(of(&[("TERM", "linux"), ("FORCE_COLOR", "3")]), ColorDepth::Colors16);
        if !cfg!(windows) {
            assert_eq!(of(&[("TERM", "xterm-256color")]), ColorDepth::Colors256);
            assert_eq!(of(&[("TERM", "screen-256color")]), ColorDepth::Colors256);
            assert_eq!(of(&[]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "no-such-terminal")]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "vt100"), ("FORCE_COLOR", "1")]), ColorDepth::Colors16);
            assert_eq!(of(&[("TERM", "vt100"), full]), ColorDepth::Truecolor);
            for term in ["vt100", "vt102", "vt220", "xterm-mono"] {
                assert_eq!(of(&[("TERM", term)]), ColorDepth::Mono, "{term}");
            }
        }
    }

    #[test]
    fn the_environment_tells_the_background() {
        let gray = |level| Some(Rgb::new(level, level, level));
        for (term, colorfgbg, expected) in [
            ("rxvt-unicode", "0;default;15", gray(255)),
            ("rxvt-unicode", "15;0", gray(0)),
            ("xterm", "0;7", gray(229)),
            ("xterm", "default;default", None),
            ("xterm", "15", None),
            ("xterm", "0;16", None),
            ("xterm", "", None),
            ("linux", "", gray(0)),
        ] {
            assert_eq!(background(term, colorfgbg), expected, "{term} {colorfgbg}");
        }
    }

    #[test]
    fn nearest_colors_keep_cube_colors_and_hues() {
        let rgb = |hex: u32| ThemeColor::Rgb(Rgb::from(hex));
        assert_eq!(ColorDepth::Colors256.color(rgb(0xff_8700)), Color::Indexed(208));
        assert_eq!(ColorDepth::Colors256.color(rgb(0x8a_8a8a)), Color::Indexed(245));
        assert_eq!(ColorDepth::Colors16.color(rgb(0xff_2010)), Color::Indexed(9));
        assert_eq!(ColorDepth::Mono.color(rgb(0xff_2010)), Color::Reset);
    }
}
