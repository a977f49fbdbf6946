//! Presets for the viewer's list, and errors in the user's files as one message.

use crate::config::{Catalog, ConfigError, ConfigFile, NamedFile, Preset};

/// All presets, with `extra` ones appended, and the errors of those that could not be read.
pub fn presets<'a>(extra: impl IntoIterator<Item = &'a Preset>) -> Catalog<Preset> {
    let mut presets = Preset::all();
    for preset in extra {
        if presets.all.iter().all(|known| known.origin != preset.origin) {
            presets.all.push(preset.clone());
        }
    }
    presets
}

/// The first error, with its path relative to the config folder, and the number of further ones.
pub fn summarize_errors(errors: &[ConfigError]) -> Option<String> {
    let first = errors.first()?.to_string();
    let home = ConfigFile::home().and_then(|path| Some(path.parent()?.join("").display().to_string()));
    let first = home.map_or(first.clone(), |home| first.replace(&home, ""));
    let more = errors.len() - 1;
    Some(if more == 0 { first } else { format!("{first} (and {more} more)") })
}
