//! How a flock is drawn: what the viewer, a picture and a clip are asked for alike.

use clap::Args;

use super::choices::{NamedValue, none_of, one_of, plain, theme};
use super::values::number;
use crate::canvas::{Aim, Follow, MAX_ZOOM, View};
use crate::config::did_you_mean;
use crate::viewer::{ColorDepth, Marker};

/// What options of the picture stand under in the help.
pub(crate) const PICTURE: &str = "Picture";

/// The words that `--color` takes.
const COLORS: [&str; 5] = ["auto", "truecolor", "256", "16", "mono"];

/// Where the viewer, or a picture, is to look.
#[derive(Clone, Copy, Debug, Args)]
pub struct CameraArgs {
    /// How many times larger than the whole world, 1 to 64
    ///
    /// In three dimensions it comes nearer by as much.
    #[arg(long, value_name = "Z", default_value_t = 1.0, value_parser = zoom, allow_negative_numbers = true, hide_short_help = true, help_heading = PICTURE)]
    pub zoom: f32,
    /// Who stays in the middle
    ///
    /// The largest flock, or the boid or predator with this id; the view glides after it.
    #[arg(long, value_name = "ID|largest", value_parser = follow, allow_negative_numbers = true, hide_short_help = true, help_heading = PICTURE)]
    pub follow: Option<Follow>,
}

impl CameraArgs {
    /// Where that is.
    #[must_use]
    pub fn aim(self) -> Aim {
        Aim { zoom: self.zoom, follow: self.follow.unwrap_or_default(), ..Aim::default() }
    }
}

/// What a screen looks like that is drawn without a terminal.
#[derive(Debug, Args)]
#[command(next_help_heading = PICTURE)]
pub struct ScreenArgs {
    /// How large the screen is, in cells: up to 500x300
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = size, allow_hyphen_values = true)]
    pub size: (u16, u16),
    /// Colors
    ///
    /// A built-in theme, one of your own by its name, or a file of ours (.toml) or of base16 or base24 (.yaml);
    /// `flockscope themes` lists them.
    #[arg(short, long, value_name = "NAME|FILE", default_value = "dusk", value_parser = theme())]
    #[arg(hide_possible_values = true)]
    pub theme: String,
    /// What dots are: braille, octant, halfblock or ascii
    #[arg(short, long, value_name = "NAME", default_value = "braille", value_parser = marker())]
    #[arg(hide_possible_values = true)]
    pub marker: Marker,
    /// heads, trails, glow, heat or shapes
    ///
    /// What is drawn of the flock; auto takes what suits its size.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = view(), hide_possible_values = true)]
    pub view: View,
    /// Where one looks.
    #[command(flatten)]
    pub aim: CameraArgs,
    /// auto, truecolor, 256, 16 or mono
    ///
    /// How many colors; auto heeds NO_COLOR, FORCE_COLOR, COLORTERM and TERM.
    #[arg(long, value_name = "DEPTH", default_value = "truecolor", value_parser = color())]
    #[arg(hide_possible_values = true)]
    pub color: ColorChoice,
    /// The whole screen, with gauges and status line
    #[arg(long)]
    pub panel: bool,
}

/// `--color`: told, or found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorChoice {
    /// What the environment says.
    Auto,
    /// This many.
    Depth(ColorDepth),
}

impl ColorChoice {
    /// How many colors that comes to here.
    #[must_use]
    pub fn depth(self) -> ColorDepth {
        match self {
            Self::Auto => ColorDepth::detect(),
            Self::Depth(depth) => depth,
        }
    }
}

/// What `--color` takes.
pub(crate) fn color() -> NamedValue<ColorChoice> {
    NamedValue::new(read_color, || plain(COLORS))
}

/// What `--marker` takes.
pub(crate) fn marker() -> NamedValue<Marker> {
    NamedValue::new(read_marker, || plain(Marker::ALL.map(Marker::name)))
}

/// What `--view` takes.
pub(crate) fn view() -> NamedValue<View> {
    NamedValue::new(read_view, || plain(View::ALL.map(View::name)))
}

fn read_color(text: &str) -> Result<ColorChoice, String> {
    use clap::ValueEnum;
    match text {
        "auto" => Ok(ColorChoice::Auto),
        _ => ColorDepth::from_str(text, false).map(ColorChoice::Depth).map_err(|_| none_of(COLORS, text)),
    }
}

fn read_marker(text: &str) -> Result<Marker, String> {
    one_of(Marker::ALL, Marker::name, text)
}

fn read_view(text: &str) -> Result<View, String> {
    one_of(View::ALL, View::name, text)
}

fn zoom(text: &str) -> Result<f32, String> {
    number(text, 1.0, MAX_ZOOM)
}

fn follow(text: &str) -> Result<Follow, String> {
    let id = || text.parse().ok().map(Follow::Agent);
    let follow = if text == "largest" { Some(Follow::Largest) } else { id() };
    follow.ok_or_else(|| format!("it takes an id, or largest{}", did_you_mean(text, ["largest"])))
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let size = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let size = size.filter(|(columns, rows)| (1..=500).contains(columns) && (1..=300).contains(rows));
    size.ok_or_else(|| "it takes COLUMNSxROWS in cells, from 1x1 to 500x300, as 120x40".into())
}
