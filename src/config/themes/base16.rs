//! base16 and base24 color schemes as themes.
//!
//! Both published formats are supported: the old one has `scheme`, `author` and the colors as top-level keys, the new
//! one `system`, `name`, `author` and a `palette`. For the roles of the colors see
//! <https://github.com/tinted-theming/home/blob/main/styling.md>.

use std::collections::BTreeMap;

use palette::color_difference::Wcag21RelativeContrast;
use palette::{IntoColor, Oklch};
use saphyr_parser::{Event, Marker, Parser};

use super::{ThemeColors, parse_hex};
use crate::config::files::Document;
use crate::error::InputError;
use crate::terminal::{Rgb, ThemeColor};

/// The colors of base16; base24 continues to `base17`.
const BASE16: [&str; 16] = [
    "base00", "base01", "base02", "base03", "base04", "base05", "base06", "base07", "base08", "base09", "base0A",
    "base0B", "base0C", "base0D", "base0E", "base0F",
];
/// Minimum contrast of text and of secondary text (WCAG 2.1).
const MIN_CONTRAST: (f32, f32) = (4.5, 3.0);
/// Minimum OKLCH chroma of a color with a recognizable hue.
const MIN_CHROMA: f32 = 0.03;

/// The entries of a scheme file.
#[derive(Debug, Default)]
struct Base16Scheme {
    name: Option<String>,
    author: Option<String>,
    colors: BTreeMap<String, Rgb>,
}

/// Reads a scheme as the colors of a theme.
pub fn read(document: Document<'_>) -> Result<ThemeColors, InputError> {
    document.check_control_chars()?;
    let scheme = Base16Scheme::read(document)?;
    let missing: Vec<&str> = BASE16.into_iter().filter(|name| !scheme.colors.contains_key(*name)).collect();
    match missing[..] {
        [] => Ok(scheme.to_theme()),
        [first, ..] if missing.len() < BASE16.len() => {
            Err(document.at(0..0, format!("missing color {first}: a base16 scheme has base00 to base0F")))
        }
        _ => Err(document.at(0..0, "no colors: a base16 scheme has base00 to base0F, at the top or under palette")),
    }
}

