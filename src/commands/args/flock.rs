//! Options that define a flock, and the measures.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};

use super::values::{measure, number, preset, start, threads, whole};
use crate::config::{PresetSettings, WorldSize};
use crate::error::InputError;
use crate::sim::{MAX_BOIDS, MAX_PREDATORS, Param, Start, Value, Zone};

/// Set on each option: `next_help_heading` would also apply to the options of the struct that includes this one.
const FLOCK: &str = "Flock";
/// The built-in preset of a flock without `--preset`.
pub(crate) const DEFAULT_PRESET: &str = "murmuration";

/// Options that define a flock.
#[derive(Clone, Debug, Args)]
pub struct FlockArgs {
    /// Name or file of a preset
    ///
    /// A built-in preset, one of your own, or a file. `flockscope presets` lists the presets. `flockscope presets show NAME` prints one as a file, to copy and edit.
    #[arg(short, long, value_name = "NAME|FILE", default_value = DEFAULT_PRESET, value_parser = preset(), help_heading = FLOCK)]
    #[arg(hide_possible_values = true)]
    pub preset: String,
    /// Number of boids [default: from the preset]
    ///
    /// Predators count separately. A world of fixed size keeps its size; an `auto` world keeps its density.
    #[arg(short = 'n', long, value_name = "N", value_parser = whole(1, MAX_BOIDS), allow_negative_numbers = true, conflicts_with = "input", help_heading = FLOCK)]
    pub boids: Option<usize>,
    /// Number of predators, up to 1000 [default: from the preset]
    #[arg(long, value_name = "N", value_parser = whole(0, MAX_PREDATORS), allow_negative_numbers = true, conflicts_with = "input", hide_short_help = true, help_heading = FLOCK)]
    pub predators: Option<usize>,
    /// Random seed [default: random]
    ///
    /// The same seed and options always give the same flock. Without a seed, flockscope picks one and prints it, so that
    /// every run is reproducible.
    #[arg(short, long, value_name = "N", value_parser = whole(0, u64::MAX), allow_hyphen_values = true, help_heading = FLOCK)]
    pub seed: Option<u64>,
    /// World size in units [default: from the preset]
    ///
    /// Example: 300x200. WxH is flat, WxHxD has three dimensions, and round:R is a sphere of radius R. auto keeps the preset's density and
    /// takes the shape of the screen.
    #[arg(long, value_name = "SIZE", value_parser = WorldSize::from_str, allow_hyphen_values = true, help_heading = FLOCK)]
    pub world: Option<WorldSize>,
    /// Initial positions and velocities [default: from the preset]
    ///
    /// scatter: uniform positions and headings. rest: uniform positions, no motion. streams: two opposed streams. drift: uniform
    /// positions, each velocity component from 0.1 to 1 u/tick. flocks: a few flocks with different headings. flock: one flock with
    /// one heading.
    #[arg(long, value_name = "START", value_parser = start(), conflicts_with = "input", hide_short_help = true, help_heading = FLOCK)]
    pub start: Option<Start>,
    /// Set a parameter (repeatable)
    ///
    /// Example: --set separation.weight=1.4. `flockscope params` lists the parameters. The name of a rule is its weight:
    /// --set alignment=0.
    #[arg(long, value_name = "KEY=VALUE", value_parser = ParamSetting::from_str, help_heading = FLOCK)]
    pub set: Vec<ParamSetting>,
    /// Add an obstacle, food or a roost (repeatable)
    ///
    /// Kind, center and radius in units: obstacle:120,80:15. Food accepts the remaining amount, 0 to 1, as a fourth
    /// field: food:9,9:5:0.7. These zones replace those of the preset; none removes them.
    #[arg(long, value_name = "KIND:X,Y[,Z]:R", value_parser = ZoneArg::from_str, hide_short_help = true, help_heading = FLOCK)]
    pub zone: Vec<ZoneArg>,
    /// Number of threads, up to 256 [default: CPU cores]
    ///
    /// The flock is the same, bit for bit, for any number of threads.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads(), allow_negative_numbers = true, hide_short_help = true, help_heading = FLOCK)]
    pub threads: Option<NonZeroUsize>,
    /// Start from the last tick of a CSV or NPZ file written by `flockscope run`
    ///
    /// Boids, predators and the tick come from the file; preset, seed and world come from the options. - reads CSV from standard
    /// input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = FLOCK)]
    pub input: Option<PathBuf>,
    /// Where the config file sets options and parameters that are not on the command line: "config.toml:3".
    #[arg(skip)]
    pub sources: BTreeMap<String, String>,
    /// The parameters for single presets.
    #[arg(skip)]
    pub presets: PresetSettings,
}

/// A value of `--set`: a parameter and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSetting {
    /// The parameter.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
}

impl FromStr for ParamSetting {
    /// The problem, and what would be valid.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
        let param = Param::meant(key.trim()).ok_or_else(|| {
            let keys = Param::table().iter().map(|param| param.key);
            InputError::unknown("parameter", key, keys, "; `flockscope params` lists them").to_string()
        })?;
        let value = param.parse(value).map_err(|error| error.to_string())?;
        Ok(Self { key: param.key, value })
    }
}

/// A value of `--zone`: a zone, or `none`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneArg(pub Option<Zone>);

impl FromStr for ZoneArg {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        if text == "none" { Ok(Self(None)) } else { Ok(Self(Some(text.parse()?))) }
    }
}

const MEASURES: &str = "Measures";

/// The measures, and the ticks before them.
#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// Measures to take, separated by commas, or all
    ///
    /// The default is all measures except those marked by * below, which are slow or rarely needed.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = measure(), hide_possible_values = true, help_heading = MEASURES)]
    pub measure: Vec<String>,
    /// Number of ticks before anything is measured or written
    ///
    /// These ticks are added to those of --ticks.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0, u64::MAX), allow_hyphen_values = true, help_heading = MEASURES)]
    pub warmup: u64,
    /// Distance within which boids belong to one group, in units [default: that of the model]
    ///
    /// For flocks, largest_flock, and all measures and curves of the largest flock. The model's distance is cohesion.radius, or
    /// the largest radius of a published model.
    #[arg(long, value_name = "U", value_parser = number(0.0, f32::INFINITY), allow_negative_numbers = true, hide_short_help = true, help_heading = MEASURES)]
    pub group_radius: Option<f32>,
}
