//! What a picture is asked for.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::picture::{PICTURE, color, marker, view};
use super::values::ticks;
use super::words::theme;
use super::{AimArgs, Color, FlockArgs};
use crate::canvas::View;
use crate::tui::Marker;

/// What a picture is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = PICTURE)]
pub struct Shot {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Where it goes: a name in .png, .svg, .ansi or .txt
    ///
    /// The ending says what is written; - is ANSI to standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// How many ticks to fly before
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// How large the screen is, in cells: up to 500x300
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = size, allow_hyphen_values = true)]
    pub size: (u16, u16),
    /// Colours
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
    pub aim: AimArgs,
    /// auto, truecolor, 256, 16 or mono
    ///
    /// How many colours; auto heeds NO_COLOR, COLORTERM and TERM.
    #[arg(long, value_name = "DEPTH", default_value = "truecolor", value_parser = color())]
    #[arg(hide_possible_values = true)]
    pub color: Color,
    /// The whole screen, with gauges and status line
    #[arg(long)]
    pub panel: bool,
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let size = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let size = size.filter(|(columns, rows)| (1..=500).contains(columns) && (1..=300).contains(rows));
    size.ok_or_else(|| "it takes COLUMNSxROWS in cells, from 1x1 to 500x300, as 120x40".into())
}
