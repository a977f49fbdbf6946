//! Metadata of runs and sweeps: a JSON file beside each of their files, which says how the file was made and what its columns are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{OutputFile, Replaces};
use crate::config::Preset;
use crate::error::{InputError, is_unprintable};
use crate::sim::{ModelRow, Param, Setup, Value};
use crate::tracks::Recording;

/// The units of the names that columns and parameters use.
const UNITS: [(&str, &str); 3] = [("length", "u"), ("speed", "u/tick"), ("time", "tick")];

/// How a file of a run or a sweep was made.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Metadata {
    pub flockscope: &'static str,
    /// The commit of the build, if it is known.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub commit: &'static str,
    pub command: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Recorded trajectories, which have no preset, no model and no parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<RecordingInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<serde_json::Value>,
    /// `None`, as for the next fields and for parameters, if a sweep changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boids: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predators: Option<usize>,
    /// Also `None` if the first state comes from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<&'static str>,
    /// The seed of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The seeds of a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedsInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<WorldInfo>,
    pub zones: Vec<String>,
    #[serde(serialize_with = "in_order", skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<(&'static str, MetadataValue)>,
    /// The ticks that are written or measured.
    pub ticks: u64,
    /// The ticks before them.
    pub warmup: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure_every: Option<u64>,
    /// The distance within which boids belong to one group, if it is not that of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_radius: Option<MetadataValue>,
    pub units: BTreeMap<&'static str, String>,
    pub columns: Vec<ColumnInfo>,
    /// The final state of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<HashInfo>,
    /// The dimensions of the grid of a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Vec<AxisInfo>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp: Option<RampInfo>,
    /// The rows of a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ColumnInfo {
    pub name: String,
    /// Empty if there is none.
    unit: String,
    description: String,
}

/// Successive seeds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct SeedsInfo {
    pub first: u64,
    pub count: u64,
}

/// Keys of a sweep, and the values that they take together.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AxisInfo {
    pub keys: Vec<&'static str>,
    pub values: Vec<Vec<MetadataValue>>,
}

/// The parameter of a ramp, its values on the way up, and the ticks of each.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RampInfo {
    pub key: &'static str,
    pub values: Vec<MetadataValue>,
    pub hold: u64,
}

/// A value of an option or a parameter.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum MetadataValue {
    Count(usize),
    Number(f32),
    Switch(bool),
    Word(String),
}

/// A tick and the hash of the state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HashInfo {
    pub tick: u64,
    pub state: String,
}

/// Recorded trajectories.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RecordingInfo {
    /// Frames per second, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    frame_rate: Option<f64>,
    /// The instant of time 0, if the times of the file are dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_date: Option<String>,
    frames: usize,
    animals: usize,
    /// The names of the animals by id, if they are no numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct WorldInfo {
    size: String,
    width: f32,
    height: f32,
    depth: f32,
}

impl Metadata {
    /// The metadata of a flock that the command line of this process made.
    pub(crate) fn new(preset: &Preset, setup: &Setup) -> Self {
        let model = ModelRow::of(&setup.params);
        let [width, height, depth] = setup.world.size();
        let used = Param::table().iter().filter(|param| model.uses(param));
        let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        Self {
            flockscope: env!("CARGO_PKG_VERSION"),
            commit: env!("BUILD_COMMIT"),
            command: ["flockscope".to_owned()].into_iter().chain(arguments).collect(),
            preset: Some(json!({ "name": preset.name })),
            model: Some(json!({ "name": model.name(), "version": model.version })),
            boids: Some(setup.boids),
            predators: Some(setup.predators),
            start: Some(setup.start.name()),
            world: Some(WorldInfo { size: setup.world.to_string(), width, height, depth }),
            zones: setup.zones.iter().map(ToString::to_string).collect(),
            params: used.map(|param| (param.key, param.get(&setup.params).into())).collect(),
            units: UNITS.map(|(quantity, unit)| (quantity, unit.to_owned())).into(),
            ..Self::default()
        }
    }

    /// The metadata of a flock whose first state comes from the file of `--input`, if there is one.
    pub(crate) fn with_input(self, input: Option<&Path>) -> Self {
        let start = self.start.filter(|_| input.is_none());
        Self { input: input.map(|path| path.display().to_string()), start, ..self }
    }

