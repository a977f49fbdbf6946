//! Keys and mouse.

mod key_notation;
pub mod keymap;
