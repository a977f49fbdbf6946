//! Options that define how a flock is drawn, and those of `shot` and `record`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use ratatui::layout::Size;
use strum::VariantNames;

use super::values::{duration, number, one_of, rate, theme, whole};
use super::{AtArgs, BesideArgs, FlockArgs, RangeArgs, SessionArgs};
use crate::picture::{Aim, ColorDepth, Follow, MAX_ZOOM, Marker, View};
use crate::terminal::color_depth_from_env;
use crate::viewer::{CastVersion, MAX_CLIP, TimeOfDay};

/// The default frame rate of a clip: a GIF of ten seconds on 80x24 cells then takes 1 to 3.5 MB.
const RECORD_FPS: f32 = 12.0;

/// The help heading of these options.
pub(super) const PICTURE: &str = "Picture";

/// Options of the camera.
#[derive(Clone, Copy, Debug, Args)]
pub struct CameraArgs {
    /// Magnification, 1 to 64
    ///
    /// In three dimensions the camera moves closer instead.
    #[arg(long, value_name = "Z", default_value_t = 1.0, value_parser = number(1.0, MAX_ZOOM), allow_negative_numbers = true, hide_short_help = true, help_heading = PICTURE)]
    pub zoom: f32,
    /// Keep a boid, a predator or the largest flock in the center
    #[arg(long, value_name = "ID|largest", value_parser = follow, allow_negative_numbers = true, hide_short_help = true, help_heading = PICTURE)]
    pub follow: Option<Follow>,
}

impl CameraArgs {
    /// The camera's aim.
    pub(crate) fn aim(self) -> Aim {
        Aim { zoom: self.zoom, follow: self.follow.unwrap_or_default(), ..Aim::default() }
    }
}

/// Options of a screen that is drawn without a terminal.
#[derive(Debug, Args)]
#[command(next_help_heading = PICTURE)]
pub struct ScreenArgs {
    /// Screen size in cells, up to 500x300
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = size, allow_hyphen_values = true)]
    pub size: Size,
    /// Color theme [default: that of the preset]
    ///
    /// A built-in name, one of your own, or a .toml file.
    /// `flockscope themes` lists the themes.
    #[arg(short, long, value_name = "NAME|FILE", value_parser = theme(), hide_possible_values = true)]
    pub theme: Option<String>,
    /// Glyph set: braille, octant, halfblock or ascii
    #[arg(short, long, value_name = "NAME", default_value = "braille", value_parser = one_of::<Marker>())]
    #[arg(hide_possible_values = true)]
    pub marker: Marker,
    /// View: auto, heads, trails, glow, heat or shapes
    ///
    /// auto, the default, picks one that suits the number of boids.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = one_of::<View>(), hide_possible_values = true, hide_default_value = true)]
    pub view: View,
    /// The camera.
    #[command(flatten)]
    pub camera: CameraArgs,
    /// Color depth: auto, truecolor, 256, 16 or mono
    ///
    /// auto reads NO_COLOR, FORCE_COLOR, COLORTERM and TERM.
    #[arg(long, value_name = "DEPTH", default_value = "truecolor", value_parser = color())]
    #[arg(hide_possible_values = true)]
    pub color: ColorChoice,
    /// Write a text with boids
    ///
    /// They are called before the ticks of a picture, and at the beginning of a clip.
    #[arg(long, value_name = "TEXT", value_parser = said_text, conflicts_with_all = ["clock", "session"])]
    pub say: Option<String>,
    /// Show a time with boids, e.g. 12:34
    ///
    /// They are called before the ticks of a picture, and at the beginning of a clip.
    #[arg(long, value_name = "HH:MM", value_parser = |text: &str| text.parse::<TimeOfDay>(), conflicts_with = "session")]
    pub clock: Option<TimeOfDay>,
    /// Draw the whole screen, with gauges and status line
    #[arg(long)]
    pub panel: bool,
    /// Draw the flock and eight children with other rules, as `d` in the viewer shows them
    #[arg(long, conflicts_with_all = ["session", "say", "clock", "follow", "zoom"])]
    pub breed: bool,
}

