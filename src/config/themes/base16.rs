//! base16 and base24 schemes as themes, in the form in which they are published, old and new.
//!
//! Old: `scheme`, `author` and the colors as top-level keys. New: `system`, `name`, `author` and a
//! `palette` of colors. See <https://github.com/tinted-theming/home/blob/main/styling.md>.

use std::collections::BTreeMap;

use palette::color_difference::Wcag21RelativeContrast;
use palette::{IntoColor, Oklch};
use saphyr_parser::{Event, Marker, Parser, Span};

use super::theme::{Rgb, ThemeColor, ThemeColors, hex};
use crate::config::Error;
use crate::config::files::document::Document;

/// The names of base16's colors; base24 goes on to `base17`.
const BASE16: [&str; 16] = [
    "base00", "base01", "base02", "base03", "base04", "base05", "base06", "base07", "base08", "base09", "base0A",
    "base0B", "base0C", "base0D", "base0E", "base0F",
];
/// The least contrast of what is to be read, after WCAG 2.1: for text, and for what is less.
const MIN_CONTRAST: (f32, f32) = (4.5, 3.0);
/// From so much of `OKLCH`'s chroma on, a color has a hue.
const MIN_CHROMA: f32 = 0.03;

/// A scheme's colors and names, as they stand in the file.
#[derive(Debug, Default)]
struct Base16Scheme {
    name: Option<String>,
    author: Option<String>,
    colors: BTreeMap<String, Rgb>,
}

/// Reads a scheme as a theme's colors.
///
/// # Errors
///
/// [`Error::At`] where the text is not YAML, or a color is none, or one is missing.
pub fn read(document: Document<'_>) -> Result<ThemeColors, Error> {
    document.check_control_chars()?;
    let scheme = Base16Scheme::read(document)?;
    let missing: Vec<&str> = BASE16.into_iter().filter(|name| !scheme.colors.contains_key(*name)).collect();
    if let Some(first) = missing.first() {
        let message = match missing.len() {
            16 => "there is no color: a base16 scheme has base00 to base0F, at the top or under palette".to_owned(),
            _ => format!("{first} is missing: a base16 scheme has base00 to base0F, each as \"#rrggbb\""),
        };
        return Err(document.at(0..0, message));
    }
    Ok(scheme.palette())
}

impl Base16Scheme {
    fn read(document: Document<'_>) -> Result<Self, Error> {
        let mut scheme = Self::default();
        let mut events = Events { document, parser: Parser::new_from_str(document.text) };
        while !matches!(events.next()?.0, Event::DocumentStart(_)) {}
        let (event, span) = events.next()?;
        if !matches!(event, Event::MappingStart(..)) {
            return Err(at(document, span.start, "a base16 scheme is a table of names and colors"));
        }
        scheme.table(&mut events, true)?;
        Ok(scheme)
    }

    /// The rest of a table: the top one, or the palette.
    fn table(&mut self, events: &mut Events<'_>, top: bool) -> Result<(), Error> {
        loop {
            let key = match events.next()? {
                (Event::MappingEnd, _) => return Ok(()),
                (Event::Scalar(key, ..), _) => key.into_owned(),
                (_, span) => return Err(at(events.document, span.start, "a name is to stand here, as base00")),
            };
            let (value, span) = events.next()?;
            match value {
                Event::Scalar(value, ..) => self.entry(&key, &value, events.document, span.start)?,
                Event::MappingStart(..) if top && key == "palette" => self.table(events, false)?,
                Event::MappingStart(..) | Event::SequenceStart(..) => events.skip()?,
                _ => return Err(at(events.document, span.start, format!("{key} is to be given as it is, without *"))),
            }
        }
    }

    fn entry(&mut self, key: &str, value: &str, document: Document<'_>, place: Marker) -> Result<(), Error> {
        match (key, canonical(key)) {
            (_, Some(name)) => {
                let color = color(value).ok_or_else(|| {
                    let value = value.escape_debug();
                    at(document, place, format!("{name} is `{value}`, and is to be a color as \"#rrggbb\""))
                })?;
                if self.colors.insert(name.clone(), color).is_some() {
                    return Err(at(document, place, format!("{name} stands there twice")));
                }
            }
            ("name" | "scheme", _) => self.name = Some(value.to_owned()),
            ("author", _) => self.author = Some(value.to_owned()),
            ("system", _) if !matches!(value, "base16" | "base24") => {
                let value = value.escape_debug();
                return Err(at(document, place, format!("system is `{value}`, and is to be base16 or base24")));
            }
            _ => {}
        }
        Ok(())
    }

