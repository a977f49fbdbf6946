//! Themes: colors under a name, and their files.

use std::path::Path;

use crate::config::files::{BuiltinFile, Document, NamedFile};
use crate::error::InputError;
use crate::picture::ThemeColors;

/// Colors under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The name, as displayed.
    pub name: String,
    /// The name or path it was loaded by.
    pub origin: String,
    /// Its colors.
    pub colors: ThemeColors,
    /// Whether it comes from the user's folder.
    pub from_user: bool,
}

/// Themes of earlier versions, and those that replace them.
const REPLACED: [(&str, &str); 2] = [("day", "paper"), ("storm", "moon")];

impl NamedFile for Theme {
    const KIND: &'static str = "theme";
    const MAX_BYTES: u64 = 1 << 18;
    const BUILTIN: &'static [BuiltinFile] = include!(concat!(env!("OUT_DIR"), "/themes.rs"));

    fn parse(name: &str, document: Document<'_>) -> Result<Self, InputError> {
        let colors = document.deserialize()?;
        Ok(Self { name: name.to_owned(), origin: name.to_owned(), colors, from_user: false })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn set_origin(&mut self, origin: &str, from_user: bool) {
        origin.clone_into(&mut self.origin);
        self.from_user = from_user;
    }
}

impl Theme {
    /// Loads a theme by name or path; the user's themes come first.
    ///
    /// # Errors
    ///
    /// [`InputError::Unknown`] with the nearest name, [`InputError::File`] or [`InputError::At`].
    pub fn load(name: &str) -> Result<Self, InputError> {
        match (Self::load_with_text(name), Self::replacement(name)) {
            (Err(InputError::Unknown { .. }), Some(replacement)) => Self::load(replacement),
            (loaded, _) => Ok(loaded?.0),
        }
    }

    /// The theme that replaces one of an earlier version, unless the user has a theme of this name.
    pub fn replacement(name: &str) -> Option<&'static str> {
        let (_, new) = REPLACED.iter().find(|(old, _)| *old == name)?;
        Self::user_file(name).is_none().then_some(new)
    }

    /// What to tell a user who names a theme of an earlier version.
    pub fn notice(name: Option<&str>) -> Option<String> {
        let (old, new) = (name?, Self::replacement(name?)?);
        Some(format!("the theme {old} is now {new}"))
    }

    /// Reads the text of a theme file.
    ///
    /// # Errors
    ///
    /// [`InputError::At`].
    pub fn from_text(file: &str, text: &str) -> Result<Self, InputError> {
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, Document { file, text })
    }

    /// All built-in themes, in order.
    pub fn builtin() -> Vec<Self> {
        Self::all_builtin()
    }

    /// Whether it was loaded by path.
    pub fn is_from_path(&self) -> bool {
        self.origin != self.name
    }

    /// Whether it is the user's and hides a built-in theme of the same name.
    pub fn shadows_builtin(&self) -> bool {
        self.from_user && Self::BUILTIN.iter().any(|file| file.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_themes_are_valid() {
        assert!(Theme::builtin().len() >= 8);
    }

    #[test]
    fn errors_name_the_place_and_the_fix() {
        let error = |text: &str| Theme::from_text("mine.toml", text).unwrap_err().to_string();
        assert_eq!(
            error("summary = \"\"\ndim = \"bright-bleu\"\n"),
            "mine.toml:2:7: invalid color `bright-bleu`: expected #rrggbb, terminal or an ANSI color such as bright-blue; did you mean `bright-blue`?"
        );
        assert_eq!(error("sumary = \"\""), "mine.toml:1:1: unknown key `sumary`; did you mean `summary`?");
        let sky = format!("summary = \"\"\nsky = [{}]\n", "\"#102030\", ".repeat(65));
        assert_eq!(error(&sky), "mine.toml:2:7: 65 colors: a ramp takes 0 to 64");
        assert_eq!(error("predators = []\n"), "mine.toml:1:13: 0 colors: a ramp takes 1 to 64");
        for wrong in ["#12345", "#12345g", "#+12345", "#9cb\u{202e}", "#ääüg", "112233"] {
            assert!(error(&format!("dim = \"{wrong}\"")).contains("invalid color"), "{wrong}");
        }
        let sky = "summary = \"\"\nsky = [\"#102030\", \"red\"]\n";
        assert!(error(sky).starts_with("mine.toml:2:"), "{}", error(sky));
        assert!(error(sky).ends_with("invalid sky color `red`: expected #rrggbb"), "{}", error(sky));
    }
}