/// Options of `shot`.
#[derive(Debug, Args)]
#[command(mut_arg("beside", |arg| arg.requires("session").hide_short_help(true)))]
#[command(next_help_heading = PICTURE)]
pub struct ShotArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Output file: .png, .svg, .ansi or .txt
    ///
    /// The extension selects the format. - writes ANSI to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Number of ticks before the picture
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, conflicts_with = "session")]
    pub ticks: u64,
    /// The session.
    #[command(flatten)]
    pub session: SessionArgs,
    /// A flock beside the animals of a recording.
    #[command(flatten)]
    pub beside: BesideArgs,
    /// A tick of it.
    #[command(flatten)]
    pub at: AtArgs,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Options of `record`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Clip")]
#[command(mut_arg("beside", |arg| arg.requires("session").hide_short_help(true)))]
pub struct RecordArgs {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Output file: .gif or .cast
    ///
    /// The extension selects the format. - writes .cast (asciicast, for asciinema) to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Number of ticks before the clip
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, conflicts_with = "session")]
    pub ticks: u64,
    /// The session.
    #[command(flatten)]
    pub session: SessionArgs,
    /// A flock beside the animals of a recording.
    #[command(flatten)]
    pub beside: BesideArgs,
    /// Several ticks of it.
    #[command(flatten)]
    pub range: RangeArgs,
    /// Length of the clip, e.g. 10s or 1m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = clip_length, allow_negative_numbers = true, conflicts_with = "session")]
    pub duration: Duration,
    /// Frames per second; at most 50 in a .gif
    ///
    /// The size of a GIF grows with it.
    #[arg(long, value_name = "N", default_value_t = RECORD_FPS, value_parser = number(1.0, 60.0), allow_negative_numbers = true)]
    pub fps: f32,
    /// Ticks per second [default: from the preset]
    #[arg(long, value_name = "N", value_parser = rate(), allow_negative_numbers = true)]
    pub rate: Option<f32>,
    /// Version of a .cast: 2, or 3 for asciinema 3 [default: 2]
    #[arg(long, value_name = "N", value_parser = one_of::<CastVersion>(), hide_possible_values = true)]
    pub cast_version: Option<CastVersion>,
    /// The screen.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// Parser of the length of a clip.
pub(super) fn clip_length(text: &str) -> Result<Duration, String> {
    let length = duration(text).ok().filter(|length| !length.is_zero() && *length <= MAX_CLIP);
    length.ok_or_else(|| "expected a duration of up to an hour, e.g. 10s or 1m 30s".to_owned())
}

/// A value of `--color`: a depth, or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorChoice(pub Option<ColorDepth>);

impl ColorChoice {
    /// The color depth, detected from the environment if it is `auto`.
    pub(crate) fn depth(self) -> ColorDepth {
        self.0.unwrap_or_else(color_depth_from_env)
    }
}

/// Parser of `--color`.
pub(super) fn color() -> impl TypedValueParser<Value = ColorChoice> {
    let names = ["auto"].iter().chain(ColorDepth::VARIANTS);
    PossibleValuesParser::new(names).map(|text| ColorChoice(text.parse().ok()))
}

/// Parser of `--say`.
pub(super) fn said_text(text: &str) -> Result<String, &'static str> {
    if text.chars().any(|character| !character.is_whitespace() && !character.is_control()) {
        Ok(text.to_owned())
    } else {
        Err("expected a text, e.g. hello")
    }
}

fn follow(text: &str) -> Result<Follow, String> {
    match text {
        "largest" => Ok(Follow::Largest),
        _ => text.parse().map(Follow::Agent).map_err(|_| "expected an id, or `largest`".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    text.split_once('x')
        .and_then(|(columns, rows)| Some(Size::new(columns.parse().ok()?, rows.parse().ok()?)))
        .filter(|size| (1..=500).contains(&size.width) && (1..=300).contains(&size.height))
        .ok_or_else(|| "expected COLUMNSxROWS from 1x1 to 500x300, e.g. 120x40".to_owned())
}
