//! Themes: colors, the light of the flock, and their ramps for a terminal.

mod blend;
mod cell_style;
mod colors;
mod glow;
mod ramp;
mod resolved;
mod sky;

pub use blend::{Fade, background_of, blend, readable_anywhere};
pub use cell_style::{CellStyle, Coloring};
pub use colors::{SkyColor, ThemeColors};
pub use ramp::known_rgb;
pub use resolved::ResolvedTheme;
pub use sky::Sky;

/// The themes of the program.
#[cfg(test)]
pub(crate) mod builtin {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::ThemeColors;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../themes")
    }

    pub fn theme(name: &str) -> ThemeColors {
        fs::read_to_string(folder().join(name).with_extension("toml")).unwrap().parse().unwrap()
    }

    /// All of them by name.
    pub fn all() -> Vec<(String, ThemeColors)> {
        let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
        let names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        assert!(names.len() >= 8);
        names.into_iter().map(|name| (name.clone(), theme(&name))).collect()
    }
}