impl Base16Scheme {
    /// Reads the mapping at the top and the one under `palette`. Other nested values are skipped, and aliases are never
    /// expanded, so that a small file cannot exhaust the memory.
    fn read(document: Document<'_>) -> Result<Self, InputError> {
        let mut scheme = Self::default();
        let (mut depth, mut in_palette, mut key) = (0, false, None);
        for event in Parser::new_from_str(document.text) {
            let (event, span) =
                event.map_err(|error| at(document, *error.marker(), format!("invalid YAML: {}", error.info())))?;
            let invalid = |message: &str| at(document, span.start, message);
            let is_entry = depth == 1 || (depth == 2 && in_palette);
            match event {
                Event::DocumentEnd => break,
                Event::StreamEnd => return Err(invalid("the file has no base16 scheme")),
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::MappingEnd | Event::SequenceEnd => depth -= 1,
                Event::MappingStart(..) if depth == 0 => depth = 1,
                _ if depth == 0 => return Err(invalid("a base16 scheme is a mapping of names to colors")),
                Event::Scalar(text, ..) if is_entry => match key.take() {
                    None => key = Some(text),
                    Some(key) => scheme.set(&key, &text).map_err(|message| invalid(&message))?,
                },
                Event::Scalar(..) => {}
                _ if is_entry && key.is_none() => return Err(invalid("expected a name such as base00")),
                Event::Alias(_) => {
                    if let Some(key) = key {
                        return Err(invalid(&format!("{key} is an alias (*), not a value")));
                    }
                }
                Event::MappingStart(..) | Event::SequenceStart(..) => {
                    let name = key.take();
                    if depth == 1 {
                        in_palette = matches!(event, Event::MappingStart(..)) && name.as_deref() == Some("palette");
                    }
                    depth += 1;
                }
            }
        }
        Ok(scheme)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let quoted = value.escape_debug();
        match (key, canonical_name(key)) {
            (_, Some(name)) => {
                let color = parse_color(value);
                let color = color.ok_or_else(|| format!("invalid color `{quoted}` of {name}: expected \"#rrggbb\""))?;
                if self.colors.insert(name.clone(), color).is_some() {
                    return Err(format!("duplicate color {name}"));
                }
            }
            ("name" | "scheme", _) => self.name = Some(value.to_owned()),
            ("author", _) => self.author = Some(value.to_owned()),
            ("system", _) if !matches!(value, "base16" | "base24") => {
                return Err(format!("unknown system `{quoted}`: expected base16 or base24"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Assigns the colors by role: base00 is the background, base03 comments, base05 text, base08 to base0F accents.
    /// base08 (red) goes to the predators.
    fn to_theme(&self) -> ThemeColors {
        let color = |name: &str| self.colors[name];
        let background = color("base00");
        let contrast = |color: Rgb| color.into_format::<f32>().relative_contrast(background.into_format());
        let first_readable = |names: &[&str], min: f32| {
            let readable = names.iter().map(|name| color(name)).find(|color| contrast(*color) >= min);
            ThemeColor::Rgb(readable.unwrap_or_else(|| color("base05")))
        };
        let mut prey: Vec<Rgb> = ["base03", "base0E", "base0D", "base0C", "base0B", "base0A"].map(color).to_vec();
        prey.sort_by(|a, b| contrast(*a).total_cmp(&contrast(*b)));
        // base12 is base24's bright red.
        let bright = self.colors.get("base12").copied().unwrap_or_else(|| color("base09"));
        let name = self.name.as_deref().unwrap_or("a base16 scheme");
        let author = self.author.as_ref().map(|author| format!(", by {author}")).unwrap_or_default();
        ThemeColors {
            summary: format!("{name}{author}").chars().filter(|c| !c.is_control()).collect(),
            search: String::new(),
            background: ThemeColor::Rgb(background),
            sky: Vec::new(),
            ground: None,
            far: ThemeColor::Rgb(background),
            heading: self.accents_by_hue().into_iter().map(ThemeColor::Rgb).collect(),
            prey: prey.into_iter().map(ThemeColor::Rgb).collect(),
            predators: vec![ThemeColor::Rgb(color("base08")), ThemeColor::Rgb(bright)],
            text: first_readable(&["base05", "base06", "base07"], MIN_CONTRAST.0),
            dim: first_readable(&["base03", "base04"], MIN_CONTRAST.1),
            accent: first_readable(&["base0A", "base09", "base0E"], MIN_CONTRAST.1),
            gauge: first_readable(&["base0D", "base0C", "base0B"], MIN_CONTRAST.1),
            obstacle: None,
            food: None,
            roost: None,
            pointer: None,
        }
    }

    /// The accents without red, in the order of their hue; in file order if fewer than three have a hue.
    fn accents_by_hue(&self) -> Vec<Rgb> {
        let accents = BASE16[9..].iter().map(|name| self.colors[*name]);
        let lch = |color: &Rgb| -> Oklch { color.into_format::<f32>().into_linear().into_color() };
        let mut with_hue: Vec<Rgb> = accents.clone().filter(|color| lch(color).chroma >= MIN_CHROMA).collect();
        with_hue.sort_by(|a, b| lch(a).hue.into_positive_degrees().total_cmp(&lch(b).hue.into_positive_degrees()));
        if with_hue.len() < 3 { accents.collect() } else { with_hue }
    }
}

/// `base0a` as `base0A`, for the names of base24.
fn canonical_name(key: &str) -> Option<String> {
    let digits = key.strip_prefix("base")?;
    let number = (digits.len() == 2).then(|| u8::from_str_radix(digits, 16).ok()).flatten()?;
    (number < 0x18).then(|| format!("base{number:02X}"))
}

/// Six hexadecimal digits, with or without `#`.
fn parse_color(text: &str) -> Option<Rgb> {
    parse_hex(text.strip_prefix('#').unwrap_or(text))
}

fn at(document: Document<'_>, place: Marker, message: impl Into<String>) -> InputError {
    let lines = document.text.split_inclusive('\n').take(place.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    let column = document.text[line_start..].chars().take(place.col()).map(char::len_utf8).sum::<usize>();
    document.at(line_start + column..line_start + column, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT_DARK: &str = "181818 282828 383838 585858 b8b8b8 d8d8d8 e8e8e8 f8f8f8 \
                                ab4642 dc9656 f7ca88 a1b56c 86c1b9 7cafc2 ba8baf a16946";
    const CATPPUCCIN_LATTE: &str = "eff1f5 e6e9ef ccd0da bcc0cc acb0be 4c4f69 dc8a78 7287fd \
                                    d20f39 fe640b df8e1d 40a02b 179299 1e66f5 8839ef dd7878";

    fn old_format() -> String {
        let colors = BASE16.iter().zip(DEFAULT_DARK.split(' ')).map(|(name, color)| format!("{name}: \"{color}\"\n"));
        "scheme: \"Default Dark\"\nauthor: \"Chris Kempson\"\n".to_owned() + &colors.collect::<Vec<_>>().concat()
    }

    fn new_format() -> String {
        let colors = BASE16.iter().zip(CATPPUCCIN_LATTE.split(' '));
        let colors = colors.map(|(name, color)| format!("  {name}: \"#{color}\" # comment\n"));
        let header = "system: \"base16\"\nname: \"Catppuccin Latte\"\nauthor: \"Catppuccin\"\nvariant: \"light\"\n";
        format!("{header}palette:\n{}", colors.collect::<Vec<_>>().concat())
    }

    fn load(text: &str) -> Result<ThemeColors, String> {
        read(Document { file: "mine.yaml", text }).map_err(|error| error.to_string())
    }

    fn rgb(digits: &str) -> ThemeColor {
        ThemeColor::Rgb(parse_color(digits).unwrap())
    }

    #[test]
    fn reads_the_old_and_the_new_format() {
        let old = load(&old_format()).unwrap();
        assert_eq!(old.summary, "Default Dark, by Chris Kempson");
        assert_eq!((old.background, old.text, old.predators[0]), (rgb("181818"), rgb("d8d8d8"), rgb("ab4642")));
        let new = load(&new_format()).unwrap();
        assert_eq!((new.background, new.text, new.predators[0]), (rgb("eff1f5"), rgb("4c4f69"), rgb("d20f39")));
        assert_eq!(new.gauge, rgb("1e66f5"));
        let bare =
            old_format().replace("\"181818\"", "181818").replace("\"282828\"", "000000").replace("base0A", "base0a");
        assert_eq!(load(&bare).unwrap().background, rgb("181818"));
    }

    #[test]
    fn base24_has_a_bright_red() {
        let more =
            (0x10..0x18).map(|number| format!("base{number:x}: 'ff00{number:x}'\n")).collect::<Vec<_>>().concat();
        assert_eq!(load(&(old_format() + &more)).unwrap().predators, [rgb("ab4642"), rgb("ff0012")]);
    }

    #[test]
    fn dim_text_is_readable() {
        // 585858 has a contrast of 2.4 to 181818; bcc0cc has less.
        assert_eq!(load(&old_format()).unwrap().dim, rgb("b8b8b8"));
        assert_eq!(load(&new_format()).unwrap().dim, rgb("4c4f69"));
        assert_eq!(load(&old_format().replace("585858", "808080")).unwrap().dim, rgb("808080"));
    }

    #[test]
    fn headings_are_sorted_by_hue_without_red() {
        let heading = load(&old_format()).unwrap().heading;
        assert_eq!(heading, ["a16946", "dc9656", "f7ca88", "a1b56c", "86c1b9", "7cafc2", "ba8baf"].map(rgb));
    }

    #[test]
    fn errors_name_the_place_and_the_fix() {
        let error = |text: &str| load(text).unwrap_err();
        assert_eq!(
            error(&new_format().replace("#df8e1d", "#df8e1")),
            "mine.yaml:16:11: invalid color `#df8e1` of base0A: expected \"#rrggbb\""
        );
        assert!(error(&old_format().replace("base0E", "baseE")).starts_with("mine.yaml:1:1: missing color base0E"));
        assert!(
            error(&new_format().replace("\"base16\"", "base8")).starts_with("mine.yaml:1:9: unknown system `base8`")
        );
        assert!(error(&old_format().replace("\"ab4642\"", "*red")).starts_with("mine.yaml:11:9: "));
        assert!(error("summary: x\n").contains("base00 to base0F"));
        assert!(error("- a\n- b\n").starts_with("mine.yaml:1:1: a base16 scheme is a mapping"));
        assert!(error("").contains("has no base16 scheme"));
        assert!(error("base00: \"18").starts_with("mine.yaml:1:"));
        assert!(error("a: b # \u{1b}[31m").starts_with("mine.yaml:1:8: control characters"));
        assert!(error(&(old_format() + "base0F: '000000'\n")).ends_with("duplicate color base0F"));
    }

    #[test]
    fn nesting_is_skipped_without_recursion() {
        let deep = format!("base00: {}", "[".repeat(200_000));
        assert!(load(&deep).unwrap_err().starts_with("mine.yaml:1:"));
        let known = format!("{}more: {{a: &e [1, {{b: c}}], d: *e}}\n", old_format());
        assert_eq!(load(&known), load(&old_format()));
        assert_eq!(
            load(&known.replace("&e ", "")).unwrap_err(),
            "mine.yaml:19:27: invalid YAML: while parsing node, found unknown anchor"
        );
    }
}
