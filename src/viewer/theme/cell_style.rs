//! What is painted of a sign.

use ratatui::style::{Modifier, Style};

use crate::terminal::Tint;

/// The colour and the weight in which a sign is written: of a [`Style`] what thousands of cells need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coat {
    /// Its colour.
    pub fg: Tint,
    /// Its weight.
    pub modifier: Modifier,
}

impl Coat {
    /// This colour alone.
    #[must_use]
    pub fn of(fg: Tint) -> Self {
        Self { fg, modifier: Modifier::empty() }
    }

    /// Heavier, or lighter.
    pub(crate) fn with(self, modifier: Modifier) -> Self {
        Self { modifier: self.modifier | modifier, ..self }
    }
}

impl From<Style> for Coat {
    fn from(style: Style) -> Self {
        Self { fg: style.fg.unwrap_or_default().into(), modifier: style.add_modifier }
    }
}
