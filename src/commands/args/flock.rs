//! What every flock is asked for.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueHint};

use super::choices::preset;
use super::values::{boids, threads, whole};
use crate::config::{Error, WorldSize, did_you_mean_or};
use crate::sim::{MAX_PREDATORS, Param, Value, Zone};

/// What options of the flock stand under in the help; said of each, since a heading of all would go on
/// after them.
const FLOCK: &str = "Flock";

/// What every flock is asked for.
#[derive(Debug, Args)]
pub struct FlockArgs {
    /// Rules and constants
    ///
    /// A built-in preset, one of your own by its name, or a file; `flockscope presets` lists them, and
    /// `flockscope presets show NAME` prints one as the file that you would write.
    #[arg(short, long, value_name = "NAME|FILE", default_value = "starlings", value_parser = preset(), help_heading = FLOCK)]
    #[arg(hide_possible_values = true)]
    pub preset: String,
    /// How many boids [default: the preset's]
    ///
    /// Predators are not counted. A world of a fixed size keeps its size; one that is `auto` keeps its density.
    #[arg(short = 'n', long, value_name = "N", value_parser = boids, allow_negative_numbers = true, conflicts_with = "input", help_heading = FLOCK)]
    pub boids: Option<usize>,
    /// How many predators [default: the preset's]
    ///
    /// Up to 1000.
    #[arg(long, value_name = "N", value_parser = predators, allow_negative_numbers = true, conflicts_with = "input", hide_short_help = true, help_heading = FLOCK)]
    pub predators: Option<usize>,
    /// What chance follows from [default: a random one]
    ///
    /// All that is random follows from it: the same seed flies the same flock. Without it a random one is
    /// drawn, and always shown, so that any run can be had again.
    #[arg(short, long, value_name = "N", value_parser = seed, allow_hyphen_values = true, help_heading = FLOCK)]
    pub seed: Option<u64>,
    /// Its world, as 300x200, in u [default: the preset's]
    ///
    /// WxH, or WxHxD in three dimensions, or round:R for a round world; auto keeps the preset's density
    /// and takes the canvas's shape.
    #[arg(long, value_name = "SIZE", value_parser = world, allow_hyphen_values = true, help_heading = FLOCK)]
    pub world: Option<WorldSize>,
    /// Give a parameter a value; may be repeated
    ///
    /// As in --set separation.weight=1.4; `flockscope params` lists all that can be set.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, help_heading = FLOCK)]
    pub set: Vec<Setting>,
    /// Put an obstacle, food or a roost into the world; may be repeated
    ///
    /// Its use, its middle and its radius in u, as obstacle:120,80:15; for food the share that is left can
    /// follow, as food:9,9:5:0.7. What the preset puts there is then left out; none leaves it out alone.
    #[arg(long, value_name = "KIND:X,Y[,Z]:R", value_parser = zone, hide_short_help = true, help_heading = FLOCK)]
    pub zone: Vec<ZoneArg>,
    /// How many threads fly it, up to 256 [default: the machine's cores]
    ///
    /// The flock flies the same, bit for bit, on any number of them.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads, allow_negative_numbers = true, hide_short_help = true, help_heading = FLOCK)]
    pub threads: Option<NonZeroUsize>,
    /// Begin from the last tick of a CSV file that `flockscope run` wrote
    ///
    /// Boids, predators and the tick are the file's; preset, seed and world are the command's. - is standard
    /// input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = FLOCK)]
    pub input: Option<PathBuf>,
    /// Where options stand that were not typed, in words, by their names
    #[arg(skip)]
    pub places: BTreeMap<String, Arc<str>>,
}

/// `--set`: a tunable and its value, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The tunable.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where it stands, in words, where it was not typed.
    pub place: Option<Arc<str>>,
}

/// `--zone`: something in the world, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneArg(pub Option<Zone>);

fn predators(text: &str) -> Result<usize, String> {
    whole(text, 0, MAX_PREDATORS)
}

fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

pub(crate) fn setting(text: &str) -> Result<Setting, Error> {
    let wrong = |message: String| Error::Flag { flag: format!("--set {text}"), message };
    let (key, value) = text.split_once('=').ok_or_else(|| wrong("it takes KEY=VALUE".into()))?;
    let row = Param::find(key.trim()).ok_or_else(|| {
        let keys = Param::table().iter().map(|row| row.key);
        let hint = did_you_mean_or(key, keys, "; `flockscope params` lists them");
        Error::Unknown { what: "parameter", name: key.to_owned(), hint }
    })?;
    Ok(Setting { key: row.key, value: row.parse(value)?, place: None })
}

fn zone(text: &str) -> Result<ZoneArg, Error> {
    if text == "none" { Ok(ZoneArg(None)) } else { Ok(ZoneArg(Some(text.parse()?))) }
}

fn world(text: &str) -> Result<WorldSize, Error> {
    text.parse()
}