    /// The metadata of recorded trajectories instead of a simulated flock.
    pub(crate) fn with_recording(self, recorded: &Recording) -> Self {
        let info = RecordingInfo {
            frame_rate: recorded.frame_rate,
            start_date: recorded.start_date.clone(),
            frames: recorded.frames(),
            animals: recorded.animals(),
            names: recorded.names.clone(),
        };
        Self {
            recording: Some(info),
            preset: None,
            model: None,
            boids: None,
            predators: None,
            start: None,
            seed: None,
            params: Vec::new(),
            units: self.units.into_iter().map(|(quantity, unit)| (quantity, recorded.unit_of(&unit))).collect(),
            columns: self.columns.into_iter().map(|column| column.in_units_of(recorded)).collect(),
            ..self
        }
    }

    /// Writes the metadata of an output file beside it, unless it is a pipe or a device.
    ///
    /// # Errors
    ///
    /// [`InputError::File`].
    pub(crate) fn write(&self, output: &Path) -> Result<(), InputError> {
        let Some(path) = metadata_path(output) else { return Ok(()) };
        let mut out = OutputFile::open(&path, Replaces::METADATA)?;
        let json = serde_json::to_string_pretty(self).map_err(io::Error::from);
        let written = json.and_then(|json| write_printable(&json, &mut out));
        written.and_then(|()| out.finish()).map_err(InputError::io(&path)).map(drop)
    }
}

/// Writes JSON with escaped control characters, direction marks and the like. They only occur in its strings.
fn write_printable(json: &str, out: &mut impl Write) -> io::Result<()> {
    for c in json.chars() {
        if c == '\n' || !is_unprintable(c) {
            write!(out, "{c}")?;
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
    }
    writeln!(out)
}

/// Checks that the metadata of an output file can be written, and replaces no other file.
///
/// # Errors
///
/// [`InputError::File`].
pub(crate) fn check(output: &Path) -> Result<(), InputError> {
    let Some(path) = metadata_path(output) else { return Ok(()) };
    let writable = match fs::metadata(&path) {
        Ok(existing) if existing.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(existing) if !existing.is_file() => Err(io::Error::other("not a regular file")),
        Ok(existing) if existing.is_file() => File::options().write(true).open(&path).map(drop),
        _ => Ok(()),
    };
    writable.map_err(InputError::io(&path))?;
    Replaces::METADATA.check(&path)
}

/// Removes the metadata of an output file, so that it never describes other content.
///
/// # Errors
///
/// [`InputError::File`].
pub(crate) fn remove(output: &Path) -> Result<(), InputError> {
    let Some(path) = metadata_path(output) else { return Ok(()) };
    Replaces::METADATA.check(&path)?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(InputError::io(&path)(error)),
        _ => Ok(()),
    }
}

/// `phi.csv.json` for `phi.csv`; `None` for pipes and devices.
fn metadata_path(output: &Path) -> Option<PathBuf> {
    let is_file = !OutputFile::is_stream(output) && !OutputFile::may_wait(output);
    is_file.then(|| {
        let mut path = output.as_os_str().to_owned();
        path.push(".json");
        path.into()
    })
}

impl ColumnInfo {
    pub(crate) fn new(name: impl Into<String>, unit: &str, description: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.to_owned(), description: description.into() }
    }

    /// The column as an array with this shape.
    pub(crate) fn with_shape(self, shape: &str) -> Self {
        Self { description: format!("{}; {shape}.", self.description.trim_end_matches('.')), ..self }
    }

    fn in_units_of(self, recorded: &Recording) -> Self {
        if self.name == "time" && recorded.frame_rate.is_some() {
            return Self::new(self.name, "s", "Time of the frame: its number divided by the frame rate.");
        }
        Self { unit: recorded.unit_of(&self.unit), ..self }
    }
}

impl From<Value> for MetadataValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) if number.is_finite() => Self::Number(number),
            Value::Switch(on) => Self::Switch(on),
            // JSON has no infinity.
            value => Self::Word(value.to_string()),
        }
    }
}

/// Pairs as an object in their order.
fn in_order<S: Serializer>(pairs: &[(&str, MetadataValue)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}
