//! The themes that suit each preset.

use super::{Sky, background_of, is_bright};
use crate::config::Theme;
use crate::viewer::ColorDepth;

/// The show pieces and their themes. The first one that suits the terminal is a preset's own; a slideshow of one flock uses
/// all of them.
pub const SHOW_PIECES: &[(&str, &[&str])] = &[
    ("murmuration", &["afterglow", "dusk", "washi", "ember", "moon", "dawn"]),
    ("starlings", &["dawn", "moon", "paper", "dusk", "storm"]),
    ("trio", &["nebula", "dusk", "day", "okabe"]),
    ("baitball", &["abyss", "moon", "dawn", "dusk", "aurora"]),
    ("herring", &["aurora", "neon", "day", "dusk", "nebula"]),
    ("mosquitoes", &["ember", "dusk", "washi", "phosphor", "nebula"]),
    ("locusts", &["phosphor", "ember", "sakura", "dusk", "day"]),
    ("swifts", &["heather", "dusk", "dawn", "afterglow", "storm"]),
    ("bats", &["moon", "dusk", "washi", "storm", "neon"]),
    ("geese", &["storm", "moon", "dawn", "afterglow", "washi"]),
    ("sheep", &["washi", "storm", "paper", "moon", "aurora"]),
    ("pigeons", &["neon", "dusk", "sakura", "ember", "storm"]),
];
/// The themes for the flock of any other preset.
pub const OTHERS: &[&str] =
    &["dusk", "afterglow", "moon", "aurora", "abyss", "nebula", "storm", "ember", "washi", "dawn", "sakura", "paper"];

/// The default themes on a dark and on a bright terminal background, where the terminal can show their sky.
pub(super) const NIGHT: &str = "moon";
pub(super) const SUNSET: &str = "afterglow";
/// The default themes without a sky.
pub(super) const DARK: &str = "dusk";
pub(super) const LIGHT: &str = "day";

/// The themes of a show piece.
pub fn themes_of(preset: &str) -> Option<&'static [&'static str]> {
    SHOW_PIECES.iter().find(|(name, _)| *name == preset).map(|(_, themes)| *themes)
}

/// The theme of a preset for a color depth, on a background as bright as the terminal's.
pub fn default_theme(preset: &str, depth: ColorDepth, no_sky: bool, bright: bool) -> &'static str {
    let own = themes_of(preset).unwrap_or_default().iter().filter(|_| depth.can_blend());
    let is_suitable = |name: &&str| Theme::load(name).is_ok_and(|theme| suits(&theme, depth, no_sky, bright));
    match own.copied().find(is_suitable) {
        Some(name) if name != SUNSET => name,
        None if depth != ColorDepth::Truecolor || no_sky => [DARK, LIGHT][usize::from(bright)],
        _ => [NIGHT, SUNSET][usize::from(bright)],
    }
}

/// Whether a theme suits a terminal's background: equally bright, or with a sky.
pub(super) fn suits(theme: &Theme, depth: ColorDepth, no_sky: bool, bright: bool) -> bool {
    let has_sky = || !no_sky && Sky::new(theme, depth).is_some();
    is_bright(background_of(&theme.colors, None)) == bright || has_sky()
}
