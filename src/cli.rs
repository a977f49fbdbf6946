//! The command line, as clap reads it.

#![allow(clippy::doc_markdown, reason = "these sentences are shown on a terminal, where backticks are noise")]

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::canvas::{Aim, Follow, MAX_ZOOM, View};
use crate::config::{Error, RATES, WorldSize, did_you_mean};
use crate::sim::{MAX_BOIDS, MAX_PREDATORS, Spot, Tunable, Value};
use crate::tui::{ColorDepth, Marker};

/// Watch a flock of boids fly in your terminal, and turn its rules while it flies.
#[derive(Debug, Parser)]
#[command(name = "flockscope", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do; without it, the viewer.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What the viewer is asked for.
    #[command(flatten)]
    pub watch: Watch,
}

/// The most threads that can be asked for; the system bears so many with ease.
const MAX_THREADS: usize = 256;

const AFTER_HELP: &str = "\
Examples:
  flockscope                                 watch starlings
  flockscope -p sparrows -n 300              watch sparrows, more of them
  flockscope -s 7 --set cohesion.weight=0.01
  flockscope run -p drones --ticks 500 --output drones.csv --hash
  flockscope shot -o flock.png -t abyss      a picture of it
  flockscope --screensaver                   presets and themes by themselves
  flockscope bench --boids 1000000           how fast is this machine?

In the viewer, `?` shows the keys.";

/// What to do other than to watch.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fly without a terminal; write positions, measures, a hash of the state
    Run(Run),
    /// Take one picture after so many ticks: .png, .svg, .ansi or .txt; needs no terminal
    Shot(Shot),
    /// Time the tick on this machine, and the scalar kernel beside it
    Bench(Bench),
    /// List the presets, or show one as its file
    Presets(List),
    /// List the themes, or show one as its file
    Themes(List),
    /// List all that can be tuned, or show one as a line of a file
    Params(List),
    /// List the viewer's keys, or show one action's
    Keys(List),
}

/// What every flock is asked for.
#[derive(Debug, Args)]
pub struct FlockArgs {
    /// Rules and constants: a built-in preset, or a file
    #[arg(short, long, value_name = "NAME|FILE", default_value = "starlings")]
    pub preset: String,
    /// How many boids, predators not counted [default: the preset's]
    #[arg(short = 'n', long, value_name = "N", value_parser = boids, conflicts_with = "input")]
    pub boids: Option<usize>,
    /// How many predators, up to 1000 [default: the preset's]
    #[arg(long, value_name = "N", value_parser = predators, conflicts_with = "input")]
    pub predators: Option<usize>,
    /// From which all that is random follows [default: a random one, always shown]
    #[arg(short, long, value_name = "N", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The world's size in u: WxH, WxHxD, round:R, or auto, which keeps the preset's density and
    /// takes the canvas's shape [default: the preset's]
    #[arg(long, value_name = "SIZE", value_parser = world, allow_hyphen_values = true)]
    pub world: Option<WorldSize>,
    /// Give a tunable a value; `flockscope params` lists them. May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub set: Vec<Setting>,
    /// Put something into the world: obstacle, food or roost, its middle and its radius in u, as
    /// obstacle:120,80:15, and for food the share that is left, as food:9,9:5:0.7. May be repeated;
    /// what the preset puts there is then left out; none leaves it out alone
    #[arg(long, value_name = "USE:X,Y[,Z]:R", value_parser = spot)]
    pub spot: Vec<Asked>,
    /// How many threads fly the flock, up to 256 [default: the machine's cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
    /// Begin from the last tick of a CSV file that `flockscope run` wrote, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
}

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

/// What a run without a terminal is asked for.
#[derive(Debug, Args)]
pub struct Run {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// How many ticks to fly
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// Write positions every so many ticks, and always at the start and the end
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = every)]
    pub every: u64,
    /// Write positions to a CSV file, or - for standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write measures of every tick to a CSV file, or - for standard output
    #[arg(long, value_name = "FILE")]
    pub measures: Option<PathBuf>,
    /// Print a hash of the state at the end
    #[arg(long)]
    pub hash: bool,
}

/// What a picture is asked for.
#[derive(Debug, Args)]
pub struct Shot {
    /// The flock.
    #[command(flatten)]
    pub flock: FlockArgs,
    /// Where the picture goes, which ends in .png, .svg, .ansi or .txt; - is ANSI to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// How many ticks to fly before
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = ticks, allow_hyphen_values = true)]
    pub ticks: u64,
    /// How large the screen is, in cells: up to 500x300
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = size, allow_hyphen_values = true)]
    pub size: (u16, u16),
    /// Colours: a built-in theme, or a file of ours (.toml) or of base16 or base24 (.yaml)
    #[arg(short, long, value_name = "NAME|FILE", default_value = "dusk")]
    pub theme: String,
    /// What dots are made of: braille, octant, halfblock or ascii
    #[arg(short, long, value_name = "NAME", default_value = "braille", value_parser = marker)]
    pub marker: Marker,
    /// What is drawn of the flock: auto, heads, trails, glow, heat or shapes
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = view)]
    pub view: View,
    /// Where one looks.
    #[command(flatten)]
    pub aim: AimArgs,
    /// How many colours: auto heeds NO_COLOR, COLORTERM and TERM
    #[arg(long, value_name = "DEPTH", default_value = "truecolor", value_parser = color)]
    pub color: Color,
    /// The whole screen, with gauges and status line, rather than the flock alone
    #[arg(long)]
    pub panel: bool,
}

