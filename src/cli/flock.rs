//! What every flock is asked for.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::values::{boids, threads, whole};
use crate::config::{Error, WorldSize, did_you_mean};
use crate::sim::{MAX_PREDATORS, Spot, Tunable, Value};

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

fn predators(text: &str) -> Result<usize, String> {
    whole(text, 0, MAX_PREDATORS)
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

pub(super) fn setting(text: &str) -> Result<Setting, Error> {
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
