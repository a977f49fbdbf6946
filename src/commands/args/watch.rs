//! What the viewer is asked for.

use std::time::Duration;

use clap::Args;

use super::choices::theme;
use super::picture::{PICTURE, color, marker, view};
use super::values::{duration, number, rate, switch};
use super::{CameraArgs, ColorChoice, FlockArgs};
use crate::canvas::View;
use crate::viewer::Marker;

/// What the viewer is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Viewer")]
#[command(mut_args = switch)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Watch {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Colors [default: dusk; day on bright ground]
    ///
    /// A built-in theme, one of your own by its name, or a file of ours (.toml) or of base16 or base24 (.yaml);
    /// `flockscope themes` lists them. `t` goes on to the next.
    #[arg(short, long, value_name = "NAME|FILE", value_parser = theme(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE)]
    pub theme: Option<String>,
    /// What dots are: braille, octant, halfblock or ascii
    ///
    /// braille where nobody says otherwise and the terminal has it. octant needs a font with Unicode 16. `m`
    /// changes it.
    #[arg(short, long, value_name = "NAME", value_parser = marker(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE)]
    pub marker: Option<Marker>,
    /// heads, trails, glow, heat or shapes
    ///
    /// What is drawn of the flock; auto takes what suits its size. `v` changes it.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = view(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE)]
    pub view: View,
    /// truecolor, 256, 16 or mono
    ///
    /// How many colors; auto heeds NO_COLOR, FORCE_COLOR, COLORTERM, TERM and what the terminal answers.
    #[arg(long, value_name = "DEPTH", default_value = "auto", value_parser = color(), hide_possible_values = true)]
    #[arg(help_heading = PICTURE, hide_short_help = true)]
    pub color: ColorChoice,
    /// No panel and no status line
    #[arg(long, help_heading = PICTURE)]
    pub clean: bool,
    /// Most frames a second [default: 60; 30 over SSH]
    ///
    /// Up to 240; fewer where nothing changes, and where the terminal takes no more.
    #[arg(long, value_name = "N", value_parser = fps, allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// The most bytes a second on the wire [default: what it carries]
    ///
    /// As 64K (K = 1000) or 2M.
    #[arg(long, value_name = "SIZE", value_parser = bandwidth, allow_negative_numbers = true, hide_short_help = true)]
    pub bandwidth: Option<u32>,
    /// Ticks a second [default: the preset's]
    ///
    /// Up to 960.
    #[arg(long, value_name = "N", value_parser = rate, allow_negative_numbers = true, hide_short_help = true)]
    pub rate: Option<f32>,
    /// Do not listen to the mouse
    ///
    /// The terminal selects text with it as ever.
    #[arg(long, hide_short_help = true)]
    pub no_mouse: bool,
    /// Leave after this time, as 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = duration, allow_negative_numbers = true, hide_short_help = true)]
    pub duration: Option<Duration>,
    /// Wander through presets and themes; any key leaves
    ///
    /// In an order that the seed draws. A theme or a view that is asked for stays.
    #[arg(long)]
    pub screensaver: bool,
    /// Wander through themes and views after so many minutes without a key
    ///
    /// The flock flies on; any key brings the screen back as it was. 0 is never.
    #[arg(long, value_name = "MINUTES", default_value = "0", value_parser = idle, allow_negative_numbers = true, hide_short_help = true)]
    pub idle: f32,
    /// Begin without the program's name
    ///
    /// It never shows over SSH, with few colors, in a small window, with --clean, --input or --duration.
    #[arg(long, hide_short_help = true)]
    pub no_intro: bool,
    /// Where one looks.
    #[command(flatten)]
    pub aim: CameraArgs,
}

fn fps(text: &str) -> Result<f32, String> {
    number(text, 1.0, 240.0)
}

fn idle(text: &str) -> Result<f32, String> {
    number(text, 0.0, 1440.0)
}

/// Bytes a second; less than the least would not even carry the status line.
fn bandwidth(text: &str) -> Result<u32, String> {
    const RANGE: std::ops::RangeInclusive<f64> = 4e3..=1e9;
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        _ => (text, 1.0),
    };
    let bytes = digits.parse::<f64>().ok().map(|count| count * unit).filter(|bytes| RANGE.contains(bytes));
    bytes
        .map(|bytes| bytes as u32)
        .ok_or_else(|| "it takes bytes a second from 4K to 1000M, as 64K (K = 1000)".to_owned())
}
