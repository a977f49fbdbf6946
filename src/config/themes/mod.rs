//! Themes: colors under a name.

mod base16;
mod colors;
mod theme;

pub use colors::{Rgb, SkyColor, ThemeColor, ThemeColors};
pub use theme::Theme;