/// What a benchmark is asked for.
#[derive(Debug, Args)]
pub struct Bench {
    /// How many boids; several, with commas, one after the other
    /// [default: 10000,100000,1000000; with --preset the preset's]
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', value_parser = boids)]
    pub boids: Vec<usize>,
    /// How many neighbours a boid has in the uniform scene
    #[arg(long, value_name = "K", default_value_t = 16.0, value_parser = neighbors, conflicts_with = "preset")]
    pub neighbors: f32,
    /// In how many dimensions the uniform scene is: 2 or 3
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = dim, conflicts_with = "preset")]
    pub dim: usize,
    /// How many threads; several, with commas [default: 1 and the machine's cores]
    #[arg(short = 'j', long, value_name = "N,…", value_delimiter = ',', value_parser = threads)]
    pub threads: Vec<NonZeroUsize>,
    /// Fly a preset instead of the uniform scene, after it has settled
    #[arg(short, long, value_name = "NAME|FILE")]
    pub preset: Option<String>,
    /// For how many ticks it settles
    #[arg(long, value_name = "TICKS", default_value_t = 500, value_parser = ticks, requires = "preset")]
    pub settle: u64,
    /// Give a tunable a value, to see what it costs; `flockscope params` lists them. May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub set: Vec<Setting>,
    /// Time frames instead of ticks, and count their bytes: the picture's way to the terminal, beside
    /// the stock canvas and backend of ratatui
    #[arg(long, conflicts_with_all = ["neighbors", "dim", "preset", "threads", "set"])]
    pub frame: bool,
    /// Print a JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// A list, or one of its entries.
#[derive(Debug, Args)]
pub struct List {
    /// What of it
    #[command(subcommand)]
    pub show: Option<Show>,
}

/// One entry of a list.
#[derive(Debug, Subcommand)]
pub enum Show {
    /// Print one as it would stand in a file
    Show {
        /// Which
        name: String,
    },
}

/// `--set`: a tunable and its value, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The tunable.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
}

/// `--spot`: something in the world, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked(pub Option<Spot>);

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

fn setting(text: &str) -> Result<Setting, Error> {
    let wrong = |message: String| Error::Flag { flag: format!("--set {text}"), message };
    let (key, value) = text.split_once('=').ok_or_else(|| wrong("it takes KEY=VALUE".into()))?;
    let row = Tunable::find(key.trim()).ok_or_else(|| {
        let hint = did_you_mean(key, Tunable::table().iter().map(|row| row.key));
        Error::Unknown { what: "tunable", name: key.to_owned(), hint }
    })?;
    Ok(Setting { key: row.key, value: row.parse(value)? })
}

fn spot(text: &str) -> Result<Asked, Error> {
    if text == "none" { Ok(Asked(None)) } else { Ok(Asked(Some(text.parse()?))) }
}

fn world(text: &str) -> Result<WorldSize, Error> {
    text.parse()
}

fn color(text: &str) -> Result<Color, String> {
    use clap::ValueEnum;
    match text {
        "auto" => Ok(Color::Auto),
        _ => ColorDepth::from_str(text, false).map(Color::Depth).map_err(|_| {
            let words = ["auto", "truecolor", "256", "16", "mono"];
            format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
        }),
    }
}

fn marker(text: &str) -> Result<Marker, String> {
    Marker::ALL.into_iter().find(|marker| marker.name() == text).ok_or_else(|| {
        let words = Marker::ALL.map(Marker::name);
        format!("it is one of {}{}", words.join(", "), did_you_mean(text, words))
    })
}

fn view(text: &str) -> Result<View, String> {
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

fn boids(text: &str) -> Result<usize, String> {
    whole(text, 1, MAX_BOIDS)
}

fn predators(text: &str) -> Result<usize, String> {
    whole(text, 0, MAX_PREDATORS)
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

fn ticks(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

fn every(text: &str) -> Result<u64, String> {
    whole(text, 1, u64::MAX)
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    whole(text, 1, MAX_THREADS).map(|threads| NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

fn whole<T: Copy + FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a whole number from {least} to {most}"))
}

fn neighbors(text: &str) -> Result<f32, String> {
    number(text, 1.0, 1000.0)
}

fn dim(text: &str) -> Result<usize, String> {
    whole(text, 2, 3)
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let size = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let size = size.filter(|(columns, rows)| (1..=500).contains(columns) && (1..=300).contains(rows));
    size.ok_or_else(|| "it takes COLUMNSxROWS in cells, from 1x1 to 500x300, as 120x40".into())
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

fn number(text: &str, least: f32, most: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_makes_sense() {
        Cli::command().debug_assert();
    }
}