    /// The colors by their meaning: 00 is the background, 03 comments, 05 text, 08 to 0F accents, of
    /// which 08 is red and belongs to the predators; base24 adds brighter accents.
    fn palette(&self) -> ThemeColors {
        let color = |name: &str| self.colors[name];
        let background = color("base00");
        let contrast = |color: Rgb| color.into_format::<f32>().relative_contrast(background.into_format());
        let first = |names: &[&str], least: f32| {
            let fit = names.iter().map(|name| color(name)).find(|color| contrast(*color) >= least);
            ThemeColor::Rgb(fit.unwrap_or_else(|| color("base05")))
        };
        let mut ramp: Vec<Rgb> = ["base03", "base0E", "base0D", "base0C", "base0B", "base0A"].map(color).to_vec();
        ramp.sort_by(|a, b| contrast(*a).total_cmp(&contrast(*b)));
        let bright = self.colors.get("base12").copied().unwrap_or_else(|| color("base09"));
        let name = self.name.as_deref().unwrap_or("a base16 scheme");
        let author = self.author.as_ref().map(|author| format!(", by {author}")).unwrap_or_default();
        ThemeColors {
            summary: format!("{name}{author}").chars().filter(|char| !char.is_control()).collect(),
            background: ThemeColor::Rgb(background),
            sky: Vec::new(),
            far: ThemeColor::Rgb(background),
            heading: self.heading(),
            prey: ramp.into_iter().map(ThemeColor::Rgb).collect(),
            predators: vec![ThemeColor::Rgb(color("base08")), ThemeColor::Rgb(bright)],
            text: first(&["base05", "base06", "base07"], MIN_CONTRAST.0),
            dim: first(&["base03", "base04"], MIN_CONTRAST.1),
            accent: first(&["base0A", "base09", "base0E"], MIN_CONTRAST.1),
            gauge: first(&["base0D", "base0C", "base0B"], MIN_CONTRAST.1),
            obstacle: None,
            food: None,
            roost: None,
            pointer: None,
        }
    }

    /// The accents but red by hue, so that a turn of the heading is a turn of the heading; in a scheme
    /// without hues, as they are.
    fn heading(&self) -> Vec<ThemeColor> {
        let accents = BASE16[9..].iter().map(|name| self.colors[*name]);
        let lch = |color: &Rgb| -> Oklch { color.into_format::<f32>().into_linear().into_color() };
        let mut with_hue: Vec<Rgb> = accents.clone().filter(|color| lch(color).chroma >= MIN_CHROMA).collect();
        with_hue.sort_by(|a, b| lch(a).hue.into_positive_degrees().total_cmp(&lch(b).hue.into_positive_degrees()));
        let heading: Vec<Rgb> = if with_hue.len() < 3 { accents.collect() } else { with_hue };
        heading.into_iter().map(ThemeColor::Rgb).collect()
    }
}

/// `base0a` and the like as they are written here: `base0A`.
fn canonical(key: &str) -> Option<String> {
    let digits = key.strip_prefix("base")?;
    let number = (digits.len() == 2).then(|| u8::from_str_radix(digits, 16).ok()).flatten()?;
    (number < 0x18).then(|| format!("base{number:02X}"))
}

/// Six digits, with or without the character before them.
fn color(text: &str) -> Option<Rgb> {
    hex(text.strip_prefix('#').unwrap_or(text))
}

/// The parts of a YAML file, one after the other. What is named once and meant again (`*`) is never
/// put in, so that no file grows while it is read.
struct Events<'a> {
    document: Document<'a>,
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
}

impl<'a> Events<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Error> {
        match self.parser.next_event() {
            Some(Ok((Event::StreamEnd, span))) => {
                Err(at(self.document, span.start, "the file ends where a base16 scheme is to be"))
            }
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(at(self.document, *error.marker(), format!("this is not YAML: {}", error.info()))),
            None => Err(self.document.at(0..0, "there is no base16 scheme")),
        }
    }

    /// Passes over the rest of a table or a list that means nothing here.
    fn skip(&mut self) -> Result<(), Error> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()?.0 {
                Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
                Event::MappingEnd | Event::SequenceEnd => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }
}

