//! Themes.

pub(crate) mod base16;
pub(crate) mod theme;
