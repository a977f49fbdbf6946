//! A theme's file.

use flockscope::config::Theme;
use flockscope::picture::{ColorDepth, ResolvedTheme, ThemeColors};

use super::sentence;

/// How many colors there may be.
const DEPTHS: [ColorDepth; 4] = [ColorDepth::Truecolor, ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono];

pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // An accepted theme is complete, and draws.
    match Theme::from_text("mine.toml", text) {
        Ok(theme) => {
            let ThemeColors { heading, prey, predators, sky, .. } = &theme.colors;
            assert!([heading, prey, predators].iter().all(|ramp| (1..=64).contains(&ramp.len())) && sky.len() <= 64);
            // Painting takes the most time by far: one depth for each text, whichever comes.
            drop(ResolvedTheme::new(&theme.colors, DEPTHS[text.len() % DEPTHS.len()]));
        }
        Err(error) => sentence::check(&error),
    }
}
