//! Input.

pub(crate) mod assignment;
pub(crate) mod base_keymaps;
pub(crate) mod key_notation;
pub(crate) mod keymap;
pub(crate) mod mouse;
pub(crate) mod palette;
pub(crate) mod prompt;
pub(crate) mod search_terms;
