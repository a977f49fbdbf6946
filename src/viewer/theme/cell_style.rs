//! What is painted of a sign.

use ratatui::style::{Modifier, Style};

use crate::terminal::PackedColor;

/// The color and the weight in which a sign is written: of a [`Style`] what thousands of cells need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellStyle {
    /// Its color.
    pub fg: PackedColor,
    /// Its weight.
    pub modifier: Modifier,
}

impl CellStyle {
    /// This color alone.
    #[must_use]
    pub fn of(fg: PackedColor) -> Self {
        Self { fg, modifier: Modifier::empty() }
    }

    /// Heavier, or lighter.
    pub(crate) fn with(self, modifier: Modifier) -> Self {
        Self { modifier: self.modifier | modifier, ..self }
    }
}

impl From<Style> for CellStyle {
    fn from(style: Style) -> Self {
        Self { fg: style.fg.unwrap_or_default().into(), modifier: style.add_modifier }
    }
}
