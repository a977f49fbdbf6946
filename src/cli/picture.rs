//! How a flock is drawn: what the viewer and a picture are asked for alike.

use clap::Args;

use super::values::number;
use crate::canvas::{Aim, Follow, MAX_ZOOM, View};
use crate::config::did_you_mean;
use crate::tui::{ColorDepth, Marker};

/// Where the viewer, or a picture, is to look.
#[derive(Clone, Copy, Debug, Args)]
pub struct AimArgs {
    /// How many times larger than the whole world, 1 to 64; in three dimensions, how much nearer
    #[arg(long, value_name = "Z", default_value_t = 1.0, value_parser = zoom)]
    pub zoom: f32,
    /// Who stays in the middle: the largest flock, or the boid or predator with this id
    #[arg(long, value_name = "ID|largest", value_parser = follow)]
    pub follow: Option<Follow>,
}

impl AimArgs {
    /// Where that is.
    #[must_use]
    pub fn aim(self) -> Aim {
        Aim { zoom: self.zoom, follow: self.follow.unwrap_or_default(), ..Aim::default() }
    }
}

/// `--color`: told, or found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// What the environment says.
    Auto,
    /// This many.
    Depth(ColorDepth),
}

impl Color {
    /// How many colours that comes to here.
    #[must_use]
    pub fn depth(self) -> ColorDepth {
        match self {
            Self::Auto => ColorDepth::detect(),
            Self::Depth(depth) => depth,
        }
    }
}

pub(super) fn color(text: &str) -> Result<Color, String> {
    use clap::ValueEnum;
    match text {
        "auto" => Ok(Color::Auto),
        _ => ColorDepth::from_str(text, false).map(Color::Depth).map_err(|_| {
            let words = ["auto", "truecolor", "256", "16", "mono"];
            format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
        }),
    }
}

pub(super) fn marker(text: &str) -> Result<Marker, String> {
    Marker::ALL.into_iter().find(|marker| marker.name() == text).ok_or_else(|| {
        let words = Marker::ALL.map(Marker::name);
        format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
    })
}

pub(super) fn view(text: &str) -> Result<View, String> {
    View::ALL.into_iter().find(|view| view.name() == text).ok_or_else(|| {
        let words = View::ALL.map(View::name);
        format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
    })
}

fn zoom(text: &str) -> Result<f32, String> {
    number(text, 1.0, MAX_ZOOM)
}

fn follow(text: &str) -> Result<Follow, String> {
    let id = || text.parse().ok().map(Follow::Agent);
    let follow = if text == "largest" { Some(Follow::Largest) } else { id() };
    follow.ok_or_else(|| format!("it takes an id, or largest{}", did_you_mean(text, ["largest"])))
}
