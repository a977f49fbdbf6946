//! Themes: colors, by name or as a file.

use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use palette::Srgb;
use serde::Deserialize;

use super::base16;
use crate::config::Error;
use crate::config::errors::suggest::did_you_mean;
use crate::config::files::document::Document;
use crate::config::files::user_files;
use crate::config::files::user_files::Catalog;

/// The themes that are built in; the first is the default.
pub const BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/themes.rs"));

/// How the name of a base16 or base24 scheme's file ends.
const SCHEMES: [&str; 2] = ["yaml", "yml"];
/// The largest theme file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 18;
/// The most stops of a ramp.
const MAX_STOPS: usize = 64;

/// What stands in a theme's file.
const KEYS: &[&str] = &[
    "summary",
    "background",
    "sky",
    "far",
    "heading",
    "prey",
    "predators",
    "text",
    "dim",
    "accent",
    "gauge",
    "obstacle",
    "food",
    "roost",
    "pointer",
];

/// A color in sRGB, 8 bits a channel.
pub type Rgb = Srgb<u8>;

/// What a theme paints with.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub enum ThemeColor {
    /// The terminal's own foreground or background.
    Terminal,
    /// One of the terminal's sixteen colors.
    Ansi(u8),
    /// This very color.
    Rgb(Rgb),
}

/// The words for the terminal's sixteen colors, in their order.
const ANSI: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

impl FromStr for ThemeColor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "terminal" {
            return Ok(Self::Terminal);
        }
        if let Some(index) = ANSI.iter().position(|name| *name == text) {
            return Ok(Self::Ansi(index as u8));
        }
        if let Some(rgb) = text.strip_prefix('#').and_then(hex) {
            return Ok(Self::Rgb(rgb));
        }
        let hint = did_you_mean(text, ANSI.into_iter().chain(["terminal"]));
        Err(format!(
            "`{text}` is no color: it is #rrggbb, terminal, or one of the terminal's sixteen, as bright-blue{hint}"
        ))
    }
}

/// The color of six hexadecimal digits.
pub(crate) fn hex(digits: &str) -> Option<Rgb> {
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| digits.parse().ok()).flatten()
}

impl TryFrom<String> for ThemeColor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A color of a sky.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
pub struct SkyColor(pub Rgb);

impl TryFrom<String> for SkyColor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(ThemeColor::Rgb(rgb)) => Ok(Self(rgb)),
            _ => Err(format!("`{text}` is no color of a sky: it is #rrggbb")),
        }
    }
}

/// A theme, as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The name, as shown.
    pub name: String,
    /// What it was asked for by: the name, or a file's path.
    pub origin: String,
    /// Its colors.
    pub colors: ThemeColors,
    /// Whether it is one of the user's own, by name.
    pub from_user: bool,
}

/// The colors of a theme.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ThemeColors {
    /// How it looks, in a line.
    pub summary: String,
    /// Behind everything; `terminal` leaves the terminal's own alone.
    #[serde(default = "terminal")]
    pub background: ThemeColor,
    /// Behind the flock, from top to bottom; none leaves the background alone.
    #[serde(default)]
    pub sky: Vec<SkyColor>,
    /// What far boids and a glow fade toward where the background is the terminal's own, and is not told.
    #[serde(default = "black")]
    pub far: ThemeColor,
    /// By heading: a ring of stops; the first is to the right, and they go clockwise.
    pub heading: Vec<ThemeColor>,
    /// By speed and density: from least to most.
    pub prey: Vec<ThemeColor>,
    /// Predators, from slow to fast.
    pub predators: Vec<ThemeColor>,
    /// The panel's text.
    #[serde(default = "terminal")]
    pub text: ThemeColor,
    /// What matters less: units, hints, the empty part of a bar.
    pub dim: ThemeColor,
    /// What matters now: the chosen row, headings, key names.
    pub accent: ThemeColor,
    /// The full part of a bar, and the plots.
    pub gauge: ThemeColor,
    /// What boids fly around; without it `dim`.
    pub obstacle: Option<ThemeColor>,
    /// What they eat; without it `gauge`.
    pub food: Option<ThemeColor>,
    /// Where they rest; without it `accent`.
    pub roost: Option<ThemeColor>,
    /// The ring of the pointer; without it `text`.
    pub pointer: Option<ThemeColor>,
}

fn terminal() -> ThemeColor {
    ThemeColor::Terminal
}

fn black() -> ThemeColor {
    ThemeColor::Rgb(Rgb::new(0, 0, 0))
}

impl Theme {
    /// A theme of the user's own or a built-in one by name, or one from a file.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] with the nearest name, [`Error::File`], or what is wrong in the file.
    pub fn load(name: &str) -> Result<Self, Error> {
        Self::find(name).map(|(theme, _)| theme)
    }

    /// The text of its file, once it has been found right.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load) has them.
    pub fn file(name: &str) -> Result<String, Error> {
        Self::find(name).map(|(_, text)| text)
    }

    /// A theme and its text.
    fn find(name: &str) -> Result<(Self, String), Error> {
        let (source, own) = user_files::THEME_FOLDER.find(BUILTIN, name, MAX_FILE_BYTES)?;
        let file = own.as_deref().unwrap_or(name);
        let theme = Self::parse(&source.name, Document { file, text: &source.text })?;
        Ok((Self { origin: name.to_owned(), from_user: own.is_some(), ..theme }, source.text.into_owned()))
    }

