//! A base16 or base24 scheme.

use super::theme;

pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    theme::read("mine.yaml", text);
}
