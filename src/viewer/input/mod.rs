//! Keys and mouse.

pub mod base_keymaps;
mod key_notation;
pub mod keymap;
pub mod mouse;