    /// A theme from the text of a file, which is a scheme where its name ends as a scheme's does.
    ///
    /// # Errors
    ///
    /// What is wrong in it.
    pub fn from_text(file: &str, text: &str) -> Result<Self, Error> {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, Document { file, text })
    }

    /// Every theme that has a name, the user's own among them.
    #[must_use]
    pub fn all() -> Catalog<Self> {
        user_files::THEME_FOLDER.gather(Self::builtin(), |theme| &theme.name, Self::load)
    }

    /// Whether it is from a file that was asked for by its path.
    #[must_use]
    pub fn is_from_path(&self) -> bool {
        self.origin != self.name
    }

    /// Whether it stands in the place of a built-in one.
    #[must_use]
    pub fn shadows_builtin(&self) -> bool {
        self.from_user && BUILTIN.iter().any(|(name, _)| *name == self.name)
    }

    /// Every built-in theme.
    ///
    /// # Panics
    ///
    /// Never: a test reads them all.
    #[must_use]
    pub fn builtin() -> Vec<Self> {
        let read = |(name, text): &(&str, &str)| Self::parse(name, Document { file: name, text });
        BUILTIN.iter().map(|theme| read(theme).expect("built-in themes are right")).collect()
    }

    fn parse(name: &str, document: Document<'_>) -> Result<Self, Error> {
        let is_scheme = SCHEMES.iter().any(|end| Path::new(document.file).extension().is_some_and(|it| it == *end));
        if is_scheme {
            return Ok(Self {
                name: name.to_owned(),
                origin: name.to_owned(),
                colors: base16::read(document)?,
                from_user: false,
            });
        }
        check_keys(document)?;
        let colors: ThemeColors = document.read()?;
        for (key, ramp) in [("heading", &colors.heading), ("prey", &colors.prey), ("predators", &colors.predators)] {
            if ramp.is_empty() || ramp.len() > MAX_STOPS {
                let message = format!("{key} takes 1 to {MAX_STOPS} colors, and has {}", ramp.len());
                return Err(document.at(place(document, key), message));
            }
        }
        if colors.sky.len() > MAX_STOPS {
            let message = format!("sky takes up to {MAX_STOPS} colors, and has {}", colors.sky.len());
            return Err(document.at(place(document, "sky"), message));
        }
        Ok(Self { name: name.to_owned(), origin: name.to_owned(), colors, from_user: false })
    }
}

/// Checks that there is no key that a theme does not have.
fn check_keys(document: Document<'_>) -> Result<(), Error> {
    let table = document.table()?;
    let Some(key) = table.keys().find(|key| !KEYS.contains(&key.get_ref().as_ref())) else { return Ok(()) };
    let hint = did_you_mean(key.get_ref(), KEYS.iter().copied());
    Err(document.at(key.span(), format!("a theme has no key `{}`{hint}", key.get_ref())))
}

/// Where the value of a key stands.
fn place(document: Document<'_>, key: &str) -> Range<usize> {
    document.table().ok().and_then(|table| Some(table.get(key)?.span())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_theme_reads() {
        assert!(Theme::builtin().len() >= 8);
    }

    #[test]
    fn a_complaint_names_its_place_and_the_right_word() {
        let complaint =
            |text: &str| Theme::parse("mine", Document { file: "mine.toml", text }).unwrap_err().to_string();
        assert_eq!(
            complaint("summary = \"\"\ndim = \"bright-bleu\"\n"),
            "mine.toml:2:7: `bright-bleu` is no color: it is #rrggbb, terminal, or one of the terminal's sixteen, as bright-blue; did you mean `bright-blue`?"
        );
        assert!(
            complaint("sumary = \"\"")
                .starts_with("mine.toml:1:1: a theme has no key `sumary`; did you mean `summary`?")
        );
        // The keys that are told are those that are read.
        let unknown = toml::from_str::<ThemeColors>("zzz = 1").unwrap_err().to_string();
        let known: Vec<&str> = unknown.split('`').skip(1).step_by(2).skip_while(|word| *word != KEYS[0]).collect();
        assert_eq!(known, KEYS, "{unknown}");
        let long = format!("summary = \"\"\nsky = [{}]\n", "\"#102030\", ".repeat(65));
        let ramps =
            "dim = \"red\"\naccent = \"red\"\ngauge = \"red\"\nheading = [\"red\"]\nprey = [\"red\"]\npredators = []\n";
        assert!(
            complaint(&(long.clone() + ramps)).starts_with("mine.toml:8:13: predators takes 1 to 64 colors, and has 0")
        );
        let said = complaint(&(long + &ramps.replace("[]", "[\"red\"]")));
        assert!(said.starts_with("mine.toml:2:7: sky takes up to 64 colors, and has 65"), "{said}");
        for wrong in ["#12345", "#12345g", "#+12345", "#9cb\u{202e}", "#ääüg", "112233"] {
            assert!(complaint(&format!("dim = \"{wrong}\"")).contains("is no color"), "{wrong}");
        }
        assert_eq!(
            complaint("summary = \"\"\nsky = [\"#102030\", \"red\"]\n"),
            "mine.toml:2:7: `red` is no color of a sky: it is #rrggbb"
        );
    }
}
