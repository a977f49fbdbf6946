//! The size of a world, as a person asks for it.

use std::fmt;
use std::str::FromStr;

use crate::config::Error;
use crate::sim::World;

/// A fixed world, or one that takes the canvas's shape and keeps the preset's density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldSize {
    /// `auto`.
    Auto,
    /// `WxH`, `WxHxD` or `round:R`.
    Fixed(World),
}

impl WorldSize {
    /// Whether it has a third dimension, whatever the canvas.
    #[must_use]
    pub fn is_3d(&self) -> bool {
        matches!(self, Self::Fixed(world) if world.dim() == 3)
    }
}

impl FromStr for WorldSize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Fixed(text.parse()?)),
        }
    }
}

impl fmt::Display for WorldSize {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => out.write_str("auto"),
            Self::Fixed(world) => world.fmt(out),
        }
    }
}
