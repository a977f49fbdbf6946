//! The themes that suit each preset.

use super::is_bright;
use crate::config::{Preset, Theme};
use crate::picture::{ColorDepth, Sky, background_of};

/// The show pieces and their themes. The first one that suits the terminal is a preset's own; a slideshow of one flock uses
/// all of them.
pub const SHOW_PIECES: &[(&str, &[&str])] = &[
    ("murmuration", &["nightfall", "afterglow", "dusk", "washi", "ember", "moon", "dawn"]),
    ("starlings", &["dawn", "moon", "paper", "dusk", "nebula"]),
    ("trio", &["nebula", "dusk", "paper", "okabe"]),
    ("baitball", &["abyss", "moon", "dawn", "dusk", "aurora"]),
    ("herring", &["aurora", "neon", "paper", "dusk", "nebula"]),
    ("mosquitoes", &["ember", "dusk", "washi", "phosphor", "nebula"]),
    ("locusts", &["phosphor", "ember", "sakura", "dusk", "paper"]),
    ("swifts", &["heather", "dusk", "dawn", "afterglow", "moon"]),
    ("bats", &["moon", "dusk", "washi", "heather", "neon"]),
    ("geese", &["moon", "heather", "dawn", "afterglow", "washi"]),
    ("sheep", &["washi", "heather", "paper", "moon", "aurora"]),
    ("pigeons", &["neon", "dusk", "sakura", "ember", "moon"]),
];
/// The themes for the flock of any other preset.
pub const OTHERS: &[&str] = &[
    "nightfall",
    "dusk",
    "afterglow",
    "moon",
    "aurora",
    "abyss",
    "nebula",
    "ember",
    "washi",
    "dawn",
    "sakura",
    "paper",
];

/// The default themes on a dark and on a bright terminal background, where the terminal can show their sky.
pub(super) const NIGHT: &str = "nightfall";
pub(super) const SUNSET: &str = "afterglow";
/// The default themes without a sky.
pub(super) const DARK: &str = "dusk";
pub(super) const LIGHT: &str = "paper";

/// The themes of a show piece.
pub fn themes_of(preset: &str) -> Option<&'static [&'static str]> {
    SHOW_PIECES.iter().find(|(name, _)| *name == preset).map(|(_, themes)| *themes)
}

/// The theme of a preset, or of a recording, for a color depth, on a background as bright as the terminal's.
pub fn default_theme(preset: Option<&Preset>, depth: ColorDepth, no_sky: bool, bright: bool) -> String {
    let stated = preset.map(|preset| &*preset.theme).filter(|theme| !theme.is_empty());
    let listed = preset.and_then(|preset| themes_of(&preset.name)).unwrap_or_default();
    let is_suitable = |name: &&str| Theme::load(name).is_ok_and(|theme| suits(&theme, depth, no_sky, bright));
    let is_users = preset.is_some_and(|preset| preset.from_user);
    let stated = stated.filter(|name| is_users || is_suitable(name));
    let own = stated.or_else(|| listed.iter().copied().find(is_suitable)).filter(|_| depth.can_blend());
    let name = match own {
        Some(name) if name != SUNSET || stated.is_some() => name,
        None if depth != ColorDepth::Truecolor || no_sky => [DARK, LIGHT][usize::from(bright)],
        _ => [NIGHT, SUNSET][usize::from(bright)],
    };
    name.to_owned()
}

/// Whether a theme suits a terminal's background: equally bright, or with a sky.
pub(super) fn suits(theme: &Theme, depth: ColorDepth, no_sky: bool, bright: bool) -> bool {
    is_bright(background_of(&theme.colors, None)) == bright || (!no_sky && Sky::new(&theme.colors, depth).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_theme_of_a_show_piece_is_the_one_that_its_file_names() {
        // `murmuration` has the default theme.
        for (name, themes) in SHOW_PIECES.iter().filter(|(name, _)| *name != "murmuration") {
            assert_eq!(Preset::load(name).unwrap().theme, themes[0], "{name}");
        }
    }
}
