//! The colors of a theme, and their form as text.

use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::color::{Rgb, ThemeColor};

/// Maximum number of colors of a ramp.
const MAX_COLORS: usize = 64;

/// The names of the first 8 ANSI colors, in order. The other 8 are the bright ones.
const ANSI: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

impl ThemeColor {
    /// The names of the 16 ANSI colors, in order, and then that of the terminal's own color.
    pub fn names() -> Vec<String> {
        let named = ["", "bright-"].iter().flat_map(|kind| ANSI.map(|name| kind.to_string() + name));
        named.chain(["terminal".to_owned()]).collect()
    }
}

impl<'de> Deserialize<'de> for ThemeColor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some(rgb) = text.strip_prefix('#').and_then(parse_hex) {
            return Ok(Self::Rgb(rgb));
        }
        match Self::names().iter().position(|name| *name == text) {
            Some(16) => Ok(Self::Terminal),
            Some(index) => Ok(Self::Ansi(index as u8)),
            None => {
                let valid = "#rrggbb, terminal or an ANSI color such as bright-blue";
                Err(D::Error::custom(format!("invalid color `{text}`: expected {valid}")))
            }
        }
    }
}

/// Parses six hexadecimal digits.
fn parse_hex(digits: &str) -> Option<Rgb> {
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| digits.parse().ok()).flatten()
}

/// A color of the sky gradient.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub struct SkyColor(pub Rgb);

impl TryFrom<String> for SkyColor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let rgb = text.strip_prefix('#').and_then(parse_hex);
        rgb.map(Self).ok_or_else(|| format!("invalid sky color `{text}`: expected #rrggbb"))
    }
}

/// The colors of a theme.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ThemeColors {
    /// A description in one line.
    pub summary: String,
    /// Words that the palette finds it by, as well as its name and its summary.
    #[serde(default)]
    pub search: String,
    /// The background; `terminal` keeps the terminal's own.
    #[serde(default = "terminal")]
    pub background: ThemeColor,
    /// A gradient behind the flock, from top to bottom; empty for the plain background.
    #[serde(default, deserialize_with = "ramp::<0, _, _>")]
    pub sky: Vec<SkyColor>,
    /// The line of trees at the foot of a sky; none by default.
    pub ground: Option<SkyColor>,
    /// The color that distant boids and glows fade to if the terminal does not report its background.
    #[serde(default = "black")]
    pub far: ThemeColor,
    /// Boids by heading: a cyclic ramp, clockwise from the right.
    #[serde(deserialize_with = "ramp::<1, _, _>")]
    pub heading: Vec<ThemeColor>,
    /// Boids by speed or density, from low to high.
    #[serde(deserialize_with = "ramp::<1, _, _>")]
    pub prey: Vec<ThemeColor>,
    /// Predators by speed, from slow to fast.
    #[serde(deserialize_with = "ramp::<1, _, _>")]
    pub predators: Vec<ThemeColor>,
    /// Text.
    #[serde(default = "terminal")]
    pub text: ThemeColor,
    /// Secondary text: units, hints, the empty part of a gauge.
    pub dim: ThemeColor,
    /// Highlights: the selected row, headings, key names.
    pub accent: ThemeColor,
    /// The filled part of a gauge, and plots.
    pub gauge: ThemeColor,
    /// Obstacles; `dim` by default.
    pub obstacle: Option<ThemeColor>,
    /// Food; `gauge` by default.
    pub food: Option<ThemeColor>,
    /// Roosts; `accent` by default.
    pub roost: Option<ThemeColor>,
    /// The circle around the mouse pointer; `text` by default.
    pub pointer: Option<ThemeColor>,
}

/// Reads the text of a theme file, which is TOML.
impl FromStr for ThemeColors {
    type Err = toml::de::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        toml::from_str(text)
    }
}

fn terminal() -> ThemeColor {
    ThemeColor::Terminal
}

fn black() -> ThemeColor {
    ThemeColor::Rgb(Rgb::new(0, 0, 0))
}

/// A list of `MIN` to [`MAX_COLORS`] colors.
fn ramp<'de, const MIN: usize, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let colors = Vec::deserialize(deserializer)?;
    if (MIN..=MAX_COLORS).contains(&colors.len()) {
        return Ok(colors);
    }
    Err(D::Error::custom(format!("{} colors: a ramp takes {MIN} to {MAX_COLORS}", colors.len())))
}
