//! What the viewer is asked for.

use std::time::Duration;

use clap::Args;

use super::picture::{color, marker, view};
use super::values::number;
use super::{AimArgs, Color, FlockArgs};
use crate::canvas::View;
use crate::config::RATES;
use crate::tui::Marker;

/// What the viewer is asked for.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Watch {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Colours: a built-in theme, or a file of ours (.toml) or of base16 or base24 (.yaml)
    /// [default: dusk; on a bright background day]
    #[arg(short, long, value_name = "NAME|FILE")]
    pub theme: Option<String>,
    /// What dots are made of: braille, octant (needs a font with Unicode 16), halfblock or ascii
    /// [default: braille, or what the terminal has]
    #[arg(short, long, value_name = "NAME", value_parser = marker)]
    pub marker: Option<Marker>,
    /// What is drawn of the flock: auto, heads, trails, glow, heat or shapes; `v` changes it
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = view)]
    pub view: View,
    /// Where one looks.
    #[command(flatten)]
    pub aim: AimArgs,
    /// How many colours: auto heeds NO_COLOR, FORCE_COLOR, COLORTERM, TERM and what the terminal answers
    #[arg(long, value_name = "DEPTH", default_value = "auto", value_parser = color)]
    pub color: Color,
    /// The most frames a second, up to 240 [default: 60; 30 over SSH]
    #[arg(long, value_name = "N", value_parser = fps)]
    pub fps: Option<f32>,
    /// The most bytes a second on the wire, as 64K (K = 1000) [default: what the wire carries]
    #[arg(long, value_name = "SIZE", value_parser = bandwidth)]
    pub bandwidth: Option<u32>,
    /// Ticks a second, up to 960 [default: the preset's]
    #[arg(long, value_name = "N", value_parser = rate)]
    pub rate: Option<f32>,
    /// No panel and no status line
    #[arg(long)]
    pub clean: bool,
    /// Do not listen to the mouse: the terminal selects text with it as ever
    #[arg(long)]
    pub no_mouse: bool,
    /// Leave after this time, as 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub duration: Option<Duration>,
    /// Wander through presets and themes, in an order that the seed draws; any key leaves. A theme or a
    /// view that is asked for stays
    #[arg(long)]
    pub screensaver: bool,
    /// After so many minutes without a key wander through themes and views of the flock that flies; any key
    /// brings the screen back as it was. 0 is never
    #[arg(long, value_name = "MINUTES", default_value = "0", value_parser = idle)]
    pub idle: f32,
    /// Begin without the program's name. It never shows over SSH, with few colours, in a small window, with
    /// --clean, --input or --duration
    #[arg(long)]
    pub no_intro: bool,
}

fn fps(text: &str) -> Result<f32, String> {
    number(text, 1.0, 240.0)
}

fn idle(text: &str) -> Result<f32, String> {
    number(text, 0.0, 1440.0)
}

fn rate(text: &str) -> Result<f32, String> {
    number(text, RATES.0, RATES.1)
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