fn at(document: Document<'_>, place: Marker, message: impl Into<String>) -> Error {
    let lines = document.text.split_inclusive('\n').take(place.line().saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let before = document.text[start..].chars().take(place.col()).map(char::len_utf8).sum::<usize>();
    document.at(start + before..start + before, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published: base16 Default Dark, the old form.
    const OLD: &str = r#"scheme: "Default Dark"
author: "Chris Kempson (http://chriskempson.com)"
base00: "181818"
base01: "282828"
base02: "383838"
base03: "585858"
base04: "b8b8b8"
base05: "d8d8d8"
base06: "e8e8e8"
base07: "f8f8f8"
base08: "ab4642"
base09: "dc9656"
base0A: "f7ca88"
base0B: "a1b56c"
base0C: "86c1b9"
base0D: "7cafc2"
base0E: "ba8baf"
base0F: "a16946"
"#;

    /// Published: Catppuccin Latte, the new form.
    const NEW: &str = r##"system: "base16"
name: "Catppuccin Latte"
author: "https://github.com/catppuccin/catppuccin"
variant: "light"
palette:
  base00: "#eff1f5" # base
  base01: "#e6e9ef" # mantle
  base02: "#ccd0da" # surface0
  base03: "#bcc0cc" # surface1
  base04: "#acb0be" # surface2
  base05: "#4c4f69" # text
  base06: "#dc8a78" # rosewater
  base07: "#7287fd" # lavender
  base08: "#d20f39" # red
  base09: "#fe640b" # peach
  base0A: "#df8e1d" # yellow
  base0B: "#40a02b" # green
  base0C: "#179299" # teal
  base0D: "#1e66f5" # blue
  base0E: "#8839ef" # mauve
  base0F: "#dd7878" # flamingo
"##;

    fn load(text: &str) -> Result<ThemeColors, String> {
        read(Document { file: "mine.yaml", text }).map_err(|error| error.to_string())
    }

    fn paint(digits: &str) -> ThemeColor {
        ThemeColor::Rgb(color(digits).unwrap())
    }

    #[test]
    fn the_old_form_and_the_new_one_read() {
        let old = load(OLD).unwrap();
        assert_eq!(old.summary, "Default Dark, by Chris Kempson (http://chriskempson.com)");
        assert_eq!((old.background, old.text, old.predators[0]), (paint("181818"), paint("d8d8d8"), paint("ab4642")));
        let new = load(NEW).unwrap();
        assert_eq!((new.background, new.text, new.predators[0]), (paint("eff1f5"), paint("4c4f69"), paint("d20f39")));
        assert_eq!(new.gauge, paint("1e66f5"));
    }

    #[test]
    fn dim_text_is_the_comments_color_only_where_it_can_be_read() {
        // 585858 stands at 2.4 : 1 before 181818, and bcc0cc is fainter yet.
        assert_eq!(load(OLD).unwrap().dim, paint("b8b8b8"));
        assert_eq!(load(NEW).unwrap().dim, paint("4c4f69"));
        assert_eq!(load(&OLD.replace("585858", "808080")).unwrap().dim, paint("808080"));
    }

    #[test]
    fn the_ring_goes_by_hue_and_leaves_red_to_the_predators() {
        let heading = load(OLD).unwrap().heading;
        assert_eq!(heading, ["a16946", "dc9656", "f7ca88", "a1b56c", "86c1b9", "7cafc2", "ba8baf"].map(paint));
    }

    #[test]
    fn base24_has_a_brighter_red() {
        let more =
            (0x10..0x18).map(|number| format!("base{number:x}: 'ff00{number:x}'\n")).collect::<Vec<_>>().concat();
        assert_eq!(load(&(OLD.to_owned() + &more)).unwrap().predators, [paint("ab4642"), paint("ff0012")]);
    }

    #[test]
    fn plain_numbers_are_colors_too() {
        let text = OLD.replace("\"181818\"", "181818").replace("\"282828\"", "000000").replace("base0A", "base0a");
        assert_eq!(load(&text).unwrap().background, paint("181818"));
    }

    #[test]
    fn complaints_name_the_place_and_what_would_be_right() {
        let complaint = |text: &str| load(text).unwrap_err();
        assert_eq!(
            complaint(&NEW.replace("#df8e1d", "#df8e1")),
            "mine.yaml:16:11: base0A is `#df8e1`, and is to be a color as \"#rrggbb\""
        );
        assert!(complaint(&OLD.replace("base0E", "baseE")).starts_with("mine.yaml:1:1: base0E is missing"));
        assert!(complaint(&NEW.replace("\"base16\"", "base8")).starts_with("mine.yaml:1:9: system is `base8`"));
        assert!(complaint(&OLD.replace("\"ab4642\"", "*red")).starts_with("mine.yaml:11:9: "));
        assert!(complaint("summary: x\n").contains("base00 to base0F"));
        assert!(complaint("- a\n- b\n").starts_with("mine.yaml:1:1: a base16 scheme is a table"));
        assert!(complaint("").contains("a base16 scheme is to be"));
        assert!(complaint("base00: \"18").starts_with("mine.yaml:1:"));
        assert!(complaint("a: b # \u{1b}[31m").starts_with("mine.yaml:1:8: a control character"));
        assert!(complaint(&(OLD.to_owned() + "base0F: '000000'\n")).ends_with("base0F stands there twice"));
    }

    #[test]
    fn lists_within_lists_end_in_a_sentence_and_not_in_a_full_stack() {
        let deep = format!("base00: {}", "[".repeat(200_000));
        assert!(load(&deep).unwrap_err().starts_with("mine.yaml:1:"));
        let known = format!("{OLD}more: {{a: &e [1, {{b: c}}], d: *e}}\n");
        assert_eq!(load(&known), load(OLD));
        assert_eq!(
            load(&known.replace("&e ", "")).unwrap_err(),
            "mine.yaml:19:27: this is not YAML: while parsing node, found unknown anchor"
        );
    }
}
